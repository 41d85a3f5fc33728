package replay_test

import (
	"context"
	"strings"
	"testing"

	"rein"
	"rein/replay"
)

// grown has a child, and since revision 1 both look before anything else.
func grown(run rein.Run, task rein.Task) (rein.Outcome, error) {
	if task.Revision > 0 {
		if _, err := run.CallTool(rein.ToolCall{ID: "first", Name: "look"}); err != nil {
			return rein.Outcome{}, err
		}
	}
	if len(task.Messages) > 0 {
		child, err := run.Spawn(rein.Task{Flow: task.Flow, Tools: task.Tools})
		if err != nil {
			return rein.Outcome{}, err
		}
		if _, err := run.Wait(child); err != nil {
			return rein.Outcome{}, err
		}
	}
	reply, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "final"}, Messages: task.Messages})
	return rein.Outcome{End: rein.EndDone, Text: reply.Text}, err
}

// What an older program recorded replays as it was, and a fork of it goes its way, children included.
func TestRevisionsAreReplayed(t *testing.T) {
	w := newWorld(t)
	flows := w.flows
	flows["grown"] = rein.Flow{Do: grown}
	task := rein.Task{Flow: "grown", Messages: []rein.Message{{Role: rein.User, Text: "go"}}, Tools: []string{"look"}}
	old := w.run(t, "old", task)
	old = append(old, logOf(t, w, childOf(t, old))...)
	flows["grown"] = rein.Flow{Do: grown, Revision: 1}

	tape, err := replay.TapeOf(old, "old", w.worker, rein.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := replay.Play(context.Background(), tape, replay.Options{Flows: flows, Folder: t.TempDir()}); d != nil || err != nil {
		t.Errorf("the replay of an older revision: %v %v", d, err)
	}
	fork, err := replay.Fork(tape, "3", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	forked := w.run(t, "fork", fork)
	forked = append(forked, logOf(t, w, childOf(t, forked))...)
	if n := w.looked.Load(); n != 0 {
		t.Errorf("the fork of an older revision looked %d times", n)
	}
	fresh := w.run(t, "new", task)
	fresh = append(fresh, logOf(t, w, childOf(t, fresh))...)
	if got := revisions(t, old) + revisions(t, forked) + revisions(t, fresh); got != "00"+"00"+"11" {
		t.Errorf("revisions of the old run, its fork and a new run, with their children: %s", got)
	}
	if n := w.looked.Load(); n != 2 {
		t.Errorf("the new run looked %d times", n)
	}
	fork.Revision = 7
	if _, err := w.engine.Start(t.Context(), "far", fork); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), "knows 0 to 1") {
		t.Errorf("a fork with a revision that nobody knows: %v", err)
	}
}

func childOf(t *testing.T, log []rein.Event) rein.RunID {
	t.Helper()
	for _, e := range log {
		if e.Kind != rein.StepDone {
			continue
		}
		if end, err := rein.Payload[rein.StepEnd](e); err == nil && end.Child != "" {
			return end.Child
		}
	}
	t.Fatal("the run has no child")
	return ""
}

func logOf(t *testing.T, w *world, run rein.RunID) (log []rein.Event) {
	t.Helper()
	for e, err := range w.store.Events(t.Context(), run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, e)
	}
	return log
}

// revisions lists what the runs of a log were started with.
func revisions(t *testing.T, log []rein.Event) (all string) {
	t.Helper()
	for _, e := range log {
		if e.Kind == rein.RunStarted {
			start, err := rein.Payload[rein.RunStart](e)
			if err != nil {
				t.Fatal(err)
			}
			all += string(rune('0' + start.Task.Revision))
		}
	}
	return all
}
