package notify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/follow/notify"
)

// A target is told of an ask when it opens, with what it may know; the text of questions only if it
// is to have content. What is another household's or user's is not told.
func TestTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		open, mine := target("open"), target("mine")
		open.Content = true
		mine.Household, mine.User = "home", "bob"
		h.serve(open, mine)
		began := time.Now().UTC()
		ask := h.ask("r1", "home", "ann")
		synctest.Wait()
		same(t, "told", h.net.take(), "open.example ask.opened r1")
		want := notify.Message{
			ID: h.net.last.ID, Kind: rein.WebhookAskOpened, Time: began, Household: "home", User: "ann", Run: "r1", Session: "s-r1", Flow: "operate", Title: "Tidy up.",
			Ask: &notify.Question{
				ID: ask, Kind: rein.AskApproval, Text: "Allow rm {}?", Choices: []string{"yes", "no"}, Tool: "rm", Deadline: began.Add(time.Hour), State: rein.AskPending,
			},
			Link: "https://rein.example/runs/r1/r1:1.ask",
		}
		if diff := cmp.Diff(want, h.net.last); diff != "" {
			t.Error(diff)
		}
		h.ask("r2", "home", "bob")
		h.ask("r3", "other", "bob")
		synctest.Wait()
		told := strings.Split(h.net.take(), "; ")
		slices.Sort(told)
		same(t, "told", strings.Join(told, "; "), "mine.example ask.opened r2; open.example ask.opened r2; open.example ask.opened r3")
		time.Sleep(time.Hour) // sweeps find nothing that was not told
		same(t, "later", h.net.take(), "")
	})
}

// Without content a target learns that something waits, and where, and none of its words.
func TestWithoutContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.serve(target("a"))
		h.ask("r1", "home", "ann")
		synctest.Wait()
		said, err := json.Marshal(h.net.last)
		check(t, err)
		if strings.Contains(string(said), "Tidy") || strings.Contains(string(said), "Allow") || strings.Contains(string(said), "yes") || h.net.last.Ask.Tool != "rm" {
			t.Errorf("%s", said)
		}
	})
}

// What fails is tried again under the same ID, later each time, until it is taken; then no more.
func TestTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.net.status("a.example", http.StatusInternalServerError)
		h.serve(target("a"))
		h.ask("r1", "home", "ann")
		synctest.Wait()
		same(t, "at first", h.states(), "a ask.opened r1 waiting tries=1")
		time.Sleep(20 * time.Second) // after 3.75 to 6.25 and 7.5 to 12.5 s more
		synctest.Wait()
		same(t, "after three", h.states(), "a ask.opened r1 waiting tries=3")
		h.net.status("a.example", http.StatusNoContent)
		time.Sleep(time.Minute)
		synctest.Wait()
		same(t, "in the end", h.states(), "a ask.opened r1 delivered tries=4")
		if len(h.net.ids) != 4 || len(slices.Compact(slices.Clone(h.net.ids))) != 1 {
			t.Errorf("%q", h.net.ids)
		}
	})
}

// After 24 hours a delivery is given up, which can be seen; until then it is tried at least hourly.
// Retry begins anew.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		var times []time.Duration
		began := time.Now()
		h.net.handle("a.example", func(w http.ResponseWriter, _ *http.Request) {
			times = append(times, time.Since(began))
			w.WriteHeader(http.StatusBadGateway)
		})
		h.serve(target("a"))
		h.ask("r1", "home", "ann")
		time.Sleep(26 * time.Hour)
		last := times[len(times)-1]
		if last != notify.Patience || len(times) < 27 || len(times) > 50 {
			t.Errorf("%d tries, the last after %s", len(times), last)
		}
		for i := 1; i < len(times); i++ {
			if between := times[i] - times[i-1]; between > 75*time.Minute+time.Second {
				t.Errorf("%s between tries %d and %d", between, i, i+1)
			}
		}
		same(t, "given up", h.states(), fmt.Sprintf("a ask.opened r1 given up tries=%d", len(times)))
		h.net.status("a.example", http.StatusOK)
		check(t, h.notifier.Retry(t.Context(), "a"))
		synctest.Wait()
		same(t, "retried", h.states(), fmt.Sprintf("a ask.opened r1 delivered tries=%d", len(times)+1))
		if err := h.notifier.Retry(t.Context(), "b"); rein.CodeOf(err) != rein.CodeNotFound {
			t.Error(err)
		}
	})
}

