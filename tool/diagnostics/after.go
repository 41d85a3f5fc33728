package diagnostics

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein"
)

const (
	afterFiles = 10
	afterShown = 10
)

// After says what is wrong with files that a call has just written, for its result; empty: nothing is known about them. A
// server that is not installed is not mentioned, and one that is slow does not keep the call: it goes on loading for the
// next one. A run that may not use the tool gets nothing.
func (c *Checks) After(ctx context.Context, inv rein.Invocation, paths []string) string {
	if c == nil || c.root == "" || inv.Task != nil && inv.Task.Policy.Denies(rein.Tool{Name: Name}) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.Wait, 8*time.Second))
	defer cancel()
	if c.take(ctx) != nil {
		return ""
	}
	defer c.give()
	var lines []string
	for _, b := range c.written(inv, paths) {
		lines = append(lines, c.look(ctx, inv, b)...)
	}
	return strings.Join(lines, "\n")
}

// written are the files among these that can be checked, by project and server.
func (c *Checks) written(inv rein.Invocation, paths []string) (all []batch) {
	for _, path := range paths[:min(len(paths), afterFiles)] {
		real, err := c.resolve(inv, path)
		if err != nil {
			continue
		}
		s, ok := serverOf(real)
		if !ok {
			continue
		}
		if _, err := s.find(c.Getenv); err != nil {
			continue
		}
		made, err := c.add(nil, real, real)
		if err != nil || len(made) == 0 {
			continue
		}
		at := slices.IndexFunc(all, func(b batch) bool { return b.Name == s.Name && b.project == made[0].project })
		if at < 0 {
			all = append(all, made[0])
			continue
		}
		all[at].files = append(all[at].files, made[0].files...)
	}
	return all
}

// look says what a server says of its files.
func (c *Checks) look(ctx context.Context, inv rein.Invocation, b batch) []string {
	found, complete, err := c.ask(ctx, inv, b)
	if err != nil {
		return []string{fmt.Sprintf("[%.300v]", err)}
	}
	var notes []string
	if !complete {
		notes = []string{fmt.Sprintf("[%s is not ready yet: the tool diagnostics waits for it]", b.Name)}
		if len(found) == 0 {
			return notes
		}
	}
	fresh, known := c.fresh(inv, b, found)
	head := fmt.Sprintf("%s finds no problems.", b.Name)
	switch {
	case len(found) > 0 && !known:
		head = fmt.Sprintf("%s finds %s:", b.Name, count(len(found), "problem"))
	case len(found) > 0 && len(fresh) == 0:
		head = fmt.Sprintf("%s finds nothing new, and %s from before.", b.Name, count(len(found), "problem"))
	case len(found) > 0:
		head = fmt.Sprintf("%s finds %s, %d from before. New:", b.Name, count(len(found), "problem"), len(found)-len(fresh))
	}
	lines := []string{head}
	for _, p := range fresh[:min(len(fresh), afterShown)] {
		lines = append(lines, p.String())
	}
	if n := len(fresh) - afterShown; n > 0 {
		notes = append(notes, fmt.Sprintf("[%d more: the tool diagnostics lists them]", n))
	}
	return append(lines, notes...)
}

// fresh are the problems that the server did not mention when one of these files was last written. known: it has been
// asked about all of them before.
func (c *Checks) fresh(inv rein.Invocation, b batch, found []Problem) (fresh []Problem, known bool) {
	s, err := c.serve(inv, b) // the one that was just asked
	if err != nil {
		return found, false
	}
	known = true
	left, now := map[string][]string{}, map[string][]string{}
	for _, f := range b.files {
		rel, _ := filepath.Rel(c.root, f.Path) // it is below
		path := filepath.ToSlash(rel)
		was, ok := s.said[path]
		left[path], now[path], known = slices.Clone(was), []string{}, known && ok
	}
	for _, p := range found {
		now[p.Path] = append(now[p.Path], p.says())
		if at := slices.Index(left[p.Path], p.says()); at >= 0 {
			left[p.Path] = slices.Delete(left[p.Path], at, at+1)
			continue
		}
		fresh = append(fresh, p)
	}
	for path, says := range now {
		s.said[path] = says
	}
	return fresh, known
}
