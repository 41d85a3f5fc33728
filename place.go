package rein

// A Place is where the things of a session are kept: its files, staged notes and folds. It names whose
// session that is, so that whoever asks for another's finds nothing. All of it comes from whom the server
// or a run knows, never from a model.
type Place struct{ Household, User, Session string }

// Place returns the place of the task's session. Without a task it is nowhere.
func (t *Task) Place() Place {
	if t == nil {
		return Place{}
	}
	return Place{t.Household, t.User, t.Session}
}

// Check wants all of the place to be named, for the things that what says ("files").
func (p Place) Check(what string) error {
	if p.Household == "" || p.User == "" || p.Session == "" {
		return Errorf(CodeInvalid, "%s belong to a session: household %q, user %q and session %q must all be named", what, p.Household, p.User, p.Session)
	}
	return nil
}