// A process that dies after the outbox was written, or before, loses nothing: who comes next tells it,
// under the ID that the target may have seen.
func TestKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.net.handle("a.example", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		h.serve(target("a"))
		h.ask("r1", "home", "ann")
		synctest.Wait()
		same(t, "under way", h.net.take(), "a.example ask.opened r1")
		same(t, "the outbox", h.states(), "a ask.opened r1 waiting tries=0")
		h.close()
		h.open()
		h.ask("r2", "home", "ann") // while nobody tells
		h.close()
		h.open()
		h.net.status("a.example", http.StatusOK)
		h.serve(target("a"))
		told := strings.Split(h.net.take(), "; ")
		slices.Sort(told)
		same(t, "told", strings.Join(told, "; "), "a.example ask.opened r1; a.example ask.opened r2")
		if h.net.ids[0] != h.net.ids[1] && h.net.ids[0] != h.net.ids[2] {
			t.Errorf("%q", h.net.ids)
		}
		h.close()
		h.open()
		h.serve(target("a"))
		same(t, "once more", h.net.take(), "")
		h.close()
	})
}

// Many asks at once are all told, each once, and only a few at a time.
func TestManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.net.handle("a.example", func(http.ResponseWriter, *http.Request) { time.Sleep(time.Second) })
		h.serve(target("a"))
		const many = 135
		for i := range many {
			h.ask(rein.RunID(fmt.Sprint("r", i)), "home", "ann")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		slices.Sort(h.net.ids)
		if len(h.net.ids) != many || len(slices.Compact(h.net.ids)) != many || h.net.most > 8 {
			t.Errorf("%d deliveries, %d at once", len(h.net.ids), h.net.most)
		}
		s, err := h.notifier.Status(t.Context(), "home")
		check(t, err)
		if s.Targets[0].Counts[rein.Delivered] != many || len(s.Deliveries) != many {
			t.Errorf("%+v", s.Targets)
		}
		s, err = h.notifier.Status(t.Context(), "other")
		if err != nil || len(s.Deliveries) != 0 || len(s.Targets[0].Counts) != 0 {
			t.Errorf("%+v %v", s, err)
		}
	})
}

// An ask that is closed before it could be told is not told. That one was closed is told to those who
// may know of it, if they want to.
func TestClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.net.handle("down.example", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		a := h.ask("r1", "home", "ann")
		h.answer(a) // before anyone tells
		h.serve(target("up", rein.WebhookAskOpened, rein.WebhookAskClosed), target("only"))
		same(t, "closed before", h.net.take(), "")

		b := h.ask("r2", "home", "ann")
		synctest.Wait()
		h.net.take()
		h.answer(b)
		synctest.Wait()
		same(t, "closed after", h.net.take(), "up.example ask.closed r2")
		if m := h.net.last; m.Ask.State != rein.AskApproved || !m.Time.Equal(time.Now()) {
			t.Errorf("%+v", m)
		}
		h.stop()

		h.serve(target("down", rein.WebhookAskOpened, rein.WebhookAskClosed))
		c := h.ask("r3", "home", "ann")
		synctest.Wait()
		h.net.take()
		h.answer(c)
		h.net.status("down.example", http.StatusOK)
		time.Sleep(time.Minute)
		same(t, "it may have got it", h.net.take(), "down.example ask.closed r3")
		h.stop()

		h.net.handle("hung.example", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		h.serve(target("hung"))
		d := h.ask("r4", "home", "ann")
		synctest.Wait()
		h.stop() // it is in the outbox, and not told
		h.answer(d)
		h.net.take()
		h.serve(target("hung"))
		same(t, "closed in the outbox", h.net.take(), "")
		if states := h.states(); !strings.Contains(states, "hung ask.opened r4 dropped tries=0") {
			t.Error(states)
		}
	})
}

// What is closed while it is being told is told as closed afterwards.
func TestClosedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.net.handle("a.example", func(http.ResponseWriter, *http.Request) { time.Sleep(time.Second) })
		h.serve(target("a", rein.WebhookAskOpened, rein.WebhookAskClosed))
		ask := h.ask("r1", "home", "ann")
		synctest.Wait()
		h.answer(ask)
		time.Sleep(5 * time.Second)
		same(t, "told", h.net.take(), "a.example ask.opened r1; a.example ask.closed r1")
	})
}

