package replay_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/internal/labs"
	"rein/model/script"
	"rein/replay"
	"rein/store"
	"rein/store/sqlite"
)

// heapChild is set in the process that measures itself.
const heapChild = "REIN_REPLAY_HEAP"

// The run that is forked has about 12 MB of results; its forks wait at their step.
const (
	bigResult  = 1 << 20
	bigSteps   = 12
	manyForks  = 8
	heapBound  = 24 << 20
	waitingAsk = "shall I go on?"
)

// Forks of a large run take no memory while they wait: neither in the process that started them nor in
// one that finds them unfinished.
//
// Plain: it measures memory; the other tests fork under the race detector.
//
// Attack: 72
func TestForksTakeLittleMemory(t *testing.T) {
	labs.Only(t)
	if os.Getenv(heapChild) != "" {
		t.Run("started", forksStarted)
		t.Run("found", forksFound)
		t.Run("in memory", runInMemory)
		return
	}
	program := filepath.Join(t.TempDir(), "replay.test")
	if out, err := exec.Command("go", "test", "-race=false", "-c", "-o", program, "rein/replay").CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v: %s", err, out)
	}
	child := exec.Command(program, "-test.run", "^TestForksTakeLittleMemory$", "-test.v")
	child.Env = append(os.Environ(), heapChild+"="+t.TempDir())
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// bigFlow reads much and asks, reads once more and asks again.
func bigFlow(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	for n := range bigSteps + 1 {
		if n == bigSteps {
			if _, err := run.AskUser(rein.Question{Text: waitingAsk}); err != nil {
				return rein.Outcome{}, err
			}
		}
		if _, err := run.CallTool(rein.ToolCall{ID: fmt.Sprint("c", n), Name: "look", Args: fmt.Appendf(nil, `{"n":%d}`, n)}); err != nil {
			return rein.Outcome{}, err
		}
	}
	_, err := run.AskUser(rein.Question{Text: waitingAsk})
	return rein.Outcome{End: rein.EndDone}, err
}

// bigWorld is an engine whose forks can be measured.
func bigWorld(t *testing.T, grace time.Duration) (*engine.Engine, *sqlite.Store) {
	t.Helper()
	model, err := script.Parse("model", []byte("when\nsay over\n"))
	if err != nil {
		t.Fatal(err)
	}
	worker := &work.Worker{Models: map[string]rein.Model{"": model}, Tools: map[string]rein.Tool{
		"look": {Name: "look", Effect: rein.Pure, Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: strings.Repeat(string(inv.Args)+" is what was seen. ", bigResult/28)}, nil
		}},
	}}
	s, err := sqlite.Open(t.Context(), filepath.Join(os.Getenv(heapChild), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var e *engine.Engine
	forks := &replay.Forks{Store: s, Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) { return e.Command(ctx, c) }}
	forks.Wrap(worker)
	e, err = engine.New(engine.Options{
		Store: s, Flows: map[string]rein.Flow{"big": {Do: bigFlow}}, Worker: worker, Dispatch: &local.Dispatcher{}, Grace: grace,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		s.Close()
	})
	return e, s
}

// forksStarted starts a run and forks it at its first question.
func forksStarted(t *testing.T) {
	e, s := bigWorld(t, engine.NoGrace)
	task := bigTask()
	start := func(id rein.RunID, task rein.Task) {
		parks := parked(t, s, id)
		if _, err := e.Start(t.Context(), id, task); err != nil {
			t.Fatal(err)
		}
		parks()
	}
	start("source", task)
	before := liveHeap()
	task.Fork = &rein.Fork{Run: "source", Step: rein.StepKey(fmt.Sprint(bigSteps + 1))}
	for n := range manyForks {
		start(rein.RunID(fmt.Sprint("fork-", n)), task)
	}
	checkHeap(t, e, before, heapBound)
}

// forksFound goes on with what forksStarted left behind, as a new process does.
func forksFound(t *testing.T) {
	e, s := bigWorld(t, engine.NoGrace)
	before := liveHeap()
	for n := range manyForks {
		id := rein.RunID(fmt.Sprint("fork-", n))
		asks, err := s.Asks(t.Context(), store.AskFilter{Tree: id, Pending: true})
		if err != nil || len(asks) != 1 {
			t.Fatal(asks, err)
		}
		parks := parked(t, s, id)
		if _, err := e.Command(t.Context(), asks[0].Reply(rein.Answer{State: rein.AskAnswered, Text: "yes", By: "owner"})); err != nil {
			t.Fatal(err)
		}
		parks()
	}
	checkHeap(t, e, before, heapBound)
}

// runInMemory has a run that waits in memory keep what its results were clipped to, not the whole.
func runInMemory(t *testing.T) {
	e, s := bigWorld(t, time.Hour)
	before := liveHeap()
	asks := make(chan struct{}, 1)
	stop := s.Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Run == "waits" && m.Kind == rein.AskOpened {
				asks <- struct{}{}
			}
		}
	})
	defer stop()
	if _, err := e.Start(t.Context(), "waits", bigTask()); err != nil {
		t.Fatal(err)
	}
	<-asks
	checkHeap(t, e, before, bigSteps*bigResult/2)
	if e.Live() != 1 {
		t.Errorf("%d runs are in memory, want 1", e.Live())
	}
}

func bigTask() rein.Task {
	return rein.Task{Flow: "big", Tools: []string{"look"}, Messages: []rein.Message{{Role: rein.User, Text: "go"}}}
}

// parked returns a function that waits until the run is parked once more.
func parked(t *testing.T, s *sqlite.Store, id rein.RunID) func() {
	came := make(chan struct{}, 1)
	stop := s.Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Run == id && (m.Kind == rein.RunParked || m.Kind.Ends()) {
				select {
				case came <- struct{}{}:
				default:
				}
			}
		}
	})
	return func() {
		defer stop()
		select {
		case <-came:
		case <-time.After(time.Minute):
			t.Fatalf("%s does not park", id)
		}
	}
}

// checkHeap compares what is in use with what was.
func checkHeap(t *testing.T, e *engine.Engine, before, most uint64) {
	t.Helper()
	after := liveHeap()
	t.Logf("the heap had %d MB and has %d MB; %d runs are in memory", before>>20, after>>20, e.Live())
	if after > before+most {
		t.Errorf("what waits takes %d MB; at most %d", (after-before)>>20, most>>20)
	}
}

// liveHeap is what is reachable now.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers let go
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
