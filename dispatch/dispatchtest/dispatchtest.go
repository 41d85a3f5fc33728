// Package dispatchtest is the contract of dispatch.Dispatcher: the tests that every dispatcher must
// pass. The contract of the engine runs on every dispatcher too.
package dispatchtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/dispatch"
)

// patience bounds every wait; it is never waited for unless something is wrong.
const patience = 30 * time.Second

// Run runs the contract.
func Run(t *testing.T, newDispatcher func() dispatch.Dispatcher) {
	for name, test := range map[string]func(*testing.T, *driver){
		"what is due is driven":                 due,
		"a wake drives":                         wake,
		"a wake during a drive is not lost":     wakeDuring,
		"one run is never driven twice at once": exclusive,
		"a timer drives":                        timer,
		"an earlier timer is not missed":        earlierTimer,
		"a failed drive is tried again":         retry,
		"a run that is done is left alone":      done,
		"many runs":                             many,
		"busy runs do not hold up another's":    busy,
		"shutdown waits for drives to let go":   shutdown,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &driver{T: t, Dispatcher: newDispatcher(), drives: make(chan rein.RunID, 10_000), wakeAt: map[rein.RunID]time.Time{}}
			test(t, d)
		})
	}
}

// driver is a dispatch.Driver whose rows are a map.
type driver struct {
	*testing.T
	dispatch.Dispatcher
	drives chan rein.RunID

	mu     sync.Mutex
	drive  func(context.Context, rein.RunID) (dispatch.Next, error)
	wakeAt map[rein.RunID]time.Time
	active map[rein.RunID]int
}

func (d *driver) Drive(ctx context.Context, run rein.RunID) (dispatch.Next, error) {
	d.mu.Lock()
	delete(d.wakeAt, run)
	drive := d.drive
	d.mu.Unlock()
	d.drives <- run
	if drive == nil {
		return dispatch.Next{Done: true}, nil
	}
	return drive(ctx, run)
}

// by says how runs are driven from now on.
func (d *driver) by(drive func(context.Context, rein.RunID) (dispatch.Next, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drive = drive
}

func (d *driver) Due(_ context.Context, now time.Time, limit int) (due []rein.RunID, next time.Time, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for run, at := range d.wakeAt {
		switch {
		case !at.After(now) && len(due) < limit:
			due = append(due, run)
		case next.IsZero() || at.Before(next):
			next = at
		}
	}
	return due, next, nil
}

func (d *driver) dueAt(run rein.RunID, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wakeAt[run] = at
}

// Owner makes the part of a run's name before the first hyphen its user.
func (d *driver) Owner(_ context.Context, run rein.RunID) dispatch.Owner {
	user, _, _ := strings.Cut(string(run), "-")
	return dispatch.Owner{Household: "home", User: user}
}

// serve serves until the test ends or stop is called.
func (d *driver) serve() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, d) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-served:
			if err != nil {
				d.Error(err)
			}
		case <-time.After(patience):
			d.Error("Serve does not return")
		}
	})
	d.Cleanup(stop)
	return stop
}

func (d *driver) driven() rein.RunID {
	d.Helper()
	select {
	case run := <-d.drives:
		return run
	case <-time.After(patience):
		d.Fatal("nothing was driven")
	}
	return ""
}

func (d *driver) want(run rein.RunID) {
	d.Helper()
	if got := d.driven(); got != run {
		d.Fatalf("run %s was driven, want %s", got, run)
	}
}

func due(_ *testing.T, d *driver) {
	d.dueAt("r1", time.Now().Add(-time.Hour))
	d.serve()
	d.want("r1")
}

// ready serves and waits until the dispatcher does.
func (d *driver) ready() (stop func()) {
	d.dueAt("first", time.Now())
	stop = d.serve()
	d.want("first")
	return stop
}

func wake(_ *testing.T, d *driver) {
	d.ready()
	d.Wake("r1")
	d.want("r1")
}

func wakeDuring(_ *testing.T, d *driver) {
	d.ready()
	entered, release := make(chan struct{}), make(chan struct{})
	first := true
	d.by(func(context.Context, rein.RunID) (dispatch.Next, error) {
		if first {
			first = false
			close(entered)
			<-release
			return dispatch.Next{}, nil // it looked before the wake: parked, without a time
		}
		return dispatch.Next{Done: true}, nil
	})
	d.Wake("r1")
	d.want("r1")
	<-entered
	d.Wake("r1")
	close(release)
	d.want("r1")
}

