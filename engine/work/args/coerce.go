package args

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"rein/internal/lenient"
)

// A coercer makes values fit a schema where there is only one way to. It never changes a part that
// fits, and never drops data other than a null that stands for nothing.
type coercer struct {
	*explainer
}

// coerce makes arguments fit as far as it can; whether they do is still to be checked.
func (s *schema) coerce(tool string, value any) any {
	c := &coercer{s.explainer(value)}
	c.quiet = true
	if value == nil {
		value = map[string]any{}
	}
	if text, ok := value.(string); ok {
		value = parsed(text, '{')
	}
	if inner, ok := c.unwrap(tool, value); ok {
		value = inner
	}
	return c.coerce(s.root, value, 0)
}

// unwrap takes the arguments out of an object that holds them under a name for arguments, alone or
// with the name of the tool.
func (c *coercer) unwrap(tool string, value any) (any, bool) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	var inner any
	found := 0
	for name, part := range object {
		_, declared := c.declared(name)
		switch {
		case declared:
			return nil, false
		case slices.Contains([]string{"arguments", "parameters", "input"}, name):
			found++
			inner = part
		case (name == "name" || name == "tool") && part == tool:
		default:
			return nil, false
		}
	}
	if text, ok := inner.(string); ok {
		inner = parsed(text, '{')
	}
	_, ok = inner.(map[string]any)
	return inner, ok && found == 1
}

// declared looks a property up where the root schema can name it.
func (c *coercer) declared(name string) (*jsonschema.Schema, bool) {
	at := c.follow(c.root)
	if part, ok := c.declaredAs(at, name); ok {
		return part, true
	}
	for _, other := range slices.Concat(at.AllOf, at.AnyOf, at.OneOf) {
		if part, ok := c.declaredAs(c.follow(other), name); ok {
			return part, true
		}
	}
	return nil, false
}

// parsed reads JSON of a kind out of a string, or returns the string.
func parsed(text string, open byte) any {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed[0] != open {
		return text
	}
	found, err := lenient.Value(trimmed)
	if err != nil || found.JSON[0] != open {
		return text
	}
	value, err := decode(found.JSON)
	if err != nil {
		return text
	}
	return value
}

func (c *coercer) coerce(at *jsonschema.Schema, value any, depth int) any {
	if depth > maxDepth || c.left <= 0 || c.fits(at, value) {
		return value
	}
	if target := c.refs[at]; target != nil {
		value = c.coerce(target, value, depth+1)
	}
	for _, part := range at.AllOf {
		value = c.coerce(part, value, depth+1)
	}
	value = c.choose(at.AnyOf, value, depth)
	value = c.choose(at.OneOf, value, depth)
	value = spelled(at, value)
	if want := onlyType(at); want != "" && !isType(value, want) {
		value = c.convert(at, want, value)
	}
	switch v := value.(type) {
	case map[string]any:
		return c.object(at, v, depth)
	case []any:
		out := slices.Clone(v)
		for i := range out {
			if item := itemSchema(at, i); item != nil {
				out[i] = c.coerce(item, out[i], depth+1)
			}
		}
		return out
	}
	return value
}

// choose coerces a value to the one alternative that it then fits. If there are several results,
// nobody can say which was meant.
func (c *coercer) choose(list []*jsonschema.Schema, value any, depth int) any {
	var result any
	var text string
	results := 0
	for _, part := range list {
		candidate := c.coerce(part, value, depth+1)
		if c.left <= 0 || !c.fits(part, candidate) {
			continue
		}
		written, err := encode(candidate)
		if err != nil || results > 0 && string(written) == text {
			continue
		}
		result, text = candidate, string(written)
		results++
	}
	if results == 1 {
		return result
	}
	return value
}

// onlyType returns the one type that a schema wants beside null, "" if there is none or a choice.
func onlyType(at *jsonschema.Schema) string {
	types := slices.DeleteFunc(slices.Clone(typesOf(at)), func(t string) bool { return t == "null" })
	if len(types) == 1 {
		return types[0]
	}
	return ""
}

// spelled replaces a value by the only allowed one that is spelled the same: a string that differs
// in case alone, or a number or boolean with or without quotes.
func spelled(at *jsonschema.Schema, value any) any {
	switch value.(type) {
	case nil, map[string]any, []any:
		return value
	}
	if len(choices(at)) == 0 || allowed(at, value) {
		return value
	}
	var same []any
	for _, choice := range choices(at) {
		if strings.EqualFold(bare(choice), bare(value)) {
			same = append(same, choice)
		}
	}
	if len(same) != 1 {
		return value
	}
	written, err := encode(same[0])
	if err != nil {
		return value
	}
	if meant, err := decode(written); err == nil {
		return meant
	}
	return value
}

// bare spells a value without the quotes of a string.
func bare(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, _ := encode(value)
	return string(text)
}

// convert turns a value into one of another type that says the same.
func (c *coercer) convert(at *jsonschema.Schema, want string, value any) any {
	text, isText := value.(string)
	switch want {
	case "integer", "number":
		if number := json.Number(strings.TrimSpace(text)); isText && isNumber(number) && isType(number, want) {
			return number
		}
	case "boolean":
		switch word := strings.ToLower(strings.TrimSpace(text)); {
		case isText && word == "true":
			return true
		case isText && word == "false":
			return false
		}
	case "string":
		switch v := value.(type) {
		case json.Number:
			return v.String()
		case bool:
			return strconv.FormatBool(v)
		}
	case "object":
		if isText {
			return parsed(text, '{')
		}
	case "array":
		if isText {
			value = parsed(text, '[')
		}
		if _, ok := value.([]any); !ok && value != nil {
			return []any{value}
		}
	}
	return value
}

// isNumber reports whether text is a number as JSON spells them.
func isNumber(n json.Number) bool {
	return n != "" && (n[0] == '-' || '0' <= n[0] && n[0] <= '9') && json.Valid([]byte(n))
}

func (c *coercer) object(at *jsonschema.Schema, object map[string]any, depth int) map[string]any {
	out := maps.Clone(object)
	c.rename(at, out)
	for _, name := range sortedKeys(out) {
		part, declared := c.declaredAs(at, name)
		if !declared {
			part = at.AdditionalProperties
		}
		switch {
		case part == nil:
		case out[name] == nil && declared && !slices.Contains(at.Required, name) && !c.fits(part, nil):
			delete(out, name)
		default:
			out[name] = c.coerce(part, out[name], depth+1)
		}
	}
	for _, name := range at.Required {
		part := at.Properties[name]
		if _, given := out[name]; !given && part != nil && part.Default != nil {
			if value, err := decode(json.RawMessage(part.Default)); err == nil {
				out[name] = value
			}
		}
	}
	return out
}
