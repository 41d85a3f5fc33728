package recall

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/household/memory"
	"rein/household/past"
	"rein/store"
)

// A Book is what people ask about what rein knows of them.
type Book struct {
	Tables store.Tables
	Find   *Finder
	Now    func() time.Time // nil is time.Now
}

func (b Book) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

// Shown is a memory with what it replaced, the newest first.
type Shown struct {
	memory.Memory
	Before []memory.Memory
}

// List returns what holds now for the owner: their own memories and what others said for everyone. With a query it returns
// what fits it, the best first, also what was replaced.
func (b Book) List(ctx context.Context, o memory.Owner, query string) (shown []Shown, err error) {
	own, current, err := b.read(ctx, o)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) != "" {
		hits, err := b.Find.Search(ctx, current, query)
		if err != nil {
			return nil, err
		}
		current = current[:0:0]
		for _, h := range hits {
			current = append(current, h.Memory)
		}
	}
	for _, m := range current {
		shown = append(shown, withPast(own, o, m))
	}
	return shown, nil
}

// read returns all that is the owner's, and what holds for them.
func (b Book) read(ctx context.Context, o memory.Owner) (own, current []memory.Memory, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		if own, err = memory.Own(ctx, q, o); err != nil {
			return err
		}
		current, err = memory.Memories(ctx, q, o)
		return err
	})
	return own, current, err
}

// withPast adds what a memory replaced. What others said before is theirs.
func withPast(own []memory.Memory, o memory.Owner, m memory.Memory) Shown {
	if m.User != o.User {
		m.Source = ""
		return Shown{Memory: m}
	}
	return Shown{m, memory.Before(own, m.ID)}
}

// Show returns one memory that the owner may read.
func (b Book) Show(ctx context.Context, o memory.Owner, id string) (s Shown, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		m, err := memory.Find(ctx, q, o, id)
		if err != nil {
			return err
		}
		own, err := memory.Own(ctx, q, o)
		s = withPast(own, o, m)
		return err
	})
	return s, err
}

// Add remembers what the owner typed themself.
func (b Book) Add(ctx context.Context, o memory.Owner, m memory.Memory) (Shown, error) {
	m.At, m.SaidBy, m.ID = b.now(), o.User, "m"+strings.ToLower(rand.Text()[:10])
	if err := m.Check(); err != nil {
		return Shown{}, err
	}
	own, _, err := b.read(ctx, o)
	if err != nil {
		return Shown{}, err
	}
	for _, r := range b.Find.Replaced(ctx, own, m) {
		m.Replaces = append(m.Replaces, r.ID)
	}
	id := ""
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := memory.SaveMemories(ctx, tx, o, memory.Origin{}, []memory.Memory{m}); err != nil {
			return err
		}
		id, err = idOf(ctx, tx, o, m)
		return err
	})
	if err != nil {
		return Shown{}, err
	}
	return b.Show(ctx, o, id)
}

// idOf finds what was kept: it may have been known in the same words.
func idOf(ctx context.Context, q store.Query, o memory.Owner, m memory.Memory) (string, error) {
	own, err := memory.Own(ctx, q, o)
	i := slices.IndexFunc(own, func(has memory.Memory) bool {
		return has.ReplacedBy == "" && has.Scope == m.Scope && strings.EqualFold(has.Text, m.Text)
	})
	if err != nil || i < 0 {
		return m.ID, err
	}
	return own[i].ID, nil
}

// Change edits a memory of the owner by hand.
func (b Book) Change(ctx context.Context, o memory.Owner, id string, e memory.Edit) (Shown, error) {
	err := b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := memory.Change(ctx, tx, o, id, e, b.now())
		return err
	})
	if err != nil {
		return Shown{}, err
	}
	return b.Show(ctx, o, id)
}

// Forget forgets a memory of the owner by hand.
func (b Book) Forget(ctx context.Context, o memory.Owner, id, version string) (f memory.Forgotten, err error) {
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		f, err = Forget(ctx, tx, o, id, version, "", b.now())
		return err
	})
	return f, err
}

// Forget is memory.Forget, which takes away the summaries of conversations too that quote the runs in which it was said.
func Forget(ctx context.Context, tx rein.Tx, o memory.Owner, id, version string, in rein.RunID, now time.Time) (memory.Forgotten, error) {
	f, err := memory.Forget(ctx, tx, o, id, version, in, now)
	if err != nil {
		return f, err
	}
	for _, run := range f.Runs {
		if _, err := past.Forget(ctx, tx, run); err != nil {
			return f, err
		}
	}
	return f, nil
}

// Preferences returns the owner's preferences and those of the household, what matters most first.
func (b Book) Preferences(ctx context.Context, o memory.Owner) (list []memory.Preference, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		list, err = memory.Preferences(ctx, q, o)
		return err
	})
	return list, err
}

// SetPreference sets a preference by hand; an empty value removes it.
func (b Book) SetPreference(ctx context.Context, o memory.Owner, p memory.Preference) (memory.Preference, error) {
	p.By, p.At, p.Source = o.User, b.now().UTC().Truncate(time.Microsecond), ""
	err := b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) (err error) {
		p, err = memory.SetPreference(ctx, tx, o, p)
		return err
	})
	return p, err
}

// An Export is all that rein knows of a user beside the logs of their runs.
type Export struct {
	Memories    []memory.Memory     // of theirs, also what was replaced
	Preferences []memory.Preference // theirs and those of the household
	Snapshots   []memory.Snapshot   // of theirs, also for everyone
	Summaries   []memory.Summary
}

// Export returns all that is known of the owner.
func (b Book) Export(ctx context.Context, o memory.Owner) (e Export, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		if e.Memories, err = memory.Own(ctx, q, o); err != nil {
			return err
		}
		if e.Preferences, err = memory.Preferences(ctx, q, o); err != nil {
			return err
		}
		if e.Snapshots, err = memory.OwnSnapshots(ctx, q, o); err != nil {
			return err
		}
		e.Summaries, err = memory.AllSummaries(ctx, q, o)
		return err
	})
	return e, err
}

// Counts says how much is known of each user of a household.
func (b Book) Counts(ctx context.Context, household string) (list []memory.Count, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		list, err = memory.Counts(ctx, q, household)
		return err
	})
	return list, err
}
