package storetest

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/store"
)

var viewTests = []test{
	{"the size of a log is about that of what is in it", func(f *fixture) {
		size := func(run rein.RunID, least, most int64) {
			f.Helper()
			if n, err := f.store.LogSize(f.ctx, run); err != nil || n < least || n > most {
				f.Errorf("run %s has %d bytes (%v), want %d to %d", run, n, err, least, most)
			}
		}
		size("nobody", 0, 0)
		large := f.root("large")
		large.Start.Task.Messages = []rein.Message{{Role: rein.User, Text: strings.Repeat("text ", 20_000)}}
		f.start(large)
		size("large", 100_000, 102_000)
		f.drive("small").append(store.Draft{Kind: rein.StepIntent, Step: "1", Data: rein.Intent{Effect: rein.Unsafe}})
		size("small", 50, 2_000)
	}},
	{"runs are filtered and come oldest first", func(f *fixture) {
		z := f.root("z")
		z.Start.Task.Session = "talk"
		f.start(z)
		f.start(f.child("z.1"))
		f.start(f.child("z.1.1"))
		f.start(f.root("z2"))
		f.start(f.root("a"))
		f.start(f.root("z-1")) // sorts between z and z.1
		f.driver("z2").finish(rein.EndDone)
		for _, c := range []struct {
			filter store.Filter
			want   string
		}{
			{store.Filter{}, "[z z.1 z.1.1 z2 a z-1]"},
			{store.Filter{Tree: "z"}, "[z z.1 z.1.1]"},
			{store.Filter{Tree: "z.1"}, "[z.1 z.1.1]"},
			{store.Filter{Session: "talk"}, "[z z.1 z.1.1]"},
			{store.Filter{Unfinished: true}, "[z z.1 z.1.1 a z-1]"},
			{store.Filter{Roots: true}, "[z z2 a z-1]"},
			{store.Filter{Roots: true, Unfinished: true, Session: "talk"}, "[z]"},
			{store.Filter{After: "z.1"}, "[z.1.1 z2 a z-1]"},
			{store.Filter{After: "z.1", Limit: 2}, "[z.1.1 z2]"},
			{store.Filter{Newest: true}, "[z-1 a z2 z.1.1 z.1 z]"},
			{store.Filter{Newest: true, After: "a", Limit: 3}, "[z2 z.1.1 z.1]"},
			{store.Filter{Household: "home"}, "[z z.1 z.1.1 z2 a z-1]"},
			{store.Filter{Household: "elsewhere"}, "[]"},
			{store.Filter{Household: "home", User: "someone"}, "[]"},
			{store.Filter{Limit: 1}, "[z]"},
			{store.Filter{Tree: "nobody"}, "[]"},
		} {
			equal(f, fmt.Sprintf("%+v", c.filter), fmt.Sprint(f.runs(c.filter)), c.want)
		}
		for _, err := range f.store.Runs(f.ctx, store.Filter{After: "nobody"}) {
			f.refused(err, rein.CodeNotFound)
		}
	}},
	{"runs are found by what they are, a page at a time", func(f *fixture) {
		for _, id := range []rein.RunID{"a", "b", "c"} {
			start := f.root(id)
			start.Start.Task.Flow, start.Start.Task.Workspace = "chat", map[rein.RunID]string{"b": "garden"}[id]
			start.Start.Task.Messages = []rein.Message{{Role: rein.User, Text: "Say HELLO " + string(id) + "\nand more"}}
			f.start(start)
			f.now = f.now.Add(time.Minute)
		}
		d := f.driver("c")
		d.append(store.Draft{Kind: rein.StepDone, Step: "1", Data: rein.StepEnd{}, Spend: rein.Amount{Micros: 5}})
		ask := rein.Ask{ID: rein.NewAskID("c", "2"), Run: "c", Step: "2", Kind: rein.AskQuestion, Text: "which?"}
		d.append(store.Draft{Kind: rein.AskOpened, Step: "2", Opens: &ask})
		for _, c := range []struct {
			filter store.Filter
			want   string
		}{
			{store.Filter{Limit: 2}, "a b after b"},
			{store.Filter{Limit: 2, After: "b"}, "c(1)"},
			{store.Filter{Limit: 9, Text: "hello B"}, "b"},
			{store.Filter{Limit: 9, Text: "AND more", Newest: true}, "c(1) b a"},
			{store.Filter{Limit: 9, Workspace: "garden", Flow: "chat"}, "b"},
			{store.Filter{Limit: 9, Since: f.now.Add(-2 * time.Minute)}, "b c(1)"},
			{store.Filter{Limit: 9, MinMicros: 5}, "c(1)"},
			{store.Filter{Limit: 9, MinMicros: 6}, ""},
		} {
			c.filter.Household = "home"
			runs, next, err := f.store.FindRuns(f.ctx, c.filter)
			if err != nil {
				f.Fatal(err)
			}
			var got []string
			for _, run := range runs {
				if got = append(got, string(run.ID)); run.Asks > 0 {
					got[len(got)-1] += fmt.Sprintf("(%d)", run.Asks)
				}
			}
			if next != "" {
				got = append(got, "after "+string(next))
			}
			equal(f, fmt.Sprintf("%+v", c.filter), strings.Join(got, " "), c.want)
		}
	}},
	{"acts tell who did what, newest first", func(f *fixture) {
		d := f.drive("a")
		f.start(f.child("a.1"))
		f.start(f.root("b"))
		if _, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandComment, Run: "a", By: "ann", Text: "hm", Key: "k"}, f.now); err != nil {
			f.Fatal(err)
		}
		d.append(store.Draft{Kind: rein.StepIntent, Step: "1", Data: rein.Intent{Effect: rein.Unsafe}})
		acts := func(filter store.ActFilter) string {
			all, err := f.store.Acts(f.ctx, filter)
			if err != nil {
				f.Fatal(err)
			}
			var told []string
			for _, a := range all {
				told = append(told, strings.TrimRight(fmt.Sprintf("%s %s %s", a.Run, a.Kind, a.By), " "))
			}
			return strings.Join(told, ", ")
		}
		equal(f, "all", acts(store.ActFilter{}), "a step.intent, a command.comment ann, b run.started owner, a.1 run.started, a run.started owner")
		equal(f, "of a tree", acts(store.ActFilter{Tree: "a", Limit: 2}), "a step.intent, a command.comment ann")
		equal(f, "by someone", acts(store.ActFilter{By: "ann"}), "a command.comment ann")
		equal(f, "of a household", acts(store.ActFilter{Household: "elsewhere"}), "")
		equal(f, "of a user", acts(store.ActFilter{User: "ann"}), "")
		newest, err := f.store.Acts(f.ctx, store.ActFilter{Limit: 1})
		if err != nil || len(newest) != 1 {
			f.Fatal(newest, err)
		}
		equal(f, "before", acts(store.ActFilter{Before: newest[0].N, Limit: 1}), "a command.comment ann")
	}},
	{"what a session has sent, and which of it has ended", func(f *fixture) {
		inS := func(start store.Start) store.Start {
			start.Start.Task.Session = "s"
			return start
		}
		f.start(inS(f.root("a")))
		f.start(inS(f.root("b")))
		f.start(f.root("c"))
		a, b, c := f.driver("a"), f.driver("b"), f.driver("c")
		intent := func(step rein.StepKey) store.Draft {
			return store.Draft{Kind: rein.StepIntent, Step: step, Data: rein.Intent{Tool: "send", Effect: rein.Unsafe}}
		}
		a.append(intent("1.2.3.intent"), store.Draft{Kind: rein.StepDone, Step: "1.2", Data: rein.StepEnd{}})
		b.append(intent("2.intent"))
		c.append(intent("1.intent"))
		a.append(store.Draft{Kind: rein.StepDone, Step: "1.2.3", Data: rein.StepEnd{}}, intent("2.intent2"))
		b.append(store.Draft{Kind: rein.StepChecked, Step: "3.check", Data: rein.Checked{State: rein.CheckHappened, Of: []string{"a:1"}}})
		sent := func(session string) string {
			all, err := f.store.Sent(f.ctx, session)
			if err != nil {
				f.Fatal(err)
			}
			var told []string
			for _, s := range all {
				told = append(told, fmt.Sprintf("%s %s %d %s", s.Run, s.Step, s.Done, s.Data))
			}
			return strings.Join(told, "\n")
		}
		const payload = `{"tool":"send","effect":"unsafe","key":"","timeout":0}`
		equal(f, "of the session", sent("s"), strings.Join([]string{
			"a 1.2.3.intent 4 " + payload, "b 2.intent 0 " + payload, "a 2.intent2 0 " + payload,
			`b 3.check 0 {"state":"happened","of":["a:1"]}`,
		}, "\n"))
		equal(f, "of no session", sent("nobody"), "")
		end := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}
		a.append(store.Draft{Kind: rein.RunCompleted, Data: end, Status: rein.Status(rein.EndDone), Outcome: end})
		if err := f.store.Erase(f.ctx, These("a")); err != nil {
			f.Fatal(err)
		}
		equal(f, "after a was erased", sent("s"), "b 2.intent 0 "+payload+"\n"+`b 3.check 0 {"state":"happened","of":["a:1"]}`)
	}},
	{"many runs come in pages, and can be read while others write", func(f *fixture) {
		const many = 600
		for i := range many {
			f.start(f.root(rein.RunID(fmt.Sprintf("r%d", i))))
		}
		equal(f, "runs", len(f.runs(store.Filter{})), many)
		equal(f, "limited", len(f.runs(store.Filter{Limit: 300})), 300)
		for run, err := range f.store.Runs(f.ctx, store.Filter{Limit: 3}) {
			if err != nil {
				f.Fatal(err)
			}
			f.claim(run.ID)
		}
		sessions := 0
		for range f.store.Sessions(f.ctx, store.SessionFilter{}) {
			sessions++
		}
		equal(f, "sessions", sessions, many)
	}},
	{"due runs come longest due first, with the time of the next", func(f *fixture) {
		for i, wait := range []time.Duration{3, 1, 2, 60, 0} {
			id := rein.RunID(fmt.Sprintf("r%d", i))
			d := f.drive(id)
			if wait > 0 {
				d.park(f.now.Add(wait * time.Minute))
			} else {
				d.park(time.Time{})
			}
		}
		check := func(limit int, want string, next time.Time) {
			f.Helper()
			due, at, err := f.store.Due(f.ctx, f.now, limit)
			if err != nil {
				f.Fatal(err)
			}
			equal(f, "due", fmt.Sprint(due), want)
			equal(f, "next", at, next)
		}
		check(10, "[]", micro(day.Add(time.Minute)))
		f.later(10 * time.Minute)
		check(10, "[r1 r2 r0]", micro(day.Add(time.Hour)))
		check(2, "[r1 r2]", micro(day.Add(3*time.Minute)))
		check(3, "[r1 r2 r0]", micro(day.Add(time.Hour)))
		check(0, "[r1 r2 r0]", micro(day.Add(time.Hour)))
		f.later(time.Hour)
		check(10, "[r1 r2 r0 r3]", time.Time{})
	}},
	{"sessions know their runs", func(f *fixture) {
		a := f.root("a")
		a.Start.Task.Session, a.Start.Task.User = "talk", "ann"
		f.start(a)
		f.start(f.root("solo"))
		f.later(time.Minute)
		b := f.root("b")
		b.Start.Task.Session, b.Start.Task.User, b.Start.Task.Workspace = "talk", "ann", "garden"
		f.start(b)
		f.start(f.child("b.1"))
		f.later(time.Minute)
		f.driver("b").finish(rein.EndDone)
		var got []rein.SessionInfo
		for s, err := range f.store.Sessions(f.ctx, store.SessionFilter{}) {
			if err != nil {
				f.Fatal(err)
			}
			got = append(got, s)
		}
		want := []rein.SessionInfo{
			{ID: "talk", Household: "home", User: "ann", Started: micro(day), Changed: micro(f.now), Runs: 2, Active: "a", Title: "what is a?", Status: "done", Flow: "answer", Workspace: "garden"},
			{ID: "solo", Household: "home", User: "owner", Started: micro(day), Changed: micro(day), Runs: 1, Active: "solo", Title: "what is solo?", Status: "ready", Flow: "answer"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			f.Errorf("sessions: %s", diff)
		}
	}},
	{"sessions are filtered, and come in pages", func(f *fixture) {
		for i, of := range []string{"ann s0", "bob s1", "ann s2", "ann s3", "ann s2"} {
			s := f.root(rein.RunID(fmt.Sprint("r", i)))
			s.Start.Task.User, s.Start.Task.Session, _ = strings.Cut(of, " ")
			f.start(s)
			f.start(f.child(s.Run.Child("1")))
		}
		for _, c := range []struct {
			filter store.SessionFilter
			want   string
		}{
			{store.SessionFilter{Household: "home"}, "[s0 s1 s2 s3]"},
			{store.SessionFilter{Household: "home", User: "ann"}, "[s0 s2 s3]"},
			{store.SessionFilter{Household: "home", User: "ann", Recent: true}, "[s2 s3 s0]"},
			{store.SessionFilter{Household: "home", User: "ann", Recent: true, After: "s2", Limit: 1}, "[s3]"},
			{store.SessionFilter{Household: "home", Recent: true, IDs: []string{"s3", "s2", "s1"}}, "[s2 s3 s1]"},
			{store.SessionFilter{Recent: true, After: "s3"}, "[s1 s0]"},
			{store.SessionFilter{Household: "home", User: "ann", After: "s0", Limit: 5}, "[s2 s3]"},
			{store.SessionFilter{Household: "home", User: "ann", IDs: []string{"s3", "s1", "s0", "none"}}, "[s0 s3]"},
			{store.SessionFilter{IDs: []string{"s1"}}, "[s1]"},
			{store.SessionFilter{IDs: []string{}}, "[]"},
			{store.SessionFilter{Household: "elsewhere"}, "[]"},
		} {
			equal(f, fmt.Sprintf("%+v", c.filter), f.sessions(c.filter), c.want)
		}
		for _, err := range f.store.Sessions(f.ctx, store.SessionFilter{After: "nobody"}) {
			f.refused(err, rein.CodeNotFound)
		}
	}},
	{"sessions are found by what people typed", func(f *fixture) {
		for i, text := range []string{"Water the Roses?\nDon't forget the ÉPICÉA.", "Paint the shed.", strings.Repeat("long ", 1000) + "tulips"} {
			s := f.root(rein.RunID(fmt.Sprint("r", i)))
			s.Start.Task.Session, s.Start.Task.Messages = fmt.Sprint("s", i), []rein.Message{{Role: rein.System, Text: "a rose"}, {Role: rein.User, Text: text}}
			f.start(s)
		}
		d := f.driver("r1")
		f.start(f.child("r1.1"))
		d.append(note("a tulip"))
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Key: "k", Text: "And the FENCE."})
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Key: "l", Text: "a peony", From: "r1.1"})
		for text, want := range map[string]string{
			"rose": "[s0]", "épicéa": "[s0]", "the": "[s0 s1]", "fence": "[s1]", "TULIPS": "[s2]", "tulip": "[s2]", "peony": "[]", "50%": "[]", "_": "[]",
		} {
			equal(f, text, f.sessions(store.SessionFilter{Household: "home", Text: text}), want)
		}
		equal(f, "found otherwise", f.sessions(store.SessionFilter{Household: "home", Text: "fence", Found: []string{"s2", "none"}}), "[s1 s2]")
		f.driver("r0").finish(rein.EndDone)
		if err := f.store.Erase(f.ctx, These("r0")); err != nil {
			f.Fatal(err)
		}
		equal(f, "erased", f.sessions(store.SessionFilter{Text: "rose"}), "[]")
	}},
	{"sessions know how many asks wait for somebody", func(f *fixture) {
		r := f.root("r")
		r.Start.Task.User, r.Start.Task.Session = "ann", "s"
		f.start(r)
		f.start(f.root("other"))
		d := f.driver("r")
		d.open("1.ask", func(a *rein.Ask) { a.Kind = rein.AskQuestion })
		d.open("2.ask", func(a *rein.Ask) { a.Kind = rein.AskQuestion; a.For = "bob" })
		child := f.drive("r.1")
		id := child.open("1.ask", func(a *rein.Ask) { a.Kind = rein.AskQuestion; a.For = "ann" })
		waiting := func(user string) (list []int64) {
			for s, err := range f.store.Sessions(f.ctx, store.SessionFilter{Household: "home", For: user}) {
				if err != nil {
					f.Fatal(err)
				}
				list = append(list, s.Waiting)
			}
			return list
		}
		for user, want := range map[string]string{"ann": "[2 0]", "bob": "[1 0]", "owner": "[0 0]", "": "[0 0]"} {
			equal(f, user, fmt.Sprint(waiting(user)), want)
		}
		f.send(answer(id, "ann", "yes"))
		equal(f, "after an answer", fmt.Sprint(waiting("ann")), "[1 0]")
	}},
	{"a title is one short line", func(f *fixture) {
		s := f.root("r")
		s.Start.Task.Messages[0].Text = "\n  " + strings.Repeat("ü", 500) + "\nmore"
		title := f.start(s).Title
		if len(title) > 130 || !strings.HasPrefix(title, "ü") || strings.ContainsRune(title, '\uFFFD') {
			f.Errorf("title is %q", title)
		}
	}},
	{"what is unknown is not found", func(f *fixture) {
		_, err := f.store.Run(f.ctx, "x")
		f.refused(err, rein.CodeNotFound)
		_, err = f.store.Receipts(f.ctx, "x")
		f.refused(err, rein.CodeNotFound)
		_, err = f.store.Verify(f.ctx, "x")
		f.refused(err, rein.CodeNotFound)
		f.refused(f.store.Erase(f.ctx, These("x")), rein.CodeNotFound)
	}},
}

