package skill

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A head is the front matter of a text: the lines "key: value" between the two lines "---" that it begins with. A value can
// be a list, on lines of their own.
type head map[string][]string

func readHead(text string) (head, error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	block, _, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		return nil, errors.New(`it must begin with front matter: a line "---", then name: and description:, then a line "---"`)
	}
	return parseHead(block)
}

func parseHead(block string) (head, error) {
	h, last := head{}, ""
	for line := range strings.Lines(block) {
		line = strings.TrimRight(line, " \t\n")
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && last != "" {
			h[last] = append(h[last], unquoted(item))
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "#") {
			continue
		}
		last, value = strings.TrimSpace(key), unquoted(value)
		if slices.Contains([]string{">", "|", ">-", "|-", ">+", "|+"}, value) {
			return nil, fmt.Errorf("its %s must be written on one line", last)
		}
		if h[last] = nil; value != "" {
			h[last] = []string{value}
		}
	}
	return h, nil
}

func unquoted(value string) string { return strings.Trim(strings.TrimSpace(value), `"'`) }

// value is the one value of a key.
func (h head) value(key string) string {
	if len(h[key]) != 1 {
		return ""
	}
	return h[key][0]
}

// Front splits a text into its front matter, which it need not have, and what follows.
func Front(text string) (value func(key string) string, body string, err error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	block, body, closed := strings.Cut(rest, "\n---")
	if !ok {
		return head{}.value, text, nil
	}
	if !closed {
		return nil, "", errors.New(`its front matter has no end: write a line "---" after it`)
	}
	h, err := parseHead(block)
	return h.value, strings.TrimSpace(body), err
}

// others are names that skills for other programs use for tools.
var others = map[string][]string{
	"read": {"read_file", "read_session_file"}, "write": {"write_file"}, "edit": {"edit_file", "apply_patch"}, "multiedit": {"edit_file", "apply_patch"},
	"ls": {"list_directory"}, "bash": {"execute_command", "monitor_log", "stop_command"}, "webfetch": {"web.fetch_url"}, "websearch": {"web.search", "search_web"},
	"todowrite": {"todo"},
}

const maxAllowed = 100

// allowed reads allowed-tools: names, with commas or spaces between them, or a list. What stands in brackets after a name
// is left out: a call is judged by its arguments anyway. It is nil if the key is missing: the skill narrows nothing.
func (h head) allowed() ([]string, error) {
	values, given := h["allowed-tools"]
	if !given {
		return nil, nil
	}
	names := []string{}
	for _, value := range values {
		for _, name := range toolWords(value) {
			names = append(names, name)
			names = append(names, others[strings.ToLower(name)]...)
			if lower := strings.ToLower(name); lower != name {
				names = append(names, lower)
			}
		}
	}
	if len(names) > maxAllowed {
		return nil, fmt.Errorf("its allowed-tools has more than %d names", maxAllowed)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// toolWords splits a list of names.
func toolWords(value string) (words []string) {
	depth, word := 0, strings.Builder{}
	end := func() {
		if w := unquoted(strings.Trim(word.String(), "[]")); w != "" {
			words = append(words, w)
		}
		word.Reset()
	}
	for _, c := range value {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0:
		case c == ',' || c == ' ' || c == '\t':
			end()
		default:
			word.WriteRune(c)
		}
	}
	end()
	return words
}
