package notes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"rein"
)

var errUnsafe = errors.New("it cannot be changed line by line")

// readYAML guards the caller from a parser that fails in its own way on what nobody writes.
func readYAML(source []byte, into any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it cannot be read: %v", r)
		}
	}()
	return yaml.Unmarshal(source, into)
}

// decodeFields reads YAML that must be a list of fields, or nothing.
func decodeFields(source []byte) (map[string]any, error) {
	var root yaml.Node
	if err := readYAML(source, &root); err != nil {
		return nil, plain(err)
	}
	if len(root.Content) == 0 || root.Content[0].Tag == "!!null" {
		return map[string]any{}, nil
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("it must be fields with values, such as \"status: done\"")
	}
	fields := map[string]any{}
	if err := readYAML(source, &fields); err != nil {
		return nil, plain(err)
	}
	return fields, nil
}

// plain is the first line of what the parser says.
func plain(err error) error {
	text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "\n")
	return errors.New(text)
}

// replaceField puts a text in the place of the lines of a field, or at the end if there is no such
// field. An empty text removes it. The comment behind a value stays behind the new one.
func replaceField(lines []byte, name, text string) ([]byte, error) {
	var root yaml.Node
	if err := readYAML(lines, &root); err != nil {
		return nil, err
	}
	var fields *yaml.Node
	if len(root.Content) > 0 && root.Content[0].Kind == yaml.MappingNode {
		fields = root.Content[0]
	}
	if fields != nil && fields.Style&yaml.FlowStyle != 0 {
		return nil, errUnsafe
	}
	starts := lineStarts(lines)
	for i := 0; fields != nil && i < len(fields.Content); i += 2 {
		key, value := fields.Content[i], fields.Content[i+1]
		if key.Value != name {
			continue
		}
		next := len(starts) // the line after the last, counted from 1
		if i+2 < len(fields.Content) {
			next = fields.Content[i+2].Line
		}
		if key.Line < 1 || key.Column != 1 || next <= key.Line || next > len(starts) {
			return nil, errUnsafe
		}
		from, to := starts[key.Line-1], fieldEnd(lines, starts, key.Line, next)
		return splice(lines, from, to, withComment(text, value.LineComment)), nil
	}
	if text == "" {
		return lines, nil
	}
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		return nil, errUnsafe
	}
	return append(bytes.Clone(lines), text...), nil
}

// lineStarts returns where each line begins, and at last where the text ends.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	if starts[len(starts)-1] != len(text) {
		starts = append(starts, len(text))
	}
	return starts
}

// fieldEnd returns where the lines of a field end: before the next field, and before the blank lines
// and comments above that.
func fieldEnd(lines []byte, starts []int, first, next int) int {
	last := next - 1
	for last > first {
		line := bytes.TrimRight(lines[starts[last-1]:starts[last]], " \t\r\n")
		if len(line) > 0 && line[0] != '#' {
			break
		}
		last--
	}
	return starts[last]
}

// withComment keeps the comment that stood behind a value.
func withComment(text, comment string) string {
	if text == "" || comment == "" || strings.Contains(comment, "\n") {
		return text
	}
	first, rest, _ := strings.Cut(text, "\n")
	end := "\n"
	if strings.HasSuffix(first, "\r") {
		first, end = strings.TrimSuffix(first, "\r"), "\r\n"
	}
	return first + " " + comment + end + rest
}

// fieldText writes a field as YAML, and returns what it says when it is read.
func fieldText(name string, raw json.RawMessage) (text string, value any, err error) {
	var given any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&given); err != nil {
		return "", nil, rein.Errorf(rein.CodeInvalid, "the value of %q cannot be read: %w", name, err)
	}
	node, err := nodeOf(given, 0)
	if err != nil {
		return "", nil, rein.Errorf(rein.CodeInvalid, "the value of %q: %w", name, err)
	}
	var key yaml.Node
	key.SetString(name)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{&key, node}}); err != nil {
		return "", nil, rein.Errorf(rein.CodeInvalid, "the value of %q cannot be written as YAML: %w", name, plain(err))
	}
	fields, err := decodeFields(b.Bytes())
	if err != nil || len(fields) != 1 || len(b.Bytes()) > maxFront {
		return "", nil, rein.Errorf(rein.CodeInvalid, "field %q cannot be written as YAML: use a plain name and a shorter value", name)
	}
	if _, ok := fields[name]; !ok {
		return "", nil, rein.Errorf(rein.CodeInvalid, "field %q cannot be written as YAML: use a plain name", name)
	}
	return b.String(), fields[name], nil
}

const maxDepth = 10

var date = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// nodeOf makes YAML of JSON. Dates are written plainly, as note programs do.
func nodeOf(v any, depth int) (*yaml.Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch v := v.(type) {
	case nil:
		n.Tag, n.Value = "!!null", "null"
	case bool:
		n.Tag, n.Value = "!!bool", fmt.Sprint(v)
	case json.Number:
		n.Tag, n.Value = "!!float", v.String()
		if !strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!int"
		}
	case string:
		if n.SetString(v); date.MatchString(v) {
			n.Tag = "!!timestamp"
		}
	case []any:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		for _, item := range v {
			child, err := nodeOf(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
	case map[string]any:
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		for _, key := range slices.Sorted(maps.Keys(v)) {
			child, err := nodeOf(v[key], depth+1)
			if err != nil {
				return nil, err
			}
			name := &yaml.Node{}
			name.SetString(key)
			n.Content = append(n.Content, name, child)
		}
	}
	return n, nil
}
