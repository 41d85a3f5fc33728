package timeline

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rein"
)

func (t *Timeline) ended(e rein.Event) {
	end := read[rein.RunEnd](e)
	end.End = cmp.Or(end.End, map[rein.Kind]rein.End{rein.RunCompleted: rein.EndDone, rein.RunStopped: rein.EndStopped, rein.RunFailed: rein.EndFailed}[e.Kind])
	t.cut()
	t.unread(end.Next)
	t.conclude(e, end)
	t.Status, t.Ended, t.Paused, t.Ending, t.parked = rein.Status(end.End), e.At, nil, "", nil
}

// unread says what became of the messages that the run did not read.
func (t *Timeline) unread(next *rein.Next) {
	started := map[string]bool{} // by the IDs of their items
	if next != nil {
		for _, command := range next.Commands {
			started[t.idOf(command)] = true
		}
	}
	for _, item := range t.Items {
		p, ok := item.(*Person)
		if !ok || p.Receipt != rein.ReceiptPending {
			continue
		}
		p.Receipt = rein.ReceiptNotApplied
		if started[p.ID] {
			p.Receipt, p.Started = rein.ReceiptStarted, next.Run
		}
		p.changed()
	}
}

// cut ends the steps that end with the run.
func (t *Timeline) cut() {
	for _, key := range slices.Sorted(maps.Keys(t.open)) {
		o := t.open[key]
		o.waited()
		switch item := o.item.(type) {
		case *Model:
			if strings.TrimSpace(item.Text) == "" {
				t.drop(item)
				continue
			}
			item.Live, item.Stopped = false, string(rein.CodeStopped)
			item.changed()
		case *Phase:
			item.Live = false
			item.changed()
		case *Tool:
			item.State, item.Output = ToolCancelled, ""
			if in := item.Call.Intent; in != nil && in.Effect != rein.Pure {
				item.State = ToolUnknown
			}
			item.changed()
		}
	}
	t.steps.Drop(t.Run)
	clear(t.open)
}

// conclude adds the end. Its text is shown only if it is not on the timeline; a draft that differs makes room for it.
func (t *Timeline) conclude(e rein.Event, end rein.RunEnd) {
	item := &End{Base: base(e, 0), End: end.End, Data: end.Data, Failure: end.Failure, Usage: t.Usage}
	last := newest(t, func(*Model) bool { return true })
	if text := words(end.Text); text != "" && (last == nil || words(last.Text) != text) {
		item.Text = end.Text
		if last != nil && (last.Final && t.checksDrafts() || strings.HasPrefix(text, words(last.Text))) {
			last.Replaced, item.Replaces = true, last.ID
			last.changed()
		}
	}
	var answer struct {
		Citations []Citation `json:"citations"`
		Doubtful  []Claim    `json:"doubtful"`
	}
	if json.Unmarshal(end.Data, &answer) == nil { // else a flow with other data
		item.Citations, item.Doubtful = answer.Citations, answer.Doubtful
	}
	t.add(item)
}

// words is a text without what white space it has: it is trimmed where a text is recorded.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }
