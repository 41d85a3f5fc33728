package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

const (
	notesStagedHelp = `What runs changed in your notes and nobody has committed yet, by session. Nothing of it is on
the disk. ! marks a note that cannot be committed, and says why.`
	notesDiffHelp = `Shows all that a session has staged, as unified diffs; characters that are not seen are
written as their numbers. With COMMIT what that commit changed. --session is needed only if
several sessions have something staged.`
	notesCommitHelp = `Writes what a session has staged to your notes: all of it or nothing, and never over an edit
that rein has not seen. At a terminal it shows the whole diff and asks; elsewhere it prints the
diff with its digest and exits with 5. Then --yes --shown DIGEST commits exactly that.`
	notesDiscardHelp = `Takes NOTEs, or all that a session has staged, off the stage. Your notes stay as they are.`
	notesHistoryHelp = `What was committed to your notes, the newest first: when, by whom, by which run, and the ID
that rein notes undo takes. It is kept for 90 days.`
	notesUndoHelp = `Takes a commit back, if its notes are still as it left them. It shows what that would change
and asks, as rein notes commit does.`
)

func stagedCommands() []command {
	flags := []string{"workspace", "vault", "json", "data", "config"}
	bound := append([]string{"yes", "shown"}, flags...)
	return []command{
		{name: "notes staged", does: "list the changes of notes that wait for your commit", more: notesStagedHelp, flags: flags, run: runNotesStaged},
		{name: "notes diff", args: "[COMMIT]", does: "show what is staged, or what a commit changed", more: notesDiffHelp, flags: append([]string{"session"}, flags...), most: 1, run: runNotesDiff},
		{name: "notes commit", does: "write staged changes to your notes", more: notesCommitHelp, flags: append([]string{"session"}, bound...), run: runNotesCommit},
		{name: "notes discard", args: "[NOTE ...]", does: "discard staged changes", more: notesDiscardHelp, flags: append([]string{"session"}, flags...), most: anyNumber, run: runNotesDiscard},
		{name: "notes history", does: "list what was committed to your notes", more: notesHistoryHelp, flags: append([]string{"all"}, flags...), run: runNotesHistory},
		{name: "notes undo", args: "COMMIT", does: "take a commit back", more: notesUndoHelp, flags: bound, least: 1, most: 1, run: runNotesUndo},
	}
}

func runNotesStaged(ctx context.Context, c *call) error {
	return c.nothing(c.linkedTo(ctx, func(l *app.App) error {
		all, err := l.StagedNotes(ctx, c.workspace)
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
		c.note("%s shows it whole, %s writes it", c.tip("notes diff"), c.tip("notes commit"))
		return nil
	}))
}

func (c *call) printStaged(s api.StagedSession) error {
	c.print("session %s, workspace %s\n", safe(s.Session), safe(s.Workspace))
	table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
	for _, n := range s.Notes {
		sign, about := "~", "changed"
		switch {
		case n.Denied:
			sign, about = "!", "its folder may not be used any more: discard it"
		case n.Stale:
			sign, about = "!", "changed on the disk since: discard it, and have it made again"
		case n.BaseHash == "":
			sign, about = "+", "new"
		}
		fmt.Fprintf(table, "%s %s\t%s\trun %s, %s\n", sign, safe(n.Path), about, safe(string(n.Run)), units.When(n.Changed))
	}
	return table.Flush()
}

// stagedIn finds the session that is meant: the one that is named, or the only one that has something
// staged.
func (c *call) stagedIn(ctx context.Context, l *app.App) (api.StagedSession, error) {
	session := c.session
	if session == "" {
		all, err := l.StagedNotes(ctx, c.workspace)
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
	if err == nil && c.workspace != "" && staged.Workspace != c.workspace {
		err = rein.Errorf(rein.CodeNotFound, "session %s works in workspace %s, not in %s", session, staged.Workspace, c.workspace)
	}
	return staged, err
}

func runNotesDiff(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		if len(c.args) == 1 {
			if _, err := c.sameVault(ctx, l); err != nil {
				return err
			}
			done, err := l.NoteCommit(ctx, c.workspace, c.args[0])
			if err != nil {
				return c.noCommit(err)
			}
			return c.printDiff(done, done.Diff)
		}
		staged, err := c.stagedIn(ctx, l)
		if err != nil {
			return err
		}
		return c.printDiff(staged, staged.Diff)
	})
}

func (c *call) printDiff(value any, diff string) error {
	if c.json {
		return c.printJSON(value)
	}
	c.print("%s", safeLines(diff))
	return nil
}

func (c *call) noCommit(err error) error {
	if rein.CodeOf(err) == rein.CodeNotFound {
		return fmt.Errorf("%w: %s lists the commits", err, c.tip("notes history"))
	}
	return err
}

