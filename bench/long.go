package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/journal/feed"
	"rein/store"
	"rein/store/sqlite"
)

// long measures what reading a long log takes in memory: it is followed, read page by page and verified, by a
// process that has done nothing else.
func (b *bench) long(ctx context.Context) error {
	t := table{
		title: "long: highest RSS of a process that reads the log of one run, MB",
		head:  []string{"events", "store open", "followed to its end", "read in pages", "verified", "verified, s"},
	}
	for _, events := range b.sizes.longs {
		dir, err := b.newDir()
		if err != nil {
			return err
		}
		if err := longStore(ctx, dir, events); err != nil {
			return err
		}
		f, err := b.cell(ctx, spec{Task: "long", Dir: dir, Runs: events})
		if err != nil {
			return err
		}
		mb := func(name string) string { return fmt.Sprintf("%.1f", f[name]/1024) }
		t.add(strconv.Itoa(events), mb("open_kb"), mb("followed_kb"), mb("paged_kb"), mb("verified_kb"), fmt.Sprintf("%.1f", f["verify_s"]))
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	t.print(b.out)
	return nil
}

// longStore makes a store with one run that has so many events, and has ended.
func longStore(ctx context.Context, dir string, events int) (err error) {
	s, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	f := &filler{Store: s}
	budget, at := rein.DefaultBudget(), time.Now()
	if err := f.start("long", rein.Task{Flow: "chat", Budget: &budget}, at, steps(at)); err != nil {
		return err
	}
	for n := 5; n < events-1; {
		batch := store.Batch{Run: "long", Epoch: 1, Seen: 1 << 40}
		for range min(500, events-1-n) {
			n++
			step := rein.StepKey(strconv.Itoa(n))
			batch.Drafts = append(batch.Drafts, store.Draft{Kind: rein.StepDone, Step: step, At: at, Data: rein.StepEnd{Verb: rein.VerbTool, Partial: strings.Repeat("x", 100)}})
		}
		if _, err := s.Append(ctx, batch); err != nil {
			return err
		}
	}
	_, err = s.Append(ctx, store.Batch{Run: "long", Epoch: 1, Seen: 1 << 40, Drafts: []store.Draft{f.end(0, at)}})
	return err
}

// longCell reads the log in every way.
func longCell(ctx context.Context, s spec) (figures, error) {
	r, err := sqlite.OpenReader(ctx, filepath.Join(s.Dir, "rein.db"))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	follow := feed.New(r)
	defer follow.Close()
	f := figures{"open_kb": memory("VmHWM")}
	n := 0
	for line, err := range follow.Follow(ctx, "long", feed.Options{}) {
		if err != nil {
			return nil, err
		}
		if line.Event != nil {
			n++
		}
	}
	if n != s.Runs {
		return nil, fmt.Errorf("%d of %d events were followed", n, s.Runs)
	}
	f["followed_kb"] = memory("VmHWM")
	for o, more := (feed.Options{}), true; more; {
		var lines []feed.Line
		if lines, more, err = follow.Page(ctx, "long", o, 1000); err != nil {
			return nil, err
		}
		if len(lines) > 0 {
			o.After = lines[len(lines)-1].Cursor
		}
	}
	f["paged_kb"] = memory("VmHWM")
	began := time.Now()
	verdict, err := r.Verify(ctx, "long")
	if err != nil || len(verdict.Wrong) > 0 {
		return nil, fmt.Errorf("the log is not sound: %q, %w", verdict.Wrong, err)
	}
	f["verified_kb"], f["verify_s"] = memory("VmHWM"), time.Since(began).Seconds()
	return f, nil
}
