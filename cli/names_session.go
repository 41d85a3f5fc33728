package cli

import (
	"context"
	"strings"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/terminal"
)

// How many sessions are looked at for one of which only a part of the name is known: those that changed last.
const (
	sessionPages = 10
	sessionPage  = api.MaxLimit
)

// A sessionName is what a person typed to name a session.
type sessionName struct {
	name   string
	user   string // whose the last one is; empty: that of anybody
	titled bool   // a part of its title is a name too
	made   bool   // only IDs that rein made have beginnings and ends: others are names that somebody gave
}

// inFolder is who names sessions in a data folder.
func inFolder(name string) sessionName { return sessionName{name: name, user: rein.Host().User} }

// find returns the session that is meant: its ID, last, a beginning or an end of its ID, or a part of its title if one may be
// given. One that there is not is CodeNotFound.
func (n sessionName) find(ctx context.Context, in *client.Client) (api.Session, error) {
	if n.name != lastName {
		session, err := in.Session(ctx, n.name)
		if code := rein.CodeOf(err); code != rein.CodeNotFound {
			return session, err
		}
	}
	if n.name == lastName {
		all, err := allSessions(ctx, in, client.SessionFilter{User: n.user})
		if err != nil {
			return api.Session{}, err
		}
		return newestSession(all)
	}
	all, err := allSessions(ctx, in, client.SessionFilter{})
	if err != nil {
		return api.Session{}, err
	}
	archived, err := allSessions(ctx, in, client.SessionFilter{Archived: true})
	if err != nil {
		return api.Session{}, err
	}
	return n.among(append(all, archived...))
}

// among returns the session of a list that is meant.
func (n sessionName) among(all []api.Session) (api.Session, error) {
	found := sessionsThat(all, n.names)
	if len(found) == 0 && n.titled {
		part := strings.ToLower(n.name)
		found = sessionsThat(all, func(s api.Session) bool { return strings.Contains(strings.ToLower(s.Title), part) })
	}
	switch len(found) {
	case 0:
		return api.Session{}, rein.Errorf(rein.CodeNotFound, "there is no session %.100q", n.name)
	case 1:
		return found[0], nil
	}
	unclear := &unclearError{noun: "session", name: n.name}
	for _, s := range found {
		unclear.fits = append(unclear.fits, fit{s.ID, string(s.Status), s.Title})
	}
	return api.Session{}, unclear
}

// names reports whether the name is a part of the ID of a session that can stand for it.
func (n sessionName) names(s api.Session) bool {
	if n.made && (len(s.ID) < longEnough || len(n.name) < leastShort) {
		return false
	}
	return isBeginning(s.ID, n.name) || isEnd(s.ID, n.name)
}

func sessionsThat(all []api.Session, is func(api.Session) bool) (some []api.Session) {
	for _, s := range all {
		if is(s) {
			some = append(some, s)
		}
	}
	return some
}

// newestSession is the session of a list that changed last, without those in which rein works by itself.
func newestSession(all []api.Session) (newest api.Session, err error) {
	for _, s := range all {
		if !isBackground(s.ID) && (newest.ID == "" || s.Changed.After(newest.Changed)) {
			newest = s
		}
	}
	if newest.ID == "" {
		err = rein.Errorf(rein.CodeNotFound, "there is no session yet")
	}
	return newest, err
}

// allSessions reads the pages of a list of sessions, the newest first, as far as one looks.
func allSessions(ctx context.Context, in *client.Client, f client.SessionFilter) (all []api.Session, err error) {
	f.Limit = sessionPage
	for range sessionPages {
		page, err := in.FindSessions(ctx, f)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Sessions...)
		if f.After = page.Next; f.After == "" {
			break
		}
	}
	return all, nil
}

// sessionID is find for commands that take the name of a session, without its title.
func sessionID(ctx context.Context, in *client.Client, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	session, err := inFolder(name).find(ctx, in)
	return session.ID, err
}

// continues is the session in which a task is to run. A name that no session has begins one, so that a script can give names:
// elsewhere than at a terminal only a whole ID, last, or a part of an ID that rein made is one that is there.
func (c *call) continues(ctx context.Context, l *app.App, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	n := inFolder(name)
	n.made, n.titled = true, terminal.Is(c.stdin) || terminal.Is(c.out.Stderr)
	session, err := n.find(ctx, l.Client)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound && name != lastName:
		return name, nil
	case err != nil:
		return "", err
	case session.ID != name && !c.json:
		c.note("session %s: %s", safe(session.ID), terminal.Cut(session.Title, 80))
	}
	return session.ID, nil
}
