package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// maxSeconds bounds how long a cell starts new runs.
const maxSeconds = 60

// workCell measures runs of one peer.
func workCell(ctx context.Context, s spec) (figures, error) {
	empty, err := emptySize(ctx, s)
	if err != nil {
		return nil, err
	}
	var tokens atomic.Int64
	p, err := newPeer(ctx, s, func(string) { tokens.Add(1) })
	if err != nil {
		return nil, err
	}
	if _, err := repeat(ctx, s, p, -s.Warm, 0); err != nil {
		return nil, err
	}
	tokens.Store(0)
	toolCalls.Store(0)
	runtime.GC()
	stop, err := profile(s)
	if err != nil {
		return nil, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, m := figures{}, startMeter(s)
	times, err := repeat(ctx, s, p, 0, s.Runs)
	m.read(f)
	runtime.ReadMemStats(&after)
	if err == nil {
		err = checkWork(s, len(times), int(tokens.Load()), int(toolCalls.Load()))
	}
	if err != nil {
		return nil, err
	}
	runs := float64(len(times))
	f["runs"], f["cpu_ms"], f["runs_s"], f["rss_mb"] = runs, f["cpu_s"]*1000/runs, runs/f["wall_s"], memory("VmHWM")/1024
	f["allocs"], f["alloc_kb"] = float64(after.Mallocs-before.Mallocs)/runs, float64(after.TotalAlloc-before.TotalAlloc)/runs/1000
	f.spread("ms", times)
	if err := stop(); err != nil {
		return nil, err
	}
	if err := p.close(); err != nil {
		return nil, err
	}
	bytes, err := storeBytes(s.Dir)
	f["disk"] = float64(bytes-empty) / (runs + float64(s.Warm))
	return f, err
}

// checkWork says whether every run did all of its work.
func checkWork(s spec, runs, tokens, tools int) error {
	if runs == 0 || tokens != runs*s.Tokens || tools != runs*s.Steps {
		return fmt.Errorf("%s: %d runs showed %d tokens and called the tool %d times; want %d and %d each",
			s.Peer, runs, tokens, tools, s.Tokens, s.Steps)
	}
	return nil
}

// emptySize is what the peer's store takes on disk before anything is in it.
func emptySize(ctx context.Context, s spec) (int64, error) {
	s.Dir = filepath.Join(s.Dir, "empty")
	if err := os.Mkdir(s.Dir, 0o755); err != nil {
		return 0, err
	}
	p, err := newPeer(ctx, s, func(string) {})
	if err != nil {
		return 0, err
	}
	if err := p.close(); err != nil {
		return 0, err
	}
	return storeBytes(s.Dir)
}

// repeat makes the runs from..to, as many at once as the spec says, and returns what each took in ms.
func repeat(ctx context.Context, s spec, p peer, from, to int) ([]float64, error) {
	return each(s.Conc, from, to, func(n int) error { return checkRun(ctx, s, p, n) })
}

// each does something with every number from..to, so many at once, and returns what each took in ms.
func each(conc, from, to int, do func(n int) error) ([]float64, error) {
	var next atomic.Int64
	next.Store(int64(from))
	end := time.Now().Add(maxSeconds * time.Second)
	times, errs := make([][]float64, conc), make([]error, conc)
	var workers sync.WaitGroup
	for w := range conc {
		workers.Go(func() {
			for errs[w] == nil && time.Now().Before(end) {
				n := int(next.Add(1)) - 1
				if n >= to {
					return
				}
				began := time.Now()
				errs[w] = do(n)
				times[w] = append(times[w], millis(time.Since(began)))
			}
		})
	}
	workers.Wait()
	var all []float64
	for w := range conc {
		if errs[w] != nil {
			return nil, errs[w]
		}
		all = append(all, times[w]...)
	}
	return all, nil
}

func checkRun(ctx context.Context, s spec, p peer, n int) error {
	text, err := p.run(ctx, n)
	if err != nil {
		return err
	}
	if got := strings.Count(text, "tok"); got != s.Tokens {
		return fmt.Errorf("run %d: the answer has %d tokens, want %d: %.60q", n, got, s.Tokens, text)
	}
	return nil
}
