package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/internal/units"
)

// notesSearchFlags are the flags of rein notes search alone.
type notesSearchFlags struct {
	notesFlags
	k                  int
	folder, tag, about string
	explain            bool
}

func notesSearchCommand() command {
	var n notesSearchFlags
	return command{
		name: "notes search", args: "QUERY", does: "search your notes", least: 1, most: anyNumber,
		more:  `Searches by words and by meaning and prints passages, the best first: the score, the path and section, and a piece of the text. Files that are not notes are found by name.`,
		flags: n.flags, run: n.run,
	}
}

func (n *notesSearchFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		number(&n.k, "k N", "at most N passages; default: 20"),
		text(&n.folder, "folder DIR", "only notes below this folder of the vault"),
		text(&n.tag, "tag TAG", "only notes with this tag, or with a tag below it"),
		on(&n.explain, "explain", "show why each passage ranks where it does"),
		text(&n.about, "about NOTE", "show where this note ranks, or why it is not found"),
	}, n.notesFlags.flags(c)...)
}

func (n *notesSearchFlags) run(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := n.indexed(ctx, l); err != nil {
			return err
		}
		if _, err := n.sameVault(ctx, c, l); err != nil {
			return err
		}
		found, err := l.SearchNotes(ctx, client.NotesQuery{
			Text: strings.Join(c.args, " "), K: n.k, Folder: n.folder, Tag: n.tag, Explain: n.explain, About: n.about, Workspace: n.workspace,
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
			c.print("found nothing\n")
		}
		for _, a := range found.About {
			c.print("%s: %s\n", safe(a.Path), safe(a.Says))
		}
		for _, notice := range found.Notices {
			c.note("%s", safe(notice))
		}
		c.note("%d passages in %s", len(found.Hits), units.Span(time.Duration(found.TookMS)*time.Millisecond))
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
