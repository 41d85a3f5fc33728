package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

func notesIndexCommand() command {
	var n notesFlags
	return command{
		name: "notes index", does: "index your notes, and show the progress",
		more:  `Reads what has changed and makes the vectors that are missing. You can stop it with Ctrl-C at any time; the next run continues where it stopped. rein serve does the same in the background.`,
		flags: n.flags, run: n.index,
	}
}

func (n *notesFlags) index(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := n.indexed(ctx, l); err != nil {
			return err
		}
		for shown := ""; ; {
			status, err := n.sameVault(ctx, c, l)
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

// progressEvery is how often the progress is printed.
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
