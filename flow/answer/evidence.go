package answer

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/internal/lenient"
)

// A source is where a passage stands.
type source struct {
	Path    string `json:"path"`
	Section string `json:"section,omitempty"`
}

func (s source) String() string {
	if s.Section == "" {
		return s.Path
	}
	return s.Path + "#" + s.Section
}

// An extent says what exactly was read: the characters of a note, and the note's hash at that time.
type extent struct {
	Start int    `json:"start,omitempty"`
	End   int    `json:"end,omitempty"` // 0: not said
	Hash  string `json:"hash,omitempty"`
}

// A passage is something that a tool returned. Without a path it can be used and not cited.
type passage struct {
	source
	extent
	text string
	file bool // it is of a file, not of a note
}

// evidence is what the tools of a run returned, in order.
type evidence struct {
	passages []passage
	calls    []string // those that were made, by name and arguments
	scored   bool     // a search told how good its hits are
	best     float64  // of the newest search
}

// observe adds a result and reports whether it is progress: a place or a text that was not there
// before. The same call again is none, whatever it returned.
func (e *evidence) observe(call rein.ToolCall, result rein.ToolResult) (progress bool) {
	key := call.Name + " " + plainArgs(call.Args)
	again := slices.Contains(e.calls, key)
	e.calls = append(e.calls, key)
	found := readFindings(call, result)
	if found.scored {
		e.scored, e.best = true, found.best
	}
	for _, p := range found.passages {
		if e.isNew(p) {
			e.passages = append(e.passages, p)
			progress = !again
		}
	}
	return progress
}

func (e *evidence) isNew(p passage) bool {
	knownPlace, knownText := p.Path == "", strings.TrimSpace(p.text) == ""
	for _, earlier := range e.passages {
		knownPlace = knownPlace || earlier.source == p.source
		knownText = knownText || strings.Contains(earlier.text, strings.TrimSpace(p.text))
	}
	return !knownPlace || !knownText
}

// sources returns the places that were found, each once.
func (e *evidence) sources() []source {
	var all []source
	for _, p := range e.passages {
		if p.Path != "" && !slices.Contains(all, p.source) {
			all = append(all, p.source)
		}
	}
	return all
}

// plainArgs spells equal arguments alike.
func plainArgs(args json.RawMessage) string {
	if found, err := lenient.Value(string(args)); err == nil {
		return string(found.JSON)
	}
	return string(args)
}

// findings is what one result says.
type findings struct {
	passages []passage
	scored   bool
	best     float64
}

// A hit is one entry of a search.
type hit struct {
	Path    string   `json:"path"`
	Section string   `json:"section"`
	Score   *float64 `json:"score"`
	Snippet string   `json:"snippet"`
	Block   string   `json:"block"` // "^id" of the block that the snippet is from
	extent
}

// readFindings reads a result: the list of a search, the text of a note or a file, or else plain text,
// which can be used and not cited. What it is the tool says; what its text looks like says nothing.
func readFindings(call rein.ToolCall, result rein.ToolResult) findings {
	if result.Status != rein.ToolOK {
		return findings{}
	}
	data := string(result.Data)
	switch result.Evidence {
	case "":
		return guessFindings(call, result)
	case rein.EvidenceHits:
		if found, ok := readHits(data); ok {
			return found
		}
	case rein.EvidenceNote:
		if found, ok := readNote(data, source{}); ok {
			return found
		}
	case rein.EvidenceFile:
		return ofFile(data, result.Text)
	}
	return ofText(result.Text, source{})
}

// ofFile is the text of a file that was read.
func ofFile(data, text string) findings {
	var file source
	if json.Unmarshal([]byte(data), &file) != nil {
		file = source{}
	}
	found := ofText(text, source{Path: file.Path})
	for i := range found.passages {
		found.passages[i].file = true
	}
	return found
}

// guessFindings reads a result that was recorded before tools said what it is, as it was read then. A
// tool that says in its data that it failed has found nothing.
func guessFindings(call rein.ToolCall, result rein.ToolResult) findings {
	var asked source
	if result.Mended == "" { // else the tool was given other arguments than these
		asked = source{argument(call, "path"), argument(call, "section")}
	}
	for _, raw := range []string{string(result.Data), result.Text} {
		if found, ok := readHits(raw); ok {
			return found
		}
		if found, ok := readNote(raw, asked); ok {
			return found
		}
	}
	return ofText(result.Text, asked)
}

// readHits reads a list of hits, or an answer that has one as its data.
func readHits(raw string) (findings, bool) {
	var answer struct {
		OK   *bool  `json:"ok"`
		Data *[]hit `json:"data"`
	}
	var list []hit
	switch {
	case json.Unmarshal([]byte(raw), &list) == nil && list != nil:
		return ofHits(list)
	case json.Unmarshal([]byte(raw), &answer) != nil:
		return findings{}, false
	case answer.OK != nil && !*answer.OK:
		return findings{}, true
	case answer.Data == nil:
		return findings{}, false
	}
	return ofHits(*answer.Data)
}

// ofHits is not ok for a list of something else.
func ofHits(hits []hit) (findings, bool) {
	found := findings{scored: len(hits) == 0}
	for _, h := range hits {
		if h.Path == "" {
			return findings{}, false
		}
		if h.Block != "" {
			found.passages = append(found.passages, passage{source: source{h.Path, h.Block}, extent: h.extent, text: h.Snippet})
		}
		found.passages = append(found.passages, passage{source: source{h.Path, h.Section}, extent: h.extent, text: h.Snippet})
		if h.Score != nil {
			if !found.scored || *h.Score > found.best {
				found.best = *h.Score
			}
			found.scored = true
		}
	}
	return found, true
}

// readNote reads what read_note returns. Where it does not say what it is, it is what was asked for.
func readNote(raw string, asked source) (findings, bool) {
	var note struct {
		Text *string `json:"text"`
		Meta struct {
			source
			extent
		} `json:"meta"`
	}
	if json.Unmarshal([]byte(raw), &note) != nil || note.Text == nil {
		return findings{}, false
	}
	if note.Meta.Path != "" {
		asked = note.Meta.source
	}
	found := ofText(*note.Text, asked)
	for i := range found.passages {
		found.passages[i].extent = note.Meta.extent
	}
	return found, true
}

func ofText(text string, from source) findings {
	if strings.TrimSpace(text) == "" {
		return findings{}
	}
	return findings{passages: []passage{{source: from, text: text}}}
}

// argument returns an argument of a call that is a text, or "".
func argument(call rein.ToolCall, name string) string {
	var args map[string]any
	if json.Unmarshal([]byte(plainArgs(call.Args)), &args) != nil {
		return ""
	}
	value, _ := args[name].(string)
	return value
}
