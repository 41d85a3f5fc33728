package work

import "rein"

func (w *Worker) reach(task *rein.Task) rein.Reach {
	if w.Reach != nil {
		return w.Reach(task)
	}
	return ownSession{task}
}

// ownSession is what a run reaches that nobody gave a folder.
type ownSession struct{ task *rein.Task }

func (ownSession) Path(string) error {
	return rein.Errorf(rein.CodeForbidden, "no folder was given to this run")
}

func (s ownSession) Session(household, user, session string) error {
	if s.task == nil || s.task.Household != household || s.task.User != user || s.task.Session != session {
		return rein.Errorf(rein.CodeNotFound, "this run has no files of another session")
	}
	return nil
}
