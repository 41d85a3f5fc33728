package steps_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/terminal/tui/steps"
)

// TestRecorded draws the steps of recorded runs as the API returns them.
func TestRecorded(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"explore": "scenes_explore.db.gz", "operate": "operate_ask_user.db.gz", "answer": "answer_a1_cited.db.gz", "compaction": "operate_b2_compaction.db.gz"} {
		t.Run(name, func(t *testing.T) {
			h := open(t, file)
			page, err := h.Steps(t.Context(), "r1", "", 0)
			check(t, err)
			l := steps.NewList(theme)
			l.Set(page, h.timeline("r1"))
			now := page.Steps[len(page.Steps)-1].Ended
			wantDrawn(t, "list_"+name, func(width, height int) []string { return l.Rows(width, height, now) })
		})
	}
}

var began = time.Date(2026, 5, 4, 12, 0, 0, 0, time.Local) // times are written in the zone of whoever reads

func at(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }

// states are steps in all states.
func states() api.Steps {
	used := &rein.Usage{Input: 12_400, Output: 310, Micros: 83_400}
	step := func(key rein.StepKey, verb rein.Verb, state api.StepState, from, to float64) api.Step {
		s := api.Step{Key: key, Verb: verb, State: state, Started: at(from)}
		if to > 0 {
			s.Ended, s.Duration = at(to), at(to).Sub(at(from))
		}
		return s
	}
	with := func(s api.Step, change func(*api.Step)) api.Step {
		change(&s)
		return s
	}
	return api.Steps{Next: "9", Steps: []api.Step{
		with(step("1", rein.VerbModel, api.StepOK, 0, 75), func(s *api.Step) {
			s.About, s.Usage, s.Model = rein.About{Phase: "decide", Human: "Making sure what is meant"}, used, "gpt-5"
			s.Attempts = []api.StepAttempt{{N: 1, At: at(0)}, {N: 2, At: at(12), Why: "openai answered 503"}}
			s.Waits = []api.StepWait{{From: at(2), Until: at(30), Why: "openai answered 503", Failure: &rein.Failure{Code: rein.CodeUnavailable, Msg: "503 Service Unavailable"}}}
		}),
		with(step("1.compact", rein.VerbModel, api.StepOK, 1, 2), func(s *api.Step) { s.Of, s.Usage = "1", &rein.Usage{Input: 900, Micros: 40} }),
		with(step("2.1.1", rein.VerbTool, api.StepOK, 76, 76.04), func(s *api.Step) { s.Tool, s.Human = "grep", "Searching… 検索しています" }),
		with(step("2.2.1", rein.VerbTool, api.StepFailed, 76, 85), func(s *api.Step) {
			s.Tool, s.Effect, s.Allowed, s.Mode = "execute_command", rein.Unsafe, "ask", rein.ModeAsk
			s.Failure = &rein.Failure{Code: rein.CodeUnavailable, Msg: "exit 1\n\x1b[31mFAIL\x1b[m"}
			s.Asks = []api.StepAsk{{ID: "r:2.2.1.ask", Kind: rein.AskApproval, State: rein.AskApproved}}
		}),
		with(step("2.3.1", rein.VerbTool, api.StepRefused, 76, 76), func(s *api.Step) { s.Tool = "write_file" }),
		with(step("2.4.1", rein.VerbTool, api.StepTimeout, 76, 106), func(s *api.Step) { s.Tool, s.Allowed = "fetch", "rule" }),
		with(step("2.5.1", rein.VerbTool, api.StepUnknown, 76, 80), func(s *api.Step) { s.Tool, s.Mended = "send_mail", "coerced" }),
		with(step("2.6.1", rein.VerbTool, api.StepSkipped, 76, 80), func(s *api.Step) { s.Tool, s.Internal = "read_file", true }),
		step("3", rein.VerbInbox, api.StepOK, 110, 110),
		with(step("4", rein.VerbSpawn, api.StepOK, 110, 110), func(s *api.Step) { s.Child = "r.4" }),
		with(step("5", rein.VerbModel, api.StepCut, 111, 112), func(s *api.Step) { s.Phase = "act" }),
		with(step("6", rein.VerbModel, api.StepErased, 113, 114), func(s *api.Step) { s.Erased = true }),
		with(step("7", rein.VerbTool, api.StepWaiting, 115, 0), func(s *api.Step) {
			s.Tool, s.Asks = "write_file", []api.StepAsk{{ID: "r:7.ask", Kind: rein.AskApproval, State: rein.AskPending}}
		}),
		with(step("8", rein.VerbWait, api.StepRunning, 116, 0), func(s *api.Step) { s.Child = "r.4" }),
		with(step("9", rein.VerbModel, api.StepWaiting, 117, 0), func(s *api.Step) {
			s.Phase, s.Waits = "act", []api.StepWait{{From: at(118), Until: at(160), Why: "60 requests a minute"}}
		}),
	}}
}

