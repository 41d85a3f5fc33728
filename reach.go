package rein

// A Reach says what a call may touch. It is one policy for reading and writing, and every tool that
// opens files asks it, whichever folder led there: the process makes one for each run and hands it
// over in the Invocation.
type Reach interface {
	// Path judges the file or folder that an absolute path leads to, links followed. Nil: it may be read
	// and written. CodeForbidden: it lies outside of what the run was given. CodeNotFound: it is hidden,
	// and whoever asks must do as if it were not there.
	Path(path string) error
	// Session judges the files of a session, likewise.
	Session(household, user, session string) error
}

// MayUse asks the Reach of a call. A call that brings none may use nothing.
func (inv Invocation) MayUse(path string) error {
	if inv.Reach == nil {
		return noReach()
	}
	return inv.Reach.Path(path)
}

// MayUseSession asks the Reach of a call, likewise.
func (inv Invocation) MayUseSession(household, user, session string) error {
	if inv.Reach == nil {
		return noReach()
	}
	return inv.Reach.Session(household, user, session)
}

func noReach() error {
	return Errorf(CodeForbidden, "the call brings no policy for files, so it may use none: set Invocation.Reach")
}
