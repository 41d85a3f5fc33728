package server

import "rein"

// maySetMode refuses a mode that lets calls through which a person would be asked about, unless the sender is the one
// who would be asked: nobody says yes in another's name.
func maySetMode(m rein.Mode, user string, who rein.Identity) error {
	switch {
	case !m.IsLooser(rein.ModeAsk):
		return nil
	case user != who.User:
		return rein.Errorf(rein.CodeForbidden, "mode %s lets calls through that %s would be asked about: only %[2]s can set it", m, user)
	case who.Role != rein.Viewer && !lasts(who):
		return rein.Errorf(rein.CodeForbidden, "mode %s approves calls in advance, which a %s cannot: choose ask or plan", m, who.Role)
	case !who.May(rein.ScopeAnswer):
		return rein.Errorf(rein.CodeForbidden, "mode %s approves calls in advance, which needs the scope %q", m, rein.ScopeAnswer)
	}
	return nil
}

// lasts reports whether the role of the sender approves calls in advance.
func lasts(who rein.Identity) bool { return rein.DefaultRoles().Of(who.Role).Lasting }

// withMode refuses a task whose mode its sender may not set. A fork brings the mode of the run that it leaves, and is
// asked like any other run if its sender could not set that.
func withMode(task rein.Task, who rein.Identity) (rein.Task, error) {
	err := maySetMode(task.Mode, who.User, who)
	if task.Fork == nil {
		return task, err
	}
	if err != nil {
		task.Mode = ""
	}
	if fork := *task.Fork; maySetMode(fork.Mode, who.User, who) != nil {
		fork.Mode, task.Fork = "", &fork
	}
	return task, nil
}