// agreement is something that a person must have seen before it happens.
type agreement struct {
	question    string
	diff, shown string
	value       any    // for --json
	command     string // that does it
}

// agree returns the digest of what the person agrees to: what they were shown here, or what they say they
// have seen. Empty: they do not.
func (c *call) agree(ctx context.Context, a agreement) (string, error) {
	switch {
	case c.shown != "" && !c.yes:
		return "", usagef("--shown says what you have seen; --yes says that you want it: give both")
	case c.yes && c.shown == "":
		return "", usagef("--yes says also what you have seen: %s shows it whole and asks, or prints the --shown to give here", c.tip(a.command))
	case c.yes:
		return c.shown, nil
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
	c.print("%s\n\n%sshown %s\n", a.question, safeLines(a.diff), safe(a.shown))
	c.note("agree with %s", c.tip(a.command+" --yes --shown "+a.shown))
	return "", quiet(exitWaits)
}

func runNotesCommit(ctx context.Context, c *call) error {
	key, session, shown := newKey(), "", "" // the same if it must be sent again
	return c.linkedTo(ctx, func(l *app.App) error {
		if shown == "" {
			staged, err := c.stagedIn(ctx, l)
			if err != nil {
				return err
			}
			session = staged.Session
			shown, err = c.agree(ctx, agreement{
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
		return c.committed("committed", done)
	})
}

// unwritten tells who said no that nothing has happened.
func (c *call) unwritten(err error) error {
	if err == nil {
		c.print("nothing was written\n")
		return quiet(exitDeclined)
	}
	return err
}

func (c *call) committed(word string, done api.NoteCommit) error {
	if c.json {
		return c.printJSON(done)
	}
	c.print("%s %s\n", word, safe(done.ID))
	for _, n := range done.Notes {
		c.print("%s\n", writtenLine(n))
	}
	if word == "committed" {
		c.note("%s takes it back", c.tip("notes undo "+done.ID+after(" --workspace ", c.workspace)))
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

func runNotesDiscard(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		staged, err := c.stagedIn(ctx, l)
		if err != nil {
			return err
		}
		gone, err := l.DiscardNotes(ctx, staged.Session, c.args)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(api.Discarded{Discarded: gone})
		}
		for _, path := range gone {
			c.print("discarded %s\n", safe(path))
		}
		return nil
	})
}

func runNotesHistory(ctx context.Context, c *call) error {
	return c.nothing(c.linkedTo(ctx, func(l *app.App) error {
		if _, err := c.sameVault(ctx, l); err != nil {
			return err
		}
		count := 0
		for before := ""; ; {
			page, err := l.NoteCommits(ctx, c.workspace, before)
			if err != nil {
				return err
			}
			for _, done := range page.Commits {
				count++
				if err := c.printCommit(done); err != nil {
					return err
				}
			}
			switch before = page.Next; {
			case before != "" && c.all:
				continue
			case before != "" && !c.json:
				c.note("there are more: --all lists them")
			case count == 0 && !c.json:
				c.print("nothing was committed\n")
			}
			return nil
		}
	}))
}

func (c *call) printCommit(done api.NoteCommit) error {
	if c.json {
		return c.printJSON(done)
	}
	line := units.When(done.At) + "  " + safe(done.ID) + "  by " + safe(done.By)
	if done.Run != "" {
		line += ", run " + safe(string(done.Run))
	}
	if done.Undoes != "" {
		line += ", took back " + safe(done.Undoes)
	}
	if done.UndoneBy != "" {
		line += ", taken back by " + safe(done.UndoneBy)
	}
	c.print("%s\n", line)
	for _, n := range done.Notes {
		c.print("%s\n", writtenLine(n))
	}
	return nil
}

func runNotesUndo(ctx context.Context, c *call) error {
	key, shown, id := newKey(), "", c.args[0] // the same if it must be sent again
	return c.linkedTo(ctx, func(l *app.App) error {
		if _, err := c.sameVault(ctx, l); err != nil {
			return err
		}
		if shown == "" {
			found, err := l.NoteCommit(ctx, c.workspace, id)
			if err != nil {
				return c.noCommit(err)
			}
			if found.Shown == "" {
				return rein.Errorf(rein.CodeConflict, "commit %s was taken back before, by %s", found.ID, found.UndoneBy)
			}
			shown, err = c.agree(ctx, agreement{
				question: "Take this commit back?", diff: found.Undo, shown: found.Shown, value: found,
				command: "notes undo " + id + after(" --workspace ", c.workspace),
			})
			if err != nil || shown == "" {
				return c.unwritten(err)
			}
		}
		done, err := l.UndoNotes(ctx, c.workspace, id, shown, key)
		if err != nil {
			return err
		}
		return c.committed("took back "+id+" with", done)
	})
}
