package secret

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

//go:embed shapes.txt
var shapesText string

// wellKnown returns the shapes that are always looked for. They are compiled when they are first needed: most commands
// end before that, and it takes longer than all else that they do before main.
var wellKnown = sync.OnceValue(func() []Shape { return mustParse(shapesText) })

func mustParse(text string) []Shape {
	shapes, err := parse(text)
	if err != nil {
		panic("secret: shapes.txt: " + err.Error())
	}
	return shapes
}

// parse reads shapes as shapes.txt has them.
func parse(text string) ([]Shape, error) {
	var shapes []Shape
	for block := range strings.SplitSeq(text, "\n\n") {
		fields := map[string]string{}
		for line := range strings.Lines(block) {
			if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
				continue
			}
			key, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ": ")
			if !ok || fields[key] != "" {
				return nil, fmt.Errorf("%q: want \"key: value\", each key once", line)
			}
			fields[key] = value
		}
		if len(fields) == 0 {
			continue
		}
		shape, err := shapeOf(fields)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields["kind"], err)
		}
		shapes = append(shapes, shape)
	}
	return shapes, nil
}

// escape is what may stand before a word: an edge, or the end of an escape.
const escape = `(?:\b|\\[nrt]|%[0-9A-Fa-f]{2})`

// shapeOf makes a shape of the fields of a block.
func shapeOf(fields map[string]string) (Shape, error) {
	s := Shape{kind: fields["kind"], hints: strings.Fields(fields["hints"])}
	var expr string
	for key, value := range fields {
		known := true
		switch key {
		case "kind", "hints":
		case "token":
			expr, s.place = value, anywhere
		case "word":
			expr, s.place, s.framed = escape+"("+value+")", atEdge, true
		case "beside":
			expr, s.framed = placeholders.Replace(value), true
		case "near":
			s.near, known = nears[value]
		case "likely":
			s.likely, known = likelies[value]
		default:
			known = false
		}
		if !known {
			return s, fmt.Errorf("%s: %s is not known", key, value)
		}
	}
	if s.kind == "" || expr == "" {
		return s, fmt.Errorf("a shape needs a kind and one of token, word, beside")
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return s, err
	}
	s.re = re
	if s.place == anywhere {
		prefix, _ := re.LiteralPrefix()
		s.bare = max(len(prefix), minBare)
	}
	return s, nil
}

// telling are names of values that are secret.
const telling = `password|passwd|wachtwoord|client_?secret|api_?key|access_?token|auth_?token|refresh_?token|secret_?key|private_?key`

var placeholders = strings.NewReplacer("{telling}", telling, "{edge}", escape)

var (
	nears    = map[string]func(string) bool{"solid": solid, "assigned": assigned, "given": given, "signed-in": signedIn}
	likelies = map[string]func(string) bool{"genuine": genuine, "random": random}
)
