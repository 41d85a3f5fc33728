package view

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/internal/units"
	"rein/journal"
	"rein/journal/timeline"
	"rein/terminal"
	"rein/terminal/tui/look"
)

const (
	liveRows   = 5  // of what a tool writes, while it runs
	failedRows = 5  // of what a call that failed returned
	foldedRows = 20 // of what it returned, when its item is open; the rest is in the step
)

// tool is a call: one row with its name, the argument that matters, what came of it and how long it took.
// What a person typed themselves shows what it printed.
func (p *Page) tool(it *timeline.Tool, open, typed bool, now time.Time) []string {
	t := p.theme
	name, argument := terminal.Call(it.Call)
	fold := t.Signs.Shut
	if open {
		fold = t.Signs.Open
	}
	left := " " + t.Dim(fold) + " " + t.Strong(name)
	if argument != "" {
		left += " " + argument
	}
	rows := []string{t.Spread(left, p.toolEnd(it, now), p.width)}
	if _, warning := terminal.CallNotes(it.Call); warning != "" {
		rows = append(rows, p.painted(warning, t.Bad)...)
	}
	switch {
	case open:
		return append(rows, p.inside(it)...)
	case it.Output != "" && !it.State.Over():
		return append(rows, p.lastOf(it.Output)...)
	case typed:
		return append(rows, p.output(returned(it), foldedRows)...)
	case it.State == timeline.ToolFailed, it.State == timeline.ToolRefused && it.Ask == "": // what a person refused says so itself
		return append(rows, p.output(returned(it), failedRows)...)
	}
	return rows
}

// returned is all that a call returned, as far as it is known.
func returned(it *timeline.Tool) string {
	if end := it.Call.End; end != nil && end.Result != nil {
		return cmp.Or(end.Whole, end.Result.Text)
	}
	return it.Output
}

// toolEnd is the right end of a call's row.
func (p *Page) toolEnd(it *timeline.Tool, now time.Time) string {
	t := p.theme
	took := now.Sub(it.At)
	if end := it.Call.End; end != nil {
		took = end.Duration
	}
	words := cmp.Or(p.summary(it), string(it.State))
	switch it.State {
	case timeline.ToolRunning:
		words = t.Runs("running")
	case timeline.ToolWaiting:
		return t.Waits(t.Signs.Unsure + " waits for you")
	case timeline.ToolFailed:
		words = t.Bad(t.Signs.Fail + " " + words)
	case timeline.ToolRefused, timeline.ToolUnknown, timeline.ToolCancelled:
		words = t.Waits(t.Signs.Unsure + " " + words)
	}
	if took < time.Millisecond {
		return words
	}
	if !it.State.Over() && took > time.Second {
		took = took.Truncate(time.Second) // it is drawn again once in a second
	}
	return words + "  " + look.Left(look.Span(took), 6)
}

// brief is the longest result that is shown in the row of its call.
const brief = 24

// summary says in about three words what came of a call.
func (p *Page) summary(it *timeline.Tool) string {
	end := it.Call.End
	switch {
	case end == nil:
		return ""
	case end.Result == nil && end.Failure != nil && end.Failure.Code.Interrupts():
		return string(end.Failure.Code)
	case end.Result == nil && end.Failure != nil:
		return p.theme.Cut(look.SafeLine(end.Failure.Msg), brief)
	case end.Result == nil:
		return ""
	case end.Result.FromPerson:
		return "answered"
	}
	switch end.Result.Status {
	case rein.ToolUnknown:
		return "not known if it happened"
	case rein.ToolTimeout:
		return "took too long"
	case rein.ToolRefused:
		return "not run"
	case rein.ToolSkipped:
		return "skipped"
	}
	if exit, ok := journal.ExitOf(it.Call.Tool, *end); ok {
		return exitWords(exit)
	}
	if list, ok := it.Call.Todo(); ok {
		return doneOf(list)
	}
	text := strings.TrimSpace(end.Result.Text)
	if line := look.SafeLine(text); !strings.Contains(text, "\n") && look.Cells(line) <= brief {
		return line
	}
	return units.Count(int64(strings.Count(text, "\n")+1), "line")
}

func exitWords(exit journal.Exit) string {
	switch {
	case exit.Handle != "":
		return "in the background"
	case exit.Ended != "":
		return "ended: " + look.SafeLine(exit.Ended)
	}
	return "exit " + strconv.Itoa(exit.Code)
}

