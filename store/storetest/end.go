package storetest

import (
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/store"
)

var endTests = []test{
	{"an ended run has its outcome and nothing open", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", nil)
		d.finish(rein.EndLimit)
		info := f.info("r")
		equal(f, "status", info.Status, rein.Status(rein.EndLimit))
		want := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndLimit, Text: "that was it"}}
		if diff := cmp.Diff(want, info.Outcome); diff != "" {
			f.Errorf("outcome: %s", diff)
		}
		equal(f, "wake", info.WakeAt, time.Time{})
		equal(f, "ask", f.ask(id).State, rein.AskWithdrawn)
		equal(f, "due", f.due(), "[]")
		f.verified("r")
	}},
	{"it tells an unfinished parent, and makes it due", func(f *fixture) {
		parent := f.drive("r")
		child := f.drive("r.1")
		parent.park(time.Time{})
		f.later(time.Minute)
		child.finish(rein.EndFailed)
		equal(f, "log", f.kinds("r"), "[run.started run.parked command.child]")
		info := f.info("r")
		equal(f, "newest command", info.Command, 3)
		equal(f, "due", f.due(), "[r]")
		c, err := rein.Payload[rein.Command](f.events("r")[2])
		if err != nil {
			f.Fatal(err)
		}
		want := rein.Command{Kind: rein.CommandChild, Run: "r", Child: "r.1", End: rein.EndFailed}
		if diff := cmp.Diff(want, c); diff != "" {
			f.Errorf("command: %s", diff)
		}
		f.verified("r")
	}},
	{"a parent that has not read of it cannot park", func(f *fixture) {
		parent := f.drive("r")
		f.drive("r.1").finish(rein.EndDone)
		_, err := parent.try(parked(time.Time{}))
		f.refused(err, rein.CodeUnseen)
	}},
	{"it does not tell a parent that has ended", func(f *fixture) {
		parent, child := f.drive("r"), f.drive("r.1")
		parent.finish(rein.EndDone)
		child.finish(rein.EndDone)
		equal(f, "log", f.kinds("r"), "[run.started run.completed]")
	}},
	{"unread messages are not applied", func(f *fixture) {
		d := f.drive("r")
		message := f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello"})
		modify := f.send(rein.Command{Kind: rein.CommandModify, Run: "r", Text: "no, that"})
		comment := f.send(rein.Command{Kind: rein.CommandComment, Run: "r", Text: "hm"})
		d.see().finish(rein.EndStopped)
		receipts := f.receipts("r")
		equal(f, "message", receipts[message.Command].State, rein.ReceiptNotApplied)
		equal(f, "modify", receipts[modify.Command].State, rein.ReceiptNotApplied)
		equal(f, "comment", receipts[comment.Command].State, rein.ReceiptApplied)
	}},
	{"unread messages start the next run", func(f *fixture) {
		d := f.drive("r")
		first := f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello", Key: "k1"})
		second := f.send(rein.Command{Kind: rein.CommandModify, Run: "r", Text: "no"})
		end := ended(rein.EndDone)
		next := f.root("r2")
		next.Start.Task.Session, next.Start.After, next.Exclusive = "r", "r", true
		end.Next = &store.NextRun{Start: next, Messages: []rein.CommandID{first.Command}}
		d.see().append(end)
		receipts := f.receipts("r")
		want := rein.Receipt{Command: first.Command, Kind: rein.CommandMessage, State: rein.ReceiptStarted, Started: "r2", Key: "k1"}
		if diff := cmp.Diff(want, receipts[first.Command]); diff != "" {
			f.Errorf("first: %s", diff)
		}
		equal(f, "second", receipts[second.Command].State, rein.ReceiptNotApplied)
		equal(f, "next", f.info("r2").Status, rein.StatusReady)
		equal(f, "due", f.due(), "[r2]")
		f.verified("r2")
	}},
	{"if the next run cannot start, the run has not ended", func(f *fixture) {
		d := f.drive("r")
		m := f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello"})
		f.start(f.root("taken"))
		taken := f.root("taken")
		taken.Digest = digest("other")
		elsewhere := f.root("elsewhere")
		below := f.child("r.1")
		good := f.root("good")
		good.Start.Task.Session = "r"
		for _, c := range []struct {
			start    store.Start
			messages []rein.CommandID
			code     rein.Code
		}{
			{taken, []rein.CommandID{m.Command}, rein.CodeConflict},
			{elsewhere, []rein.CommandID{m.Command}, rein.CodeInvalid},
			{below, []rein.CommandID{m.Command}, rein.CodeInvalid},
			{good, []rein.CommandID{"r:1"}, rein.CodeInvalid},
		} {
			end := ended(rein.EndDone)
			end.Next = &store.NextRun{Start: c.start, Messages: c.messages}
			_, err := d.see().try(end)
			f.refused(err, c.code)
		}
		equal(f, "status", f.info("r").Status, rein.StatusRunning)
		equal(f, "receipt", f.receipts("r")[m.Command].State, rein.ReceiptPending)
		_, err := f.store.Run(f.ctx, "good")
		f.refused(err, rein.CodeNotFound)
	}},
	{"only a root that completes starts another", func(f *fixture) {
		next := f.root("next")
		next.Start.Task.Session = "r"
		root, child := f.drive("r"), f.drive("r.1")
		for _, c := range []struct {
			d   *driver
			end rein.End
		}{{root, rein.EndStopped}, {root, rein.EndFailed}, {child, rein.EndDone}} {
			end := ended(c.end)
			end.Next = &store.NextRun{Start: next}
			_, err := c.d.try(end)
			f.refused(err, rein.CodeInvalid)
		}
	}},
}