func (f *fixture) sessions(filter store.SessionFilter) string {
	f.Helper()
	ids := []string{}
	for s, err := range f.store.Sessions(f.ctx, filter) {
		if err != nil {
			f.Fatal(err)
		}
		ids = append(ids, s.ID)
	}
	return fmt.Sprint(ids)
}

func (f *fixture) runs(filter store.Filter) []rein.RunID {
	f.Helper()
	ids := []rein.RunID{}
	for run, err := range f.store.Runs(f.ctx, filter) {
		if err != nil {
			f.Fatal(err)
		}
		ids = append(ids, run.ID)
	}
	return ids
}

// Covers: ENG-36 ENG-37
var eraseTests = []test{
	{"removes what was said and keeps the chain", func(f *fixture) {
		secret := strings.Repeat("a secret ", 100)
		s := f.root("r")
		s.Start.Task.Messages[0].Text = secret
		f.start(s)
		d := f.driver("r")
		child := f.drive("r.1")
		child.append(note(secret))
		id := d.open("1.ask", func(a *rein.Ask) { a.Text = secret; a.Kind = rein.AskQuestion })
		f.send(answer(id, "ann", secret))
		m := f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Key: "k", Text: "psst"})
		child.finish(rein.EndDone)
		d.see().finish(rein.EndDone)
		before := f.verified("r")
		if err := f.store.Erase(f.ctx, These("r")); err != nil {
			f.Fatal(err)
		}
		for _, run := range []rein.RunID{"r", "r.1"} {
			verdict := f.verified(run)
			equal(f, "erased", verdict.Erased, verdict.Events)
			info := f.info(run)
			equal(f, "erased", info.Erased, true)
			equal(f, "title", info.Title, "")
			equal(f, "outcome", info.Outcome.Text, "")
			equal(f, "digest", info.Digest, rein.Hash{})
			for _, e := range f.events(run) {
				if e.Data != nil || !e.Erased {
					f.Errorf("event %d of %s still says %q", e.Seq, run, e.Data)
				}
			}
		}
		equal(f, "head", f.verified("r").Head, before.Head)
		ask := f.ask(id)
		equal(f, "ask", ask.Text+ask.Answer.Text, "")
		equal(f, "ask", ask.State, rein.AskAnswered)
		equal(f, "receipt", f.receipts("r")[m.Command].State, rein.ReceiptNotApplied)
		equal(f, "again", f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Key: "k", Text: "?"}).Again, true)
		if err := f.store.Erase(f.ctx, These("r")); err != nil {
			f.Errorf("a second time: %v", err)
		}
		if _, started, err := f.store.Start(f.ctx, f.root("r")); started || err != nil {
			f.Errorf("an erased run: started %v, %v", started, err)
		}
	}},
	{"an unfinished run, or one below, is busy", func(f *fixture) {
		d := f.drive("r")
		f.refused(f.store.Erase(f.ctx, These("r")), rein.CodeBusy)
		f.start(f.child("r.1"))
		d.finish(rein.EndFailed)
		f.refused(f.store.Erase(f.ctx, These("r")), rein.CodeBusy)
		equal(f, "erased", f.verified("r").Erased, 0)
	}},
	{"texts that another run refers to stay", func(f *fixture) {
		long := strings.Repeat("shared ", 100)
		a, b := f.drive("a"), f.drive("b")
		a.append(note(long))
		b.append(note(long))
		a.finish(rein.EndDone)
		if err := f.store.Erase(f.ctx, These("a")); err != nil {
			f.Fatal(err)
		}
		if data := string(f.events("b")[1].Data); !strings.Contains(data, long) {
			f.Errorf("the other run now says %q", data)
		}
		f.verified("b")
		b.append(note(long)) // and can be used again
		f.verified("b")
	}},
}

