package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"time"

	"rein"
	"rein/api"
	"rein/engine/guard"
	"rein/journal/feed"
	"rein/server"
	"rein/server/mask"
	"rein/store"
	"rein/store/sqlite"
)

// maxViewMS is how long a request may take that lists or sums up runs, at p99.
const maxViewMS = 20.0

// views measures what people ask often, with many runs in the store.
func (b *bench) views(ctx context.Context) (err error) {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	s, err := b.fillStore(ctx, filepath.Join(dir, "rein.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	seen := mask.New(s, (*guard.Redactor)(nil))
	v := &viewer{bench: b, store: s, handler: server.New(server.Options{
		Store: seen, Feed: feed.New(seen), Accounts: s,
		Who:    func(r *http.Request) (rein.Identity, error) { return identity(r.Header.Get("X-User")), nil },
		Health: func() api.Health { return api.Health{} },
	})}
	other, began := machineCPU()-ownCPU(), time.Now()
	if err := v.measure(ctx); err != nil {
		return err
	}
	share := (machineCPU() - ownCPU() - other) / time.Since(began).Seconds() / float64(runtime.NumCPU())
	v.print(share)
	return nil
}

func identity(user string) rein.Identity {
	who := rein.Host()
	if user != "" {
		who.User, who.Role = user, rein.Member
		who.Scopes = []rein.Scope{rein.ScopeRead}
	}
	return who
}

// fillStore makes the store and waits until its lists are filled.
func (b *bench) fillStore(ctx context.Context, path string) (*sqlite.Store, error) {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	f := &filler{Store: s, runs: b.sizes.viewRuns, asks: b.sizes.viewRuns / 100}
	began := time.Now()
	if err := f.fill(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	fmt.Fprintf(b.log, "views: %d runs in %s\n", f.made.Load(), time.Since(began).Round(time.Second))
	return s, nil
}

// A viewer sends requests to the handler of the API.
type viewer struct {
	*bench
	handler http.Handler
	store   *sqlite.Store
	rows    []viewRow
}

type viewRow struct {
	name, user string
	first, cpu float64
	times      []float64
	size       int
}

func (v *viewer) measure(ctx context.Context) error {
	last, err := v.lastPage(ctx)
	if err != nil {
		return err
	}
	for _, r := range [][2]string{
		{"usage by day", "/v1/usage"},
		{"usage by day, in a zone", "/v1/usage?zone=Asia/Kathmandu"},
		{"usage by user", "/v1/usage?by=user"},
		{"usage by flow", "/v1/usage?by=flow"},
		{"usage by session, a page", "/v1/usage?by=session"},
		{"asks that wait, a page", "/v1/asks?state=pending"},
		{"asks that wait, a page of 1000", "/v1/asks?state=pending&limit=1000"},
		{"asks, a page", "/v1/asks"},
		{"asks of a tree", "/v1/asks?tree=run-0000007"},
		{"runs", "/v1/runs"},
		{"runs, newest", "/v1/runs?newest=1"},
		{"runs, last page", "/v1/runs?after=" + string(last)},
		{"runs, roots", "/v1/runs?roots=1&newest=1"},
		{"runs that failed", "/v1/runs?status=failed"},
		{"runs that are done, newest", "/v1/runs?status=done&newest=1"},
		{"runs that wait", "/v1/runs?status=waiting"},
		{"runs unfinished", "/v1/runs?status=unfinished&newest=1"},
		{"runs, a page of 1000", "/v1/runs?limit=1000"},
		{"a tree of 101 runs", "/v1/runs/run-0000007/tree"},
		{"a run", "/v1/runs/run-0000007"},
		{"the budget of a tree", "/v1/runs/run-0000007/budget"},
	} {
		for _, user := range []string{"", "ann"} {
			if err := v.request(r[0], r[1], user); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastPage returns the run after which the last page begins, for everyone.
func (v *viewer) lastPage(ctx context.Context) (last rein.RunID, err error) {
	for info, err := range v.store.Runs(ctx, store.Filter{Household: "home", User: "ann", Newest: true, Limit: 50}) {
		if err != nil {
			return "", err
		}
		last = info.ID
	}
	return last, nil
}

// request sends a request often.
func (v *viewer) request(name, path, user string) error {
	row, cpu := viewRow{name: name, user: user}, 0.0
	for i := range v.sizes.viewTimes + 1 {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("X-User", user)
		w := httptest.NewRecorder()
		began := time.Now()
		v.handler.ServeHTTP(w, r)
		took := time.Since(began).Seconds() * 1000
		switch {
		case w.Code == http.StatusNotFound && user != "":
			return nil // it belongs to somebody else
		case w.Code != http.StatusOK:
			return fmt.Errorf("GET %s: %d %s", path, w.Code, w.Body)
		case i == 0:
			row.first, row.size, cpu = took, w.Body.Len(), ownCPU()
		default:
			row.times = append(row.times, took)
		}
	}
	row.cpu = (ownCPU() - cpu) * 1000 / float64(len(row.times))
	v.rows = append(v.rows, row)
	return nil
}

func (v *viewer) print(share float64) {
	t := table{
		title: fmt.Sprintf("views: %d runs, %d requests each through the handler of the API (others' CPU %s)", v.sizes.viewRuns, v.sizes.viewTimes, v.others(share)),
		head:  []string{"what", "who", "answer kB", "first ms", "CPU ms", "p50 ms", "p99 ms", "target", ""},
	}
	for _, r := range v.rows {
		who := "admin"
		if r.user != "" {
			who = "member"
		}
		p99 := percentile(r.times, 0.99)
		t.add(r.name, who, fmt.Sprintf("%.0f", float64(r.size)/1000), fmt.Sprintf("%.1f", r.first), fmt.Sprintf("%.2f", r.cpu), fmt.Sprintf("%.2f", median(r.times)), fmt.Sprintf("%.2f", p99),
			fmt.Sprintf("p99 ≤ %.0f", maxViewMS), verdict(p99, maxViewMS))
	}
	t.print(v.out)
}
