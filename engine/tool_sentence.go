package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/internal/jsontext"
	"rein/internal/logtext"
	spoken "rein/internal/speech"
	"rein/internal/visible"
)

// mostReason is how much of a reason a person is shown, in characters.
const mostReason = 300

var sentenceWords = spoken.Words{
	"en": {"why": "Why: ", "exactly": "Exactly (%s):", "no arguments": "no arguments", "from what": ") from what the model wrote: "},
	"nl": {"why": "Waarom: ", "exactly": "Precies (%s):", "no arguments": "geen argumenten", "from what": ") uit wat het model schreef: "},
}

// worded is an approval in words: the parts of what a person reads.
type worded struct{ say, reason, details, text string }

// wordsOf puts an approval of an order into words. A tool that makes a sentence of it has the sentence, the reason, what
// else it shows and the exact arguments, in this order. The sentence and the reason are one line each, so that neither can
// look like what comes below it.
func (s *toolStep) wordsOf(o *order, shown rein.Shown) worded {
	language := s.run.task.Language
	switch {
	case shown.Say != "":
		w := worded{say: oneLine(shown.Say), reason: visible.Short(s.reasonOf(o), mostReason), details: strings.Trim(shown.Text, "\n")}
		parts := []string{w.say}
		if w.reason != "" {
			parts[0] += "\n" + sentenceWords.Say(language, "why") + w.reason
		}
		if w.details != "" {
			parts = append(parts, w.details)
		}
		w.text = strings.Join(append(parts, sentenceWords.Say(language, "exactly", o.tool.Name)+"\n"+argumentLines(language, o.plain)), "\n\n")
		return w
	case o.tool.Show != nil:
		return worded{text: logtext.Approval(language, o.tool.Name, shown.Text)}
	}
	return worded{text: logtext.ApprovalOf(language, subjectOf(o))}
}

// subjectOf is an order whose tool shows nothing of its own.
func subjectOf(o *order) string { return o.tool.Name + " " + string(o.plain) }

func oneLine(text string) string { return visible.Line(strings.Join(strings.Fields(text), " ")) }

// reasonOf is why the model wants the call: what it said so beside it, or the text of the reply that made it.
func (s *toolStep) reasonOf(o *order) string {
	if o.call.Why != "" {
		return o.call.Why
	}
	reply := s.branch.reply
	if o.call.ID == "" || !slices.ContainsFunc(reply.Calls, func(c rein.ToolCall) bool { return c.ID == o.call.ID && c.Name == o.call.Name }) {
		return ""
	}
	return reply.Text
}

// argumentLines writes arguments a line each. A text stands as it is where nothing else could look like
// it; a value with parts stands as JSON.
func argumentLines(language string, args json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(args))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return "  " + string(args)
	}
	var lines []string
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return "  " + string(args)
		}
		lines = append(lines, fmt.Sprintf("  %s:%s", oneLine(fmt.Sprint(name)), argument(value)))
	}
	if lines == nil {
		return "  " + sentenceWords.Say(language, "no arguments")
	}
	return strings.Join(lines, "\n")
}

// argument is one value as people read it, after the colon.
func argument(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return " " + jsontext.ForPeople(string(value))
	}
	switch {
	case !isPlain(text):
		return " " + jsontext.ForPeople(string(value))
	case !strings.Contains(text, "\n"):
		return " " + text
	}
	return "\n    | " + strings.ReplaceAll(text, "\n", "\n    | ")
}

// isPlain reports whether a text cannot be taken for anything else without quotation marks.
func isPlain(text string) bool {
	return text != "" && strings.TrimSpace(text) == text && !json.Valid([]byte(text)) && !strings.ContainsAny(text[:1], `"{[|`) && !strings.ContainsAny(text, "\r\t")
}
