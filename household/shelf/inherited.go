package shelf

import (
	"cmp"
	"context"
	"slices"
	"time"

	"rein"
	"rein/household/branches"
	"rein/store"
)

// A branch sees the files that were there when the run began that it replaces, as they were then: one that changed later
// is not shown. A file of its own hides one of the same name.

// An earlier is a session whose files another inherits, up to a moment.
type earlier struct {
	rein.Place
	until time.Time
}

// earliers returns whose files a session inherits, the nearest first. A branch of a branch sees no more of the older
// session than the branch does.
func earliers(ctx context.Context, q store.Query, p rein.Place) (all []earlier, err error) {
	origins, err := branches.Origins(ctx, q, p)
	var until time.Time
	for _, o := range origins {
		if until.IsZero() || o.Until.Before(until) {
			until = o.Until
		}
		all = append(all, earlier{rein.Place{Household: p.Household, User: p.User, Session: o.From.Session}, until})
	}
	return all, err
}

// listAll is list with what is inherited.
func listAll(ctx context.Context, q store.Query, p rein.Place) ([]rein.File, error) {
	files, err := list(ctx, q, p)
	if err != nil {
		return nil, err
	}
	before, err := earliers(ctx, q, p)
	for _, e := range before {
		more, err := list(ctx, q, e.Place)
		if err != nil {
			return nil, err
		}
		for _, f := range more {
			if !f.Changed.After(e.until) && !slices.ContainsFunc(files, func(own rein.File) bool { return own.Name == f.Name }) {
				files = append(files, f)
			}
		}
	}
	slices.SortStableFunc(files, func(a, b rein.File) int { return cmp.Compare(a.Name, b.Name) })
	return files, err
}

// findAny is find with what is inherited.
func findAny(ctx context.Context, q store.Query, p rein.Place, name string) (f rein.File, content string, err error) {
	if f, content, err = find(ctx, q, p, name); content != "" || err != nil {
		return f, content, err
	}
	before, err := earliers(ctx, q, p)
	for _, e := range before {
		f, content, err := find(ctx, q, e.Place, name)
		if err != nil || content != "" && !f.Changed.After(e.until) {
			return f, content, err
		}
	}
	return rein.File{}, "", err
}
