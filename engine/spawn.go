package engine

import (
	"cmp"
	"slices"

	"rein"
	"rein/internal/logtext"
	"rein/store"
)

// Spawn implements rein.Run. The child's ID comes from the step's key, and its start is written in the
// transaction that ends the step: a replay can neither lose a child nor start a second one.
func (b *branch) Spawn(task rein.Task) (rein.RunID, error) {
	s := b.begin(spawnRequest(task))
	if s.rec.done != nil {
		return s.rec.done.Child, s.rec.done.Failure.Err()
	}
	if err := s.gate(false); err != nil {
		s.refuse(err, rein.StepEnd{})
		return "", err
	}
	// The flow's own policy is kept aside, since only that is checked: what is inherited was checked when the
	// root began, and may name a tool that this program does not have any more.
	own := task.Policy
	task = s.inherit(task)
	child := s.run.id.Child(s.key)
	if err := cmp.Or(s.run.engine.checkTask(task), s.run.engine.checkPolicy(own), child.Check()); err != nil {
		failure := rein.FailureOf(err)
		s.end(rein.StepEnd{Failure: failure}, rein.Amount{})
		return "", failure.Err()
	}
	digest, err := taskDigest(task)
	var start store.Start
	if err == nil {
		s.run.engine.mark(&task)
		start, err = s.run.engine.startOf(child, digest, task, &s.run.task)
	}
	if err == nil {
		err = s.startChild(start)
	}
	// An interruption is not a refusal: the flow is told to read its Inbox, and may spawn again after it.
	if interrupts(err) && s.run.mail.endingNow() == "" {
		s.refuse(err, rein.StepEnd{})
		return "", err
	}
	if err != nil {
		return "", s.notSpawned(err)
	}
	// Only now, when the start is durable. A child that was driven earlier could do something in the world for
	// a parent whose log does not know it.
	s.run.engine.driveStarted(start)
	return child, nil
}

// startChild records the step together with the start of its child. The store refuses it if an ancestor is
// stopping or paused. A run that was paused meanwhile starts the child when it goes on.
func (s *step) startChild(start store.Start) error {
	draft := s.doneDraft(rein.StepEnd{Child: start.Run}, rein.Amount{})
	draft.Starts = &start
	for {
		err := s.run.write(draft)
		if rein.CodeOf(err) != rein.CodePaused {
			return err
		}
		s.run.refresh()
		if err := s.run.awaitResume(); err != nil {
			return err
		}
	}
}

// notSpawned records that a child was refused. The run goes on: it can do without. Only if it is
// itself being ended the log says so already.
func (s *step) notSpawned(err error) error {
	s.run.refresh()
	if ending := s.run.mail.endingNow(); ending != "" {
		return sticky(ending)
	}
	refused := rein.FailureOf(rein.Errorf(rein.CodeLimit, logtext.NotStarted+"%w", err))
	if why := rein.FailureOf(err); rein.IsQuota(why.Dim) {
		refused.Dim = why.Dim // so that a replay is refused the same
	}
	s.end(rein.StepEnd{Failure: refused}, rein.Amount{})
	return refused.Err() // as a replay will: the cause is not kept
}

// inherit gives a child what it shares with its parent: whose it is, where it works, and the budget, which
// is one for the whole tree. It has at most its parent's tools, and a policy that is at least as strict; so
// no chain of children can reach what the root may not.
func (s *step) inherit(task rein.Task) rein.Task {
	parent := s.run.task
	task.Household, task.User, task.Session, task.Budget = parent.Household, parent.User, parent.Session, parent.Budget
	task.Workspace, task.Rules, task.Mode = parent.Workspace, parent.Rules, s.run.givenMode()
	task.Tools = slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool { return !slices.Contains(parent.Tools, name) })
	task.Policy = parent.Policy.Stricter(task.Policy)
	task.Policy = s.run.engine.freeze(task)
	task.Model = cmp.Or(task.Model, parent.Model)
	task.Zone = cmp.Or(task.Zone, parent.Zone)
	task.Language = cmp.Or(task.Language, parent.Language)
	return task
}
