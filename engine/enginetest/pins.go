package enginetest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/engine"
)

// A shelf is what a pinned tool is done to. It can change at any moment.
type shelf struct {
	mu   sync.Mutex
	name string // of what is on it: what pins a call
	text string // what a person sees of it
}

func (s *shelf) put(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.name, s.text = name, text
}

func (s *shelf) show(context.Context, rein.Invocation) (rein.Shown, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return rein.Shown{Text: s.text, Pin: map[string]string{"shown": s.name}}, nil
}

// pinned makes a tool one that needs approval and is done to the shelf. Without a pin it is as an older
// program had it.
func (s *shelf) pinned(tool string, pins bool) func(*engine.Options) {
	return change(tool, func(t *rein.Tool) {
		t.Approval, t.Show = true, s.show
		if pins {
			t.Pinned = []string{"shown"}
			return
		}
		t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
			shown, err := s.show(ctx, inv)
			return rein.Shown{Text: shown.Text}, err
		}
	})
}

// intents returns what a tool was sent, as the log has it.
func (w *World) intents(run rein.RunID) []rein.Intent {
	w.Helper()
	var all []rein.Intent
	for _, e := range w.Events(run) {
		if e.Kind != rein.StepIntent {
			continue
		}
		if intent, err := rein.Payload[rein.Intent](e); err == nil {
			all = append(all, intent)
		}
	}
	return all
}

