package offline

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// A line is one thing that can be quoted, with where it stands.
type line struct {
	text   string
	cite   string  // "README.md:12"
	source string  // "README.md"
	head   string  // the nearest heading above it
	score  float64 // what a search says of it, if it does
}

// linesOf cuts a result into lines that can be cited.
func linesOf(u use) []line {
	if hits := hitsOf(u); hits != nil {
		return hits
	}
	text, source := textOf(u)
	if u.role == searches {
		return located(text, source)
	}
	first := firstNumber(u)
	if strings.Contains(source, "#") { // a section is not counted from the top of its file
		first = 0
	}
	return numbered(text, source, first)
}

// textOf returns the text of a result and what to call it. Tools that answer in JSON have it under
// "text" or "content", and may know the path better than the call.
func textOf(u use) (text, source string) {
	source = cmp.Or(u.origin, mainArg(u))
	if source == "" || u.role == searches { // a query is no source
		source = u.call.Name
	}
	var doc struct {
		Text    string `json:"text"`
		Content string `json:"content"`
		Meta    struct {
			Path    string `json:"path"`
			Section string `json:"section"`
		} `json:"meta"`
	}
	if !strings.HasPrefix(strings.TrimSpace(u.body), "{") || json.Unmarshal([]byte(u.body), &doc) != nil || doc.Text+doc.Content == "" {
		return u.body, source
	}
	return doc.Text + doc.Content, place(doc.Meta.Path, doc.Meta.Section, source)
}

// place names a section of a path.
func place(path, section, otherwise string) string {
	switch {
	case path == "":
		return otherwise
	case section == "":
		return oneLine(path, 200)
	}
	return oneLine(path+"#"+section, 200)
}

// mainArg returns the path, the query, the command … of a call, for people.
func mainArg(u use) string {
	var args map[string]any
	if json.Unmarshal(u.call.Args, &args) != nil {
		return ""
	}
	for _, slot := range slots[u.role] {
		switch v := args[slot].(type) {
		case string:
			return oneLine(v, 200)
		case []any:
			if len(v) > 0 {
				if s, ok := v[0].(string); ok {
					return oneLine(s, 200)
				}
			}
		}
	}
	return ""
}

// firstNumber returns the number of the first line of a result, or 0 if lines cannot be numbered:
// the call asked for a part that is not counted in lines, or the result is not a file.
func firstNumber(u use) int {
	if u.role != reads {
		return 0
	}
	var args map[string]any
	_ = json.Unmarshal(u.call.Args, &args)
	for _, other := range []string{"section", "start", "find", "offset"} {
		if _, ok := args[other]; ok {
			return 0
		}
	}
	for _, name := range []string{"from_line", "start_line", "line_start", "from", "line"} {
		if f, ok := args[name].(float64); ok && f >= 1 && f < 1e9 {
			return int(f)
		}
	}
	return 1
}

// ownNumber is a line number that the tool itself has put before a line.
var ownNumber = regexp.MustCompile(`^\s*(\d{1,9})(?:\t|: |\| | \| |→)`)

// note is a line that a tool or the runtime has added to a text: it is no part of it.
var note = regexp.MustCompile(`^\[(?:… .*left out|lines \d+-\d+|bytes \d+ to \d+|\d+ of .* places|the file is empty|the result is empty|".*" is not in bytes)[^\n]*\]$`)

// found is a line of a search in a clipped result.
var found = regexp.MustCompile(`^(offset \d+): `)

// numbered cites every line by its number. After a note that something was left out the numbers
// are not known any more, and lines are cited by their source only.
func numbered(text, source string, first int) []line {
	raw := strings.Split(clean(text), "\n")
	own := first > 0 && allNumbered(raw)
	var all []line
	head := ""
	for i, s := range raw {
		cite := source
		if own {
			m := ownNumber.FindStringSubmatch(s)
			if m != nil {
				cite, s = source+":"+m[1], s[len(m[0]):]
			}
		} else if first > 0 {
			cite = source + ":" + strconv.Itoa(first+i)
		}
		if note.MatchString(s) {
			if strings.Contains(s, "left out") {
				first = 0
			}
			continue
		}
		if m := found.FindStringSubmatch(s); m != nil && first == 0 {
			cite, s = source+", "+m[1], s[len(m[0]):]
		}
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if strings.HasPrefix(s, "#") {
			head = s
		}
		all = append(all, sentences(line{text: s, cite: cite, source: source, head: head})...)
	}
	return all
}

func allNumbered(raw []string) bool {
	n := 0
	for _, s := range raw {
		if strings.TrimSpace(s) == "" {
			continue
		}
		if !ownNumber.MatchString(s) {
			return false
		}
		n++
	}
	return n > 0
}

// longLine is from where on a line is quoted by the sentence.
const longLine = 240

// sentences cuts a long line at the ends of its sentences. A row of a table is one thing.
func sentences(l line) []line {
	if strings.HasPrefix(l.text, "|") {
		return []line{l}
	}
	var all []line
	rest := l.text
	for len(rest) > longLine {
		end := sentenceEnd(rest)
		if end < 0 {
			break
		}
		part := l
		part.text = rest[:end]
		all = append(all, part)
		rest = strings.TrimSpace(rest[end:])
	}
	if rest != "" {
		l.text = rest
		all = append(all, l)
	}
	return all
}

// numberOrShort is what a full stop can follow without ending a sentence: the number of a list, an initial,
// an abbreviation.
var numberOrShort = regexp.MustCompile(`(?i)(?:^|[\s(])(?:\d+|\pL|e\.g|i\.e|etc|vs|cf|no|nr|dr|mr|mrs|st|bijv|bv|d\.w\.z|o\.a|ca|blz|p)$`)

// sentenceEnd returns where the first sentence of a text ends, or -1 if it has no end, or none before
// that of the text.
func sentenceEnd(text string) int {
	for at := 0; ; {
		i := strings.IndexAny(text[at:], ".!?")
		if i < 0 {
			return -1
		}
		at += i + 1
		if at >= len(text) {
			return -1
		}
		if text[at] == ' ' && (text[at-1] != '.' || !numberOrShort.MatchString(text[max(0, at-12):at-1])) {
			return at
		}
	}
}

// location is a place that a search result puts before what it found: "docs/a.md:12: text".
var location = regexp.MustCompile(`^[-*\s]*([\w./~-]+\.\w{1,8}(?:[:#][^\s:]+)?):\s+(.+)$`)

// located cites lines of a search by the place they name, and others by the search.
func located(text, source string) []line {
	var all []line
	for s := range strings.Lines(clean(text)) {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		l := line{text: s, cite: source, source: source}
		if m := location.FindStringSubmatch(s); m != nil {
			l.text, l.cite = m[2], m[1]
			l.source, _, _ = strings.Cut(strings.ReplaceAll(m[1], "#", ":"), ":")
		}
		all = append(all, sentences(l)...)
	}
	return all
}
