package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"rein"
	"rein/store"
)

// What people typed is read from the logs behind the lists' back, by a reader, and then written at once: so neither an
// append nor the writer waits for it. Whoever searches reads what is newer than the mark.

// maxTyped is how much of one text is found.
const maxTyped = 16 << 10

// typedRun is what the log of a run says of the workspace and of what was typed.
type typedRun struct {
	n, session int64
	command    int64 // the newest command that was read
	root       bool
	erased     bool
	workspace  string
	texts      []typedText
}

type typedText struct {
	seq  int64
	text string // in lower case
}

// foldTyped adds what was typed in some runs, if more than spare are newer than the mark, and reports whether it did.
func (s *Store) foldTyped(ctx context.Context, spare int64) (folded bool, err error) {
	var runs []typedRun
	var after, upto int64
	err = s.view(ctx, func(v *snapshot) error {
		var newest int64
		err := v.tx.QueryRowContext(ctx, `SELECT typed_n, (SELECT coalesce(max(n), 0) FROM runs) FROM view_mark`).Scan(&after, &newest)
		if err != nil || newest-after <= spare {
			return err
		}
		upto = min(after+foldMost, newest)
		runs, err = v.typed(`r.n > ?1 AND r.n <= ?2 AND (r.depth = 0 OR r.workspace IS NULL)`, after, upto)
		return err
	})
	if err != nil || upto == 0 {
		return false, err
	}
	err = s.submit(ctx, &request{do: func(w *writer) error { return w.addTyped(runs, after, upto) }})
	return err == nil, err
}

// addTyped writes what a reader has read. A run to which something was sent since is read again.
func (w *writer) addTyped(runs []typedRun, after, upto int64) error {
	ctx := context.Background()
	v := &snapshot{ctx: ctx, tx: w.conn}
	var mark int64
	if err := w.conn.QueryRowContext(ctx, `SELECT typed_n FROM view_mark`).Scan(&mark); err != nil || mark != after {
		return err // somebody else has added them
	}
	w.wrote = true
	for _, run := range runs {
		again, err := v.typed(`r.n = ?1 AND (r.command <> ?2 OR r.erased <> ?3)`, run.n, run.command, run.erased)
		if err != nil {
			return err
		}
		for _, r := range again {
			run = r
		}
		if err := w.addTypedRun(run); err != nil {
			return err
		}
	}
	_, err := w.conn.ExecContext(ctx, `UPDATE view_mark SET typed_n = ?`, upto)
	w.typed = upto
	return err
}

func (w *writer) addTypedRun(run typedRun) error {
	ctx := context.Background()
	if !run.erased { // of an erased run nobody knows
		if _, err := w.conn.ExecContext(ctx, `UPDATE runs SET workspace = ? WHERE n = ? AND workspace IS NULL`, run.workspace, run.n); err != nil {
			return err
		}
	}
	for _, t := range run.texts {
		_, err := w.conn.ExecContext(ctx, `INSERT OR IGNORE INTO view_typed VALUES (?, ?, ?, ?)`, run.session, run.n, t.seq, t.text)
		if err != nil {
			return err
		}
	}
	return nil
}

// noteTyped adds what a person sends to a run that the mark has passed.
func (w *writer) noteTyped(h *head, c rein.Command) error {
	text := typedIn(c)
	if text == "" || h.id.Parent() != "" {
		return nil
	}
	if w.typed == unknownMark {
		if err := w.conn.QueryRowContext(context.Background(), `SELECT typed_n FROM view_mark`).Scan(&w.typed); err != nil {
			return err
		}
	}
	if h.n > w.typed {
		return nil
	}
	_, err := w.conn.ExecContext(context.Background(), `INSERT OR IGNORE INTO view_typed VALUES (?, ?, ?, ?)`, h.session, h.n, h.seq, text)
	return err
}

// typedIn is what a person typed in a command; empty: nothing.
func typedIn(c rein.Command) string {
	if c.From != "" || c.Kind != rein.CommandMessage && c.Kind != rein.CommandModify && c.Kind != rein.CommandComment {
		return ""
	}
	return foldCase(c.Text)
}

// foldCase makes a text comparable, and not too long.
func foldCase(text string) string {
	return strings.ToLower(strings.ToValidUTF8(rein.Clip(text, maxTyped), "\uFFFD"))
}

// typed reads what was typed in the runs that a condition selects.
func (v *snapshot) typed(where string, args ...any) (runs []typedRun, err error) {
	type row struct {
		run       typedRun
		household int64
		seq       int64
		kind      rein.Kind
		blob      []byte
	}
	var rows []row
	err = v.each(func(r *sql.Rows) error {
		var one row
		err := r.Scan(&one.run.n, &one.run.session, &one.run.command, &one.run.root, &one.run.erased, &one.household, &one.seq, &one.kind, &one.blob)
		rows = append(rows, one)
		return err
	}, `SELECT r.n, r.session_n, r.command, r.depth = 0, r.erased, s.household_n, e.seq, e.kind, e.data
		FROM runs r CROSS JOIN sessions s ON s.n = r.session_n CROSS JOIN events e ON e.run_n = r.n
			AND (e.seq = 1 OR e.seq IN (SELECT c.seq FROM commands c WHERE c.run_n = r.n AND c.kind IN ('message', 'modify', 'comment')))
		WHERE `+where+` ORDER BY r.n, e.seq`, args...)
	for _, one := range rows {
		if err != nil {
			return nil, err
		}
		if len(runs) == 0 || runs[len(runs)-1].n != one.run.n {
			runs = append(runs, one.run)
		}
		if !one.run.erased {
			runs[len(runs)-1].read(one.seq, one.kind, one.blob, v.texts(one.household))
		}
		err = v.failed
	}
	return runs, err
}

// read adds what an event says. One that cannot be read says nothing: verify says so.
func (r *typedRun) read(seq int64, kind rein.Kind, blob []byte, lookup func(rein.Hash) ([]byte, bool)) {
	data, err := store.Unpack(blob, lookup)
	if err != nil {
		return
	}
	event := rein.Event{Seq: seq, Kind: kind, Data: data}
	text := ""
	if kind == rein.RunStarted {
		start, err := rein.Payload[rein.RunStart](event)
		if err != nil {
			return
		}
		r.workspace, text = start.Task.Workspace, typedTask(start.Task)
	} else if c, err := rein.Payload[rein.Command](event); err == nil {
		text = typedIn(c)
	}
	if text != "" && r.root {
		r.texts = append(r.texts, typedText{seq, text})
	}
}

// typedTask is what a person typed in a task.
func typedTask(task rein.Task) string {
	var texts []string
	for _, m := range task.Messages {
		if m.Role == rein.User && m.Text != "" {
			texts = append(texts, m.Text)
		}
	}
	return foldCase(strings.Join(texts, "\n"))
}

// typedSince finds the runs newer than the mark in which a text was typed.
func (v *snapshot) typedSince(text string) (found []typedRun, err error) {
	var mark int64
	if err := v.tx.QueryRowContext(v.ctx, `SELECT typed_n FROM view_mark`).Scan(&mark); err != nil {
		return nil, err
	}
	runs, err := v.typed(`r.n > ?1 AND r.depth = 0 AND r.erased = 0`, mark)
	for _, run := range runs {
		if slices.ContainsFunc(run.texts, func(t typedText) bool { return strings.Contains(t.text, text) }) {
			found = append(found, run)
		}
	}
	return found, err
}
