package cli

import (
	"context"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func notesStagedCommand() command {
	var n notesFlags
	return command{
		name: "notes staged", does: "list changes to notes that wait for your commit",
		more:  `Lists what runs changed in your notes and nobody has committed yet, by session. None of it is on the disk. A ! marks a note that cannot be committed, and the line says why.`,
		flags: n.flags, run: n.staged,
	}
}

func (n *notesFlags) staged(ctx context.Context, c *call) error {
	return c.nothing(c.linkedTo(ctx, func(l *app.App) error {
		all, err := l.StagedNotes(ctx, n.workspace)
		if err != nil {
			return err
		}
		if c.json {
			for _, s := range all {
				if err := c.printJSON(s); err != nil {
					return err
				}
			}
			return nil
		}
		if len(all) == 0 {
			c.print("nothing is staged\n")
			return nil
		}
		for _, s := range all {
			if err := c.printStaged(s); err != nil {
				return err
			}
		}
		c.note("%s shows the changes, %s writes them", c.tip("notes diff"), c.tip("notes commit"))
		return nil
	}))
}

func (c *call) printStaged(s api.StagedSession) error {
	c.print("session %s, workspace %s\n", safe(s.Session), safe(s.Workspace))
	var rows [][]string
	for _, n := range s.Notes {
		sign, about := "~", "changed"
		switch {
		case n.Denied:
			sign, about = "!", "its folder is no longer allowed: discard it"
		case n.Stale:
			sign, about = "!", "the note has changed on the disk since: discard it, and ask for the change again"
		case n.BaseHash == "":
			sign, about = "+", "new"
		}
		rows = append(rows, []string{sign + " " + n.Path, about, "run " + string(n.Run) + ", " + units.When(n.Changed)})
	}
	c.advice(rows)
	return nil
}

// sessionFlags are the flags of the commands about what one session has staged.
type sessionFlags struct {
	notesFlags
	session string
}

func (n *sessionFlags) flags(c *call) []flagDef {
	return append([]flagDef{text(&n.session, "session S", "the session; needed only if several have changes")}, n.notesFlags.flags(c)...)
}

// stagedIn finds the session that is meant: the one that is named, or the only one that has something
// staged.
func (n *sessionFlags) stagedIn(ctx context.Context, l *app.App) (api.StagedSession, error) {
	session := n.session
	if session == "" {
		all, err := l.StagedNotes(ctx, n.workspace)
		switch {
		case err != nil:
			return api.StagedSession{}, err
		case len(all) == 0:
			return api.StagedSession{}, rein.Errorf(rein.CodeNotFound, "nothing is staged")
		case len(all) > 1:
			names := make([]string, len(all))
			for i, s := range all {
				names[i] = s.Session
			}
			return api.StagedSession{}, usagef("several sessions have something staged; say which with --session: %s", strings.Join(names, ", "))
		}
		session = all[0].Session
	}
	staged, err := l.StagedIn(ctx, session)
	if err == nil && n.workspace != "" && staged.Workspace != n.workspace {
		err = rein.Errorf(rein.CodeNotFound, "session %s works in workspace %s, not in %s", session, staged.Workspace, n.workspace)
	}
	return staged, err
}