// What is over is kept for a month; an ask that is still open is never told twice, however old.
func TestPruned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.serve(target("a"))
		h.ask("old", "home", "ann")
		h.answer(h.ask("r1", "home", "ann"))
		synctest.Wait()
		h.close()
		time.Sleep(31 * 24 * time.Hour)
		h.net.take()
		h.open()
		h.serve(target("a"))
		same(t, "told", h.net.take(), "")
		same(t, "kept", h.states(), "a ask.opened old delivered tries=1")
		h.close()
	})
}

// A target that is gone is told nothing more, also by the next process, until it is enabled or moves.
func TestGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.net.status("a.example", http.StatusGone)
		h.serve(target("a"))
		h.ask("r1", "home", "ann")
		synctest.Wait()
		h.net.take()
		h.ask("r2", "home", "ann")
		time.Sleep(time.Hour)
		same(t, "after 410", h.net.take(), "")
		s, err := h.notifier.Status(t.Context(), "")
		check(t, err)
		if s.Targets[0].Disabled.IsZero() || s.Targets[0].Why == "" || s.Targets[0].Host != "a.example" {
			t.Errorf("%+v", s.Targets)
		}
		h.close()
		h.open()
		h.net.status("a.example", http.StatusOK)
		h.serve(target("a"))
		same(t, "the next process", h.net.take(), "")
		h.stop()
		moved := target("a")
		moved.URL = "https://b.example/hook"
		h.serve(moved)
		if told := h.net.take(); strings.Count(told, "b.example ask.opened") != 2 {
			t.Error(told)
		}
		h.close()
	})
}

// A target that does not answer is cut off after ten seconds; nobody else waits for it.
func TestSlowTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.net.handle("slow.example", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		h.serve(target("slow"), target("fast"))
		for i := range 20 {
			h.ask(rein.RunID(fmt.Sprint("r", i)), "home", "ann")
		}
		synctest.Wait()
		if told := h.net.take(); strings.Count(told, "fast.example") != 20 {
			t.Error(told)
		}
		time.Sleep(10*time.Second + time.Millisecond)
		s, err := h.notifier.Status(t.Context(), "")
		check(t, err)
		failed := slices.ContainsFunc(s.Deliveries, func(d rein.Delivery) bool { return d.Error == "did not answer within 10s" && d.Tries == 1 })
		if !failed {
			t.Errorf("%+v", s.Deliveries)
		}
	})
}

// A redirect is not followed: where it leads to was not checked by anyone.
//
// Attack: 33
func TestRedirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.net.handle("a.example", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://b.example/steal", http.StatusTemporaryRedirect)
		})
		h.serve(target("a"))
		h.ask("r1", "home", "ann")
		synctest.Wait()
		same(t, "told", h.net.take(), "a.example ask.opened r1")
		same(t, "state", h.states(), "a ask.opened r1 waiting tries=1")
	})
}

// The end of a run is told to who wants it: of roots only, also if nobody watched when it ended, and
// not of what ended before there was a target.
func TestRunEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.start("old", "home", "ann")
		h.end("old")
		h.serve(target("a", rein.WebhookRunEnded), target("b"))
		h.start("r1", "home", "ann")
		h.end("r1")
		synctest.Wait()
		same(t, "told", h.net.take(), "a.example run.ended r1")
		if m := h.net.last; m.End != rein.EndDone || m.Ask != nil || m.Link != "https://rein.example/runs/r1" {
			t.Errorf("%+v", m)
		}
		h.close()
		h.open()
		h.start("r2", "home", "ann")
		h.start("r2.1", "home", "ann")
		h.end("r2.1")
		h.end("r2")
		h.serve(target("a", rein.WebhookRunEnded))
		same(t, "missed", h.net.take(), "a.example run.ended r2")
		h.close()
	})
}

// Neither the outbox nor what is shown of it holds a secret: not the signing one, and not the path of
// the URL; also if the connection fails.
func TestNoSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.serve(target("a"))
		h.notifier.UseTransport(failing{errors.New("dial \x1b[31m tcp: no route\nto host")})
		h.ask("r1", "home", "ann")
		synctest.Wait()
		s, err := h.notifier.Status(t.Context(), "")
		check(t, err)
		shown, err := json.Marshal(s)
		check(t, err)
		if strings.Contains(string(shown), "TOKEN") || strings.Contains(string(shown), secret) {
			t.Errorf("%s", shown)
		}
		same(t, "error", s.Deliveries[0].Error, "dial  [31m tcp: no route to host")
	})
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// Of what a target answers only a little is read.
func TestEndlessAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.serve(target("a"))
		endless := &endless{}
		h.notifier.UseTransport(endless)
		h.ask("r1", "home", "ann")
		synctest.Wait()
		same(t, "state", h.states(), "a ask.opened r1 delivered tries=1")
		if endless.read > 1<<20 {
			t.Errorf("%d bytes were read", endless.read)
		}
	})
}

