package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// Forgotten is what went when something was forgotten.
type Forgotten struct {
	Memories  []Memory     `json:"memories"`  // the one that was named, and what it had replaced
	Summaries int          `json:"summaries"` // that quoted it
	Snapshots int          `json:"snapshots"` // that quoted it
	Runs      []rein.RunID `json:"-"`         // in which it was said: what is said later does not quote them
}

// Forget forgets a memory of the owner and what it had replaced, in the transaction of whoever asks for it, and takes
// away the snapshots and the summaries that quote it. Version is that of the memory as the person saw it; empty: any.
// In is the run that forgets; empty: a person did it by hand.
func Forget(ctx context.Context, tx rein.Tx, o Owner, id, version string, in rein.RunID, now time.Time) (f Forgotten, err error) {
	m, err := FindOwn(ctx, tx, o, id)
	if err != nil {
		return f, err
	}
	if version != "" && m.Version() != version {
		return f, rein.Errorf(rein.CodeConflict, "memory %s has changed since it was shown: look at it again", id)
	}
	all, err := Own(ctx, tx, o)
	if err != nil {
		return f, err
	}
	f.Memories = append([]Memory{m}, Before(all, id)...)
	if err := f.forget(ctx, tx, in, now); err != nil {
		return f, err
	}
	if f.Snapshots, err = f.dropSnapshots(ctx, tx, o); err != nil {
		return f, err
	}
	f.Summaries, err = f.dropSummaries(ctx, tx, o)
	return f, err
}

// forget takes the texts away. The rows stay: a step that is repeated does not bring them back, and the runs in which
// they were said are not read any more.
func (f *Forgotten) forget(ctx context.Context, tx rein.Tx, in rein.RunID, now time.Time) error {
	for _, m := range f.Memories {
		for _, run := range []rein.RunID{m.Source, in} {
			if run != "" && !slices.Contains(f.Runs, run) {
				f.Runs = append(f.Runs, run)
			}
		}
		err := exec(ctx, tx, `UPDATE memories SET text = '', about = '', kind = '', said_by = '', replaced_by = '', forgotten = ?, forgot_run = ? WHERE n = ?`, micros(now), string(in), m.n)
		if err != nil {
			return err
		}
	}
	return nil
}

// quotes reports whether a text says what was forgotten: most of its words, or all of its subject.
func (f *Forgotten) quotes(text string) bool {
	said := subject(text)
	for _, m := range f.Memories {
		about := subject(m.About)
		if len(about) > 0 && holds(said, about) || 3*part(said, subject(m.Text)) >= 2 {
			return true
		}
	}
	return false
}

// covers reports whether a memory was said in the time that a summary is about.
func (f *Forgotten) covers(s Summary) bool {
	return slices.ContainsFunc(f.Memories, func(m Memory) bool { return !m.At.Before(s.From) && !m.At.After(s.At) })
}

func (f *Forgotten) dropSnapshots(ctx context.Context, tx rein.Tx, o Owner) (gone int, err error) {
	list, err := texts(ctx, tx, `SELECT n, text FROM snapshots WHERE household = ? AND user_name = ?`, o.Household, o.User)
	if err != nil {
		return 0, err
	}
	for n, text := range list {
		if !f.quotes(text) {
			continue
		}
		gone++
		if err := exec(ctx, tx, `DELETE FROM snapshots WHERE n = ?`, n); err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// dropSummaries takes away the summaries of the time in which it was said, and of others the lines that quote it.
func (f *Forgotten) dropSummaries(ctx context.Context, tx rein.Tx, o Owner) (gone int, err error) {
	list, err := numbered(ctx, tx, o)
	if err != nil {
		return 0, err
	}
	for n, s := range list {
		rest := ""
		if !f.covers(s) {
			kept := slices.DeleteFunc(strings.Split(s.Text, "\n"), f.quotes)
			rest = strings.TrimSpace(strings.Join(kept, "\n"))
		}
		switch rest {
		case strings.TrimSpace(s.Text):
			continue
		case "":
			err = exec(ctx, tx, `DELETE FROM session_summaries WHERE n = ?`, n)
		default:
			err = exec(ctx, tx, `UPDATE session_summaries SET text = ? WHERE n = ?`, rest, n)
		}
		if err != nil {
			return gone, err
		}
		gone++
	}
	return gone, nil
}

// Unread returns the runs of the owner that are not read any more, because something was said in them that they had
// forgotten, or because they asked for it there.
func Unread(ctx context.Context, q store.Query, o Owner) (map[rein.RunID]bool, error) {
	rows, err := q.QueryContext(ctx, `SELECT source, forgot_run FROM memories WHERE household = ? AND user_name = ? AND forgotten <> 0`, o.Household, o.User)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	runs := map[rein.RunID]bool{}
	for rows.Next() {
		var source, in rein.RunID
		if err := rows.Scan(&source, &in); err != nil {
			return nil, err
		}
		runs[source], runs[in] = true, true
	}
	delete(runs, "")
	return runs, rows.Err()
}

func texts(ctx context.Context, q store.Query, query string, args ...any) (map[int64]string, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]string{}
	for rows.Next() {
		var n int64
		var text string
		if err := rows.Scan(&n, &text); err != nil {
			return nil, err
		}
		found[n] = text
	}
	return found, rows.Err()
}

// numbered returns the owner's summaries by their rows.
func numbered(ctx context.Context, q store.Query, o Owner) (map[int64]Summary, error) {
	rows, err := q.QueryContext(ctx, `SELECT n, kind, about, text, began, ended FROM session_summaries WHERE household = ? AND user_name = ?`, o.Household, o.User)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]Summary{}
	for rows.Next() {
		var n, from, to int64
		var s Summary
		if err := rows.Scan(&n, &s.Kind, &s.About, &s.Text, &from, &to); err != nil {
			return nil, err
		}
		s.From, s.At = timeOf(from), timeOf(to)
		found[n] = s
	}
	return found, rows.Err()
}
