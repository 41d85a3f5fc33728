package parse

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// maxFront bounds a front matter in bytes.
const maxFront = 64 << 10

// readFront reads the front matter and returns where the body begins.
func (n *Note) readFront(text []byte) int {
	start := 0
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		start = 3
	}
	first, _, ok := bytes.Cut(text[start:], []byte("\n"))
	if !ok || string(bytes.TrimRight(first, " \t\r")) != "---" {
		return start
	}
	from := start + len(first) + 1
	at := from
	for line := range bytes.Lines(text[from:]) {
		mark := string(bytes.TrimRight(line, " \t\r\n"))
		if mark == "---" || mark == "..." {
			n.Front = Span{start, at + len(line)}
			n.readYAML(text[from:at])
			return n.Front.End
		}
		at += len(line)
		if at-from > maxFront {
			break
		}
	}
	n.Problems = append(n.Problems, "front matter has no end: a line of --- was expected")
	return start
}

// readYAML takes title, aliases and tags. If the YAML is malformed it takes what plain lines say.
func (n *Note) readYAML(source []byte) {
	fields, err := decode(source)
	if err != nil {
		n.Problems = append(n.Problems, "front matter is not valid YAML: "+firstLine(err.Error()))
		fields = plainFields(string(source))
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		value := fields[key]
		switch strings.ToLower(key) {
		case "title":
			n.Title = strings.TrimSpace(oneText(value))
		case "alias", "aliases":
			n.Aliases = appendNew(n.Aliases, texts(value, false)...)
		case "tag", "tags", "keywords":
			for _, t := range texts(value, true) {
				n.addTag(t)
			}
		}
	}
}

// decode guards the caller from a parser that fails in its own way on what nobody writes.
func decode(source []byte) (fields map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot be read: %v", r)
		}
	}()
	err = yaml.Unmarshal(source, &fields)
	return fields, err
}

// plainFields reads "key: value" lines and lists below a key.
func plainFields(source string) map[string]any {
	fields := map[string]any{}
	key := ""
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\r\n \t")
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && key != "" {
			list, _ := fields[key].([]any)
			fields[key] = append(list, unquote(item))
			continue
		}
		k, v, ok := strings.Cut(line, ":")
		if !ok || k == "" || strings.ContainsAny(k, " \t\"'[]{}") {
			continue
		}
		key = k
		if v = strings.TrimSpace(v); v != "" {
			fields[key] = unquote(v)
		}
	}
	return fields
}

func unquote(s string) string { return strings.Trim(strings.TrimSpace(s), `"'`) }

func oneText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case nil, map[string]any, []any:
		return ""
	case time.Time:
		return v.Format(time.DateOnly)
	default:
		return fmt.Sprint(v)
	}
}

// texts reads a list, or a text that holds one: "[a, b]", "a, b" and, of tags, "a b".
func texts(value any, tags bool) []string {
	var out []string
	if list, ok := value.([]any); ok {
		for _, item := range list {
			out = append(out, texts(item, tags)...)
		}
		return out
	}
	s := strings.Trim(strings.TrimSpace(oneText(value)), "[]")
	split := func(r rune) bool { return r == ',' || tags && (r == ' ' || r == '\t') }
	for _, part := range strings.FieldsFunc(s, split) {
		if part = unquote(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// addTag adds a tag as people wrote it, without its mark.
func (n *Note) addTag(tag string) {
	tag = strings.Trim(strings.TrimLeft(strings.TrimSpace(tag), "#"), "/ ")
	if tag != "" && len(tag) <= 200 {
		n.Tags = appendNew(n.Tags, tag)
	}
}

func appendNew(list []string, items ...string) []string {
	for _, item := range items {
		if !slices.Contains(list, item) && len(list) < 1000 {
			list = append(list, item)
		}
	}
	return list
}

func firstLine(s string) string {
	s = strings.TrimPrefix(s, "yaml: ")
	if line, _, ok := strings.Cut(s, "\n"); ok && !strings.HasSuffix(line, ":") {
		return line
	}
	return strings.Join(strings.Fields(s), " ")
}