func exclusive(t *testing.T, d *driver) {
	d.ready()
	d.active = map[rein.RunID]int{}
	d.by(func(_ context.Context, run rein.RunID) (dispatch.Next, error) {
		d.mu.Lock()
		d.active[run]++
		if d.active[run] > 1 {
			t.Errorf("run %s is driven twice at once", run)
		}
		d.mu.Unlock()
		d.mu.Lock()
		d.active[run]--
		d.mu.Unlock()
		return dispatch.Next{}, nil
	})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			d.Wake("r1")
			d.dueAt("r1", time.Now())
			d.Wake("r2")
		})
	}
	all.Wait()
	for seen := map[rein.RunID]bool{}; len(seen) < 2; {
		seen[d.driven()] = true
	}
}

func timer(t *testing.T, d *driver) {
	d.ready()
	at := time.Now().Add(30 * time.Millisecond)
	parked := false
	d.by(func(context.Context, rein.RunID) (dispatch.Next, error) {
		if parked {
			if time.Now().Before(at) {
				t.Error("driven too early")
			}
			return dispatch.Next{Done: true}, nil
		}
		parked = true
		d.dueAt("r1", at)
		return dispatch.Next{Until: at}, nil
	})
	d.Wake("r1")
	d.want("r1")
	d.want("r1")
}

func earlierTimer(_ *testing.T, d *driver) {
	d.ready()
	d.by(func(_ context.Context, run rein.RunID) (dispatch.Next, error) {
		if _, known := map[rein.RunID]bool{"late": true, "early": true}[run]; !known {
			return dispatch.Next{Done: true}, nil
		}
		at := time.Now().Add(time.Hour)
		if run == "early" {
			at = time.Now().Add(10 * time.Millisecond)
		}
		d.dueAt(run, at)
		return dispatch.Next{Until: at}, nil
	})
	d.Wake("late")
	d.want("late")
	d.Wake("early")
	d.want("early")
	d.want("early") // by its timer, although a later one was set first
}

func retry(_ *testing.T, d *driver) {
	d.ready()
	failed := false
	d.by(func(context.Context, rein.RunID) (dispatch.Next, error) {
		if !failed {
			failed = true
			return dispatch.Next{}, errors.New("the disk is full")
		}
		return dispatch.Next{Done: true}, nil
	})
	d.Wake("r1")
	d.want("r1")
	d.want("r1")
}

func done(t *testing.T, d *driver) {
	d.ready()
	d.Wake("r1")
	d.want("r1")
	d.Wake("r2")
	d.want("r2") // and not r1 again
	select {
	case run := <-d.drives:
		t.Errorf("run %s was driven again", run)
	default:
	}
}

func many(_ *testing.T, d *driver) {
	const n = 2000
	for i := range n {
		d.dueAt(rein.RunID(fmt.Sprintf("r%d", i)), time.Now())
	}
	d.serve()
	seen := map[rein.RunID]bool{}
	for len(seen) < n {
		seen[d.driven()] = true
	}
}

// busy has a member whose runs are due again as soon as they were driven.
func busy(t *testing.T, d *driver) {
	d.ready()
	d.by(func(_ context.Context, run rein.RunID) (dispatch.Next, error) {
		if run != "owner-1" {
			d.Wake(run)
		}
		return dispatch.Next{}, nil
	})
	defer d.by(nil)
	for n := range 100 {
		d.Wake(rein.RunID(fmt.Sprintf("mallory-%d", n)))
	}
	d.driven()
	d.Wake("owner-1")
	for n := 0; d.driven() != "owner-1"; n++ {
		if n == 50_000 {
			t.Fatal("the owner's run is not driven")
		}
	}
}

func shutdown(t *testing.T, d *driver) {
	stop := d.ready()
	let := make(chan struct{})
	d.by(func(ctx context.Context, _ rein.RunID) (dispatch.Next, error) {
		<-ctx.Done()
		<-let
		return dispatch.Next{}, nil
	})
	d.Wake("r1")
	d.want("r1")
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	select {
	case <-stopped:
		t.Error("Serve returned while a run was driven")
	default:
	}
	close(let)
	<-stopped
	d.Wake("r2") // after the end: no harm
}