func TestStates(t *testing.T) {
	t.Parallel()
	l := steps.NewList(theme)
	l.Set(states(), nil)
	draw := func(width, height int) []string { return l.Rows(width, height, at(125)) }
	wantDrawn(t, "list_states", draw)
	l.Key(press("e"))
	wantDrawn(t, "list_states_failed", draw)
	l.Key(press("i"))
	l.Key(press("G"))
	wantDrawn(t, "list_states_last", draw)
}

func TestEmptyList(t *testing.T) {
	t.Parallel()
	l := steps.NewList(theme)
	says := func(want string) {
		t.Helper()
		if got := shown(wantFits(t, l.Rows(40, 12, began), 40, 12)); !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	says("Reading the steps")
	if a := l.Key(press("enter")); a.Taken {
		t.Errorf("Enter leads to %+v", a)
	}
	l.Set(api.Steps{}, nil)
	says("No steps yet")
	l.Set(api.Steps{Steps: []api.Step{{Key: "1", Verb: rein.VerbInbox, State: api.StepOK}}}, nil)
	says("press i")
	l.Key(press("i"))
	says("a look for messages")
}

// Keys lead to acts, and say why not where they do not.
func TestListActs(t *testing.T) {
	t.Parallel()
	l := steps.NewList(theme)
	l.Set(states(), nil)
	want := func(key string, want steps.Act) {
		t.Helper()
		want.Taken = true
		l.Rows(80, 24, at(125))
		if got := l.Key(press(key)); got != want {
			t.Errorf("%s leads to %+v, want %+v", key, got, want)
		}
	}
	want("enter", steps.Act{Kind: steps.Open, Step: "1"})
	want("f", steps.Act{Kind: steps.Fork, Step: "1"})
	want("j", steps.Act{})
	want("f", steps.Act{}) // a call inside a step
	if got := shown(l.Rows(80, 24, at(125))); !strings.Contains(got, "can be forked at") {
		t.Errorf("it is not said why:\n%s", got)
	}
	want("e", steps.Act{})
	want("enter", steps.Act{Kind: steps.Open, Step: "2.2.1"})
	want("right", steps.Act{Kind: steps.Open, Step: "2.2.1"})
	want("G", steps.Act{})
	want("f", steps.Act{}) // it has not ended
	want("up", steps.Act{})
	want("right", steps.Act{Kind: steps.OpenRun, Step: "8", Run: "r.4"})
	want("esc", steps.Act{Kind: steps.Back})
	if a := l.Key(press("?")); a != (steps.Act{}) {
		t.Errorf("a key that is not for the list leads to %+v", a)
	}
	l.Key(press("g"))
	rows := l.Rows(80, 24, at(125))
	for i, row := range rows {
		if strings.Contains(row, "grep") {
			if a := l.Click(i); a != (steps.Act{Taken: true}) {
				t.Errorf("a click leads to %+v", a)
			}
			if a := l.Click(i); a != (steps.Act{Kind: steps.Open, Step: "2.1.1", Taken: true}) {
				t.Errorf("a click on the chosen step leads to %+v", a)
			}
		}
	}
	if a := l.Click(0); a != (steps.Act{}) {
		t.Errorf("a click on the head leads to %+v", a)
	}
}

// pages are the steps of a long run, from one on.
func pages(from, n, all int) (page api.Steps) {
	for i := from; i < min(from+n, all); i++ {
		page.Steps = append(page.Steps, api.Step{Key: rein.StepKey(fmt.Sprint(i + 1)), Verb: rein.VerbTool, Tool: fmt.Sprintf("tool_%d", i+1), State: api.StepOK, Started: at(float64(i)), Ended: at(float64(i))})
	}
	if from+n < all {
		page.Next = page.Steps[n-1].Key
	}
	return page
}

// More is asked for near the end, once, and again by somebody who goes on at the end.
func TestPages(t *testing.T) {
	t.Parallel()
	l := steps.NewList(theme)
	l.Rows(80, 24, began)
	if !l.Set(pages(0, 10, 250), nil) {
		t.Error("a page that does not fill the screen wants no other")
	}
	if l.Set(pages(10, 100, 250), nil) {
		t.Error("more is wanted although the end is far")
	}
	l.Rows(80, 24, began)
	want := func(key string, want steps.Act) {
		t.Helper()
		want.Taken = true
		if got := l.Key(press(key)); got != want {
			t.Errorf("%s leads to %+v, want %+v", key, got, want)
		}
	}
	want("j", steps.Act{})
	want("G", steps.Act{Kind: steps.More, Step: "110"})
	want("k", steps.Act{})
	want("j", steps.Act{})
	want("j", steps.Act{Kind: steps.More, Step: "110"})
	l.Rows(80, 24, began)
	for _, want := range []steps.Act{{Kind: steps.More, Step: "110", Taken: true}, {Taken: true}} {
		if got := l.Wheel(99); got != want {
			t.Errorf("the wheel leads to %+v, want %+v", got, want)
		}
		l.Wheel(-99)
	}
	want("G", steps.Act{})
	if l.Set(pages(110, 200, 250), nil) || l.Next() != "" {
		t.Error("after the last page there is more")
	}
	want("G", steps.Act{})
	want("G", steps.Act{})
	want("enter", steps.Act{Kind: steps.Open, Step: "250"})
	if l.After() != "250" {
		t.Errorf("what comes begins after %s", l.After())
	}
}

// A page that is read again replaces what it has, and the chosen step stays the chosen one.
func TestAgain(t *testing.T) {
	t.Parallel()
	l := steps.NewList(theme)
	page := states()
	page.Next = ""
	l.Set(page, nil)
	if l.After() != "6" {
		t.Errorf("what can change begins after %s", l.After())
	}
	l.Rows(80, 30, at(125))
	l.Key(press("G"))
	s := page.Steps[len(page.Steps)-1]
	s.State, s.Ended, s.Duration = api.StepOK, at(130), 13*time.Second
	l.Set(api.Steps{Steps: []api.Step{s, {Key: "10", Verb: rein.VerbModel, State: api.StepRunning, Started: at(130)}}}, nil)
	got := shown(l.Rows(80, 30, at(132)))
	if strings.Count(got, "60 requests") > 0 || !strings.Contains(got, "13 s") || !strings.Contains(got, "2 s") {
		t.Errorf("after it was read again:\n%s", got)
	}
	if a := l.Key(press("enter")); a.Step != "9" {
		t.Errorf("the chosen step is %s", a.Step)
	}
}

// Whatever keys come, at whatever size, rows fit and the chosen step is on the screen.
func TestListAlwaysFits(t *testing.T) {
	t.Parallel()
	keys := []string{"j", "k", "down", "up", "g", "G", "pgup", "pgdown", "left", "right", "i", "e", "f", "enter", "x", "space", "home", "end"}
	for name, page := range map[string]api.Steps{"states": states(), "many": pages(0, 300, 400)} {
		random := rand.New(rand.NewPCG(3, 4))
		l := steps.NewList(theme)
		l.Set(page, nil)
		for range 600 {
			width, height := 1+random.IntN(120), 1+random.IntN(40)
			got := shown(wantFits(t, l.Rows(width, height, at(125)), width, height))
			if seen := strings.Count(got, "›"); width > 3 && seen != 1 {
				t.Fatalf("%s at %dx%d: the chosen step is on %d rows:\n%s", name, width, height, seen, got)
			}
			switch random.IntN(6) {
			case 0:
				l.Wheel(random.IntN(9) - 4)
			case 1:
				l.Click(random.IntN(height + 2))
			default:
				l.Key(press(keys[random.IntN(len(keys))]))
			}
		}
	}
}
