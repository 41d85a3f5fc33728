package script_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"rein"
	"rein/model/script"
)

func TestRecord(t *testing.T) {
	m := parse(t, "turn 1 phase=a\nsay one\nturn 2\nsay two")
	var hooked []string
	m.Hook = func(r rein.ModelRequest) { hooked = append(hooked, r.Phase) }

	r := request("user: q")
	r.Phase = "a"
	answer(m, r)
	r.Messages[0].Text = "changed by the caller"
	answer(m, request("user: nobody"))

	calls := m.Calls()
	if len(calls) != 2 || !slices.Equal(hooked, []string{"a", ""}) {
		t.Fatalf("%d calls, hooked %q", len(calls), hooked)
	}
	if c := calls[0]; c.Entry != "t:1" || c.Request.Messages[0].Text != "q" || c.Reply.Message.Text != "one" || c.Err != nil {
		t.Errorf("first call is %+v", c)
	}
	if c := calls[1]; c.Entry != "" || rein.CodeOf(c.Err) != rein.CodeInvalid {
		t.Errorf("second call is %+v", c)
	}
	if got, want := m.Unused(), []string{"t:3: turn 2"}; !slices.Equal(got, want) {
		t.Errorf("Unused is %q, want %q", got, want)
	}
}

func TestForget(t *testing.T) {
	m := parse(t, "when\nsay hi")
	m.Forget = true
	answer(m, request())
	if len(m.Calls()) != 0 || len(m.Unused()) != 0 {
		t.Errorf("%d calls kept, unused %q", len(m.Calls()), m.Unused())
	}
}

// A call that is under way can be seen, so that a test can wait for it.
func TestCallUnderWay(t *testing.T) {
	m := parse(t, "when\nsay hi")
	_, err := m.Generate(t.Context(), request(), func(string) {
		if c := m.Calls(); len(c) != 1 || c[0].Entry != "t:1" || c[0].Reply.Model != "" {
			t.Errorf("calls are %+v", c)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Many runs share one model; each gets the answers of its own transcript.
func TestConcurrentRuns(t *testing.T) {
	m := parse(t, "turn 1\nfail provider times=1\ncall search\nwhen nth=2\nsay second\nwhen\nsay other")
	const runs = 50
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() {
			if err := playRun(m, rein.RunID(fmt.Sprint("r", i))); err != nil {
				t.Error(err)
			}
			m.Calls()
			m.Unused()
		})
	}
	wg.Wait()
	if got := len(m.Calls()); got != 3*runs {
		t.Errorf("%d calls, want %d", got, 3*runs)
	}
	if got := m.Unused(); !slices.Equal(got, []string{"t:6: when"}) {
		t.Errorf("unused: %q", got)
	}
}

func playRun(m *script.Model, run rein.RunID) error {
	r := request("user: q")
	r.Run, r.Step, r.Tools = run, "1", []string{"search"}
	if got := answer(m, r); got != "[provider] scripted failure" {
		return fmt.Errorf("run %s, attempt 1: %s", run, got)
	}
	if got := answer(m, r); got != "" {
		return fmt.Errorf("run %s, attempt 2: %s", run, got)
	}
	r.Step, r.Messages = "2", append(r.Messages, request("call: c1-1", "tool: x").Messages...)
	if got := answer(m, r); got != "second" {
		return fmt.Errorf("run %s, step 2: %s", run, got)
	}
	return nil
}
