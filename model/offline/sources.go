package offline

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
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

// quotable reports whether a result is quoted by the line. Listings, clocks and commands are shown
// as they are.
func (u use) quotable() bool { return u.role != lists && u.role != tells && u.role != runs }

// hitsOf returns the passages that a search found, in its order, or nil if the result is not of
// find_similar's form.
func hitsOf(u use) []line {
	var doc struct {
		Data []struct {
			Path    string  `json:"path"`
			Section string  `json:"section"`
			Snippet string  `json:"snippet"`
			Score   float64 `json:"score"`
		} `json:"data"`
	}
	if u.role != searches || json.Unmarshal([]byte(u.body), &doc) != nil {
		return nil
	}
	all := []line{}
	for _, h := range doc.Data {
		if text := oneLine(h.Snippet, maxQuote); text != "" {
			source := cmp.Or(place(h.Path, ""), u.call.Name)
			all = append(all, line{text: text, cite: cmp.Or(place(h.Path, h.Section), source), source: source, score: h.Score})
		}
	}
	return all
}

// linesOf cuts a result into lines that can be cited.
func linesOf(u use) []line {
	if hits := hitsOf(u); hits != nil {
		return hits
	}
	text, source := textOf(u)
	return numbered(text, source, firstNumber(u, source))
}

// textOf returns the text of a result and what to call it. read_note answers in JSON, and knows the
// path better than the call.
func textOf(u use) (text, source string) {
	source = cmp.Or(u.origin, mainArg(u), u.call.Name)
	if u.role == searches { // a query is no source
		source = u.call.Name
	}
	var doc struct {
		Text string `json:"text"`
		Meta struct {
			Path    string `json:"path"`
			Section string `json:"section"`
		} `json:"meta"`
	}
	if !strings.HasPrefix(strings.TrimSpace(u.body), "{") || json.Unmarshal([]byte(u.body), &doc) != nil || doc.Text == "" {
		return u.body, source
	}
	return doc.Text, cmp.Or(place(doc.Meta.Path, doc.Meta.Section), source)
}

// place names a section of a path, or "".
func place(path, section string) string {
	if path != "" && section != "" {
		path += "#" + section
	}
	return oneLine(path, 200)
}

// firstNumber returns the number of the first line of a result, or 0 if lines cannot be numbered: the
// result is not a file, or the call asked for a part that is not counted in lines.
func firstNumber(u use, source string) int {
	var args map[string]any
	_ = json.Unmarshal(u.call.Args, &args)
	if u.role != reads || args["start"] != nil || args["section"] != nil || strings.Contains(source, "#") {
		return 0
	}
	if from, ok := args["from_line"].(float64); ok && from >= 1 && from < 1e9 {
		return int(from)
	}
	return 1
}

// note is a line that a tool or the runtime has added to a text: it is no part of it.
var note = regexp.MustCompile(`^\[(?:… .*left out|lines \d+-\d+|bytes \d+ to \d+|\d+ of .* places|the file is empty|the result is empty|".*" is not in bytes)[^\n]*\]$`)

// offset is what read_result writes before a place that it found.
var offset = regexp.MustCompile(`^(offset \d+): `)

// numbered cites every line by its number. After a note that something was left out the numbers
// are not known any more, and lines are cited by their source only.
func numbered(text, source string, first int) []line {
	var all []line
	head := ""
	for i, s := range strings.Split(clean(text), "\n") {
		s = strings.TrimSpace(s)
		if note.MatchString(s) && strings.Contains(s, "left out") {
			first = 0
		}
		if s == "" || note.MatchString(s) {
			continue
		}
		if strings.HasPrefix(s, "#") {
			head = s
		}
		cite := source
		if first > 0 {
			cite += ":" + strconv.Itoa(first+i)
		} else if m := offset.FindStringSubmatch(s); m != nil {
			cite, s = cite+", "+m[1], s[len(m[0]):]
		}
		all = append(all, sentences(line{text: s, cite: cite, source: source, head: head})...)
	}
	return all
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

// numberOrShort is what a full stop can follow without ending a sentence: the number of a list, an
// initial, an abbreviation.
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

// sourcesOf returns the places in a result that the quotes come from, each once, or the result itself if
// it is shown from its beginning or as a whole.
func sourcesOf(u use, quotes []line) []string {
	if _, source := textOf(u); !u.quotable() || len(quotes) == 0 {
		return []string{source}
	}
	var all []string
	lines := linesOf(u)
	for _, q := range quotes {
		if slices.Contains(lines, q) && !slices.Contains(all, q.source) {
			all = append(all, q.source)
		}
	}
	return all
}
