package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/store"
)

func answer(id rein.AskID, by, text string) rein.Command {
	run, _, _ := strings.Cut(string(id), ":")
	return rein.Command{
		Kind: rein.CommandAnswer, Run: rein.RunID(run), By: by, Ask: id,
		Answer: rein.Answer{State: rein.AskAnswered, Text: text},
	}
}

// Covers: ENG-25 ENG-41 ENG-42 ENG-58
var askTests = []test{
	{"is kept as it was opened", func(f *fixture) {
		d := f.drive("r")
		want := rein.Ask{
			ID: "r:1.ask", Run: "r", Step: "1.ask", Kind: rein.AskApproval, Text: strings.Repeat("long ", 200),
			Call:   &rein.ToolCall{ID: "c", Name: "shell", Args: json.RawMessage(`{"a":1}`)},
			Schema: json.RawMessage(`{"type":"object"}`), Shown: "x", For: "ann", State: rein.AskPending,
			Opened: micro(day), Deadline: micro(day.Add(time.Hour)), OnExpiry: rein.ExpiryDeny,
		}
		d.append(store.Draft{Kind: rein.AskOpened, Step: "1.ask", Data: want, Opens: &want})
		if diff := cmp.Diff(want, f.ask("r:1.ask")); diff != "" {
			f.Errorf("ask: %s", diff)
		}
		_, err := d.try(store.Draft{Kind: rein.AskOpened, Step: "1.ask", Data: want, Opens: &want})
		f.refused(err, rein.CodeConflict)
	}},
	{"of another run, or not pending, cannot be opened", func(f *fixture) {
		d := f.drive("r")
		for _, ask := range []rein.Ask{
			{ID: "x:1.ask", Run: "r"},
			{ID: "r:1.ask", Run: "x"},
			{Run: "r"},
			{ID: "r:1.ask", Run: "r", State: rein.AskAnswered},
		} {
			_, err := d.try(store.Draft{Kind: rein.AskOpened, Step: "1.ask", Data: ask, Opens: &ask})
			f.refused(err, rein.CodeInvalid)
		}
	}},
	{"an answer closes it and makes the run due", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", nil)
		d.park(time.Time{})
		f.later(time.Minute)
		receipt := f.send(answer(id, "ann", "this one"))
		equal(f, "receipt", receipt.State, rein.ReceiptApplied)
		ask := f.ask(id)
		equal(f, "state", ask.State, rein.AskAnswered)
		equal(f, "answer", ask.Answer.Text, "this one")
		equal(f, "by", ask.Answer.By, "ann")
		equal(f, "closed", ask.Closed, micro(f.now))
		equal(f, "due", f.due(), "[r]")
		equal(f, "log", f.kinds("r"), "[run.started ask.opened run.parked command.answer]")
	}},
	{"a second answer is told who won", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", nil)
		c := answer(id, "ann", "this one")
		c.Key = "k"
		f.send(c)
		_, err := f.store.Command(f.ctx, answer(id, "bob", "that one"), f.now)
		f.refused(err, rein.CodeClosed)
		for _, part := range []string{"ann", "this one", "2026-03-01"} {
			if !strings.Contains(err.Error(), part) {
				f.Errorf("error does not say %q: %v", part, err)
			}
		}
		equal(f, "the winner's again", f.send(c).Again, true)
		equal(f, "answer", f.ask(id).Answer.Text, "this one")
	}},
	{"an answer that does not fit is refused", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", func(a *rein.Ask) { a.For = "ann" })
		_, err := f.store.Command(f.ctx, answer(id, "bob", "x"), f.now)
		f.refused(err, rein.CodeForbidden)
		approve := answer(id, "ann", "")
		approve.Answer.State = rein.AskApproved
		_, err = f.store.Command(f.ctx, approve, f.now)
		f.refused(err, rein.CodeInvalid)
		equal(f, "state", f.ask(id).State, rein.AskPending)
		f.send(answer(id, "ann", "x"))
	}},
	{"an answer names what was shown", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", func(a *rein.Ask) { a.Shown = rein.ShownMark + "1" })
		twin := d.open("2.ask", func(a *rein.Ask) { a.Shown = rein.ShownMark + "2" })
		c := answer(id, "ann", "this one")
		_, err := f.store.Command(f.ctx, c, f.now)
		f.refused(err, rein.CodeInvalid)
		for _, other := range []string{rein.ShownMark + "2", "1", rein.ShownMark} {
			c.Answer.Shown = other
			_, err = f.store.Command(f.ctx, c, f.now)
			f.refused(err, rein.CodeConflict)
		}
		equal(f, "state", f.ask(id).State, rein.AskPending)
		equal(f, "log", f.kinds("r"), "[run.started ask.opened ask.opened]")
		c.Answer.Shown = rein.ShownMark + "1"
		f.send(c)
		equal(f, "shown", f.ask(id).Answer.Shown, rein.ShownMark+"1")
		_, err = f.store.Command(f.ctx, c, f.now) // the same again, as another command
		f.refused(err, rein.CodeClosed)
		c.Answer.Shown = ""
		_, err = f.store.Command(f.ctx, c, f.now) // who won says more
		f.refused(err, rein.CodeClosed)
		equal(f, "its neighbour", f.ask(twin).State, rein.AskPending)
	}},
	{"an old ask also takes an answer that does not say what was shown", func(f *fixture) {
		d := f.drive("r")
		for i, c := range []struct {
			shown, said string
			code        rein.Code
		}{
			{"", "", ""},
			{"0a1b", "", ""},
			{"0a1b", "0a1b", ""},
			{"0a1b", "0a1c", rein.CodeConflict},
			{"", "0a1b", rein.CodeConflict},
		} {
			id := d.see().open(rein.StepKey(fmt.Sprintf("%d.ask", i+1)), func(a *rein.Ask) { a.Shown = c.shown })
			reply := answer(id, "ann", "x")
			reply.Answer.Shown = c.said
			_, err := f.store.Command(f.ctx, reply, f.now)
			equal(f, fmt.Sprintf("%q to %q", c.said, c.shown), rein.CodeOf(err), c.code)
		}
	}},
	{"a time limit and a stop need no answer", func(f *fixture) {
		d := f.drive("r")
		open := func(a *rein.Ask) { a.Shown, a.Deadline = rein.ShownMark+"1", day }
		id, other := d.open("1.ask", open), d.open("2.ask", open)
		f.send(rein.Command{Kind: rein.CommandExpire, Run: "r", Ask: id})
		equal(f, "state", f.ask(id).State, rein.AskExpired)
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r"})
		equal(f, "state", f.ask(other).State, rein.AskWithdrawn)
	}},
	{"an unknown ask is not found", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", nil)
		f.start(f.root("other"))
		_, err := f.store.Command(f.ctx, answer("r:9.ask", "ann", "x"), f.now)
		f.refused(err, rein.CodeNotFound)
		elsewhere := answer(id, "ann", "x")
		elsewhere.Run = "other"
		_, err = f.store.Command(f.ctx, elsewhere, f.now)
		f.refused(err, rein.CodeNotFound)
		_, err = f.store.Ask(f.ctx, "r:9.ask")
		f.refused(err, rein.CodeNotFound)
	}},
	{"expires at its deadline, not before", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", func(a *rein.Ask) { a.Deadline = day.Add(time.Hour) })
		expire := rein.Command{Kind: rein.CommandExpire, Run: "r", Ask: id}
		f.later(time.Hour - time.Second)
		_, err := f.store.Command(f.ctx, expire, f.now)
		f.refused(err, rein.CodeInvalid)
		f.later(time.Second)
		f.send(expire)
		ask := f.ask(id)
		equal(f, "state", ask.State, rein.AskExpired)
		equal(f, "by", ask.Answer.By, "system")
		equal(f, "ending", f.info("r").Ending, "")
		_, err = f.store.Command(f.ctx, expire, f.now)
		f.refused(err, rein.CodeClosed)
	}},
	{"without a deadline, or parked, it never expires", func(f *fixture) {
		d := f.drive("r")
		for i, change := range []func(*rein.Ask){
			nil,
			func(a *rein.Ask) { a.Deadline = day; a.OnExpiry = rein.ExpiryPark },
		} {
			id := d.open(rein.StepKey(fmt.Sprintf("%d.ask", i)), change)
			_, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandExpire, Run: "r", Ask: id}, f.later(time.Hour))
			f.refused(err, rein.CodeInvalid)
		}
	}},
	{"expiry can stop the run and everything below", func(f *fixture) {
		d := f.drive("r")
		f.start(f.child("r.1"))
		id := d.open("1.ask", func(a *rein.Ask) { a.Deadline = day; a.OnExpiry = rein.ExpiryStop })
		receipt := f.send(rein.Command{Kind: rein.CommandExpire, Run: "r", Ask: id})
		equal(f, "touched", fmt.Sprint(receipt.Touched), "[r r.1]")
		equal(f, "log", f.kinds("r"), "[run.started ask.opened command.expire command.stop]")
		equal(f, "log", f.kinds("r.1"), "[run.started command.stop]")
		equal(f, "by", f.events("r.1")[1].By, "system")
		equal(f, "ending", f.info("r").Ending, rein.CommandStop)
		f.verified("r")
	}},
	{"asks of a tree come oldest first", func(f *fixture) {
		b := f.drive("b")
		a := f.drive("b.1")
		other := f.drive("b2")
		a.open("1.ask", nil)
		b.open("1.ask", nil)
		other.open("1.ask", nil)
		f.send(answer("b:1.ask", "ann", "x"))
		for _, c := range []struct {
			filter store.AskFilter
			want   string
		}{
			{store.AskFilter{}, "[b.1:1.ask b:1.ask b2:1.ask]"},
			{store.AskFilter{Tree: "b"}, "[b.1:1.ask b:1.ask]"},
			{store.AskFilter{Tree: "b.1"}, "[b.1:1.ask]"},
			{store.AskFilter{Tree: "b", Pending: true}, "[b.1:1.ask]"},
			{store.AskFilter{Tree: "nobody"}, "[]"},
		} {
			asks, err := f.store.Asks(f.ctx, c.filter)
			if err != nil {
				f.Fatal(err)
			}
			ids := []rein.AskID{}
			for _, ask := range asks {
				ids = append(ids, ask.ID)
			}
			equal(f, fmt.Sprintf("%+v", c.filter), fmt.Sprint(ids), c.want)
		}
	}},
}
