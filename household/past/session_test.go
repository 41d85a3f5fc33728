package past_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/engine"
	"rein/engine/guard"
	"rein/internal/labs"
	"rein/store"
	"rein/store/storetest"
)

// answerAll looks once, if it can, and answers; it says of the phases of each flow what they want to hear.
func answerAll(p *player) func(context.Context, rein.ModelRequest, func(string)) (rein.Message, error) {
	return func(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.Message, error) {
		switch {
		case r.Phase == "compact":
			return p.summary(r), nil
		case r.Phase == "reason":
			return rein.Message{Text: `{"plan": "look", "tools_to_consider": [], "finish": false}`}, nil
		case r.Phase == "observe":
			return rein.Message{Text: `{"observation": "seen", "should_continue": false, "final_answer": "` + answer(r) + `"}`}, nil
		case len(r.Offered) > 0 && results(r) == 0 && r.Phase != "chat":
			return call(1, "look", `{"at":"`+string(r.Run)+`"}`), nil
		}
		return rein.Message{Text: answer(r)}, nil
	}
}

func answer(r rein.ModelRequest) string {
	return "The answer of " + string(r.Run) + ". " + strings.Repeat("It is long enough to matter. ", 20)
}

// A hundred tasks of one session take as many model calls and as much of the log each as the first
// ones did, and the task is in every prompt.
//
// Covers: SD-94 SD-60 ENG-9 ENG-13
// Plain: it counts what one run after the other costs; the other tests here read the same histories under the race detector.
func TestHundredTasks(t *testing.T) {
	for i, way := range []string{"operate", "answer", "strict", "assist", "chat"} {
		if !labs.Cell(i, 3) {
			continue
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.model.play = answerAll(h.model)
			var calls, bytes [100]int
			folds := 0
			for i := range 100 {
				run := rein.RunID(fmt.Sprintf("r%03d", i))
				wanted := fmt.Sprintf("Task number %d: %s", i, strings.Repeat("look at it well ", 40))
				h.do(run, task(way, "s1", wanted, "look"))
				asked := h.model.requests()
				calls[i], bytes[i] = len(asked), h.bytes(run)
				folds += count(asked, "compact")
				for _, r := range asked {
					if r.Phase != "compact" && !strings.Contains(said(r), strings.TrimSpace(wanted)) {
						t.Fatalf("the prompt of %s, step %s (%s) does not hold the task:\n%s", r.Run, r.Step, r.Phase, said(r))
					}
				}
			}
			if folds == 0 {
				t.Error("nothing was folded: this test shows nothing")
			}
			flat(t, "model calls", calls[20:60], calls[60:], 1)
			flat(t, "log bytes", bytes[20:60], bytes[60:], 1.25)
		})
	}
}

// flat compares two stretches of tasks: the later one must not be heavier, nor its heaviest task.
func flat(t *testing.T, what string, earlier, later []int, slack float64) {
	t.Helper()
	sum := func(all []int) (total, most int) {
		for _, n := range all {
			total, most = total+n, max(most, n)
		}
		return total, most
	}
	before, mostBefore := sum(earlier)
	after, mostAfter := sum(later)
	// A fold more may fall into a stretch.
	if float64(after) > slack*float64(before)+2 || float64(mostAfter) > slack*float64(mostBefore)+1 {
		t.Errorf("%s grow: %d in all and %d at most before, then %d and %d:\n%v\n%v", what, before, mostBefore, after, mostAfter, earlier, later)
	}
	t.Logf("%s: %d, then %d; at most %d, then %d", what, before, after, mostBefore, mostAfter)
}

// fill makes so many tasks of a session that the next one has to fold.
func (h *house) fill(session string, n int) {
	h.Helper()
	for i := range n {
		h.do(rein.RunID(fmt.Sprintf("%s-%02d", session, i)), task("operate", session, fmt.Sprint("Task ", i)))
	}
	if c := count(h.model.requests(), "compact"); c > 0 {
		h.Fatalf("%d folds were made too early", c)
	}
}

