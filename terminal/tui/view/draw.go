package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/journal/timeline"
	"rein/terminal"
	"rein/terminal/tui/card"
	"rein/terminal/tui/look"
	"rein/terminal/tui/markdown"
)

// draw makes the rows of a block.
func (p *Page) draw(b *block, now time.Time) []string {
	var rows []string
	switch it := b.item.(type) {
	case nil:
		return []string{""}
	case *timeline.Person:
		rows = p.person(it)
	case *timeline.Plan:
		rows = p.labelled("plan", look.SafeLine(it.Text))
	case *timeline.Model:
		rows = p.model(b, it)
	case *timeline.Phase:
		rows = p.phase(it, p.isOpen(b))
	case *timeline.Tool:
		rows = p.tool(it, p.isOpen(b), b.run.Flow == "shell", now)
	case *timeline.Ask:
		rows = p.ask(b, it)
	case *timeline.Child:
		rows = p.child(it)
	case *timeline.Wait:
		rows = p.wait(it, now)
	case *timeline.Rein:
		rows = p.remark(it)
	case *timeline.End:
		rows = p.end(b, it)
	}
	rows = p.marked(rows)
	if b.id == p.chosen {
		rows = p.withCursor(rows)
	}
	return spaced(b.item, rows)
}

// spaced sets what people and models say apart from what stands above it.
func spaced(item timeline.Item, rows []string) []string {
	if len(rows) == 0 {
		return []string{} // drawn, and nothing to see
	}
	switch item.(type) {
	case *timeline.Person, *timeline.Model, *timeline.End:
		if rows[0] != "" { // else they are prose
			return append([]string{""}, rows...)
		}
	}
	return rows
}

// withCursor shows that an item is the chosen one.
func (p *Page) withCursor(rows []string) []string {
	marked := slices.Clone(rows)
	for i, row := range marked {
		if row != "" {
			marked[i] = p.theme.Chosen(look.Pad(look.Plainly(row), p.width))
			break
		}
	}
	return marked
}

// indent is what the rows below an item's first begin with.
const indent = "   "

func (p *Page) person(it *timeline.Person) []string {
	t := p.theme
	sign := t.Accent(t.Signs.Person)
	if it.From != "" {
		sign = t.Dim("run " + look.SafeLine(string(it.From)) + ":")
	}
	room := p.width - 2
	var rows []string
	for i, row := range look.Fold(look.Safe(strings.TrimSpace(it.Text)), room) {
		lead := "  "
		if i == 0 {
			lead = sign + " "
		}
		rows = append(rows, t.Cut(lead+t.Strong(row), p.width))
	}
	for _, image := range it.Images {
		rows = append(rows, t.Cut("  "+t.Dim("[image "+look.SafeLine(cmp.Or(image.Name, image.Type))+"]"), p.width))
	}
	if words := receiptWords(it); words != "" {
		rows = append(rows, "  "+t.Dim(t.Cut(words, room)))
	}
	return rows
}

// saidAs says how a person said something, if it was not plainly said.
var saidAs = map[timeline.Said]string{timeline.SaidModify: "new task", timeline.SaidComment: "comment, for people only"}

func receiptWords(it *timeline.Person) string {
	words := saidAs[it.Sub]
	state := ""
	switch it.Receipt {
	case rein.ReceiptPending:
		state = "not read yet"
	case rein.ReceiptApplied:
		state = "read at step " + string(it.Applied)
	case rein.ReceiptNotApplied:
		state = "not read: the run ended first"
	case rein.ReceiptStarted:
		state = "it started a new run"
	}
	if words != "" && state != "" {
		words += ", "
	}
	return words + state
}

// labelled is something that rein itself says.
func (p *Page) labelled(label, text string) []string {
	t := p.theme
	label = strings.ToUpper(label)
	var rows []string
	for i, row := range look.Fold(text, p.width-look.Cells(label)-3) {
		if i == 0 {
			rows = append(rows, " "+t.Label(label)+"  "+row)
			continue
		}
		rows = append(rows, strings.Repeat(" ", look.Cells(label)+3)+row)
	}
	return rows
}

// model is a text behind a gutter, which nothing else has.
func (p *Page) model(b *block, it *timeline.Model) []string {
	if it.Replaced {
		return nil
	}
	rows := p.prose(b, it.Text)
	t := p.theme
	if it.Failure != nil {
		rows = append(rows, p.labelled("failed", look.SafeLine(terminal.Failure(it.Failure)))...)
	}
	if !it.Live && it.Stopped != "" && it.Failure == nil {
		rows = append(rows, t.Dim(" "+t.Cut(stoppedWords(it.Stopped), p.width-1)))
	}
	return rows
}

