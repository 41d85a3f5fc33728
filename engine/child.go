package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// Spawn implements rein.Run.
func (b *branch) Spawn(task rein.Task) (rein.RunID, error) {
	s := b.begin(spawnRequest(task))
	if s.done != nil {
		return s.done.Child, s.done.Failure.Err()
	}
	if err := s.gate(false); err != nil {
		s.refuse(err, rein.StepEnd{})
		return "", err
	}
	own := task.Policy
	task = s.inherit(task)
	child := s.id.Child(s.key)
	if err := cmp.Or(s.checkTask(task), s.checkPolicy(own), child.Check()); err != nil {
		failure := rein.FailureOf(err)
		s.end(rein.StepEnd{Failure: failure}, rein.Amount{})
		return "", failure.Err()
	}
	digest, err := taskDigest(task)
	var start store.Start
	if err == nil {
		task.Revision = s.Flows[task.Flow].Revision
		start, err = s.startOf(child, digest, task, &s.task)
	}
	if err == nil {
		err = s.startChild(start)
	}
	if interrupts(err) && s.endingNow() == "" {
		s.refuse(err, rein.StepEnd{})
		return "", err
	}
	if err != nil {
		return "", s.notSpawned(err)
	}
	s.Engine.begin(start)
	return child, nil
}

// startChild records the step together with the start of its child. A run that was paused meanwhile
// does that when it goes on.
func (s *step) startChild(start store.Start) error {
	draft := s.doneDraft(rein.StepEnd{Child: start.Run}, rein.Amount{})
	draft.Starts = &start
	for {
		err := s.write(draft)
		if rein.CodeOf(err) != rein.CodePaused {
			return err
		}
		s.refresh()
		if err := s.mayGoOn(); err != nil {
			return err
		}
	}
}

// notSpawned records that a child was refused. The run goes on: it can do without. Only if it is
// itself being ended the log says so already.
func (s *step) notSpawned(err error) error {
	s.refresh()
	if ending := s.endingNow(); ending != "" {
		return sticky(ending)
	}
	refused := rein.FailureOf(rein.Errorf(rein.CodeLimit, "spawn: %w", err))
	if why := rein.FailureOf(err); rein.IsQuota(why.Dim) {
		refused.Dim = why.Dim // so that a replay is refused the same
	}
	s.end(rein.StepEnd{Failure: refused}, rein.Amount{})
	return refused.Err() // as a replay will: the cause is not kept
}

// inherit gives a child what it shares with its parent. It has at most its parent's tools.
func (s *step) inherit(task rein.Task) rein.Task {
	parent := s.task
	task.Household, task.User, task.Session, task.Budget = parent.Household, parent.User, parent.Session, parent.Budget
	task.Workspace, task.Rules = parent.Workspace, parent.Rules
	task.Tools = slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool { return !slices.Contains(parent.Tools, name) })
	task.Policy = parent.Policy.Stricter(task.Policy)
	task.Policy = s.freeze(task)
	task.Model = cmp.Or(task.Model, parent.Model)
	task.Zone = cmp.Or(task.Zone, parent.Zone)
	task.Language = cmp.Or(task.Language, parent.Language)
	return task
}

// Wait implements rein.Run.
func (b *branch) Wait(child rein.RunID) (rein.Outcome, error) {
	s := b.begin(waitRequest(child))
	if s.done != nil {
		return s.outcome(), s.done.Failure.Err()
	}
	// An end that came while it waited counts, whatever came after it.
	if s.start == nil || !s.hasEnded(child) {
		if err := s.gate(false); err != nil {
			s.refuse(err, rein.StepEnd{})
			return rein.Outcome{}, err
		}
	}
	if !s.isChild(child) {
		err := rein.Errorf(rein.CodeNotFound, "wait: run %s has no child %q", s.id, string(child))
		s.end(rein.StepEnd{Failure: rein.FailureOf(err)}, rein.Amount{})
		return rein.Outcome{}, err
	}
	if s.start == nil && !s.hasEnded(child) {
		s.note(store.Draft{Kind: rein.StepStarted, Step: s.key, Data: &rein.StepStart{Sig: s.req.sig, Verb: s.req.verb, Child: child}})
		s.adopt()
	}
	var err error
	s.await("run "+string(child), time.Time{}, func() bool {
		if s.children[child] {
			return true
		}
		err = s.interruption()
		return err != nil
	})
	if err != nil {
		s.end(rein.StepEnd{Failure: rein.FailureOf(err)}, rein.Amount{})
		return rein.Outcome{}, err
	}
	info, err := s.Store.Run(context.Background(), child)
	if err != nil {
		s.fail(err)
	}
	end := info.End()
	outcome := normalOutcome(end.Outcome)
	if f := end.Failure; f != nil && outcome.Text == "" {
		outcome.Text = f.Msg
	}
	s.end(rein.StepEnd{Outcome: &outcome}, rein.Amount{})
	return outcome, nil
}

func (s *step) outcome() rein.Outcome {
	if s.done.Outcome == nil {
		return rein.Outcome{}
	}
	return *s.done.Outcome
}

func (d *drive) isChild(run rein.RunID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := d.children[run]
	return known
}

func (d *drive) hasEnded(child rein.RunID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.children[child]
}

// unfinished returns the children that have not ended. It is called with mu held.
func (d *drive) unfinished() []rein.RunID {
	var list []rein.RunID
	for child, ended := range d.children {
		if !ended {
			list = append(list, child)
		}
	}
	slices.SortFunc(list, func(a, b rein.RunID) int { return strings.Compare(string(a), string(b)) })
	return list
}
