package cli

import (
	"context"

	"rein/api"
	"rein/app"
	"rein/terminal"
)

// commitFlags are the flags of rein notes commit alone.
type commitFlags struct {
	sessionFlags
	agreeFlags
}

func notesCommitCommand() command {
	var n commitFlags
	return command{
		name: "notes commit", does: "write staged changes to your notes",
		more:  `Writes all that a session has staged, or nothing, and never over an edit that rein has not seen. At a terminal it shows the whole diff and asks. Elsewhere it prints the diff with its digest and exits with 5; --yes --shown DIGEST then commits exactly that.`,
		flags: n.flags, run: n.run,
	}
}

func (n *commitFlags) flags(c *call) []flagDef {
	session := n.sessionFlags.flags(c)
	return joinFlags(session[:1], n.agreeFlags.flags(), session[1:])
}

// agreeFlags are the flags of the commands that happen only after a person has seen what they do.
type agreeFlags struct {
	yes   bool
	shown string
}

func (g *agreeFlags) flags() []flagDef {
	return []flagDef{
		on(&g.yes, "yes", "agree; needs --shown"),
		text(&g.shown, "shown DIGEST", "the digest that was printed with what you have seen"),
	}
}

// agreement is something that a person must have seen before it happens.
type agreement struct {
	question    string
	diff, shown string
	value       any    // for --json
	command     string // that does it
}

// agree returns the digest of what the person agrees to: what they were shown here, or what they say they
// have seen. Empty: they do not agree.
func (g *agreeFlags) agree(ctx context.Context, c *call, a agreement) (string, error) {
	switch {
	case g.shown != "" && !g.yes:
		return "", usagef("--shown says what you have seen; --yes says that you want it: give both")
	case g.yes && g.shown == "":
		return "", usagef("--yes needs --shown, which says what you have seen: %s shows it whole and asks, or prints the --shown to give here", c.tip(a.command))
	case g.yes:
		return g.shown, nil
	case c.json:
		if err := c.printJSON(a.value); err != nil {
			return "", err
		}
		return "", quiet(exitWaits)
	case terminal.Is(c.stdin) && terminal.Is(c.out.Stderr):
		yes, err := c.agrees(ctx, a.question+"\n\n"+a.diff)
		if err != nil || !yes {
			return "", err
		}
		return a.shown, nil
	}
	c.print("%s\n\n", a.question)
	c.verbatim(safeLines(a.diff))
	c.print("shown %s\n", safe(a.shown))
	c.note("agree with %s", c.tip(a.command+" --yes --shown "+a.shown))
	return "", quiet(exitWaits)
}

func (n *commitFlags) run(ctx context.Context, c *call) error {
	key, session, shown := newKey(), "", "" // the same if it must be sent again
	return c.linkedTo(ctx, func(l *app.App) error {
		if shown == "" {
			staged, err := n.stagedIn(ctx, l)
			if err != nil {
				return err
			}
			session = staged.Session
			shown, err = n.agree(ctx, c, agreement{
				question: "Write these changes to your notes?", diff: staged.Diff, shown: staged.Shown, value: staged,
				command: "notes commit --session " + shellWord(session),
			})
			if err != nil || shown == "" {
				return c.unwritten(err)
			}
		}
		done, err := l.CommitNotes(ctx, session, shown, key)
		if err != nil {
			return err
		}
		return c.committed("committed", n.workspace, done)
	})
}

// unwritten says that nothing has happened, to a person who said no.
func (c *call) unwritten(err error) error {
	if err == nil {
		c.print("nothing was written\n")
		return quiet(exitDeclined)
	}
	return err
}

func (c *call) committed(word, workspace string, done api.NoteCommit) error {
	if c.json {
		return c.printJSON(done)
	}
	c.print("%s %s\n", word, safe(done.ID))
	for _, n := range done.Notes {
		c.print("%s\n", writtenLine(n))
	}
	if word == "committed" {
		c.note("%s undoes it", c.tip("notes undo "+done.ID+after(" --workspace ", workspace)))
	}
	return nil
}

func writtenLine(n api.Written) string {
	sign := "~"
	switch {
	case n.Before == "":
		sign = "+"
	case n.After == "":
		sign = "-"
	}
	return "  " + sign + " " + safe(n.Path)
}