// pins holds that an approval is of a value: what was shown, and not whatever has its name by the time
// of the call.
//
// Covers: TAB-B8 LAW-3 ENG-8
var pins = []test{
	{"what is put to a person is whole, however long the broken call was", func(t *testing.T, world func(string) *World) {
		w, s := world("turn 1\nmalformed post `{n: 1,"+strings.Repeat(" ", 300_000)+"}`\nturn 2\nsay over"), &shelf{}
		text := strings.Repeat("a line of it\n", 30_000)
		s.put("red", text)
		w.Tweak = s.pinned("post", true)
		w.loop("post")
		if ask := w.UntilAsk("r1", 1); !strings.Contains(ask.Text, text) {
			t.Errorf("of %d bytes %d are shown", len(text), len(ask.Text))
		}
	}},
	{"what cannot be shown whole is put to nobody", func(t *testing.T, world func(string) *World) {
		w, s := world("turn 1\ncall post {\"n\":1}\nturn 2\nsay over"), &shelf{}
		s.put("red", strings.Repeat("a line of it\n", 50_000))
		w.Tweak = s.pinned("post", true)
		w.loop("post")
		w.WantEnd("r1", rein.EndDone, "over")
		if sent := w.intents("r1"); len(sent) > 0 {
			t.Errorf("sent: %+v", sent)
		}
	}},
	{"what pins a call is in what is sent, not in the call", func(t *testing.T, world func(string) *World) {
		w, s := world("turn 1\ncall post {\"n\":1,\"shown\":\"mine\",\"SHOWN\":\"mine\"}\nturn 2\nsay over"), &shelf{}
		s.put("red", "a red box")
		w.Tweak = s.pinned("post", true)
		w.loop("post")
		ask := w.UntilAsk("r1", 1)
		if !strings.Contains(ask.Text, "a red box") || strings.Contains(string(ask.Call.Args), "shown") {
			t.Errorf("asked %q of %s", ask.Text, ask.Call.Args)
		}
		w.Restart()
		w.Answer(ask, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `post {"n":1,"shown":"red"}`)
		sent := w.intents("r1")
		if len(sent) != 1 || string(sent[0].Args) != `{"n":1,"shown":"red"}` || sent[0].Shown != ask.Shown {
			t.Errorf("sent %+v, asked %s", sent, ask.Shown)
		}
		for _, e := range w.Events("r1") {
			if e.Kind != rein.StepStarted {
				continue
			}
			start, err := rein.Payload[rein.StepStart](e)
			if err != nil || start.Call == nil {
				continue
			}
			if strings.Contains(string(start.Call.Args), "red") {
				t.Errorf("the call was changed: %s", start.Call.Args)
			}
		}
		w.Verify()
	}},
	{"an approval is void if what it is pinned to is another, though it looks the same", func(t *testing.T, world func(string) *World) {
		w, s := world(callOnce("post")), &shelf{}
		s.put("red", "a box")
		w.Tweak = s.pinned("post", true)
		w.loop("post")
		first := w.UntilAsk("r1", 1)
		s.put("blue", "a box")
		w.Answer(first, rein.AskApproved, "")
		second := w.UntilAsk("r1", 2)
		if second.Shown == first.Shown || second.Text != first.Text {
			t.Errorf("asked %+v, then %+v", first, second)
		}
		w.WantCalls(1, "")
		w.Restart()
		w.Answer(second, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `post {"shown":"blue"}`)
		w.Verify()
	}},
	{"a call that nobody need agree to is pinned too", func(t *testing.T, world func(string) *World) {
		w, s := world(callOnce("post")), &shelf{}
		s.put("red", "a box")
		w.Tweak = s.pinned("post", true)
		w.Begin()
		trusting := task("loop", "go", "post")
		trusting.Policy.Allow = []string{"post"}
		w.Start("r1", trusting)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `post {"shown":"red"}`)
	}},
	{"other arguments that a person writes are shown before they are sent", func(t *testing.T, world func(string) *World) {
		w, s := world("turn 1\ncall post {\"n\":1}\nturn 2\nsay over"), &shelf{}
		s.put("red", "a box")
		w.Tweak = s.pinned("post", true)
		w.loop("post")
		w.Send(edit(w.UntilAsk("r1", 1), `{"n":2}`))
		second := w.UntilAsk("r1", 2)
		if string(second.Call.Args) != `{"n":2}` {
			t.Errorf("asked about %s", second.Call.Args)
		}
		w.WantCalls(1, "")
		w.Restart()
		w.Send(edit(second, `{ "n": 2 }`)) // the same in other words
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `post {"n":2,"shown":"red"}`)
		w.Verify()
	}},
	{"a pinned call that a crash cut goes on, unless it is of something else by now", func(t *testing.T, world func(string) *World) {
		for name, c := range map[string]struct {
			checks rein.CheckState
			after  string
			asks   int
			want   string
		}{
			"it did not happen":                         {rein.CheckNot, "red", 1, `post {"shown":"red"}`},
			"it did not happen, and the box is another": {rein.CheckNot, "blue", 2, `post {"shown":"blue"}`},
			"it happened":                               {"", "red", 1, "posted before"},
			"it happened, and the box is another":       {"", "blue", 1, "posted before"},
		} {
			t.Run(name, func(t *testing.T) {
				w, s := world(callOnce("post")), &shelf{}
				w.Tools.checks = c.checks
				w.Tools.Hold("post")
				s.put("red", "a box")
				w.Tweak = s.pinned("post", true)
				w.loop("post")
				w.Answer(w.UntilAsk("r1", 1), rein.AskApproved, "")
				w.Tools.Started(w)
				w.Kill()
				w.Tools.Release()
				s.put(c.after, "a box")
				w.Begin()
				if c.asks == 2 {
					w.Answer(w.UntilAsk("r1", 2), rein.AskApproved, "")
				}
				w.WantEnd("r1", rein.EndDone, "over")
				w.wantResult(1, rein.ToolOK, c.want)
				if n := w.Tools.Keys("post"); n != 1 {
					t.Errorf("%d keys", n)
				}
				w.Verify()
			})
		}
	}},
	{"a call that an older program sent is looked up, and agreed to anew before it is sent again", func(t *testing.T, world func(string) *World) {
		for name, c := range map[string]struct {
			checks rein.CheckState
			asks   int
			want   string
		}{
			"it did not happen": {rein.CheckNot, 2, `post {"shown":"red"}`},
			"it happened":       {"", 1, "posted before"},
		} {
			t.Run(name, func(t *testing.T) {
				w, s := world(callOnce("post")), &shelf{}
				w.Tools.checks = c.checks
				w.Tools.Hold("post")
				s.put("red", "a box")
				w.Tweak = s.pinned("post", false)
				w.loop("post")
				w.Answer(w.UntilAsk("r1", 1), rein.AskApproved, "")
				w.Tools.Started(w)
				w.Kill()
				w.Tools.Release()
				w.Tweak = s.pinned("post", true)
				w.Begin()
				if c.asks == 2 {
					ask := w.UntilAsk("r1", 2)
					if ask.Kind != rein.AskApproval {
						t.Errorf("asked %+v", ask)
					}
					w.Answer(ask, rein.AskApproved, "")
				}
				w.WantEnd("r1", rein.EndDone, "over")
				w.wantResult(1, rein.ToolOK, c.want)
				w.Verify()
			})
		}
	}},
	{"what was approved without a pin is asked again with one", func(t *testing.T, world func(string) *World) {
		w, s := world(callOnce("post")), &shelf{}
		s.put("red", "a box")
		w.Tweak = s.pinned("post", false)
		w.loop("post")
		first := w.UntilAsk("r1", 1)
		w.Tweak = s.pinned("post", true)
		w.Restart()
		w.Answer(first, rein.AskApproved, "")
		w.Answer(w.UntilAsk("r1", 2), rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `post {"shown":"red"}`)
		w.WantCalls(2, "post=1")
		w.Verify()
	}},
	{"an unsafe call that is to run again needs what a new one needs", func(t *testing.T, world func(string) *World) {
		w, s := world(callOnce("deploy")), &shelf{}
		w.Tools.Hold("deploy")
		s.put("red", "a box")
		w.Tweak = s.pinned("deploy", true)
		w.loop("deploy")
		w.Answer(w.UntilAsk("r1", 1), rein.AskApproved, "")
		w.Tools.Started(w)
		w.Kill()
		w.Tools.Release()
		s.put("blue", "a box")
		w.Begin()
		w.Answer(w.UntilAsk("r1", 2), rein.AskAnswered, rein.RunAgain)
		w.Answer(w.UntilAsk("r1", 3), rein.AskRejected, "not that one")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "not that one")
		w.WantCalls(2, "deploy=1")
		w.Verify()
	}},
	{"a pinned call that gives the same again and again is a loop", func(t *testing.T, world func(string) *World) {
		w, s := world("turn 1\ncall post {}\ncall post {}\ncall post {}\nturn 2\nsay over"), &shelf{}
		s.put("red", "a box")
		w.Tweak = func(o *engine.Options) {
			s.pinned("post", true)(o)
			change("post", func(tool *rein.Tool) { tool.Polling = false })(o)
		}
		w.Begin()
		trusting := task("loop", "go", "post")
		trusting.Policy.Allow = []string{"post"}
		w.Start("r1", trusting)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(3, rein.ToolRefused, "same")
		w.WantCalls(2, "post=2")
	}},
}
