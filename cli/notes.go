package cli

import (
	"context"
	"fmt"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
)

// notesFlags are the flags that the commands about notes share.
type notesFlags struct{ workspace string }

func (n *notesFlags) flags(c *call) []flagDef {
	return append([]flagDef{vaultFlag(c), text(&n.workspace, "workspace W", "the notes of the workspace W")}, lookFlags(c)...)
}

// notesListFlags are the flags of rein notes alone.
type notesListFlags struct {
	notesFlags
	all bool
}

func notesCommand() command {
	var n notesListFlags
	return command{
		name: "notes", does: "show how your notes are indexed",
		more:  `Shows how many notes are indexed, how many have vectors, and what is not indexed and why. It waits until all words are indexed; vectors are made in the background, by the process that has the data open.`,
		flags: n.flags, run: n.run,
	}
}

func (n *notesListFlags) flags(c *call) []flagDef {
	return append([]flagDef{on(&n.all, "all", "list every note")}, n.notesFlags.flags(c)...)
}

func (n *notesListFlags) run(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := n.indexed(ctx, l); err != nil {
			return err
		}
		status, err := n.sameVault(ctx, c, l)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(status)
		}
		c.print("%s\n", safe(status.Vault))
		c.print("%d notes indexed, %d files not; %s\n", status.Notes, status.Skipped, vectorLine(status.VaultStatus))
		for _, notice := range status.Notices {
			c.print("! %s\n", safe(notice))
		}
		var rows [][]string
		for _, e := range status.Entries {
			switch {
			case !e.Indexed:
				rows = append(rows, []string{"- " + e.Path, e.Why})
			case n.all:
				rows = append(rows, []string{"+ " + e.Path, strings.Join(e.Tags, " ")})
			}
			for _, problem := range e.Problems {
				rows = append(rows, []string{"! " + e.Path, problem})
			}
		}
		c.advice(rows)
		return nil
	})
}

// sameVault wants the process that has the data open to have the notes that this command means. Those of
// a workspace are what the process says.
func (n *notesFlags) sameVault(ctx context.Context, c *call, l *app.App) (api.NotesStatus, error) {
	if n.workspace != "" {
		return l.Notes(ctx, n.workspace)
	}
	settings, err := c.checked()
	if err != nil {
		return api.NotesStatus{}, err
	}
	if settings.Notes.Vault == "" {
		return api.NotesStatus{}, usagef("there are no notes: name a folder of them with --vault DIR, or with vault in rein.toml")
	}
	status, err := l.Notes(ctx, "")
	want, wrong := app.RealPath(settings.Notes.Vault)
	switch {
	case wrong != nil:
		return status, usagef("cannot open the vault %s: %v", settings.Notes.Vault, wrong)
	case rein.CodeOf(err) == rein.CodeUnavailable && !l.Owns(), err == nil && status.Vault != want:
		return status, rein.Errorf(rein.CodeConflict, "process %d has the data open with other notes (%q, not %s): leave out --vault, or use another data folder with --data", l.PID(), status.Vault, want)
	}
	return status, err
}

// indexed waits until the words of all notes can be searched. A server has them already.
func (n *notesFlags) indexed(ctx context.Context, l *app.App) error {
	if n.workspace != "" {
		return nil
	}
	return l.SyncNotes(ctx)
}

func vectorLine(s api.VaultStatus) string {
	switch p := s.Progress; {
	case s.Embedder == "":
		return "found by words alone"
	case s.Missing == 0:
		return "all have vectors (" + safe(s.Embedder) + ")"
	case p.Phase == "vectors" && p.Left > 0:
		return fmt.Sprintf("vectors are being made: %d of %d passages, %s left", p.Done, p.Total, units.Span(p.Left))
	}
	return fmt.Sprintf("%d passages have no vector yet", s.Missing)
}
