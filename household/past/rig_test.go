package past_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/guard"
	"rein/engine/work"
	"rein/flow"
	"rein/flow/kit"
	"rein/household/shelf"
	rigs "rein/internal/rig"
	"rein/tool"
	"rein/tool/basics"
	"rein/tool/memory"
	"rein/tool/session"
	shelftool "rein/tool/shelf"
)

// A house is a store with an engine, the flows and the tools that rein ships with, and a model that the
// test plays. It can be left and opened again.
type house struct {
	*rigs.Rig
	model  *player
	tools  map[string]rein.Tool // in place of the shipped ones
	redact []guard.Pattern
	grace  time.Duration // of a stop
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{Rig: rigs.Open(t, rigs.Options{}), model: &player{}, tools: map[string]rein.Tool{}}
	h.begin()
	return h
}

func (h *house) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *house) begin() {
	h.Helper()
	redactor, err := guard.NewRedactor(h.redact, nil)
	h.check(err)
	all := h.allTools()
	h.Begin(engine.Options{
		Flows: flow.All(), StopGrace: h.grace, DrainGrace: engine.NoGrace,
		Worker: &work.Worker{Models: map[string]rein.Model{"": h.model}, Tools: all, Redact: redactor},
		Prepare: func(task rein.Task) (rein.Task, error) {
			task = flow.Kinds().WithTools(task)
			task.Tools = slices.DeleteFunc(task.Tools, func(name string) bool { return all[name].Name == "" }) // as the program does
			return flow.Kinds().Prepare(task, kit.Ceiling{})
		},
	})
}

// reopen is a restart of the program.
func (h *house) reopen() {
	h.Helper()
	h.Again()
	h.begin()
}

func (h *house) allTools() map[string]rein.Tool {
	h.Helper()
	files, err := shelftool.Tools(h.shelf())
	h.check(err)
	whole, err := basics.ReadResult(func(ctx context.Context, inv rein.Invocation, handle string) (string, error) {
		return h.Engine.Whole(ctx, inv.Run, handle)
	})
	h.check(err)
	look := rein.Tool{
		Name: "look", Description: "Looks at something.", Effect: rein.Pure,
		Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: fmt.Sprintf("seen %s\n%s", inv.Args, strings.Repeat("and much more. ", 100))}, nil
		},
	}
	all := map[string]rein.Tool{}
	for _, t := range slices.Concat(session.Tools(h.Store), memory.Tools(h.Store, nil), files, []rein.Tool{whole, look, tool.Must(basics.RequestInput())}) {
		all[t.Name] = t
	}
	for name, t := range h.tools {
		all[name] = t
	}
	return all
}

func (h *house) shelf() shelf.Shelf { return shelf.Shelf{Tables: h.Store} }

func task(flow, session, said string, tools ...string) rein.Task {
	return rein.Task{
		Flow: flow, Household: "home", User: "ann", Session: session, Tools: tools,
		Messages: []rein.Message{{Role: rein.User, Text: said}},
	}
}

func (h *house) start(run rein.RunID, t rein.Task) {
	h.Helper()
	_, err := h.Engine.Start(h.Context(), run, t)
	h.check(err)
}

func (h *house) end(run rein.RunID) rein.RunEnd {
	h.Helper()
	ctx, cancel := context.WithTimeout(h.Context(), rigs.Patience)
	defer cancel()
	end, err := h.Engine.Wait(ctx, run)
	h.check(err)
	return end
}

// do runs a task to its end, which must be good.
func (h *house) do(run rein.RunID, t rein.Task) rein.RunEnd {
	h.Helper()
	h.start(run, t)
	end := h.end(run)
	if end.End != rein.EndDone {
		h.Fatalf("%s ended as %+v %+v", run, end, end.Failure)
	}
	return end
}

// bytes is the size of a run's log.
func (h *house) bytes(run rein.RunID) int {
	h.Helper()
	n := 0
	for ev, err := range h.Store.Events(h.Context(), run, 0) {
		h.check(err)
		n += len(ev.Data)
	}
	return n
}

// A player is a model that the test plays, and that remembers what it was asked.
type player struct {
	window int64
	play   func(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.Message, error)

	mu    sync.Mutex
	asked []rein.ModelRequest
}

func (*player) summary(r rein.ModelRequest) rein.Message {
	return rein.Message{Role: rein.Assistant, Text: "It was about things (" + string(r.Run) + ")."}
}

func (p *player) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "player", MaxOutput: 500, Window: p.window}
}

func (p *player) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	p.mu.Lock()
	p.asked = append(p.asked, r)
	p.mu.Unlock()
	m, err := p.play(ctx, r, show)
	m.Role = rein.Assistant
	return rein.ModelReply{Message: m, Usage: &rein.Usage{Input: 10, Output: 10}}, err
}

// requests returns what was asked of the model since it was last called.
func (p *player) requests() []rein.ModelRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.asked
	p.asked = nil
	return all
}

func said(r rein.ModelRequest) string {
	var all []string
	for _, m := range r.Messages {
		all = append(all, string(m.Role)+": "+m.Text)
	}
	return strings.Join(all, "\n")
}

// results counts the tool results of this run in a prompt.
func results(r rein.ModelRequest) int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == rein.ToolRole {
			n++
		}
	}
	return n
}

func call(n int, name, args string) rein.Message {
	return rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: fmt.Sprint("c", n), Name: name, Args: []byte(args)}}}
}

func count(all []rein.ModelRequest, phase string) int {
	n := 0
	for _, r := range all {
		if r.Phase == phase {
			n++
		}
	}
	return n
}
