package args

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rein"
)

// A Problem says what is wrong with the arguments of a call, in words that a model can act on.
type Problem struct {
	Tool   string
	Msg    string
	Path   string          // a JSON pointer into the arguments; empty: the arguments themselves
	Offset int             // for text that is no JSON: the byte at which it goes wrong, else -1
	Cut    bool            // the text was cut off: only its author knows the rest
	Schema json.RawMessage // what the arguments must fit
}

func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString("the arguments")
	if p.Tool != "" {
		fmt.Fprintf(&b, " of %q", p.Tool)
	}
	b.WriteString(" are wrong")
	if p.Path != "" {
		b.WriteString(" at " + p.Path)
	}
	if p.Offset >= 0 {
		b.WriteString(" at byte " + strconv.Itoa(p.Offset))
	}
	return b.String() + ": " + p.Msg
}

// Unwrap gives the problem its code: the call can be mended by who made it.
func (p *Problem) Unwrap() error { return &rein.Error{Code: rein.CodeInvalid, Msg: p.Msg} }

// about names the tool in a problem.
func about(t rein.Tool, err error) error {
	p, ok := err.(*Problem)
	if !ok {
		return err
	}
	named := *p
	named.Tool, named.Schema = t.Name, t.Schema
	return &named
}

// maxShown is how much of a value a problem repeats, in bytes.
const maxShown = 80

// show writes a value so that nobody can mistake it for words of ours.
func show(value any) string {
	text, err := encode(value)
	if err != nil {
		return "the value"
	}
	return rein.Clip(string(text), maxShown)
}

// list joins words, and leaves out what nobody would read.
func list(words []string) string {
	if len(words) > maxChoices {
		words = append(slices.Clone(words[:maxChoices]), "…")
	}
	return strings.Join(words, ", ")
}

// maxChoices is how many words a problem lists.
const maxChoices = 20
