package journal

import (
	"cmp"
	"maps"
	"slices"

	"rein"
)

// Steps follows the steps of a run, or of a tree of runs. It knows those that are under way.
type Steps struct{ open map[stepID]*Step }

type stepID struct {
	run rein.RunID
	key rein.StepKey
}

// See takes the next event and returns the step that it belongs to, or nil. If the step has an End, it
// is over and Steps knows it no more. Whoever needs little of a step may take the rest out of it, but
// must not change it after it is over.
//
// An ask belongs to the step that opened it; a model call inside a step is a Step of its own.
func (s *Steps) See(e rein.Event) *Step {
	id, ok := idOf(e)
	if !ok {
		return nil
	}
	step := s.open[id]
	if step == nil {
		step = &Step{Run: e.Run, Key: id.key, Began: e.At}
		if isSub(e.Kind) {
			step.Inside, step.Verb = id.key.Step(), rein.VerbModel
		}
		if s.open == nil {
			s.open = map[stepID]*Step{}
		}
		s.open[id] = step
	}
	if step.see(e); step.End != nil {
		delete(s.open, id)
	}
	return step
}

// idOf names the step that an event belongs to.
func idOf(e rein.Event) (id stepID, ok bool) {
	switch e.Kind {
	case rein.SubStarted, rein.SubDone:
		id = stepID{e.Run, e.Step}
	case rein.StepStarted, rein.StepAttempt, rein.StepRenewed, rein.StepWaiting, rein.StepIntent, rein.StepChecked, rein.StepDone, rein.AskOpened:
		id = stepID{e.Run, e.Step.Step()}
	}
	return id, id.key != ""
}

func isSub(kind rein.Kind) bool { return kind == rein.SubStarted || kind == rein.SubDone }

// Find returns a step that is under way, or nil.
func (s *Steps) Find(run rein.RunID, key rein.StepKey) *Step { return s.open[stepID{run, key}] }

// Open returns the steps that are under way, in the order in which they began. When a run has ended they
// are those that were cut with it.
func (s *Steps) Open() []*Step {
	return slices.SortedFunc(maps.Values(s.open), func(a, b *Step) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Run, b.Run), cmp.Compare(a.Key, b.Key))
	})
}

// Drop forgets the steps of a run that has ended.
func (s *Steps) Drop(run rein.RunID) {
	maps.DeleteFunc(s.open, func(id stepID, _ *Step) bool { return id.run == run })
}
