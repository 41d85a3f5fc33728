package python_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/internal/flowtest"
	"rein/sandbox/sandboxtest"
	"rein/tool/python"
	"rein/tool/tree"
)

// exploring makes a world in which the flow explore has the real tools.
func exploring(t *testing.T, grace time.Duration, play string) *enginetest.World {
	t.Helper()
	newDesk(t) // it skips where there is no Python
	made, err := python.New(python.Options{Report: sandboxtest.Report}).Tool()
	if err != nil {
		t.Fatal(err)
	}
	agents, err := tree.Tools()
	if err != nil {
		t.Fatal(err)
	}
	w := flowtest.World(t, grace, play)
	tweak := w.Tweak
	w.Tweak = func(o *engine.Options) {
		tweak(o)
		for _, t := range append(agents, made) {
			o.Worker.Tools[t.Name] = t
		}
		o.Worker.Abandon = 0 // the usual one
	}
	return w
}

func exploreTask(tools ...string) rein.Task {
	return rein.Task{
		Flow: "explore", Settings: []byte(`{"clarify": false, "questions": 0, "depth": 0, "last_question": false}`), Tools: tools,
		Messages: []rein.Message{{Role: rein.User, Text: "Compare them."}},
	}
}

// resultOf is what the first call of a tool in a run gave.
func resultOf(w *enginetest.World, tool string) (result rein.ToolResult) {
	w.Helper()
	step := rein.StepKey("")
	for _, e := range w.Events("r1") {
		if start, err := rein.Payload[rein.StepStart](e); err == nil && e.Kind == rein.StepStarted && start.Tool == tool && step == "" {
			step = e.Step
		}
		if end, err := rein.Payload[rein.StepEnd](e); err == nil && e.Kind == rein.StepDone && e.Step == step && end.Result != nil {
			result = *end.Result
		}
	}
	return result
}

// TestForksFromPython is scenario D4: code in the main agent forks and waits, gets an error for a handle that does not exist,
// leaves a fork behind, and the process is killed while it waits.
//
// Covers: TREE-33/python TREE-40/python TREE-41 ENG-33 LAW-10
func TestForksFromPython(t *testing.T) {
	t.Parallel()
	code, err := json.Marshal(map[string]string{"code": `
a, b, never = fork("A"), fork("B"), fork("never")
try:
    wait(99)
except ForkError as e:
    unknown = e.code
print("forked", a, b, never)
[wait(a), wait(b), wait(b).end, unknown]
`})
	if err != nil {
		t.Fatal(err)
	}
	play := `
when run=r1 results=0
call python ` + string(code) + `
when run=r1
say Compared.
when user=A
say a
when user=B attempt=1
hang
when user=B
say b
when user=never
hang
`
	for name, grace := range map[string]time.Duration{"grace": time.Minute, "no grace": engine.NoGrace} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := exploring(t, grace, play)
			w.Begin()
			w.Start("r1", exploreTask("python"))
			w.Until("the wait for B", func(e rein.Event) bool {
				start, err := rein.Payload[rein.StepStart](e)
				return err == nil && e.Kind == rein.SubStarted && start.Tree != nil && start.Tree.Handle == 2
			})
			w.Until("the beginning of B", func(e rein.Event) bool {
				return strings.HasSuffix(string(e.Run), "-fork2") && e.Kind == rein.StepStarted
			})
			w.Kill()
			w.Begin()
			w.WantEnd("r1", rein.EndDone, "Compared.")
			if got := resultOf(w, "python"); got.Status != rein.ToolOK || !strings.Contains(string(got.Data), `"value":["a","b","done","not_found"]`) || !strings.Contains(got.Text, "forked 1 2 3") {
				t.Errorf("the tool gave %+v", got)
			}
			forks := 0
			for _, e := range w.Events("r1") {
				if end, err := rein.Payload[rein.StepEnd](e); err == nil && e.Kind == rein.SubDone && end.Child != "" {
					forks++
					if status := w.End(end.Child).End; strings.HasSuffix(string(end.Child), "-fork3") != (status == rein.EndCancelled) {
						t.Errorf("run %s ended as %s", end.Child, status)
					}
				}
			}
			if forks != 3 {
				t.Errorf("%d runs were forked", forks)
			}
			w.Verify()
		})
	}
}

// TestForksByTools does the same with the plain tools, for models without Python.
//
// Covers: TREE-33 TREE-40
func TestForksByTools(t *testing.T) {
	t.Parallel()
	w := exploring(t, time.Minute, `
when run=r1 results=0
call fork {"prompt": "A"}
call fork {"prompt": "B"}
call wait {"handle": 1}
call wait {"handle": 7}
when run=r1
say Compared.
when user=A
say a
when user=B
say b
`)
	w.Begin()
	w.Start("r1", exploreTask("fork", "wait"))
	w.WantEnd("r1", rein.EndDone, "Compared.")
	if got := resultOf(w, "fork"); got.Status != rein.ToolOK || !strings.Contains(got.Text, "Handle 1") {
		t.Errorf("fork gave %+v", got)
	}
	if got := resultOf(w, "wait"); got.Status != rein.ToolOK || got.Text != "a" {
		t.Errorf("wait gave %+v", got)
	}
	w.Verify()
}

// A waiter is a tree whose forks end when somebody says so.
type waiter struct {
	*desk
	waits chan struct{} // one for each wait that has begun
	over  chan struct{} // closed when the forks end
}

func (w *waiter) Wait(ctx context.Context, _ int) (rein.Outcome, error) {
	w.waits <- struct{}{}
	select {
	case <-w.over:
		return rein.Outcome{End: rein.EndDone, Text: "over"}, nil
	case <-ctx.Done():
		return rein.Outcome{}, context.Cause(ctx)
	}
}

// Code that waits for its fork leaves its place to others: the fork may need one too. As many as there are places wait, and
// another one works.
//
// Covers: TREE-40
func TestWaitingLeavesThePlace(t *testing.T) {
	t.Parallel()
	const places = 8
	w := &waiter{desk: newDesk(t), waits: make(chan struct{}, places), over: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	run := func(key, code string) (rein.Done, error) {
		args, err := json.Marshal(map[string]string{"code": code})
		if err != nil {
			return rein.Done{}, err
		}
		return w.tool.Do(ctx, rein.Invocation{Run: "r1", Step: "2", Key: key, Args: args, Tree: w})
	}
	ended := make(chan error, places)
	for i := range places {
		go func() {
			_, err := run(fmt.Sprintf("r1:%d", i), "wait(fork('x'))")
			ended <- err
		}()
	}
	for range places {
		select {
		case <-w.waits:
		case err := <-ended:
			t.Fatal(err)
		}
	}
	if done, err := run("r1:works", "1 + 1"); err != nil || string(done.Data) != `{"value":2}` {
		t.Errorf("beside those that wait it gave %s, %v", done.Data, err)
	}
	close(w.over)
	for range places {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