// folds returns the texts of the folds of a session, as the table has them.
func (h *house) folds(session string) (texts []string) {
	h.Helper()
	h.check(h.Store.Read(h.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT text FROM session_folds WHERE session = ? ORDER BY n`, session)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			texts = append(texts, text)
		}
		return rows.Err()
	}))
	return texts
}

// Two runs that fold the same runs at once both go on, with a fold each. The first one is kept, and the
// next run uses it and makes none.
//
// Covers: SD-94
func TestTwoFoldAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	both := sync.WaitGroup{}
	both.Add(2)
	plain := answerAll(h.model)
	h.model.play = func(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.Message, error) {
		if r.Phase == "compact" {
			both.Done()
			both.Wait()
		}
		return plain(ctx, r, show)
	}
	h.fill("s1", 15)
	h.start("a", task("operate", "s1", "Task a"))
	h.start("b", task("operate", "s1", "Task b"))
	h.end("a")
	h.end("b")
	if n := count(h.model.requests(), "compact"); n != 2 {
		t.Fatalf("%d folds were made, not one by each", n)
	}
	kept := h.folds("s1")
	if len(kept) != 1 {
		t.Fatalf("kept: %q", kept)
	}
	h.do("c", task("operate", "s1", "Task c"))
	asked := h.model.requests()
	if len(asked) != 1 || !strings.Contains(said(asked[0]), kept[0]) {
		t.Errorf("the next run was asked %d times, and not with the fold that is kept: %s", len(asked), said(asked[0]))
	}
	for _, run := range []string{"a", "b"} {
		if !strings.Contains(said(asked[0]), "The answer of "+run+".") {
			t.Errorf("the next run does not know of %s", run)
		}
	}
}

// A process that ends between a fold and its use, and one that starts again, make no second one.
//
// Covers: SD-94 ENG-9
func TestFoldOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	plain := answerAll(h.model)
	h.model.play = plain
	h.fill("s1", 15)
	arrived := make(chan struct{})
	h.model.play = func(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.Message, error) {
		if r.Phase == "compact" {
			return plain(ctx, r, show)
		}
		close(arrived)
		<-ctx.Done()
		return rein.Message{}, ctx.Err()
	}
	h.start("cut", task("operate", "s1", "Task cut"))
	<-arrived
	h.Leave()
	h.model.play = plain
	h.reopen()
	if end := h.end("cut"); end.End != rein.EndDone {
		t.Fatalf("%+v", end)
	}
	asked := h.model.requests()
	if n := count(asked, "compact"); n != 1 {
		t.Errorf("%d folds were made", n)
	}
	if last := asked[len(asked)-1]; !strings.Contains(said(last), "It was about things (cut).") || !strings.Contains(said(last), "Task cut") {
		t.Errorf("the prompt after the restart: %s", said(last))
	}
	h.reopen()
	h.do("next", task("operate", "s1", "Task next"))
	if asked := h.model.requests(); len(asked) != 1 || !strings.Contains(said(asked[0]), "It was about things (cut).") {
		t.Errorf("the next run was asked %d times: %s", len(asked), said(asked[0]))
	}
}

// The results of earlier runs can be read by their handles in later runs of the same session and user,
// and by no others.
//
// Covers: SD-94 LAW-9
func TestHandlesOfEarlierRuns(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	long := strings.Repeat("This is a long answer. ", 1000)
	h.model.play = func(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.Message, error) {
		switch {
		case r.Run == "r1" && results(r) == 0:
			return call(1, "look", `{"at":"roof"}`), nil
		case r.Run == "r1":
			return rein.Message{Text: long}, nil
		case r.Run == "r2" && results(r) == 0:
			return call(1, "read_result", `{"handle":"r1:answer","offset":22000}`), nil
		}
		return rein.Message{Text: "Read."}, nil
	}
	h.do("r1", task("operate", "s1", "Look at the roof.", "look"))
	h.do("r2", task("operate", "s1", "And the end of it?"))
	asked := h.model.requests()
	first, last := said(asked[len(asked)-2]), said(asked[len(asked)-1])
	for _, want := range []string{`look {"at":"roof"}: ok`, `seen {"at":"roof"}`, `read_result {"handle":"r1:answer"}`, `read_result {"handle":"r1:`} {
		if !strings.Contains(first, want) {
			t.Errorf("the second task is not told %q:\n%s", want, first)
		}
	}
	if !strings.Contains(last, "of 23000: the end]") {
		t.Errorf("it could not read on: %s", last[max(0, len(last)-500):])
	}
	bob := task("operate", "s3", "Hello.")
	bob.User = "bob"
	h.do("r3", task("operate", "s2", "Hello."))
	h.do("b1", bob)
	for _, reader := range []rein.RunID{"r3", "b1"} {
		for _, handle := range []string{"r1:answer", "r1:asked", "r1:work", "r1:asides", "r1:4"} {
			if text, err := h.Engine.Whole(t.Context(), reader, handle); rein.CodeOf(err) != rein.CodeNotFound {
				t.Errorf("%s reads %s: %q %v", reader, handle, text, err)
			}
			if _, err := h.Engine.Whole(t.Context(), "r2", handle); err != nil {
				t.Errorf("r2 cannot read %s: %v", handle, err)
			}
		}
	}
	h.check(h.Store.Erase(t.Context(), storetest.These("r1")))
	if text, err := h.Engine.Whole(t.Context(), "r2", "r1:answer"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("what was erased can be read: %q %v", text, err)
	}
}

// A run that is stopped while it answers keeps what was on the screen, without secrets, and the next
// task is told that.
//
// Covers: LAW-6 SD-94
func TestStoppedInMidAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.redact, h.grace = []guard.Pattern{{Name: "pin", Regexp: `PIN-[0-9]{4}`}}, engine.NoGrace
	h.reopen()
	spoken := make(chan struct{})
	h.model.play = func(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.Message, error) {
		if r.Run != "r1" {
			return rein.Message{Text: "Yes."}, nil
		}
		if results(r) == 0 {
			m := call(1, "look", `{}`)
			m.Text = "First I look."
			return m, nil
		}
		show("The code is PIN-1234 and the door is green, said the ")
		close(spoken)
		<-ctx.Done()
		return rein.Message{}, ctx.Err()
	}
	h.start("r1", task("operate", "s1", "Which door?", "look"))
	<-spoken
	_, err := h.Engine.Command(t.Context(), rein.Command{Kind: rein.CommandStop, Run: "r1", By: "ann"})
	h.check(err)
	end := h.end("r1")
	if end.End != rein.EndStopped || !strings.Contains(end.Text, "the door is green") || strings.Contains(end.Text, "1234") {
		t.Errorf("it ended as %s with %q", end.End, end.Text)
	}
	h.do("r2", task("operate", "s1", "Go on."))
	asked := h.model.requests()
	last := said(asked[len(asked)-1])
	if !strings.Contains(last, "the door is green") || strings.Contains(last, "assistant: First I look.") || !strings.Contains(last, "ended as stopped") {
		t.Errorf("the next task is told:\n%s", last)
	}
}

// A run that is summed up while it works keeps its task, and what was wanted instead, in every prompt.
//
// Covers: SD-60 SD-65
func TestTaskIsPinned(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const wanted, instead = "Count the windows of the house.", "Count the doors only."
	plain := answerAll(h.model)
	modified := false
	h.model.play = func(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.Message, error) {
		switch {
		case r.Phase == "compact":
			return plain(ctx, r, show)
		case r.Round == 30 && !modified:
			modified = true
			_, err := h.Engine.Command(ctx, rein.Command{Kind: rein.CommandModify, Run: "r1", By: "ann", Text: instead})
			if err != nil {
				return rein.Message{}, err
			}
			<-ctx.Done()
			return rein.Message{}, ctx.Err()
		case r.Round >= 70:
			return rein.Message{Text: "Seventy."}, nil
		}
		return call(r.Round, "look", fmt.Sprintf(`{"at":%d}`, r.Round)), nil
	}
	long := task("operate", "s1", wanted, "look")
	long.Settings = json.RawMessage(`{"rounds":80}`)
	h.do("r1", long)
	asked := h.model.requests()
	if n := count(asked, "compact"); n < 3 {
		t.Fatalf("it was summed up %d times: this test shows nothing", n)
	}
	heard := false
	for _, r := range asked {
		if r.Phase == "compact" {
			continue
		}
		text := said(r)
		heard = heard || strings.Contains(text, instead)
		if !strings.Contains(text, "user: "+wanted) || heard && !strings.Contains(text, instead) {
			t.Fatalf("round %d: the prompt is without the task:\n%s", r.Round, text)
		}
	}
	if !heard {
		t.Error("nobody was heard: this test shows nothing")
	}
}

// The files of a session are told in every way of working, and can be read though nobody selected the
// tool for it; what comes later is found too.
//
// Covers: RAO-91
func TestFilesInEveryMode(t *testing.T) {
	for _, way := range []string{"chat", "operate", "answer", "strict", "assist", "explore"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			put := func(name, text string) {
				_, err := h.shelf().Put(t.Context(), rein.Place{Household: "home", User: "ann", Session: "s1"}, name, "text/plain", strings.NewReader(text))
				h.check(err)
			}
			plain := answerAll(h.model)
			h.model.play = func(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.Message, error) {
				switch {
				case r.Phase == "chat" && strings.Contains(said(r), "plan.txt ("):
					return rein.Message{Text: "I have to look.\n[NEED_TASK]"}, nil
				case way == "assist" && r.Phase == "observe":
					return rein.Message{Text: `{"type": "tool_call", "tool": "read_session_file", "args": {"name": "plan.txt"}}`}, nil
				case len(r.Offered) > 0 && results(r) == 0:
					return call(1, "read_session_file", `{"name":"plan.txt"}`), nil
				case len(r.Offered) > 0 && results(r) == 1 && way == "operate":
					put("later.txt", "Water them.")
					return call(2, "session_files", `{}`), nil
				case r.Phase == "clarify" || r.Phase == "question" || r.Phase == "split":
					return rein.Message{Text: `{}`}, nil
				case len(r.Offered) > 0 && results(r) > 0:
					return rein.Message{Text: "It says: plant trees."}, nil
				}
				return plain(ctx, r, show)
			}
			h.do("r0", task(way, "s1", "Hello."))
			h.model.requests()
			put("plan.txt", "Plant trees.")
			h.do("r1", task(way, "s1", "What does the plan say?"))
			asked := h.model.requests()
			if !strings.Contains(said(asked[0]), "plan.txt (text/plain, 12 bytes)") {
				t.Errorf("the model is not told of the file:\n%s", said(asked[0]))
			}
			last := said(asked[len(asked)-1])
			if !strings.Contains(last, "Plant trees.") {
				t.Errorf("the model could not read it:\n%s", last)
			}
			if way == "operate" && !strings.Contains(last, "later.txt (text/plain, 11 bytes)") {
				t.Errorf("the model could not find what came later:\n%s", last)
			}
		})
	}
}

