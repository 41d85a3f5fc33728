package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
)

// says is a server that answers every request the same.
func says(status int, kind, body string) *client.Client {
	return client.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
}

// TestStrangeAnswers come from something that is no server of ours, or a broken one.
func TestStrangeAnswers(t *testing.T) {
	for _, c := range []struct {
		status     int
		kind, body string
		code       rein.Code
	}{
		{404, api.ProblemType, `{"code":"not_found","detail":"there is no run"}`, rein.CodeNotFound},
		{409, api.ProblemType, `{"code":"closed","detail":"by ann"}`, rein.CodeClosed},
		{404, api.ProblemType, `{`, rein.CodeNotFound},
		{502, "text/html", `<h1>Bad gateway</h1>`, rein.CodeProvider},
		{503, "text/html", ``, rein.CodeUnavailable},
		{301, "text/html", `moved`, rein.CodeInternal},
		{200, "application/json", ``, rein.CodeUnavailable},
		{200, "application/json", `{"version":`, rein.CodeUnavailable},
		{200, "text/html", `<h1>It works!</h1>`, rein.CodeUnavailable},
	} {
		_, err := says(c.status, c.kind, c.body).Health(t.Context())
		wantCode(t, fmt.Sprint(c.status, " ", c.body), err, c.code)
		if _, ok := errors.AsType[*rein.Error](err); !ok {
			t.Errorf("%d %s: %T is no *rein.Error", c.status, c.body, err)
		}
	}
}

// TestTooLarge is refused before it is sent.
func TestTooLarge(t *testing.T) {
	_, err := says(200, "application/json", "{}").Command(t.Context(), rein.Command{Text: strings.Repeat("x", api.MaxRun)})
	wantCode(t, "a large command", err, rein.CodeInvalid, "at most 8388608")
}

// scripted is a server whose nth connection sends the nth text and breaks off.
func scripted(cursors *[]string, streams ...string) *client.Client {
	n := 0
	return client.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*cursors = append(*cursors, r.URL.Query().Get("after"))
		if n++; n > len(streams) {
			panic("no more")
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, streams[n-1])
		if !strings.Contains(streams[n-1], "event: end\n") {
			panic("broken off")
		}
	}))
}

func event(seq int, kind rein.Kind, step string) string {
	return fmt.Sprintf("id: %d\nevent: event\ndata: {\"cursor\":\"%d\",\"event\":{\"run\":\"r\",\"seq\":%d,\"kind\":%q,\"step\":%q}}\n\n", seq, seq, seq, kind, step)
}

func delta(attempt, offset int, text string) string {
	return fmt.Sprintf("event: delta\ndata: {\"delta\":{\"run\":\"r\",\"step\":\"1\",\"attempt\":%d,\"offset\":%d,\"text\":%q}}\n\n", attempt, offset, text)
}

const end = "event: end\ndata: {}\n\n"

// TestMending follows over connections that break off: what was there before is not given again.
func TestMending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cursors []string
		c := scripted(&cursors,
			"retry: 1000\n\n"+event(1, rein.RunStarted, "")+event(2, rein.StepStarted, "1")+delta(1, 0, "Once ")+"event: delta\ndata: {\"delta\"",
			": nothing new\n\n"+delta(1, 0, "Once upon ")+delta(1, 10, "a "),
			"",
			delta(1, 0, "Once upon ")+delta(1, 0, "Once upon a "), // nothing new
			delta(2, 0, "Twice ")+delta(1, 0, "late")+event(3, rein.StepDone, "1")+"event: new\ndata: what is this?\n\n",
			event(4, rein.RunCompleted, "")+end,
		)
		var got []string
		for line, err := range c.Follow(t.Context(), "r", client.FollowOptions{}) {
			check(t, err)
			if line.Delta != nil {
				got = append(got, fmt.Sprintf("%d@%d %s", line.Delta.Attempt, line.Delta.Offset, line.Delta.Text))
			} else {
				got = append(got, fmt.Sprint(line.Event.Seq))
			}
		}
		want := "1|2|1@0 Once |1@5 upon |1@10 a |2@0 Twice |3|4"
		if strings.Join(got, "|") != want {
			t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
		}
		if got := strings.Join(cursors, " "); got != " 2 2 2 2 3" {
			t.Errorf("cursors were %q", got)
		}
	})
}

// TestGivingUp ends with a clear error when nobody comes back, after a bounded time.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cursors []string
		began := time.Now()
		c := scripted(&cursors, event(1, rein.RunStarted, ""))
		lines := 0
		for _, err := range c.Follow(t.Context(), "r", client.FollowOptions{}) {
			if lines++; lines == 2 {
				wantCode(t, "the feed", err, rein.CodeUnavailable, "feed of run r broke off")
			}
		}
		if waited := time.Since(began); lines != 2 || waited > 10*time.Second || len(cursors) < 5 {
			t.Errorf("%d lines, %d tries in %s", lines, len(cursors), waited)
		}
	})
}

// TestSilence takes a connection for dead that does not even send heartbeats.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		connections := 0
		c := client.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if connections++; connections == 1 {
				_, _ = io.WriteString(w, event(1, rein.RunStarted, ""))
				for range 10 {
					time.Sleep(15 * time.Second) // of the bubble's time
					_, _ = io.WriteString(w, ": nothing new\n\n")
				}
				<-r.Context().Done()
				return
			}
			_, _ = io.WriteString(w, end)
		}))
		began := time.Now()
		for _, err := range c.Follow(t.Context(), "r", client.FollowOptions{}) {
			check(t, err)
		}
		if waited := time.Since(began); connections != 2 || waited < 150*time.Second || waited > 5*time.Minute {
			t.Errorf("%d connections in %s", connections, waited)
		}
	})
}

// TestRefusals end a feed at once, whether before it begins or in the middle.
func TestRefusals(t *testing.T) {
	problem := "event: error\ndata: {\"code\":\"damaged\",\"detail\":\"event 2 of run r is missing\"}\n\n"
	for name, c := range map[string]*client.Client{
		"damaged":   says(200, "text/event-stream", problem),
		"not_found": says(404, api.ProblemType, `{"code":"not_found","detail":"there is no run r"}`),
		"invalid":   says(400, "text/plain", "what?"),
	} {
		n := 0
		for _, err := range c.Follow(t.Context(), "r", client.FollowOptions{}) {
			n++
			wantCode(t, name, err, rein.Code(name))
		}
		if n != 1 {
			t.Errorf("%s: %d pairs", name, n)
		}
	}
}

// TestInside checks the transport to a handler of this process: streams are read as they are written,
// and closing ends the request.
func TestInside(t *testing.T) {
	step, ended := make(chan struct{}), make(chan struct{})
	c := client.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		_, _ = io.WriteString(w, event(1, rein.RunStarted, ""))
		<-step
		_, _ = io.WriteString(w, event(2, rein.StepStarted, "1"))
		<-r.Context().Done()
		if _, err := io.WriteString(w, "nobody reads this"); err == nil {
			t.Error("writing to a closed connection works")
		}
	}))
	n := 0
	for _, err := range c.Follow(t.Context(), "r", client.FollowOptions{}) {
		check(t, err)
		if n++; n == 1 {
			close(step)
		} else {
			break
		}
	}
	<-ended
	ctx, cancel := context.WithCancel(t.Context())
	c = client.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	if _, err := c.Health(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
	c = client.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a bug") }))
	_, err := c.Health(t.Context())
	wantCode(t, "a handler that panics", err, rein.CodeUnavailable)
}
