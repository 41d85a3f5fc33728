package export

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal"
)

// A teller makes parts of the items of a tree.
type teller struct {
	*exporter
	ctx context.Context
}

// items writes what happened in a run, and at the place where a child began, what happened in it.
func (w *teller) items(t *timeline.Timeline) error {
	began := map[rein.RunID]bool{}
	for _, item := range t.Items {
		if it, ok := item.(*timeline.Child); ok {
			began[it.Child] = true
			if err := w.child(t, it.Child, it.Question, it.Status, it.At); err != nil {
				return err
			}
			continue
		}
		for _, part := range w.parts(t, item) {
			if err := w.form.put(part); err != nil {
				return err
			}
		}
	}
	for _, id := range sortedChildren(t) { // those whose beginning the log of this run does not tell any more
		if child := t.Children[id]; !began[id] && child.Seq > 0 {
			if err := w.child(t, id, child.Title, child.Status, child.Started); err != nil {
				return err
			}
		}
	}
	return nil
}

// parts are those of an item; none if it has nothing for people.
func (w *teller) parts(t *timeline.Timeline, item timeline.Item) []any {
	switch it := item.(type) {
	case *timeline.Person:
		return []any{w.person(t, it)}
	case *timeline.Plan:
		return []any{&remark{base{it.At}, "plan", it.Text, ""}}
	case *timeline.Model:
		return model(it)
	case *timeline.Phase:
		return phase(it)
	case *timeline.Tool:
		return []any{w.tool(it)}
	case *timeline.Ask:
		return []any{ask(it)}
	case *timeline.Wait:
		return []any{wait(it)}
	case *timeline.Rein:
		return []any{spoken(it)}
	case *timeline.End:
		return []any{w.end(t, it)}
	}
	return nil
}

// howSaid says how a person said something, if it was not plainly said.
var howSaid = map[timeline.Said]string{timeline.SaidMessage: "message", timeline.SaidModify: "new task", timeline.SaidComment: "comment, for people only"}

func (w *teller) person(t *timeline.Timeline, it *timeline.Person) *said {
	p := &said{
		base: base{it.At}, Who: it.By, From: it.From, How: howSaid[it.Sub], Text: it.Text, Pictures: w.images(w.ctx, it.Run, it.Images),
		Erased: t.Erased && it.Text == "",
	}
	switch it.Receipt {
	case rein.ReceiptPending:
		p.Became = "not read yet"
	case rein.ReceiptApplied:
		p.Became = "read at step " + string(it.Applied)
	case rein.ReceiptNotApplied:
		p.Became = "not read by this run"
	case rein.ReceiptStarted:
		p.Became = "started a new run"
	}
	return p
}

func model(it *timeline.Model) []any {
	if it.Replaced || strings.TrimSpace(it.Text) == "" && it.Failure == nil {
		return nil
	}
	m := &wrote{base: base{it.At}, Text: it.Text}
	if it.Said != nil {
		m.Model = it.Said.Model
		if end := it.Said.End; end != nil {
			m.Model = cmp.Or(end.Model, m.Model)
		}
	}
	switch {
	case it.Failure != nil:
		m.Note, m.Bad = "failed: "+terminal.Failure(it.Failure), true
	case it.Live:
		m.Note = "not complete: it was being written"
	case it.Stopped == string(rein.StopLength):
		m.Note = "cut off: the model reached its limit of tokens"
	case it.Stopped != "":
		m.Note = "cut off: " + it.Stopped
	}
	return []any{m}
}

func phase(it *timeline.Phase) []any {
	p := &thought{base: base{it.At}, Label: "thought", Text: strings.TrimSpace(it.Text)}
	if it.Said != nil {
		p.Label = cmp.Or(it.Said.Phase, p.Label)
		if it.Said.Round > 0 {
			p.Label += fmt.Sprintf(" %d", it.Said.Round)
		}
	}
	if it.Failure != nil {
		p.Note = "failed: " + terminal.Failure(it.Failure)
	}
	if p.Text == "" && p.Note == "" {
		return nil
	}
	return []any{p}
}

func wait(it *timeline.Wait) *remark {
	text := "waited"
	if it.Live {
		text = "waiting"
	}
	if it.Live && !it.Until.IsZero() {
		text += " until " + units.When(it.Until)
	}
	if it.Model != "" {
		text += "; asking " + it.Model + " instead"
	}
	return &remark{base{it.At}, "wait", text, it.Why}
}

// remarkLabels are the labels of what rein says, where they are not the kind itself.
var remarkLabels = map[timeline.Remark]string{
	timeline.RemarkCompaction: "summary", timeline.RemarkAttempt: "again", timeline.RemarkNotice: "note",
}

func spoken(it *timeline.Rein) *remark {
	text := strings.TrimPrefix(it.Text, "mode ") // the label says it
	switch it.Sub {
	case timeline.RemarkMode, timeline.RemarkPaused, timeline.RemarkResumed, timeline.RemarkStopped:
		text += terminal.By(it.By)
	}
	return &remark{base{it.At}, cmp.Or(remarkLabels[it.Sub], string(it.Sub)), text, it.Why}
}

// child writes a run below.
func (w *teller) child(t *timeline.Timeline, id rein.RunID, question string, s rein.Status, at time.Time) error {
	if err := w.form.put(&childHead{base{at}, id, question, statusOf(s)}); err != nil {
		return err
	}
	if child := t.Children[id]; child != nil {
		if err := w.items(child); err != nil {
			return err
		}
	}
	return w.form.put(&childFoot{t.Run})
}

func sortedChildren(t *timeline.Timeline) []rein.RunID { return slices.Sorted(maps.Keys(t.Children)) }
