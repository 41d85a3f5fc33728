package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

const (
	notesHelp = `How the vault is: how many notes are indexed, how far their vectors are, and what is not
indexed and why. With --all every note. It waits until all words are indexed; vectors are
made in the background, by whichever process has the data open.`
	notesIndexHelp = `Reads what has changed, makes the vectors that are missing, and shows how far it is. It can be
stopped with Ctrl-C at any time and goes on where it was. rein serve does the same by itself.`
	notesSearchHelp = `Searches the notes by words and by meaning and prints passages, the best first: score, path
and section, and a piece of the text. --explain says why each is where it is; --about NOTE
says where that note is, or why it is not found. Files that are no notes are found by name.`
	notesLinksHelp = `Shows which notes a note links to, which notes link to it, links that lead nowhere, and which
other notes are related to it by what they say.`
)

func notesCommands() []command {
	flags := []string{"vault", "workspace", "json", "data", "config"}
	return slices.Concat([]command{
		{
			name: "notes search", args: "QUERY", does: "search your notes", more: notesSearchHelp,
			flags: append([]string{"k", "folder", "tag", "explain", "about"}, flags...), least: 1, most: anyNumber, run: runNotesSearch,
		},
		{name: "notes links", args: "NOTE", does: "show what a note is linked with", more: notesLinksHelp, flags: flags, least: 1, most: anyNumber, run: runNotesLinks},
		{name: "notes index", does: "index your notes, and show how far it is", more: notesIndexHelp, flags: flags, run: runNotesIndex},
	}, stagedCommands(), []command{
		{name: "notes", does: "tell how your notes are indexed", more: notesHelp, flags: append([]string{"all"}, flags...), run: runNotes},
	})
}

// sameVault wants the process that has the data open to have the notes that this command means. Those of
// a workspace are what the process says.
func (c *call) sameVault(ctx context.Context, l *app.App) (api.NotesStatus, error) {
	if c.workspace != "" {
		return l.Notes(ctx, c.workspace)
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
		return status, rein.Errorf(rein.CodeConflict, "process %d has the data open with other notes (%q, not %s): ask it without --vault, or use another data folder with --data", l.PID(), status.Vault, want)
	}
	return status, err
}

// indexed waits until the words of all notes can be searched. A server has them already.
func (c *call) indexed(ctx context.Context, l *app.App) error {
	if c.workspace != "" {
		return nil
	}
	return l.SyncNotes(ctx)
}

func runNotes(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := c.indexed(ctx, l); err != nil {
			return err
		}
		status, err := c.sameVault(ctx, l)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(status)
		}
		c.print("%s\n", safe(status.Vault))
		c.print("%d notes indexed, %d files not; %s\n", status.Notes, status.Skipped, vectorLine(status.VaultStatus))
		for _, n := range status.Notices {
			c.print("! %s\n", safe(n))
		}
		table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
		for _, e := range status.Entries {
			switch {
			case !e.Indexed:
				fmt.Fprintf(table, "- %s\t%s\n", safe(e.Path), safe(e.Why))
			case c.all:
				fmt.Fprintf(table, "+ %s\t%s\n", safe(e.Path), safe(strings.Join(e.Tags, " ")))
			}
			for _, problem := range e.Problems {
				fmt.Fprintf(table, "! %s\t%s\n", safe(e.Path), safe(problem))
			}
		}
		return table.Flush()
	})
}