type endless struct{ read int }

func (e *endless) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(e)}, nil
}

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

// A store that cannot be written for a while loses nothing: what was noted then is found soon after.
func TestStoreFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		full := &failingStore{Store: h.store}
		n, err := notify.New(notify.Options{Store: full, Targets: []notify.Target{target("a")}})
		check(t, err)
		n.UseTransport(h.net)
		full.fails.Store(true)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- n.Serve(ctx) }()
		time.Sleep(time.Minute) // it cannot even begin
		full.fails.Store(false)
		time.Sleep(20 * time.Second)
		full.fails.Store(true)
		h.ask("r1", "home", "ann")
		time.Sleep(time.Minute)
		same(t, "while it fails", h.net.take(), "")
		full.fails.Store(false)
		time.Sleep(20 * time.Second)
		same(t, "after", h.net.take(), "a.example ask.opened r1")
		cancel()
		check(t, <-done)
	})
}

type failingStore struct {
	notify.Store
	fails atomic.Bool
}

func (s *failingStore) Write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	if s.fails.Load() {
		return rein.Errorf(rein.CodeDiskFull, "the disk is full")
	}
	return s.Store.Write(ctx, do)
}

// A pause doubles up to an hour, and is never the same for all.
func TestPause(t *testing.T) {
	seen := map[time.Duration]bool{}
	for tries, want := range map[int]time.Duration{1: 5 * time.Second, 2: 10 * time.Second, 5: 80 * time.Second, 11: time.Hour, 1000: time.Hour} {
		for range 50 {
			p := notify.Pause(5*time.Second, tries)
			if seen[p] = true; p < want*3/4 || p > want*5/4 {
				t.Errorf("after %d tries %s", tries, p)
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d different pauses", len(seen))
	}
}

// What targets must be is said when the notifier is made.
func TestNew(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	for what, change := range map[string]func(*notify.Target){
		"no name":        func(t *notify.Target) { t.Name = "" },
		"odd name":       func(t *notify.Target) { t.Name = "a b" },
		"no URL":         func(t *notify.Target) { t.URL = "" },
		"no host":        func(t *notify.Target) { t.URL = "https:///x" },
		"plain http":     func(t *notify.Target) { t.URL = "http://a.example" },
		"a file":         func(t *notify.Target) { t.URL = "file:///etc/passwd"; t.Private = true },
		"a password":     func(t *notify.Target) { t.URL = "https://ann:pw@a.example" },
		"loopback":       func(t *notify.Target) { t.URL = "https://127.0.0.1/" },
		"mapped":         func(t *notify.Target) { t.URL = "https://[::ffff:10.0.0.1]/" },
		"metadata":       func(t *notify.Target) { t.URL = "https://169.254.169.254/latest" },
		"no secret":      func(t *notify.Target) { t.Secret = nil },
		"short secret":   func(t *notify.Target) { t.Secret = func() string { return "short" } },
		"unknown event":  func(t *notify.Target) { t.Events = []rein.WebhookEvent{"run.started"} },
		"bad characters": func(t *notify.Target) { t.URL = "https://a.example/\x7f" },
	} {
		bad := target("a")
		change(&bad)
		_, err := notify.New(notify.Options{Store: h.store, Targets: []notify.Target{bad}})
		if rein.CodeOf(err) != rein.CodeInvalid || strings.Contains(err.Error(), "TOKEN") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := notify.New(notify.Options{Store: h.store, Targets: []notify.Target{target("a"), target("a")}})
	if rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
	if _, err := notify.New(notify.Options{}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
	private := target("p")
	private.URL, private.Private = "http://127.0.0.1:1/", true
	if _, err := notify.New(notify.Options{Store: h.store, Targets: []notify.Target{private}}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	nothing, err := notify.New(notify.Options{Store: h.store})
	check(t, err)
	check(t, nothing.Serve(ctx))
}