func doneOf(list rein.Todo) string {
	done := 0
	for _, item := range list.Items {
		if item.State == rein.TodoDone {
			done++
		}
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(list.Items)) + " done"
}

// below sets rows under the row of a call.
func (p *Page) below(text string) (rows []string) {
	return p.painted(text, func(row string) string { return row })
}

// painted is the same in a colour. It is put on each row, because a colour ends where its row ends.
func (p *Page) painted(text string, paint func(string) string) (rows []string) {
	for _, row := range look.Fold(text, p.width-len(indent)) {
		rows = append(rows, indent+paint(row))
	}
	return rows
}

// lastOf is the end of what a tool writes while it runs.
func (p *Page) lastOf(output string) []string {
	t := p.theme
	lines := strings.Split(strings.TrimRight(tail(output), "\n"), "\n")
	more := len(lines) - liveRows
	if more > 0 {
		lines = lines[more:]
	}
	var rows []string
	for _, line := range lines {
		rows = append(rows, indent+t.Dim(t.Cut(look.SafeLine(line), p.width-len(indent))))
	}
	return rows
}

// tail is as much of an output as its last rows can need.
func tail(output string) string {
	const enough = 8 << 10
	if len(output) <= enough {
		return output
	}
	return strings.ToValidUTF8(output[len(output)-enough:], "")
}

// inside is all that is known of a call: its arguments, what it can do, who allowed it, and what it returned.
func (p *Page) inside(it *timeline.Tool) []string {
	t := p.theme
	var rows []string
	fact := func(label, value string) {
		if value != "" {
			rows = append(rows, p.below(t.Label(label)+" "+value)...)
		}
	}
	_, isTodo := it.Call.Todo() // its result says the same
	if args := strings.TrimSpace(terminal.CallArgs(it.Call)); args != "" && args != "{}" && !isTodo && !says(args) {
		rows = append(rows, p.painted(look.Safe(args), t.Fact)...)
	}
	if in := it.Call.Intent; in != nil {
		fact("effect", look.SafeLine(string(in.Effect)))
		fact("allowed by", look.SafeLine(in.Allowed))
	}
	notes, _ := terminal.CallNotes(it.Call)
	fact("note", notes)
	rows = append(rows, p.output(returned(it), foldedRows)...)
	if end := it.Call.End; end != nil && end.Failure != nil {
		rows = append(rows, p.painted(look.Safe(end.Failure.Msg), t.Bad)...)
	}
	return rows
}

// says reports whether arguments have nothing but the one value that stands in the row of the call.
func says(args string) bool {
	var named map[string]any
	if json.Unmarshal([]byte(args), &named) != nil || len(named) != 1 {
		return false
	}
	for _, value := range named {
		text, ok := value.(string)
		return ok && !strings.Contains(text, "\n") && len(text) < 60
	}
	return false
}

// output is the beginning of what a tool returned.
func (p *Page) output(text string, most int) []string {
	text = strings.TrimRight(text, "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	t := p.theme
	lines := strings.Split(text, "\n")
	hidden := 0
	if len(lines) > most {
		hidden = len(lines) - most
		lines = lines[:most]
	}
	var rows []string
	if isDiff(lines) {
		rows = t.Diff(strings.Join(lines, "\n"), p.width-len(indent))
	} else {
		for _, line := range lines {
			rows = append(rows, look.Fold(look.SafeLine(p.theme.Cut(line, 4000)), p.width-len(indent))...)
		}
	}
	for i, row := range rows {
		rows[i] = indent + row
	}
	if hidden > 0 {
		rows = append(rows, indent+t.Dim(t.Signs.More+" "+units.Count(int64(hidden), "more line")+" (s shows the step)"))
	}
	return rows
}

// isDiff reports whether lines look like a unified diff.
func isDiff(lines []string) bool {
	for i, line := range lines {
		if i > 0 && strings.HasPrefix(line, "+++ ") && strings.HasPrefix(lines[i-1], "--- ") || strings.HasPrefix(line, "@@ -") {
			return true
		}
	}
	return false
}

func toolText(it *timeline.Tool) string {
	text := terminal.CallArgs(it.Call)
	if end := it.Call.End; end != nil && end.Result != nil {
		text += "\n" + cmp.Or(end.Whole, end.Result.Text)
	}
	return text
}
