package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// An idle owner ends after its time, counted from when it was last needed, and not while it is.
func TestVigil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle = 10 * time.Minute
		began := time.Now()
		workUntil := began.Add(25 * time.Minute)
		g := &gate{last: began, nudged: make(chan struct{}, 1)}
		hasWork := func() bool { return time.Now().Before(workUntil) }
		v := vigil{
			idle: idle, nudged: g.nudged, done: func() bool { return false },
			last: func() time.Time {
				if last, open := g.used(); open == 0 && !hasWork() {
					return last
				}
				return time.Now()
			},
			leave: func() bool { return g.shut(hasWork) },
		}
		go func() { // somebody looks in, and goes
			time.Sleep(31 * time.Minute)
			g.add(1)
			time.Sleep(4 * time.Minute)
			g.add(-1)
		}()
		if !v.wait(t.Context()) {
			t.Fatal("it does not end")
		}
		if after := time.Since(began); after < 45*time.Minute || after > 46*time.Minute {
			t.Errorf("it ended after %s, want 45 minutes: the last client left after 35", after)
		}
		if g.add(1) {
			t.Error("a request was let in afterwards")
		}
	})
}

// The end of the context ends the waiting, and lets requests in.
func TestVigilEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{nudged: make(chan struct{}, 1)}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		v := vigil{idle: time.Hour, nudged: g.nudged, last: time.Now, leave: func() bool { return true }, done: func() bool { return false }}
		if v.wait(ctx) || !g.add(1) {
			t.Error("it ended for another reason")
		}
	})
}

// Whoever says that they need it no more lets it end as soon as all have gone, unless somebody comes, or there
// is a run that has not ended.
func TestRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{nudged: make(chan struct{}, 1)}
		unfinished := true
		v := vigil{
			idle: time.Hour, nudged: g.nudged, last: time.Now, leave: func() bool { return false },
			done: func() bool { return g.isReleased() && g.shut(func() bool { return unfinished }) },
		}
		ended := make(chan time.Duration)
		began := time.Now()
		go func() {
			v.wait(t.Context())
			ended <- time.Since(began)
		}()
		g.add(1)
		g.release()
		synctest.Wait()
		g.add(1) // another comes
		g.add(-1)
		g.add(-1)
		synctest.Wait()
		g.release() // with a run that waits
		synctest.Wait()
		if g.isShut() {
			t.Fatal("it ended although a run has not")
		}
		time.Sleep(time.Second)
		unfinished = false
		g.release()
		if took := <-ended; took != time.Second {
			t.Errorf("it ended after %s", took)
		}
	})
}

// Once it is about to end, requests are refused in a way that clients understand: they come again, to the next owner.
func TestGateRefuses(t *testing.T) {
	g := &gate{nudged: make(chan struct{}, 1)}
	called := 0
	h := g.count(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		called++
		if g.shut(func() bool { return false }) {
			t.Error("it was shut with a request in progress")
		}
		g.force()
	}))
	for range 2 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/runs", nil))
		if called == 1 && g.open != 0 {
			t.Error("it counts a request that has ended")
		}
		if w.Code == http.StatusServiceUnavailable {
			return
		}
	}
	t.Error("a request was let in")
}

// What decides how runs go is in the digest, and what belongs to one terminal is not.
func TestDigest(t *testing.T) {
	digest := func(version string, env ...string) string {
		return New(Options{Env: env}).digestOf(version)
	}
	base := digest("v1", "A_KEY=1", "TERM=xterm", "PATH=/bin")
	for _, same := range [][]string{{"PATH=/bin", "A_KEY=1", "TERM=dumb", "SHLVL=3"}, {"A_KEY=1", "PATH=/bin"}} {
		if digest("v1", same...) != base {
			t.Errorf("%q makes a difference", same)
		}
	}
	for _, other := range [][]string{{"A_KEY=2", "PATH=/bin"}, {"PATH=/bin"}, {"A_KEY=1", "PATH=/usr/bin"}, {"A_KEY=1", "PATH=/bin", "REIN_MODEL=x"}} {
		if digest("v1", other...) == base {
			t.Errorf("%q makes no difference", other)
		}
	}
	if digest("v2", "A_KEY=1", "PATH=/bin") == base {
		t.Error("the version makes no difference")
	}
}
