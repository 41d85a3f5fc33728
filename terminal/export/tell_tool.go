package export

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/internal/units"
	"rein/journal"
	"rein/journal/timeline"
	"rein/terminal"
)

// maxOutput is how much of a result is written. The log has all of it.
const maxOutput = 64 << 10

// toolStatus says how far a call is: a sign, a word and a tone.
var toolStatus = map[timeline.ToolState]status{
	timeline.ToolRunning: {"●", "running", "runs"}, timeline.ToolWaiting: {"◔", "waits for a person", "waits"},
	timeline.ToolOK: {"✓", "ok", "good"}, timeline.ToolFailed: {"✗", "failed", "bad"}, timeline.ToolRefused: {"✗", "not run", "bad"},
	timeline.ToolUnknown: {"?", "not known if it happened", "waits"}, timeline.ToolCancelled: {"○", "cancelled", "quiet"},
}

func (w *teller) tool(it *timeline.Tool) *called {
	c := &called{base: base{it.At}, Status: toolStatus[it.State], Args: strings.TrimSpace(terminal.CallArgs(it.Call))}
	c.Name, c.Argument = terminal.Call(it.Call)
	c.Summary = summary(it)
	if c.Args == "{}" {
		c.Args = ""
	}
	note, warning := terminal.CallNotes(it.Call)
	c.Warning = warning
	if in := it.Call.Intent; in != nil {
		c.fact("effect", string(in.Effect))
		c.fact("allowed by", in.Allowed)
	}
	if it.Call.Start != nil {
		c.fact("server", it.Call.Start.Server)
	}
	if it.Call.Attempts > 1 {
		c.fact("attempts", strconv.Itoa(it.Call.Attempts))
	}
	c.fact("step", string(it.Step))
	c.fact("note", note)
	w.returned(c, it)
	return c
}

func (c *called) fact(name, value string) {
	if value != "" {
		c.Facts = append(c.Facts, fact{name, value})
	}
}

// returned adds what the call returned.
func (w *teller) returned(c *called, it *timeline.Tool) {
	end := it.Call.End
	if end == nil {
		return
	}
	if end.Duration > 0 {
		c.Took = units.Span(end.Duration)
	}
	if end.Failure != nil {
		c.Failure = terminal.Failure(end.Failure)
	}
	if end.Result == nil {
		return
	}
	c.Output = strings.TrimRight(cmp.Or(end.Whole, end.Result.Text), "\n")
	if whole := len(c.Output); whole > maxOutput {
		c.Output = start(c.Output, maxOutput)
		c.Cut = int64(whole - len(c.Output))
	}
	c.Pictures = w.images(w.ctx, it.Run, end.Result.Images)
	for _, f := range end.Result.Files {
		c.Files = append(c.Files, file{Name: f.Name, Type: f.Type, Size: f.Size})
	}
}

// start is the beginning of a text, up to the end of a character.
func start(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// brief is the longest result that stands in the line of its call.
const brief = 32

// summary says in about three words what came of a call.
func summary(it *timeline.Tool) string {
	end := it.Call.End
	if end == nil || end.Result == nil || end.Result.Status != rein.ToolOK {
		return ""
	}
	if end.Result.FromPerson {
		return "answered"
	}
	if exit, ok := journal.ExitOf(it.Call.Tool, *end); ok {
		return exitWords(exit)
	}
	if list, ok := it.Call.Todo(); ok {
		return todoWords(list)
	}
	text := strings.TrimSpace(end.Result.Text)
	switch {
	case text == "":
		return ""
	case !strings.Contains(text, "\n") && utf8.RuneCountInString(text) <= brief:
		return text
	}
	return units.Count(int64(strings.Count(text, "\n")+1), "line")
}

func exitWords(exit journal.Exit) string {
	switch {
	case exit.Handle != "":
		return "in the background"
	case exit.Ended != "":
		return "ended: " + exit.Ended
	}
	return "exit " + strconv.Itoa(exit.Code)
}

func todoWords(list rein.Todo) string {
	done := 0
	for _, item := range list.Items {
		if item.State == rein.TodoDone {
			done++
		}
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(list.Items)) + " done"
}
