package engine_test

import (
	"testing"
	"time"

	"rein"
	"rein/engine/enginetest"
	"rein/journal/timeline"
)

// A message that comes too late looks neither lost nor read: the timeline of the run that it was sent to says which run
// it started, from the log alone. If a limit refused that run, the timeline says that the message was not applied.
//
// Covers: ENG-20
func TestLateMessageOnTheTimeline(t *testing.T) {
	for name, c := range map[string]struct {
		most rein.Quota
		want rein.ReceiptState
	}{
		"started": {rein.Quota{}, rein.ReceiptStarted},
		"refused": {rein.Quota{Frames: 2}, rein.ReceiptNotApplied},
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.Prepare(t, limited(c.most), time.Minute, "when attempt=1\nhang\n\nwhen\nsay hello")
			w.Begin()
			w.Start("r1", rein.Task{Flow: "once", Messages: []rein.Message{{Role: rein.User, Text: "hi"}}})
			w.UntilKind("r1", rein.StepStarted)
			w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "owner", Text: "and then?"})
			w.Kill() // and the second attempt answers
			w.Begin()
			w.WantEnd("r1", rein.EndDone, "hello")
			receipts, err := w.Store.Receipts(t.Context(), "r1")
			if err != nil || len(receipts) != 1 || receipts[0].State != c.want {
				t.Fatalf("receipts are %+v, %v; want one that is %s", receipts, err, c.want)
			}
			said := lastSaid(t, w.Events("r1"))
			if said.Text != "and then?" || said.Receipt != c.want || said.Started != receipts[0].Started {
				t.Errorf("the timeline says %q: %s %q; the receipt is %+v", said.Text, said.Receipt, said.Started, receipts[0])
			}
			w.Kill()
		})
	}
}

// lastSaid is what a person said last, on the timeline of a log.
func lastSaid(t *testing.T, events []rein.Event) *timeline.Person {
	t.Helper()
	tl := timeline.New(events[0].Run)
	for _, e := range events {
		tl.Event(e)
	}
	for i := len(tl.Items) - 1; i >= 0; i-- {
		if p, ok := tl.Items[i].(*timeline.Person); ok {
			return p
		}
	}
	t.Fatal("nobody said anything")
	return nil
}