func runNotesIndex(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := c.indexed(ctx, l); err != nil {
			return err
		}
		for shown := ""; ; {
			status, err := c.sameVault(ctx, l)
			if err != nil {
				return err
			}
			if status.Embedder == "" || status.Missing == 0 || status.Progress.Phase == "" && len(status.Notices) > 0 {
				c.showProgress(&shown, "")
				return c.tellIndexed(status)
			}
			c.showProgress(&shown, progressLine(status.VaultStatus))
			select {
			case <-time.After(progressEvery):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
}

// progressEvery is how often people are told how far it is.
const progressEvery = 200 * time.Millisecond

// showProgress replaces the line that shows how far it is; only a terminal has one.
func (c *call) showProgress(shown *string, line string) {
	if !terminal.Is(c.out.Stderr) || line == *shown {
		return
	}
	fmt.Fprintf(c.out.Stderr, "\r\x1b[K%s", line)
	*shown = line
}

// progressLine is a bar, what is done, how fast, and how long it takes.
func progressLine(s api.VaultStatus) string {
	const width = 24
	p := s.Progress
	if p.Total == 0 {
		return fmt.Sprintf("%d passages have no vector yet", s.Missing)
	}
	full := width * p.Done / p.Total
	line := fmt.Sprintf("[%s%s] %d of %d passages", strings.Repeat("#", full), strings.Repeat(".", width-full), p.Done, p.Total)
	if p.Rate > 0 {
		line += fmt.Sprintf(", %.0f a second", p.Rate)
	}
	if p.Left > 0 {
		line += ", " + units.Span(p.Left) + " left"
	}
	return line
}

func (c *call) tellIndexed(status api.NotesStatus) error {
	if c.json {
		return c.printJSON(status.VaultStatus)
	}
	c.print("%d notes indexed; %s\n", status.Notes, vectorLine(status.VaultStatus))
	for _, n := range status.Notices {
		c.print("! %s\n", safe(n))
	}
	return nil
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

func runNotesSearch(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := c.indexed(ctx, l); err != nil {
			return err
		}
		if _, err := c.sameVault(ctx, l); err != nil {
			return err
		}
		found, err := l.SearchNotes(ctx, client.NotesQuery{
			Text: strings.Join(c.args, " "), K: c.k, Folder: c.inside, Tag: c.tag, Explain: c.explain, About: c.about, Workspace: c.workspace,
		})
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(found)
		}
		for _, h := range found.Hits {
			c.printHit(h)
		}
		if len(found.Hits) == 0 {
			c.print("nothing was found\n")
		}
		for _, a := range found.About {
			c.print("%s: %s\n", safe(a.Path), safe(a.Says))
		}
		for _, n := range found.Notices {
			c.note("%s", safe(n))
		}
		c.note("%d passages in %s", len(found.Hits), units.Span(time.Duration(found.TookMS)*time.Millisecond))
		return nil
	})
}

func runNotesLinks(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := c.indexed(ctx, l); err != nil {
			return err
		}
		if _, err := c.sameVault(ctx, l); err != nil {
			return err
		}
		links, err := l.LinkedNotes(ctx, c.workspace, strings.Join(c.args, " "))
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(links)
		}
		for _, part := range []struct {
			title string
			refs  []api.Ref
		}{{"links to", links.Links}, {"linked from", links.Backlinks}, {"related", links.Related}} {
			for _, ref := range part.refs {
				c.print("%-11s  %s\n", part.title, safe(ref.Path))
			}
		}
		for _, target := range links.Missing {
			c.print("%-11s  %s\n", "no note", safe(target))
		}
		return nil
	})
}

func (c *call) printHit(h api.Hit) {
	place := h.Path
	if h.Section != "" {
		place += "#" + h.Section
	}
	if h.Block != "" {
		place += " " + h.Block
	}
	c.print("%.3f  %s  %s\n", h.Score, safe(place), short(h.Snippet, 120))
	if h.Why == nil {
		return
	}
	why := fmt.Sprintf("words %.2f", h.Why.Words)
	if h.Why.Vectors {
		why += fmt.Sprintf(", meaning %.2f", h.Why.Vector)
	}
	if h.Why.Named != "" {
		why += fmt.Sprintf(", named by its %s (%.2f)", h.Why.Named, h.Why.Name)
	}
	if h.Why.Short > 0 && h.Why.Short < 1 {
		why += fmt.Sprintf(", short (times %.2f)", h.Why.Short)
	}
	if h.Why.Rescue {
		why += ", holds a rare word"
	}
	c.print("       %s\n", safe(why))
}
