package stage

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/store"
)

const (
	// openFor is how long whoever had a note open while it was replaced may still write to it.
	openFor = 5 * time.Minute
	// keepFor is how long a commit can be undone.
	keepFor = 90 * 24 * time.Hour
)

// Sweep takes away what commits left in the work folder, once nobody can have it open any more, and
// the journal of commits that are too old to be undone. A file that is not what the journal says is
// somebody's text: it is kept, and returned. It is for whoever opens the vault, now and then.
func (d *Desk) Sweep(ctx context.Context) (kept []string, err error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	names, err := d.leftovers()
	if err != nil {
		return nil, err
	}
	for token, files := range names {
		more, err := d.sweep(ctx, token, files)
		if err != nil {
			return nil, err
		}
		kept = append(kept, more...)
	}
	slices.Sort(kept)
	_ = d.root.Remove(workFolder) // if it is empty
	return kept, d.forget(ctx)
}

// leftovers returns the files of the work folder by the token in their names.
func (d *Desk) leftovers() (map[string][]string, error) {
	f, err := d.root.Open(workFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, wrong("read", workFolder, err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, wrong("read", workFolder, err)
	}
	files := map[string][]string{}
	for _, name := range names {
		token, _, _ := strings.Cut(name, "-")
		files[token] = append(files[token], name)
	}
	return files, nil
}

// sweep removes the files of one commit that hold nothing but what the journal has.
func (d *Desk) sweep(ctx context.Context, token string, files []string) (kept []string, err error) {
	var found []Commit
	err = d.tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		found, err = commits(ctx, q, `WHERE token = ?`, token)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		file := path.Join(workFolder, name)
		switch {
		case len(found) == 0:
			kept = append(kept, file)
		case found[0].isOpen() || d.now().Sub(found[0].changed) < openFor:
		case !d.isKnown(found[0], file):
			kept = append(kept, file)
		default:
			if err := d.root.Remove(file); err != nil {
				return nil, wrong("remove", file, err)
			}
		}
	}
	return kept, nil
}

func (c Commit) isOpen() bool { return c.state == preparing || c.state == placing }

// isKnown reports whether a file is as the journal has it, or another name of a note.
func (d *Desk) isKnown(c Commit, file string) bool {
	stem, kind, _ := strings.Cut(path.Base(file), ".")
	_, digits, _ := strings.Cut(stem, "-")
	slot, err := strconv.Atoi(digits)
	if err != nil || slot < 0 || slot >= len(c.Notes) {
		return false
	}
	w := c.Notes[slot]
	hash := d.hashOf(file)
	return d.isSame(file, w.Path) || hash != "" && (kind == "old" && hash == w.Before || kind != "old" && hash == w.After)
}

// forget takes out of the journal the commits that are too old to be undone, and those that were erased
// and have left nothing in the work folder. Mostly there are none, and then nothing is written: every
// command that opens the vault comes here.
func (d *Desk) forget(ctx context.Context) error {
	const old = `(state IN ('done', 'failed', 'erased') AND changed < ? OR vault = ? AND state = 'erased' AND changed < ?)`
	before := []any{d.now().Add(-keepFor).UnixMicro(), d.vault, d.now().Add(-openFor).UnixMicro()}
	var some []Commit
	err := d.tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		some, err = commits(ctx, q, `WHERE `+old+` LIMIT 1`, before...)
		return err
	})
	if err != nil || len(some) == 0 {
		return err
	}
	return d.tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM note_commit_files WHERE token IN (SELECT token FROM note_commits WHERE `+old+`)`, before...)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM note_commits WHERE `+old, before...)
		}
		return err
	})
}
