package args

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
)

// An explainer says in words where a value does not fit a schema. It knows the common keywords: if
// it finds nothing, the value may still not fit.
type explainer struct {
	*schema
	left  int  // how much it may still look at
	quiet bool // only whether there is a problem counts, not its words
}

func (s *schema) explainer(value any) *explainer {
	return &explainer{schema: s, left: checksFor(value)}
}

// unspoken is the problem of a quiet explainer.
var unspoken = &Problem{Msg: "they do not fit the schema", Offset: -1}

func (e *explainer) problem(path, format string, a ...any) *Problem {
	if e.quiet {
		return unspoken
	}
	return &Problem{Msg: fmt.Sprintf(format, a...), Path: path, Offset: -1}
}

func (e *explainer) join(path, part string) string {
	if e.quiet {
		return ""
	}
	return join(path, part)
}

// fits reports whether no problem is to be found.
func (e *explainer) fits(at *jsonschema.Schema, value any) bool {
	return e.explain(at, value, "") == nil
}

// Words that are made only if they are said.
type (
	shown struct{ value any }
	wants struct {
		e  *explainer
		at *jsonschema.Schema
	}
	names struct{ at *jsonschema.Schema }
)

func (s shown) String() string { return show(s.value) }
func (w wants) String() string { return w.e.wanted(w.at) }
func (n names) String() string { return known(n.at) }

func (e *explainer) explain(at *jsonschema.Schema, value any, path string) *Problem {
	if e.left--; e.left < 0 {
		return nil
	}
	if target := e.refs[at]; target != nil {
		if p := e.explain(target, value, path); p != nil {
			return p
		}
	}
	if types := typesOf(at); len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return isType(value, t) }) {
		return e.problem(path, "%s is %s; it must be %s", shown{value}, kindOf(value), wants{e, at})
	}
	if (at.Enum != nil || at.Const != nil) && !allowed(at, value) {
		return e.problem(path, "%s is not allowed; it must be %s", shown{value}, wants{e, at})
	}
	if p := e.explainKind(at, value, path); p != nil {
		return p
	}
	for _, c := range at.AllOf {
		if p := e.explain(c, value, path); p != nil {
			return p
		}
	}
	if p := e.explainAlternatives(at.AnyOf, value, path, false); p != nil {
		return p
	}
	return e.explainAlternatives(at.OneOf, value, path, true)
}

func (e *explainer) explainKind(at *jsonschema.Schema, value any, path string) *Problem {
	switch v := value.(type) {
	case json.Number:
		return e.explainNumber(at, v, path)
	case string:
		return e.explainString(at, v, path)
	case []any:
		return e.explainArray(at, v, path)
	case map[string]any:
		return e.explainObject(at, v, path)
	}
	return nil
}

// explainAlternatives is for anyOf and oneOf. If only one alternative is of the value's kind, what
// is wrong with that one says more than that none fits.
func (e *explainer) explainAlternatives(list []*jsonschema.Schema, value any, path string, one bool) *Problem {
	if len(list) == 0 {
		return nil
	}
	var near []*Problem
	fit := 0
	for _, c := range list {
		p := e.explain(c, value, path)
		if p == nil {
			fit++
			continue
		}
		if types := e.typesOf(c); slices.ContainsFunc(types, func(t string) bool { return isType(value, t) }) {
			near = append(near, p)
		}
	}
	switch {
	case fit == 1 || fit > 1 && !one:
		return nil
	case fit > 1:
		return e.problem(path, "%s fits %d of the alternatives; it must fit exactly one", shown{value}, fit)
	case len(near) == 1:
		return near[0]
	}
	if e.quiet {
		return unspoken
	}
	words := make([]string, 0, len(list))
	for _, c := range list {
		if w := e.wanted(c); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return e.problem(path, "%s fits none of the alternatives; it must be %s", shown{value}, strings.Join(words, " or "))
}

func (e *explainer) explainNumber(at *jsonschema.Schema, n json.Number, path string) *Problem {
	f, err := n.Float64()
	if err != nil {
		return nil
	}
	for _, limit := range []struct {
		bound *float64
		bad   func(order int) bool
		words string
	}{
		{at.Minimum, func(o int) bool { return o < 0 }, "at least"},
		{at.Maximum, func(o int) bool { return o > 0 }, "at most"},
		{at.ExclusiveMinimum, func(o int) bool { return o <= 0 }, "more than"},
		{at.ExclusiveMaximum, func(o int) bool { return o >= 0 }, "less than"},
	} {
		if limit.bound != nil && limit.bad(cmp.Compare(f, *limit.bound)) {
			return e.problem(path, "%s must be %s %s", rein.Clip(n.String(), maxShown), limit.words, strconv.FormatFloat(*limit.bound, 'g', -1, 64))
		}
	}
	if at.MultipleOf != nil {
		if _, fraction := math.Modf(f / *at.MultipleOf); fraction != 0 {
			return e.problem(path, "%s must be a multiple of %s", rein.Clip(n.String(), maxShown), strconv.FormatFloat(*at.MultipleOf, 'g', -1, 64))
		}
	}
	return nil
}

func (e *explainer) explainString(at *jsonschema.Schema, text, path string) *Problem {
	n := utf8.RuneCountInString(text)
	switch {
	case at.MinLength != nil && n < *at.MinLength:
		return e.problem(path, "%s has %d characters; it must have at least %d", shown{text}, n, *at.MinLength)
	case at.MaxLength != nil && n > *at.MaxLength:
		return e.problem(path, "%s has %d characters; it must have at most %d", shown{text}, n, *at.MaxLength)
	case at.Pattern != "" && !e.patterns[at.Pattern].MatchString(text):
		return e.problem(path, "%s must match the pattern %s", shown{text}, rein.Clip(at.Pattern, maxShown))
	}
	return nil
}

func (e *explainer) explainArray(at *jsonschema.Schema, list []any, path string) *Problem {
	switch n := len(list); {
	case at.MinItems != nil && n < *at.MinItems:
		return e.problem(path, "it has %d items; it must have at least %d", n, *at.MinItems)
	case at.MaxItems != nil && n > *at.MaxItems:
		return e.problem(path, "it has %d items; it must have at most %d", n, *at.MaxItems)
	}
	for i, item := range list {
		if c := itemSchema(at, i); c != nil {
			if p := e.explain(c, item, e.join(path, strconv.Itoa(i))); p != nil {
				return p
			}
		}
	}
	return nil
}
