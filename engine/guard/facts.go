package guard

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"rein"
	"rein/internal/quote"
)

const (
	keptHeading = "Kept verbatim:"
	keptSource  = "earlier conversation"
	maxKept     = 2048 // bytes of the list
	maxFact     = 200  // bytes of one line of it
)

// facts are what a summary must not lose, oldest first.
type facts struct {
	errors, calls []string
	paths         []string // that people, the assistant and errors named
	seen          []string // paths in other results
}

// forgotten lists, in at most n bytes, the facts of the prefix that the reply does not mention: errors
// before calls before paths, newer before older. Errors and calls take a third of the room at most.
func forgotten(reply string, prefix []rein.Message, n int) string {
	f := factsOf(prefix)
	var lines []string
	taken := map[string]bool{}
	left := n
	for i, kind := range [][]string{f.errors, f.calls, f.paths, f.seen} {
		room := left
		if i < 2 {
			room = min(left, n/3)
		}
		var chosen []string
		for _, fact := range slices.Backward(kind) {
			if taken[fact] || len(fact)+1 > room || mentions(reply, fact) {
				continue
			}
			taken[fact] = true
			chosen = append(chosen, fact)
			room, left = room-len(fact)-1, left-len(fact)-1
		}
		slices.Reverse(chosen)
		lines = append(lines, chosen...)
	}
	return strings.Join(lines, "\n")
}

// mentions reports whether the reply has the fact, or of a call all its arguments.
func mentions(reply, fact string) bool {
	if strings.Contains(reply, fact) {
		return true
	}
	_, args, ok := strings.Cut(fact, " {")
	var values map[string]any
	if !ok || json.Unmarshal([]byte("{"+args), &values) != nil || len(values) == 0 {
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if text, ok := values[name].(string); !ok || text == "" || !strings.Contains(reply, text) {
			return false
		}
	}
	return true
}

func factsOf(prefix []rein.Message) facts {
	var f facts
	names := map[string]string{}
	for _, m := range prefix {
		switch {
		case IsSummary(m):
			f.addKept(m.Text)
		case m.Role == rein.ToolRole:
			f.addResult(names[m.CallID], m)
		default:
			f.paths = append(f.paths, pathsIn(m.Text)...)
		}
		for _, c := range m.Calls {
			names[c.ID] = c.Name
			f.calls = append(f.calls, oneLine(c.Name+" "+shortArgs(c.Args)))
			f.paths = append(f.paths, pathsIn(string(c.Args))...)
		}
	}
	return f
}

// addKept takes over what an earlier summary kept.
func (f *facts) addKept(summary string) {
	for _, block := range quote.Blocks(summary, quote.UntrustedTag) {
		if block.Attr("source") != keptSource {
			continue
		}
		for line := range strings.Lines(block.Content) {
			switch line = strings.TrimSuffix(line, "\n"); {
			case strings.Contains(line, " {"):
				f.calls = append(f.calls, line)
			case strings.Contains(line, ": "):
				f.errors = append(f.errors, line)
			default:
				f.paths = append(f.paths, line)
			}
		}
	}
}

// failure is a line of a program's output that tells of an error.
var failure = regexp.MustCompile(`(?im)^.*\b(?:error|fatal|panic|exception)\b.*$`)

func (f *facts) addResult(name string, m rein.Message) {
	text := Clip(m.Text, 1<<16)
	failed := m.Status != "" && m.Status.Failed()
	said := failure.FindString(text)
	if said == "" && failed {
		said, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	}
	status := ""
	if failed {
		status = " " + string(m.Status)
	}
	if said != "" || failed {
		f.errors = append(f.errors, oneLine(name+status+": "+said))
		f.paths = append(f.paths, pathsIn(said)...)
	}
	f.seen = append(f.seen, pathsIn(text)...)
}

// oneLine makes a fact of a text.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxFact {
		text = headOf(text, maxFact-len("…")) + "…"
	}
	return text
}

// shortArgs writes arguments with their long texts cut, so that the short ones (paths, say) are seen.
func shortArgs(args json.RawMessage) string {
	var values map[string]any
	if len(args) <= maxFact/2 || json.Unmarshal(args, &values) != nil {
		return string(args)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if text, ok := values[name].(string); ok && len(text) > maxFact/4 {
			values[name] = headOf(text, maxFact/4) + "…"
		}
	}
	short, err := json.Marshal(values)
	if err != nil {
		return string(args)
	}
	return string(short)
}

// pathsIn finds what looks like the path of a file. It would rather miss one than take "and/or" or
// "</div>" for one.
func pathsIn(text string) []string {
	var paths []string
	for _, word := range strings.FieldsFunc(Clip(text, 1<<16), endsPath) {
		word = strings.TrimRight(word, ".:")
		if isPath(word) {
			paths = append(paths, word)
		}
	}
	return paths
}

func endsPath(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\"'`()[]{}>,;=|*$!?", r)
}

func isPath(word string) bool {
	if len(word) < 3 || len(word) > maxFact || strings.Contains(word, "//") || strings.Contains(word, "<") || !strings.ContainsFunc(word, unicode.IsLetter) {
		return false
	}
	if strings.Contains(word, `:\`) {
		return true
	}
	slashes, name := strings.Count(word, "/"), word[strings.LastIndex(word, "/")+1:]
	return slashes > 1 || (slashes == 1 && (strings.Contains(name, ".") || strings.ContainsAny(word[:1], "/~.")))
}
