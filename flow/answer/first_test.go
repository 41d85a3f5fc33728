package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/flow/answer"
	"rein/internal/rig"
)

// A turn is one reply of a speaker: what it says, piece by piece, and then its call.
type turn struct {
	pieces []string
	call   bool
	heard  string // before it ends it waits until people were shown this; empty: it does not wait
}

// A speaker is a model that says its turns. One that has no tools of its own writes its calls as text.
type speaker struct {
	textOnly bool
	turns    []turn
	shown    *shown

	mu    sync.Mutex
	calls int
}

func (s *speaker) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "speaker", MaxOutput: 1000, TextOnly: s.textOnly}
}

const (
	args      = `{"queries":["hello"],"k":3}`
	textCall  = "<tool_call name=\"find_similar\">" + args + "</tool_call>"
	pieceSize = 7 // bytes of a piece of it
)

func (s *speaker) Generate(ctx context.Context, _ rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	s.mu.Lock()
	n := s.calls
	s.calls++
	s.mu.Unlock()
	if n >= len(s.turns) {
		return rein.ModelReply{}, fmt.Errorf("call %d is one too many", n+1)
	}
	t := s.turns[n]
	m := rein.Message{Role: rein.Assistant}
	pieces := t.pieces
	if t.call && s.textOnly {
		for rest := textCall; rest != ""; {
			k := min(pieceSize, len(rest))
			pieces, rest = append(pieces[:len(pieces):len(pieces)], rest[:k]), rest[k:]
		}
	} else if t.call {
		m.Calls = []rein.ToolCall{{ID: "a", Name: "find_similar", Args: json.RawMessage(args)}}
	}
	for _, piece := range pieces {
		m.Text += piece
		show(piece)
	}
	if t.heard != "" {
		if err := s.shown.wait(ctx, t.heard); err != nil {
			return rein.ModelReply{}, err
		}
	}
	return rein.ModelReply{Message: m, Usage: &rein.Usage{Input: 1, Output: 1}}, nil
}

// shown is what people were shown, by step.
type shown struct {
	mu      sync.Mutex
	all     []string
	step    rein.StepKey
	changed chan struct{}
}

func (s *shown) add(d rein.Delta) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.Step != s.step {
		s.step, s.all = d.Step, append(s.all, "")
	}
	s.all[len(s.all)-1] += d.Text
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *shown) wait(ctx context.Context, text string) error {
	for {
		s.mu.Lock()
		got, changed := strings.Join(s.all, "|"), s.changed
		s.mu.Unlock()
		if got == text {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rig.Patience):
			return fmt.Errorf("people were shown %q, not %q", got, text)
		}
	}
}

// TestFirstDecision plays first decisions to models with and without tools of their own: prose is shown while
// it is written and is the answer, with one model call; calls and control blocks are not shown, wherever
// they are cut; and nothing of a later decision is.
//
// Covers: HUM-4 HUM-6 HUM-10 HUM-11
func TestFirstDecision(t *testing.T) {
	control := []string{`{"conf`, `idence": "hi`, `gh", "enough": `, `true}`}
	final := turn{pieces: []string{"Here ", "it is."}}
	for name, c := range map[string]struct {
		turns    []turn
		revision int
		shown    string // of each step, in order
		answer   string
	}{
		"a greeting": {
			turns: []turn{{pieces: []string{"Hel", "lo! How", " can I help?"}, heard: "Hello! How can I help?"}},
			shown: "Hello! How can I help?", answer: "Hello! How can I help?",
		},
		"a greeting and a control block": {
			turns: []turn{{pieces: append([]string{"Hello", "!\n"}, control...), heard: "Hello!\n"}},
			shown: "Hello!\n", answer: "Hello!",
		},
		"a greeting and a fenced control block": {
			turns: []turn{{pieces: append(append([]string{"Hello!\n`", "`", "`json\n"}, control...), "\n``", "`"), heard: "Hello!\n"}},
			shown: "Hello!\n", answer: "Hello!",
		},
		"code in the answer": {
			turns: []turn{{pieces: []string{"Type\n``", "`\nls\n```\n", "and Enter."}}},
			shown: "Type\n```\nls\n```\nand Enter.", answer: "Type\n```\nls\n```\nand Enter.",
		},
		"a control block": {
			turns: []turn{{pieces: control}, final},
			shown: "Here it is.", answer: "Here it is.",
		},
		"a control block after blank lines": {
			turns: []turn{{pieces: append([]string{"\n", " \n"}, control...)}, final},
			shown: "Here it is.", answer: "Here it is.",
		},
		"a call": {
			turns: []turn{{call: true}, {pieces: control}, final},
			shown: "Here it is.", answer: "Here it is.",
		},
		"prose, then a call": { // it has been shown by then; the call wins
			turns: []turn{{pieces: []string{"Let me look.", "\n\n"}, call: true, heard: "Let me look.\n\n"}, {pieces: []string{"I know enough."}}, final},
			shown: "Let me look.\n\n|Here it is.", answer: "Here it is.",
		},
		"prose after a call is not the answer": {
			turns: []turn{{call: true}, {pieces: []string{"It is here."}}, final},
			shown: "Here it is.", answer: "Here it is.",
		},
		"a call written as JSON": {
			turns: []turn{{pieces: []string{`{"name": "find_simi`, `lar", "arguments": {}}`}}, final},
			shown: "Here it is.", answer: "Here it is.",
		},
		"nothing": {
			turns: []turn{{pieces: []string{"\n"}}, final},
			shown: "Here it is.", answer: "Here it is.",
		},
		"an older revision": {
			turns: []turn{{pieces: []string{"Hello!"}}, final}, revision: 2,
			shown: "Here it is.", answer: "Here it is.",
		},
	} {
		for _, textOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/text=%v", name, textOnly), func(t *testing.T) {
				t.Parallel()
				said := &shown{changed: make(chan struct{})}
				model := &speaker{textOnly: textOnly, turns: c.turns, shown: said}
				flow := answer.Kind().Flow()
				if c.revision > 0 {
					flow.Revision = c.revision
				}
				r := rig.Open(t, rig.Options{})
				r.Begin(engine.Options{
					Flows: map[string]rein.Flow{"answer": flow}, OnDelta: said.add,
					Worker: rig.Worker(model, map[string]rein.Tool{"find_similar": {
						Name: "find_similar", Effect: rein.Pure,
						Do: func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "."}, nil },
					}}),
				})
				task := rein.Task{Flow: "answer", Tools: []string{"find_similar"}, Messages: []rein.Message{{Role: rein.User, Text: "Hello!"}}}
				_, err := r.Engine.Start(t.Context(), "r", task)
				rig.Check(t, err)
				end, err := r.Engine.Wait(t.Context(), "r")
				rig.Check(t, err)
				if got := strings.Join(said.all, "|"); got != c.shown || end.Text != c.answer || end.End != rein.EndDone || model.calls != len(c.turns) {
					t.Errorf("shown %q, ended as %s with %q (%v) after %d calls", got, end.End, end.Text, end.Failure, model.calls)
				}
			})
		}
	}
}
