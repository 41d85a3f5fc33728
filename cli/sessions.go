package cli

import (
	"context"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/internal/units"
)

// sessionsFlags are the flags of rein sessions alone.
type sessionsFlags struct{ archived, all bool }

func sessionsCommand() command {
	var s sessionsFlags
	return command{
		name: "sessions", args: "[TEXT]", does: "list your conversations, or search them", most: anyNumber,
		more: `Lists sessions, those that are pinned first and then the ones that changed last; without --all at most 50. WAITS is how many open asks wait for you. With TEXT it lists those that have TEXT in their title, or in what people typed.

rein --resume S opens one, where S can be last, an end or a beginning of the ID, or a part of the title. rein run --session S continues one without opening the screen, and rein export S writes it to a file.`,
		flags: s.flags, run: s.run,
	}
}

func (s *sessionsFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		on(&s.archived, "archived", "list those that are archived instead"),
		on(&s.all, "all", "list all, not only the first 50, and those in which rein works by itself"),
		longFlag(c),
	}, lookFlags(c)...)
}

// mostSessions is how many sessions are listed without --all.
const mostSessions = 50

func (s *sessionsFlags) run(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	filter := client.SessionFilter{Text: strings.Join(c.args, " "), Archived: s.archived}
	list, more, err := s.list(ctx, v, filter)
	if err != nil {
		return err
	}
	if c.json {
		for _, session := range list {
			if err := c.printJSON(session); err != nil {
				return err
			}
		}
	} else if err := c.listSessions(ctx, v, list, filter); err != nil {
		return err
	}
	if more {
		c.note("there are more: %s", c.tip("sessions --all"))
	}
	return nil
}

// list reads the sessions that are listed, and reports whether there are more.
func (s *sessionsFlags) list(ctx context.Context, v *app.View, f client.SessionFilter) (list []api.Session, more bool, err error) {
	for f.Limit = api.MaxLimit; ; {
		page, err := v.FindSessions(ctx, f)
		if err != nil {
			return nil, false, err
		}
		for _, session := range page.Sessions {
			if s.all || !isBackground(session.ID) {
				list = append(list, session)
			}
		}
		if !s.all && len(list) > mostSessions {
			return list[:mostSessions], true, nil
		}
		if f.After = page.Next; f.After == "" {
			return list, false, nil
		}
	}
}

func (c *call) listSessions(ctx context.Context, v *app.View, list []api.Session, f client.SessionFilter) error {
	if len(list) == 0 {
		c.print("%s\n", noSessions(f))
		return nil
	}
	names, err := c.shortSessions(ctx, v.Client, list)
	if err != nil {
		return err
	}
	rows := [][]string{{"SESSION", "STATUS", "CHANGED", "WAITS", "TITLE"}}
	for _, session := range list {
		waits := ""
		if session.Waiting > 0 {
			waits = strconv.FormatInt(session.Waiting, 10)
		}
		rows = append(rows, []string{names.session(session.ID), string(session.Status), units.Lately(session.Changed, time.Now()), waits, sessionTitle(session)})
	}
	c.columns(rows)
	return nil
}

func noSessions(f client.SessionFilter) string {
	switch {
	case f.Text != "":
		return "no session has " + strconv.Quote(safe(f.Text))
	case f.Archived:
		return "no session is archived"
	}
	return "there are no sessions yet"
}

// sessionTitle is the title of a session, with what people should know of it.
func sessionTitle(session api.Session) string {
	if session.Pinned {
		return "[pinned] " + session.Title
	}
	return session.Title
}

// shortSessions returns how sessions are listed: kept apart from each other and from those that changed last.
func (c *call) shortSessions(ctx context.Context, in *client.Client, listed []api.Session) (shortener, error) {
	if c.long {
		return shortener{}, nil
	}
	known := map[string]bool{}
	for _, archived := range []bool{false, true} {
		page, err := in.FindSessions(ctx, client.SessionFilter{Archived: archived, Limit: newestKnown})
		if err != nil {
			return shortener{}, err
		}
		for _, session := range append(page.Sessions, listed...) {
			known[session.ID] = true
		}
	}
	return shortener{shortEnds(known)}, nil
}

// session is the ID of a session as it is listed.
func (s shortener) session(id string) string {
	if end, ok := s.ends[rein.RunID(id)]; ok {
		return end
	}
	return id
}
