package turn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/flow/kit"
	"rein/internal/logtext"
	"rein/internal/quote"
)

// A Trace is the log of a turn's calls and what became of them.
type Trace []Traced

// Traced is a call and its result.
type Traced struct {
	Call   rein.ToolCall
	Result rein.ToolResult
}

// Used is a call as a turn's outcome names it.
type Used struct {
	Name    string          `json:"name"`
	Status  rein.ToolStatus `json:"status"`
	Summary string          `json:"summary,omitempty"`
}

// maxCalls is how many calls one step may make.
const maxCalls = 10

// Act makes calls in their order. Each has a result, and both become part of the transcript; a tool
// that the path may not call is never passed on. The error is the first that concerns the run.
func (t *Turn) Act(thought string, wanted []Wanted, round int) (results []rein.ToolResult, first error) {
	said := rein.Message{Role: rein.Assistant, Text: thought}
	var answers []rein.Message
	for i, w := range wanted {
		call := rein.ToolCall{About: t.About("tool", round, say(t.Task, "tool", t.word(w.Name))), ID: fmt.Sprintf("c%d", len(t.Trace)+1), Name: w.Name, Args: w.Args}
		if t.Explains {
			call.Why = cmp.Or(w.Why, thought)
		}
		var result rein.ToolResult
		switch {
		case i >= maxCalls:
			result = rein.ToolResult{Status: rein.ToolSkipped, Text: fmt.Sprintf("not run: at most %d calls in one step", maxCalls)}
		case !slices.Contains(t.Tools, w.Name):
			result = rein.ToolResult{Status: rein.ToolRefused, Text: notAllowed + w.Name}
		case len(t.MasksIn(string(w.Args))) > 0:
			result = rein.ToolResult{Status: rein.ToolRefused, Text: "not run: a call that is written as text cannot carry a secret, so it was taken out of the arguments"}
		default:
			var err error
			if result, err = t.Run.CallTool(call); first == nil {
				first = err
			}
		}
		t.Trace = append(t.Trace, Traced{call, result})
		results = append(results, result)
		said.Calls = append(said.Calls, call)
		answers = append(answers, call.Answer(result))
	}
	t.Talk = append(append(t.Talk, said), answers...)
	return results, first
}

// How much of the results a writer is given, and of one of them.
const allFacts, OneFact = 40_000, 8_000

// facts writes what the calls gave, as data. It is empty if nothing was called.
func (tr Trace) facts() string {
	var parts []string
	for i, done := range tr {
		most := max(500, min(OneFact, allFacts/len(tr)))
		parts = append(parts, fmt.Sprintf("%d. %s", i+1, formatResult(done, most)))
	}
	return strings.Join(parts, "\n\n")
}

// findings are what the calls gave, each with what was called.
func (tr Trace) findings() []string {
	var all []string
	for _, done := range tr {
		if done.Result.Status != rein.ToolSkipped {
			all = append(all, fmt.Sprintf("%s (%s): %s", done.Call.Name, done.Result.Status, done.Result.Text))
		}
	}
	return all
}

// Happened reports whether any call did, or may have done, what it is for.
func (tr Trace) Happened() bool {
	return slices.ContainsFunc(tr, func(d Traced) bool { return d.Result.Status == rein.ToolOK || d.Result.Status == rein.ToolUnknown })
}

// formatResult writes a call and its result for a model: what was called, how it went, and what came
// back, quoted unless a person said it.
func formatResult(done Traced, most int) string {
	head := quote.Escape(fmt.Sprintf("%s %s → %s", done.Call.Name, kit.Clip(strings.Join(strings.Fields(string(done.Call.Args)), " "), 500), done.Result.Status))
	if done.Result.Note != "" {
		head += "\nNote: " + quote.Escape(done.Result.Note)
	}
	body := kit.Clip(done.Result.Text, most)
	if done.Result.FromPerson {
		return head + "\n" + quote.Block(quote.ResultTag, [][2]string{{"from", "person"}}, body)
	}
	return head + "\n" + quote.Untrusted(done.Call.Name, body)
}

// resultSummary is a result in a line, for people.
func resultSummary(r rein.ToolResult) string {
	line := strings.Join(strings.Fields(kit.Clip(r.Text, 2000)), " ")
	if cut, ok := cutRunes(line, 120); ok {
		line = cut + "…"
	}
	return line
}

// used is the trace as an outcome names it.
func (tr Trace) used() []Used {
	used := []Used{}
	for _, done := range tr {
		used = append(used, Used{done.Call.Name, done.Result.Status, resultSummary(done.Result)})
	}
	return used
}

// Tried says for people what was tried, a line each, and how it went.
func (t *Turn) Tried() string {
	var lines []string
	for _, done := range t.Trace {
		line := "- " + t.word(done.Call.Name) + ": " + say(t.Task, outcomeKey(done.Result))
		if why := detailOf(done.Result); why != "" {
			line += ": " + why
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// The keys of the words for calls that did not work, of which the tool has more to say.
const (
	failedKey      = "was failed"
	notAcceptedKey = "was not accepted"
)

// outcomeKey names the words for how a call went. Only the words depend on what the engine wrote.
func outcomeKey(r rein.ToolResult) string {
	switch {
	case r.Status != rein.ToolRefused:
		return "was " + string(r.Status)
	case strings.HasPrefix(r.Text, logtext.NotShown):
		return failedKey
	case strings.HasPrefix(r.Text, logtext.Declined):
		return "was declined"
	case strings.HasPrefix(r.Text, logtext.NotDecided):
		return "was not decided"
	}
	if strings.HasPrefix(r.Text, notAllowed) || strings.HasPrefix(r.Text, logtext.Denied) {
		return "was refused"
	}
	return notAcceptedKey
}

// detailOf is what the tool, or the check of its arguments, said of a call that did not work.
func detailOf(r rein.ToolResult) string {
	switch key := outcomeKey(r); key {
	case failedKey, notAcceptedKey:
		r.Text = strings.TrimPrefix(r.Text, logtext.NotShown)
		return resultSummary(r)
	}
	return ""
}

// notAllowed begins the result of a call of a tool that the path does not have.
const notAllowed = "Tool not allowed: "

// did lists the tools that did what they are for, each once.
func (tr Trace) did() []string {
	var names []string
	for _, done := range tr {
		if done.Result.Status == rein.ToolOK && !slices.Contains(names, done.Call.Name) {
			names = append(names, done.Call.Name)
		}
	}
	return names
}

func cutRunes(text string, most int) (string, bool) {
	if utf8.RuneCountInString(text) <= most {
		return text, false
	}
	return string([]rune(text)[:most]), true
}