var verifyTests = []test{
	{"a tree that was used adds up", func(f *fixture) {
		d := f.drive("r")
		child := f.drive("r.1")
		child.append(reserve(rein.Amount{Tokens: 100, Rounds: 1}), note("x"))
		settle := note("y")
		settle.Spend = rein.Amount{Tokens: -20, DrivenMS: 7}
		child.append(settle)
		child.finish(rein.EndDone)
		d.see().finish(rein.EndDone)
		for _, id := range []rein.RunID{"r", "r.1"} {
			verdict, events := f.verified(id), f.events(id)
			equal(f, "events", verdict.Events, int64(len(events)))
			equal(f, "head", verdict.Head, events[len(events)-1].Hash)
		}
		equal(f, "used", f.ledger("r").Used, rein.Amount{Tokens: 80, Rounds: 1, DrivenMS: 7, Runs: 2})
	}},
	{"a head holds while the store goes on", func(f *fixture) {
		d := f.drive("r")
		first, err := f.store.Checkpoint(f.ctx, f.now)
		if err != nil {
			f.Fatal(err)
		}
		d.append(note("more"))
		f.drive("s")
		second, err := f.store.Checkpoint(f.ctx, f.later(time.Hour))
		if err != nil || second.N != first.N+1 || second.Runs != 2 || second.Head == first.Head {
			f.Errorf("%+v after %+v: %v", second, first, err)
		}
		d.finish(rein.EndDone)
		if err := f.store.Erase(f.ctx, These("r")); err != nil {
			f.Fatal(err)
		}
		for _, c := range []rein.Checkpoint{first, second} {
			of, wrong, err := f.store.VerifyHead(f.ctx, c.Head)
			if err != nil || len(wrong) > 0 || of != c {
				f.Errorf("head of %+v: %q, %v", c, wrong, err)
			}
		}
		_, _, err = f.store.VerifyHead(f.ctx, rein.Hash{})
		f.refused(err, rein.CodeNotFound)
	}},
}
