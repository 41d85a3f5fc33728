package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"rein"
	"rein/store/sqlite"
)

// maxOpenMS is how long a large store may take to open.
const maxOpenMS = 1000.0

// open measures how long a large store takes to open, after a clean and an unclean end.
func (b *bench) open(ctx context.Context) error {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "rein.db")
	if err := b.largeStore(ctx, path); err != nil {
		return err
	}
	clean, err := openTimes(ctx, path, 3)
	if err != nil {
		return err
	}
	p, _, err := launch(ctx, "", spec{Task: "dirty", Dir: dir, Hold: true})
	if err != nil {
		return err
	}
	p.kill()
	unclean, err := openTimes(ctx, path, 1)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	t := table{title: fmt.Sprintf("open: a store of %.1f GB", float64(info.Size())/1e9), head: []string{"what", "ms", "target", ""}}
	for _, row := range []struct {
		name  string
		times []float64
	}{{"after a clean end, median of 3", clean}, {"after an unclean end (the check runs in the background)", unclean}} {
		t.add(row.name, fmt.Sprintf("%.0f", median(row.times)), fmt.Sprintf("≤ %.0f", maxOpenMS), verdict(median(row.times), maxOpenMS))
	}
	t.print(b.out)
	return os.RemoveAll(dir)
}

// largeStore fills a store with runs that have a long text each.
func (b *bench) largeStore(ctx context.Context, path string) (err error) {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	f := &filler{Store: s}
	for i := 0; ; i++ {
		if i%100 == 0 {
			if info, err := os.Stat(path); err != nil || info.Size() > int64(b.sizes.openMB)<<20 {
				return err
			}
		}
		text := make([]byte, 1<<20)
		for j := range text {
			text[j] = byte('a' + rand.IntN(26))
		}
		budget, at := rein.DefaultBudget(), time.Now()
		task := rein.Task{Flow: "chat", Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: string(text)}}}
		if err := f.start(rein.RunID(fmt.Sprintf("large-%d", i)), task, at, append(steps(at), f.end(i, at))); err != nil {
			return err
		}
	}
}

func openTimes(ctx context.Context, path string, times int) (all []float64, err error) {
	for range times {
		began := time.Now()
		s, err := sqlite.Open(ctx, path, sqlite.Options{})
		if err != nil {
			return nil, err
		}
		all = append(all, time.Since(began).Seconds()*1000)
		if err := s.Close(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// dirtyCell writes to a store and waits to be killed.
func dirtyCell(ctx context.Context, s spec) (figures, error) {
	st, err := sqlite.Open(ctx, filepath.Join(s.Dir, "rein.db"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	f := &filler{Store: st}
	budget, at := rein.DefaultBudget(), time.Now()
	return figures{}, f.start("dirty", rein.Task{Flow: "chat", Budget: &budget}, at, steps(at))
}
