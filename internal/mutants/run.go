package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A runner runs the tests of mutants.
type runner struct {
	dir string // for broken files
	out io.Writer
}

// atOnce is how many mutants are run at a time: one links while another runs its tests.
const atOnce = 2

// all runs the mutants and reports whether the tests noticed every one.
func (r *runner) all(ctx context.Context, list []mutant) bool {
	begin := time.Now()
	results := make([]error, len(list))
	places := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i, m := range list {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			start := time.Now()
			err := r.one(ctx, m)
			mu.Lock()
			defer mu.Unlock()
			results[i] = err
			r.tell(m, err, time.Since(start))
		})
	}
	wg.Wait()
	bad := 0
	for _, err := range results {
		if err != nil {
			bad++
		}
	}
	fmt.Fprintf(r.out, "mutants: %d noticed, %d not, in %s\n", len(list)-bad, bad, time.Since(begin).Round(time.Second))
	return bad == 0
}

func (r *runner) tell(m mutant, err error, took time.Duration) {
	if err == nil {
		fmt.Fprintf(r.out, "  noticed  %-28s %5.1fs\n", m.name, took.Seconds())
		return
	}
	fmt.Fprintf(r.out, "  FAILED   %-28s %v\n           %s\n", m.name, err, m.why)
}

// one returns nil if a test fails on the mutant.
func (r *runner) one(ctx context.Context, m mutant) error {
	file, broken, err := m.apply()
	if err != nil {
		return fmt.Errorf("no longer applies: %w", err)
	}
	overlay, err := r.overlay(m.name, file, broken)
	if err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "./"+m.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("does not compile: %s", clip(out))
	}
	for _, t := range m.by {
		out, err := goTest(ctx, t, "-overlay", overlay)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case strings.Contains(out, "--- FAIL: "):
			return nil
		default:
			return fmt.Errorf("ended without a failing test: %w: %s", err, clip([]byte(out)))
		}
	}
	return errors.New("the tests do not notice: " + describe(m.by))
}

// overlay writes what go -overlay reads.
func (r *runner) overlay(name, file string, broken []byte) (string, error) {
	original, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	replaced, overlay := filepath.Join(r.dir, name+".go"), filepath.Join(r.dir, name+".json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: replaced}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(replaced, broken, 0o600), os.WriteFile(overlay, list, 0o600))
}

// goTest runs the tests. That there are none of this name is an error too: they would notice nothing.
func goTest(ctx context.Context, t tests, flags ...string) (string, error) {
	args := append([]string{"test", "-vet=off", "-count=1", "-timeout=3m", "-run", t.pattern}, append(flags, "./"+t.dir)...)
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	if err == nil && (strings.Contains(string(out), "[no tests to run]") || strings.Contains(string(out), "[no test files]")) {
		err = errors.New("there is no such test")
	}
	return string(out), err
}

// unbroken runs every test once without a mutant: one that fails anyway would seem to notice.
func (r *runner) unbroken(ctx context.Context, list []mutant) error {
	seen := map[tests]bool{}
	for _, m := range list {
		for _, t := range m.by {
			if seen[t] {
				continue
			}
			seen[t] = true
			if out, err := goTest(ctx, t); err != nil {
				return fmt.Errorf("%s fails on unbroken code: %w\n%s", describe([]tests{t}), err, out)
			}
		}
	}
	return nil
}

func describe(by []tests) string {
	var all []string
	for _, t := range by {
		all = append(all, t.dir+" "+t.pattern)
	}
	return strings.Join(all, ", ")
}

// clip keeps the end of a long output, where the reason is.
func clip(out []byte) string {
	const most = 2000
	return strings.TrimSpace(string(out[max(0, len(out)-most):]))
}
