package enginetest

import (
	"context"
	"fmt"

	"rein"
)

// Commits returns how many events have been recorded.
func (w *World) Commits() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.commits
}

// Cut carries the tasks out one after the other, as runs r1, r2 … of one session, and kills the
// engine after the nth event; zero: never. What is asked meanwhile is answered by the given function,
// once. It returns how the runs ended.
func (w *World) Cut(tasks []rein.Task, n int, answer func(rein.Ask) rein.Command) []rein.RunEnd {
	w.Helper()
	w.dieAt.Store(int64(n))
	w.Begin()
	answered := map[rein.AskID]bool{}
	var ends []rein.RunEnd
	for i, task := range tasks {
		id := rein.RunID(fmt.Sprintf("r%d", i+1))
		w.startSurely(id, task)
		for len(ends) == i {
			e := w.Until("end of "+string(id), func(e rein.Event) bool {
				return e.Run == id && e.Kind.Ends() || e.Kind == rein.AskOpened && !answered[rein.NewAskID(e.Run, e.Step)] || w.dead.Load()
			})
			switch {
			case w.dead.Load():
				w.revive()
				w.startSurely(id, task)
			case e.Kind.Ends():
				ends = append(ends, endOf(w, e))
			default:
				answered[rein.NewAskID(e.Run, e.Step)] = w.answerOnce(e, answer)
			}
		}
	}
	return ends
}

// startSurely starts a run, in the next process if this one dies at it.
func (w *World) startSurely(id rein.RunID, task rein.Task) {
	w.Helper()
	_, err := w.Engine.Start(context.Background(), id, task)
	if err != nil && w.dead.Load() {
		w.revive()
		_, err = w.Engine.Start(context.Background(), id, task)
	}
	if err != nil {
		w.Fatal(err)
	}
}

func (w *World) revive() {
	w.Helper()
	w.dieAt.Store(0)
	w.Kill()
	w.Begin()
}

// answerOnce answers an ask, and says whether that is settled.
func (w *World) answerOnce(e rein.Event, answer func(rein.Ask) rein.Command) bool {
	w.Helper()
	ask, err := rein.Payload[rein.Ask](e)
	if err != nil {
		w.Fatal(err)
	}
	c := answer(ask)
	c.Key = "cut " + ask.ID.Sub() // so that it counts once, whenever the process died
	_, err = w.Engine.Command(context.Background(), c)
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed, rein.CodeFinished:
		return true
	case rein.CodeUnavailable:
		return false
	}
	w.Fatal(err)
	return false
}

func endOf(w *World, e rein.Event) rein.RunEnd {
	w.Helper()
	end, err := rein.Payload[rein.RunEnd](e)
	if err != nil {
		w.Fatal(err)
	}
	return end
}