// What an older program recorded of a past is still understood.
func TestOldHistory(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.tools["session.history"] = rein.Tool{
		Name: "session.history", Description: "As it was.", Effect: rein.Pure, Internal: true,
		Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			return rein.Done{Data: json.RawMessage(`{"runs":[{"run":"r0","at":"Sunday 2026-03-01 12:02","asked":["What is a rein?"],
				"asides":[{"question":"Which?","answer":"Of a horse."}],"answer":"A strap.","end":"stopped","did":["look {}: ok, seen"]}]}`)}, nil
		},
	}
	h.reopen()
	h.model.play = answerAll(h.model)
	h.do("r1", task("operate", "s1", "And now?"))
	text := said(h.model.requests()[0])
	for _, want := range []string{"user: What is a rein?\nassistant: Which?\nuser: Of a horse.\nassistant: A strap.\n", "look {}: ok, seen", "user: And now?"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

// A window that is too small for the newest run alone still takes every task, with what matters folded.
func TestSmallWindow(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.model.window = 3000
	h.model.play = answerAll(h.model)
	for i := range 8 {
		wanted := fmt.Sprintf("Task %d: %s", i, strings.Repeat("word ", 700))
		h.do(rein.RunID(fmt.Sprint("r", i)), task("chat", "s1", wanted))
		for _, r := range h.model.requests() {
			if n := guard.EstimateTokens(r.Messages); n > 3000 {
				t.Errorf("a prompt of about %d tokens was sent to a window of 3000", n)
			}
		}
	}
}
