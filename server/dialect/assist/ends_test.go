package assist_test

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/server/dialect/assist"
	"rein/store"
)

// gated is a model whose calls wait until the test opens the gate.
type gated struct {
	rein.Model
	called chan struct{}
	gate   chan string // what it says
}

func newGated() *gated { return &gated{called: make(chan struct{}, 100), gate: make(chan string)} }

func (*gated) Info() rein.ModelInfo { return rein.ModelInfo{Name: "gated", MaxOutput: 1000} }

func (m *gated) Generate(ctx context.Context, _ rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	m.called <- struct{}{}
	select {
	case text := <-m.gate:
		return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: text}, Usage: &rein.Usage{Input: 1, Output: 1}}, nil
	case <-ctx.Done():
		return rein.ModelReply{}, ctx.Err()
	}
}

func (r *rig) wait(c <-chan struct{}) {
	r.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		r.Fatal("it does not happen")
	}
}

// only returns the only run there is, when it has ended.
func (r *rig) only() rein.RunInfo {
	r.Helper()
	for info, err := range r.Store.Runs(context.Background(), store.Filter{}) {
		check(r, err)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, err = r.Engine.Wait(ctx, info.ID)
		check(r, err)
		info, err = r.Store.Run(ctx, info.ID)
		check(r, err)
		return info
	}
	r.Fatal("there is no run")
	return rein.RunInfo{}
}

// TestDisconnect leaves in the middle of a turn: the first status has come before anything was said, and
// the run goes on to its end, which the history has.
//
// Covers: NEU-4
func TestDisconnect(t *testing.T) {
	m := newGated()
	r := newRig(t, m, nil, patience)
	ctx, cancel := context.WithCancel(context.Background())
	chunks := r.stream(ctx, "Hoi")
	if first := <-chunks; first.Type != assist.StatusChunk || first.Text == "" || first.TS.IsZero() {
		t.Errorf("the first chunk is %+v", first)
	}
	r.wait(m.called)
	cancel()
	m.gate <- "Hallo!"
	if info := r.only(); info.Status != rein.Status(rein.EndDone) || info.End().Text != "Hallo!" {
		t.Errorf("the run is %+v", info)
	}
	_, seen := r.send("GET", "/chat/history", "")
	if all := seen["messages"].([]any); len(all) != 2 || all[1].(map[string]any)["content"] != "Hallo!" {
		t.Errorf("the history is %v", all)
	}
}

// TestDeadline waits too short: the answer is a time-out, and the run goes on.
//
// Covers: NEU-1
func TestDeadline(t *testing.T) {
	m := newGated()
	r := newRig(t, m, nil, 30*time.Millisecond)
	status, reply := r.send("POST", "/chat", message("Hoi"))
	if detail, _ := reply["detail"].(string); status != http.StatusGatewayTimeout || !strings.Contains(detail, "continues") {
		t.Errorf("answered with %d %v", status, reply)
	}
	m.gate <- "Hallo!"
	if info := r.only(); info.End().Text != "Hallo!" {
		t.Errorf("the run is %+v", info)
	}
}

// TestDoneOnce is E10: done comes once and last, however the turn ends: by itself, with a failure, when it
// is stopped, and when the process shuts down.
//
// Covers: NEU-4
func TestDoneOnce(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*rig, *gated)
		says string
	}{
		"completed": {func(_ *rig, m *gated) { m.gate <- "Hallo!" }, ""},
		"failed":    {func(_ *rig, m *gated) { m.gate <- "" }, "empty"},
		"stopped": {func(r *rig, _ *gated) {
			_, err := r.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandCancel, Run: r.active(), By: "ann"})
			check(r, err)
		}, "cancelled"},
		"shut down": {func(r *rig, _ *gated) { r.Feed.Close() }, "shutting down"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newGated()
			r := newRig(t, m, nil, patience)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			chunks := r.stream(ctx, "Hoi")
			r.wait(m.called)
			go c.end(r, m)
			var all []assist.Chunk
			dones := 0
			for chunk := range chunks {
				if all = append(all, chunk); chunk.Type == assist.DoneChunk {
					dones++
				}
			}
			last := all[len(all)-1]
			if dones != 1 || last.Type != assist.DoneChunk || last.Message == nil || last.Actions == nil || !strings.Contains(last.Error, c.says) || (c.says == "") != (last.Error == "") {
				t.Errorf("%d dones; the last of %d is %+v", dones, len(all), last)
			}
		})
	}
}

// active returns the run that is under way.
func (r *rig) active() rein.RunID {
	for info, err := range r.Store.Runs(context.Background(), store.Filter{Unfinished: true}) {
		check(r, err)
		return info.ID
	}
	return ""
}

// TestLateMessage says something while a turn is at its last call: the message starts the next run, and
// who sent it is told of that one. One that was not read because the turn was stopped is said again.
//
// Covers: NEU-1
func TestLateMessage(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		m := newGated()
		r := newRig(t, m, nil, patience)
		first := make(chan struct{})
		go func() {
			defer close(first)
			r.send("POST", "/chat", message("Een"))
		}()
		r.wait(m.called)
		second := make(chan map[string]any, 1)
		go func() {
			_, reply := r.send("POST", "/chat", message("Twee"))
			second <- reply
		}()
		run := r.active()
		for { // the message is in the log
			receipts, err := r.Store.Receipts(context.Background(), run)
			check(t, err)
			if len(receipts) > 0 {
				break
			}
			runtime.Gosched()
		}
		if stopped {
			_, err := r.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandCancel, Run: run, By: "ann"})
			check(t, err)
		} else {
			m.gate <- "Antwoord een"
		}
		r.wait(m.called)
		m.gate <- "Antwoord twee"
		if reply := <-second; reply["message"] != "Antwoord twee" {
			t.Errorf("stopped %v: the second message is answered with %v", stopped, reply)
		}
		<-first
		want := []string{"Een", "Antwoord een", "Twee", "Antwoord twee"}
		if stopped {
			want = []string{"Een", "Twee", "", "Twee", "Antwoord twee"} // the one that was not read was said again
		}
		_, seen := r.send("GET", "/chat/history", "")
		var said []string
		for _, entry := range seen["messages"].([]any) {
			said = append(said, entry.(map[string]any)["content"].(string))
		}
		if !slices.Equal(said, want) {
			t.Errorf("stopped %v: the history is %q, want %q", stopped, said, want)
		}
	}
}