var eventTests = []test{
	{"come in order, after the given one", func(f *fixture) {
		d := f.drive("r")
		const many = 700 // more than a store would read at once
		for i := 0; i < many; i += 100 {
			drafts := make([]store.Draft, 100)
			for j := range drafts {
				drafts[j] = note("x")
			}
			d.append(drafts...)
		}
		for _, after := range []int64{-1, 0, 1, 255, 256, 257, many, many + 1, many + 2} {
			next := max(after, 0) + 1
			for e, err := range f.store.Events(f.ctx, "r", after) {
				if err != nil {
					f.Fatalf("after %d: %v", after, err)
				}
				equal(f, "seq", e.Seq, next)
				next++
			}
			equal(f, "end", next, max(many+2, max(after, 0)+1))
		}
	}},
	{"can be read while others write", func(f *fixture) {
		d := f.drive("r")
		d.append(note("one"))
		read := 0
		for _, err := range f.store.Events(f.ctx, "r", 0) {
			if err != nil {
				f.Fatal(err)
			}
			if read++; read < 5 {
				d.append(note("more"))
				f.info("r")
			}
		}
		if read < 2 {
			f.Errorf("read %d events", read)
		}
	}},
	{"of an unknown run are not found", func(f *fixture) {
		for _, err := range f.store.Events(f.ctx, "r", 0) {
			f.refused(err, rein.CodeNotFound)
			return
		}
		f.Error("nothing came, not even an error")
	}},
	{"one by one are those of the log", func(f *fixture) {
		f.drive("r").append(note("one"), note("two"))
		log := f.events("r")
		for _, want := range log {
			got, err := f.store.Event(f.ctx, "r", want.Seq)
			if err != nil || got.Hash != want.Hash || string(got.Data) != string(want.Data) {
				f.Errorf("event %d is %+v, %v", want.Seq, got, err)
			}
		}
		for _, seq := range []int64{-1, 0, int64(len(log)) + 1, int64(len(log)) + 2} {
			_, err := f.store.Event(f.ctx, "r", seq)
			f.refused(err, rein.CodeNotFound)
		}
		_, err := f.store.Event(f.ctx, "unknown", 1)
		f.refused(err, rein.CodeNotFound)
	}},
	{"a reader may stop", func(f *fixture) {
		f.drive("r").append(note("one"), note("two"))
		for e, err := range f.store.Events(f.ctx, "r", 0) {
			if err != nil || e.Seq != 1 {
				f.Errorf("event %d, %v", e.Seq, err)
			}
			break
		}
	}},
}
