package cassette

import (
	"slices"

	"rein"
)

// A Place names an event that a replay writes again.
type Place struct {
	Run  rein.RunID
	Kind rein.Kind
	Step rein.StepKey
}

// PlaceOf returns the place of an event.
func PlaceOf(e rein.Event) Place { return Place{e.Run, e.Kind, e.Step} }

// Played returns the events of a log that come again when the run is played: all that its driver
// wrote, except what a crash, a wait or another try of a failed call has left in it. Of those a
// replay has none: each call gives at once what it gave in the end, save that a prompt which was too
// long is summed up again, since later prompts go on from there.
func Played(log []rein.Event) []rein.Event {
	sent, lost := map[rein.StepKey]bool{}, inVain(log)
	var played []rein.Event
	for _, e := range log {
		step := e.Step.Step()
		again := sent[step]
		if e.Kind == rein.StepIntent {
			sent[step] = true
		}
		switch e.Kind {
		case rein.RunStarted, rein.StepStarted, rein.StepDone, rein.RunCompleted, rein.RunStopped, rein.RunFailed:
			played = append(played, e)
		case rein.StepIntent, rein.AskOpened, rein.SubStarted, rein.SubDone:
			if !again && !lost[step] {
				played = append(played, e)
			}
		}
	}
	return played
}

// inVain finds the model calls that were too long and were answered all the same, though no summary
// could be made: another model took them as they were.
func inVain(log []rein.Event) map[rein.StepKey]bool {
	lost, summed := map[rein.StepKey]bool{}, map[rein.StepKey]bool{}
	for _, e := range log {
		if w, ok := waitingOf(e); ok && w.Failure != nil && w.Failure.Code == rein.CodeTooLong {
			summed[e.Step] = summed[e.Step] || w.Folds != nil
			lost[e.Step] = !summed[e.Step]
		}
	}
	return lost
}

func waitingOf(e rein.Event) (w rein.Waiting, ok bool) {
	if e.Kind != rein.StepWaiting {
		return w, false
	}
	w, err := rein.Payload[rein.Waiting](e)
	return w, err == nil
}

// IsWait reports whether the event says that a run waits for a child. It is not written if the child
// was faster, which is chance.
func IsWait(e rein.Event) bool {
	if e.Kind != rein.StepStarted {
		return false
	}
	start, err := rein.Payload[rein.StepStart](e)
	return err == nil && start.Verb == rein.VerbWait
}

// A Said is a command that a person sent, with what had happened in its run by then.
type Said struct {
	rein.Command
	Seq   int64 // of its event, in the log of its run
	After []Place
	rank  int
}

// order gives every event of the tape a rank: the order in which they were written, as far as clocks
// tell across runs. The log of a run is always in its order.
func (t *Tape) order() []rein.Event {
	logs := [][]rein.Event{}
	for _, run := range t.Runs() {
		logs = append(logs, t.Log(run))
	}
	var all []rein.Event
	for {
		next := -1
		for i, log := range logs {
			if len(log) > 0 && (next < 0 || log[0].At.Before(logs[next][0].At)) {
				next = i
			}
		}
		if next < 0 {
			return all
		}
		all = append(all, logs[next][0])
		logs[next] = logs[next][1:]
	}
}

// heard returns the people's commands in order, and the rank of each event.
func (t *Tape) heard() (said []Said, ranks map[Place]int) {
	ranks = map[Place]int{}
	played, waits := map[rein.RunID][]Place{}, map[Place]bool{}
	for _, run := range t.Runs() {
		for _, e := range Played(t.Log(run)) {
			ranks[PlaceOf(e)] = -1
		}
	}
	for rank, e := range t.order() {
		if kind := e.Kind.Command(); kind != "" {
			if c, ok := Person(e); ok && isAsked(c, ranks) {
				said = append(said, Said{Command: c, Seq: e.Seq, After: slices.Clip(played[e.Run]), rank: rank})
			}
			continue
		}
		if _, ok := ranks[PlaceOf(e)]; ok {
			ranks[PlaceOf(e)] = rank
			if wait := (Place{e.Run, rein.StepStarted, e.Step}); e.Kind == rein.StepDone && waits[wait] {
				played[e.Run] = without(played[e.Run], wait) // whether it was waited for is no matter then
			}
			if IsWait(e) {
				waits[PlaceOf(e)] = true
			}
			played[e.Run] = append(played[e.Run], PlaceOf(e))
		}
	}
	if len(said) > 0 {
		ends := t.endings()
		for i := range said {
			said[i].bringForward(ranks, ends)
		}
	}
	slices.SortStableFunc(said, func(a, b Said) int { return a.rank - b.rank })
	return said, ranks
}

// without leaves a place out. What shares memory with the places stays as it was.
func without(places []Place, gone Place) []Place {
	return slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return p == gone })
}

// Person returns the command of an event that a person sent, and not time, a child or an ancestor.
func Person(e rein.Event) (c rein.Command, ok bool) {
	c, err := rein.Payload[rein.Command](e)
	if err != nil || c.Cause != "" || c.From != "" || c.By == "system" {
		return c, false
	}
	switch c.Kind {
	case rein.CommandExpire, rein.CommandChild:
		return c, false
	}
	c.Run, c.Key = e.Run, ""
	if c.By == "" {
		c.By = e.By
	}
	return c, true
}

// isAsked reports whether what a command answers, if it is an answer, is asked again.
func isAsked(c rein.Command, ranks map[Place]int) bool {
	if c.Kind != rein.CommandAnswer {
		return true
	}
	_, ok := ranks[Place{c.Run, rein.AskOpened, rein.StepKey(c.Ask.Sub())}]
	return ok
}

// bringForward lets a message that came between two steps come during the call before it: only
// there a replay can be held. It does not disturb the call, and whoever reads it reads it after.
func (c *Said) bringForward(ranks map[Place]int, ends map[Place]rein.Event) {
	if c.Kind != rein.CommandMessage && c.Kind != rein.CommandComment && c.Kind != rein.CommandMode {
		return
	}
	for i, p := range slices.Backward(c.After) {
		if p.Kind != rein.StepDone {
			return // it came during a call, a wait or a question
		}
		end, _ := rein.Payload[rein.StepEnd](ends[p]) // a tape that was changed by hand: then nothing is known of it
		if end.Message != nil || end.Result != nil {
			c.After, c.rank = c.After[:i], ranks[p]-1
			return
		}
		if end.Verb == rein.VerbInbox {
			return
		}
	}
}

// endings returns how the steps of the tape ended.
func (t *Tape) endings() map[Place]rein.Event {
	ends := map[Place]rein.Event{}
	for _, e := range t.Events {
		if e.Kind == rein.StepDone {
			ends[PlaceOf(e)] = e
		}
	}
	return ends
}
