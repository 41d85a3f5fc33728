// Package erase removes what was said in a run, in a session or by a user, together with everything
// that quotes it: later runs of the session and of its branches, summaries, memories, background runs, forks,
// deliveries, files, staged copies of notes, what changed files held before. It first lists what it would erase, and then erases
// exactly that list in one transaction. The hash chains stay and still verify.
package erase

import (
	"context"
	"encoding/json"
	"time"

	"rein"
	"rein/household/people"
	"rein/internal/digest"
	"rein/store"
)

// A Target is what is to be erased: one run, one session or one user, of the asker's household.
type Target struct {
	Run     rein.RunID `json:"run,omitempty"`
	Session string     `json:"session,omitempty"`
	User    string     `json:"user,omitempty"`
}

func (t Target) check() error {
	named := 0
	for _, name := range []string{string(t.Run), t.Session, t.User} {
		if name != "" {
			named++
		}
	}
	if named != 1 {
		return rein.Errorf(rein.CodeInvalid, "name what to erase: one of run, session and user, and only one (%d are given)", named)
	}
	if t.Run != "" {
		return t.Run.Check()
	}
	return nil
}

// String names the target as people do.
func (t Target) String() string {
	switch {
	case t.Run != "":
		return "run " + string(t.Run)
	case t.Session != "":
		return "session " + t.Session
	}
	return "user " + t.User
}

// An Erasure is what goes when something is erased.
type Erasure struct {
	Target
	Items []Thing `json:"items"` // empty: there is nothing left to erase
	// Left is how many runs of other users quote it and stay, because the asker may not erase them.
	Left int `json:"left,omitempty"`
	// Shown is the digest of all this. Who wants it erased repeats it.
	Shown string `json:"shown"`
}

// A Thing is one of them.
type Thing struct {
	Kind string `json:"kind"` // one of Kinds
	Name string `json:"name"`
	User string `json:"user,omitempty"` // whose it is
	Why  string `json:"why,omitempty"`  // it goes too; empty: it is what was named
	// Text is how it begins, if it is the asker's own.
	Text string `json:"text,omitempty"`
}

// Kinds are the kinds of items, in the order of a list.
var Kinds = []string{"run", "memory", "snapshot", "summary", "preference", "fold", "file", "staged note", "note commit", "file change", "command output", "delivery", "chat record", "hook", "message", "message delivery", "channel", "message preferences", "rule", "preset", "session mark", "page", "feedback", "event", "list", "list item", "job", "secret", "decision", "token", "login link", "browser", "user"}

// seal gives it its digest.
func (p *Erasure) seal() error {
	p.Shown = ""
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	p.Shown = digest.Joined(16, string(data))
	return nil
}

// A Store is what is erased from.
type Store interface {
	store.Tables
	store.Logs
	store.Eraser
}

// An Eraser erases for people. Store and People are needed.
type Eraser struct {
	Store  Store
	People *people.People
	Mask   func(string) string // hides secrets in texts that are listed; nil hides nothing
	// Background tells the flows that read what their settings name (run, session), and not the past of
	// their session; nil: none does.
	Background func(flow string) bool
	// Aside tells those of them whose runs are a part of their session, so that its later runs know of them; nil: none is.
	Aside func(flow string) bool
	// Outputs are what commands wrote in the background; nil: there are none.
	Outputs Outputs
}

// Outputs are files: they are listed with the rest, and removed when the rest is erased.
type Outputs interface {
	Of(household string) ([]Output, error)
	Erase(handles []string) error
}

// An Output is what one command wrote.
type Output struct {
	Handle, User, Session string
	Run                   rein.RunID
}

// Plan lists what an erasure would take away, and takes nothing. What does not exist for the asker is
// CodeNotFound, what they may not change CodeForbidden; if a run that would go has not ended, that is
// CodeBusy, and the error names it.
func (e *Eraser) Plan(ctx context.Context, who rein.Identity, t Target) (Erasure, error) {
	p, err := e.plan(ctx, e.outside(), who, t, e.facts())
	if err != nil {
		return Erasure{}, err
	}
	return p.Erasure, nil
}

// Erase takes away what Plan has listed, and returns it. shown is the digest of that list: if something else
// would go by now, that is CodeConflict, and nothing is erased.
func (e *Eraser) Erase(ctx context.Context, who rein.Identity, t Target, shown string) (Erasure, error) {
	if shown == "" {
		return Erasure{}, rein.Errorf(rein.CodeInvalid, "shown is missing: list what would be erased first, and repeat the digest that comes with the list")
	}
	known := e.facts() // so that the logs are read before the transaction, and not in it
	p, err := e.plan(ctx, e.outside(), who, t, known)
	if err == nil && p.Shown != shown {
		err = changed(t)
	}
	if err != nil {
		return Erasure{}, err
	}
	err = e.Store.Erase(ctx, func(ctx context.Context, m store.Moment) ([]rein.RunID, error) {
		if p, err = e.plan(ctx, inside(m), who, t, known); err != nil {
			return nil, err
		}
		if p.Shown != shown {
			return nil, changed(t)
		}
		return p.roots(), e.takeAway(ctx, m, who, p)
	})
	if err != nil {
		return Erasure{}, err
	}
	if t.User != "" {
		e.People.TellErased(who.Household, t.User)
	}
	if len(p.outputs) > 0 {
		if err := e.Outputs.Erase(p.handles()); err != nil {
			return Erasure{}, rein.Errorf(rein.CodeInternal, "%s is erased, but what its commands wrote could not be removed: erase it again: %w", t, err)
		}
	}
	return p.Erasure, nil
}

func changed(t Target) error {
	return rein.Errorf(rein.CodeConflict, "what would be erased with %s is not what was listed: look at the list again; nothing was erased", t)
}

// A source is where a plan is read from. A query sees one moment; inside a transaction all of it does.
type source struct {
	query func(context.Context, func(context.Context, store.Query) error) error
	store.Logs
}

func (e *Eraser) outside() source {
	return source{e.Store.Read, e.Store}
}

func inside(m store.Moment) source {
	query := func(ctx context.Context, do func(context.Context, store.Query) error) error { return do(ctx, m) }
	return source{query, m}
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