func stoppedWords(why string) string {
	switch why {
	case "length":
		return "the model reached its limit in the middle of the text"
	case string(rein.CodeStopped), string(rein.CodeCancelled), string(rein.CodeDeleted):
		return "cut off: " + why
	}
	return "cut off: " + look.SafeLine(why)
}

// prose is Markdown behind the gutter, with an empty row above it. The rows are not to be changed.
func (p *Page) prose(b *block, text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if b.text == nil {
		b.text = markdown.New(p.theme).Behind(" "+p.theme.Dim(p.theme.Signs.Gutter)+" ", "")
	}
	return slices.Clip(b.text.Rows(text, p.width-3))
}

func (p *Page) phase(it *timeline.Phase, open bool) []string {
	t := p.theme
	label := "thought"
	if it.Said != nil {
		label = it.Said.Phase
		if it.Said.Round > 0 {
			label += fmt.Sprintf(" %d", it.Said.Round)
		}
	}
	text := look.Safe(strings.TrimSpace(it.Text))
	switch {
	case it.Failure != nil:
		text = strings.TrimSpace(text + "\n" + look.SafeLine(terminal.Failure(it.Failure)))
	case text == "" && it.Live:
		text = t.Signs.More
	case text == "":
		return nil
	}
	if !open {
		text, _, _ = strings.Cut(text, "\n")
		return []string{t.Cut(" "+t.Label(strings.ToUpper(look.SafeLine(label)))+"  "+t.Dim(text), p.width)}
	}
	rows := p.labelled(look.SafeLine(label), text)
	for i, row := range rows {
		if i > 0 {
			rows[i] = t.Dim(row)
		}
	}
	return rows
}

func (p *Page) ask(b *block, it *timeline.Ask) []string {
	switch {
	case it.Ask.State == rein.AskPending && b.run.Calls(it.Ask.Step):
		return nil // the row of the call says so
	case it.Ask.State == rein.AskPending:
		return []string{p.theme.Cut(" "+p.theme.Waits(p.theme.Signs.Unsure+" waits for you")+"  "+look.SafeLine(firstLine(it.Ask.Text)), p.width)}
	}
	return []string{p.theme.Cut(" "+card.Answered(p.theme, it.Ask, p.width-1), p.width)}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func (p *Page) child(it *timeline.Child) []string {
	t := p.theme
	question := cmp.Or(firstLine(it.Question), string(it.Child))
	left := " " + t.Accent(t.Signs.Shut) + " " + t.Strong("run") + " " + look.SafeLine(question)
	return []string{t.Spread(left, Status(t, it.Status), p.width)}
}

// Status is the state of a run: a sign, a word and a colour.
func Status(t look.Theme, s rein.Status) string {
	switch s {
	case rein.StatusReady, rein.StatusRunning:
		return t.Runs(t.Signs.Dot + " running")
	case rein.StatusWaiting:
		return t.Waits(t.Signs.Ring + " waiting")
	case rein.StatusBlocked:
		return t.Bad(t.Signs.Fail + " blocked")
	case rein.Status(rein.EndDone):
		return t.Good(t.Signs.OK + " done")
	case rein.Status(rein.EndFailed):
		return t.Bad(t.Signs.Fail + " failed")
	}
	return t.Dim(t.Signs.Ring + " " + look.SafeLine(string(s)))
}

func (p *Page) wait(it *timeline.Wait, now time.Time) []string {
	text := "waited"
	if it.Live {
		text = "waiting"
	}
	if it.Why != "" {
		text += ": " + look.SafeLine(firstLine(it.Why))
	}
	if it.Live && it.Until.After(now) {
		text += ", " + look.Span(it.Until.Sub(now).Truncate(time.Second))
	}
	if it.Model != "" {
		text += "; asking " + look.SafeLine(it.Model) + " instead"
	}
	rows := p.labelled("wait", text)
	if !it.Live {
		for i := range rows {
			rows[i] = p.theme.Dim(look.Plainly(rows[i]))
		}
	}
	return rows
}

func (p *Page) remark(it *timeline.Rein) []string {
	text := look.SafeLine(it.Text)
	if it.By != "" && (it.Sub == timeline.RemarkMode || it.Sub == timeline.RemarkPaused || it.Sub == timeline.RemarkResumed || it.Sub == timeline.RemarkStopped) {
		text += " by " + look.SafeLine(it.By)
	}
	if it.Why != "" {
		text += ": " + look.SafeLine(it.Why)
	}
	return p.labelled(remarkLabel(it.Sub), text)
}

func remarkLabel(sub timeline.Remark) string {
	switch sub {
	case timeline.RemarkCompaction:
		return "summary"
	case timeline.RemarkAttempt:
		return "again"
	case timeline.RemarkNotice:
		return "note"
	}
	return string(sub)
}
