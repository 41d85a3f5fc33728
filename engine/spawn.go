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
	if err := cmp.Or(s.run.engine.checkTask(task), s.run.engine.checkPolicy(&task, own), child.Check()); err != nil {
		failure := rein.FailureOf(err)
		s.end(rein.StepEnd{Failure: failure}, rein.Amount{})
		return "", failure.Err()
	}
	start, err := s.startOf(child, task)
	if err == nil {
		err = s.startChild(start, s.doneDraft(rein.StepEnd{Child: child}, rein.Amount{}))
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

// startOf makes the start of a child from a task that it has inherited.
func (s *step) startOf(child rein.RunID, task rein.Task) (store.Start, error) {
	digest, err := taskDigest(task)
	if err != nil {
		return store.Start{}, err
	}
	s.run.engine.mark(&task)
	return s.run.engine.startOf(child, digest, task, &s.run.task)
}

// startChild records what the child is for, the last of these events being the one that says so, together with its
// start. The store refuses it if an ancestor is stopping or paused. A run that was paused meanwhile starts the child
// when it goes on.
func (s *step) startChild(start store.Start, drafts ...store.Draft) error {
	drafts[len(drafts)-1].Starts = &start
	for {
		err := s.run.write(drafts...)
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
	refused, ending := s.refusedChild(err)
	if ending != nil {
		return ending
	}
	s.end(rein.StepEnd{Failure: refused}, rein.Amount{})
	return refused.Err() // as a replay will: the cause is not kept
}

// refusedChild is the failure of a step whose child was refused. The error is that of a run which is being ended.
func (s *step) refusedChild(err error) (*rein.Failure, error) {
	s.run.refresh()
	if ending := s.run.mail.endingNow(); ending != "" {
		return nil, sticky(ending)
	}
	refused := rein.FailureOf(rein.Errorf(rein.CodeLimit, logtext.NotStarted+"%w", err))
	if why := rein.FailureOf(err); rein.IsQuota(why.Dim) {
		refused.Dim = why.Dim // so that a replay is refused the same
	}
	return refused, nil
}

// inherit gives a child what it shares with its parent: whose it is, where it works, and the budget, which
// is one for the whole tree. It has at most its parent's tools, and a policy that is at least as strict; so
// no chain of children can reach what the root may not.
func (s *step) inherit(task rein.Task) rein.Task {
	parent := s.run.task
	task.Household, task.User, task.Session, task.Budget = parent.Household, parent.User, parent.Session, parent.Budget
	task.Workspace, task.Rules, task.Folder, task.Mode = parent.Workspace, parent.Rules, parent.Folder, s.run.givenMode()
	task.Tools = slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool {
		return !slices.Contains(parent.Tools, name) || !s.run.history.leaves(name)
	})
	task.Policy = parent.Policy.Stricter(task.Policy)
	task.Policy = s.run.engine.freeze(task)
	task.Model = cmp.Or(task.Model, parent.Model)
	task.Zone = cmp.Or(task.Zone, parent.Zone)
	task.Language = cmp.Or(task.Language, parent.Language)
	return task
}
