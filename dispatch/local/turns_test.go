package local

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/dispatch"
)

// A house is a driver whose runs belong to whom their names begin with, and hang until they are allowed to
// go on.
type house struct {
	mu    sync.Mutex
	order []rein.RunID // as they were driven
	due   []rein.RunID
	looks int
	size  int64 // of each run's log
	goOn  chan struct{}
}

func (h *house) Drive(ctx context.Context, run rein.RunID) (dispatch.Next, error) {
	h.mu.Lock()
	h.order = append(h.order, run)
	h.mu.Unlock()
	select {
	case <-h.goOn:
	case <-ctx.Done():
	}
	return dispatch.Next{Done: true}, nil
}

func (h *house) Owner(_ context.Context, run rein.RunID) dispatch.Owner {
	user, _, _ := strings.Cut(string(run), "-")
	return dispatch.Owner{Household: "home", User: user, Watched: strings.HasSuffix(string(run), "w"), Size: h.size}
}

// Due tells what is due as a store does: the same runs again until they are claimed.
func (h *house) Due(_ context.Context, _ time.Time, limit int) ([]rein.RunID, time.Time, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looks++
	return h.due[:min(limit, len(h.due))], time.Time{}, nil
}

func (h *house) driven(user string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, run := range h.order {
		if strings.HasPrefix(string(run), user) {
			n++
		}
	}
	return n
}

// inHouse serves a house while test runs.
func inHouse(t *testing.T, h *house, limit int, test func(d *Dispatcher)) {
	synctest.Test(t, func(t *testing.T) {
		h.goOn = make(chan struct{})
		d := &Dispatcher{Limit: limit, Sweep: time.Second}
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- d.Serve(ctx, h) }()
		synctest.Wait()
		test(d)
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// A member wakes as many runs as there can be, and none of them comes to its end. The owner's run is
// driven all the same.
//
// Attack: 73
// Covers: ENG-29
func TestRunsThatHangDoNotHoldUpOthers(t *testing.T) {
	h := &house{}
	inHouse(t, h, 8, func(d *Dispatcher) {
		for n := range 500 {
			d.Wake(rein.RunID(fmt.Sprint("mallory-", n)))
		}
		synctest.Wait()
		if n := h.driven("mallory"); n < 5 {
			t.Errorf("who is alone drives %d runs at a time, of 8", n)
		}
		d.Wake("owner-1")
		synctest.Wait()
		if h.driven("owner") != 1 {
			t.Errorf("the owner's run is not driven; %v are", h.order)
		}
	})
}

// With one slot the owner's run is the next but one, whatever a member has queued; of the owner's own
// runs the watched one goes first.
//
// Attack: 73
// Covers: ENG-29
func TestSlotsAreGivenByTurns(t *testing.T) {
	h := &house{}
	inHouse(t, h, 1, func(d *Dispatcher) {
		for n := range 200 {
			d.Wake(rein.RunID(fmt.Sprint("mallory-", n, "w")))
		}
		synctest.Wait()
		d.Wake("owner-1")
		synctest.Wait()
		d.Wake("owner-2w")
		for range 4 {
			synctest.Wait()
			h.goOn <- struct{}{}
		}
		synctest.Wait()
		if first, second := h.order[2], h.order[4]; first != "owner-2w" || second != "owner-1" {
			t.Errorf("driven in the order %v", h.order)
		}
	})
}

// What is due is found behind any number of due runs that wait for a slot, and nobody looks for it in a
// loop.
//
// Attack: 73
// Covers: ENG-29
func TestDueRunsThatWaitDoNotHideOthers(t *testing.T) {
	h := &house{}
	for n := range 2 * sweepBatch {
		h.due = append(h.due, rein.RunID(fmt.Sprint("mallory-", n)))
	}
	h.due = append(h.due, "owner-1")
	inHouse(t, h, 8, func(*Dispatcher) {
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if h.driven("owner") != 1 {
			t.Error("the owner's run is due and not driven")
		}
		if h.looks > 20 {
			t.Errorf("it looked %d times within 10 s", h.looks)
		}
	})
}

// With large logs fewer runs are driven at once: those that are have about 32 MB together, whatever a
// member wakes, and the owner's large run is among them.
//
// Attack: 73
// Covers: ENG-29
func TestLargeRunsTakeMorePlaces(t *testing.T) {
	for _, c := range []struct {
		size        int64
		least, most int // runs of the member that are driven
	}{{0, 500, 500}, {placeSize, 500, 500}, {900_000, 20, 30}, {4 << 20, 4, 6}, {1 << 40, 4, 6}} {
		h := &house{size: c.size}
		inHouse(t, h, 0, func(d *Dispatcher) {
			for n := range 500 {
				d.Wake(rein.RunID(fmt.Sprint("mallory-", n)))
			}
			synctest.Wait()
			if n := h.driven("mallory"); n < c.least || n > c.most {
				t.Errorf("of %d bytes each %d runs are driven, want %d to %d", c.size, n, c.least, c.most)
			}
			d.Wake("owner-1")
			synctest.Wait()
			if h.driven("owner") != 1 {
				t.Errorf("the owner's run of %d bytes is not driven", c.size)
			}
		})
	}
}
