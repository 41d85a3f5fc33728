package guard_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"rein"
	"rein/engine/guard"
)

func TestBoundsAreUpperBounds(t *testing.T) {
	info := rein.ModelInfo{MaxOutput: 50, InputMicros: 3_000_000, OutputMicros: 15_000_000}
	p := rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "héllo"}}, MaxTokens: 20}
	tools := []rein.Tool{{Name: "echo", Description: "says it again"}}
	got := guard.ModelBound(p, tools, info, 2*time.Second)
	in := int64(len("héllo")+16) + int64(len("echo")+len("says it again")+16)
	want := rein.Amount{Tokens: in + 20, Micros: in*3 + 20*15, DrivenMS: 2000}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n := guard.OutputBound(rein.Prompt{MaxTokens: 1000}, info); n != 50 {
		t.Errorf("a prompt may ask for %d tokens of a model that gives 50", n)
	}
	if n := guard.OutputBound(rein.Prompt{}, rein.ModelInfo{}); n != guard.DefaultMaxOutput {
		t.Errorf("no bound gives %d", n)
	}
	if got := guard.CostBound(rein.ModelInfo{InputMicros: 1}, 1, 0); got != 1 {
		t.Errorf("a fraction costs %d", got)
	}
}

// Covers: ENG-31 LAW-8
func TestSettle(t *testing.T) {
	bound := rein.Amount{Rounds: 1, Tokens: 100, Micros: 50, DrivenMS: 1000}
	for _, c := range []struct {
		name            string
		usage           *rein.Usage
		took            time.Duration
		change, overrun rein.Amount
	}{
		{"less is given back", &rein.Usage{Input: 30, Output: 10, Micros: 20}, 400 * time.Millisecond, rein.Amount{Tokens: -60, Micros: -30, DrivenMS: -600}, rein.Amount{}},
		{"not told means all", nil, time.Second, rein.Amount{}, rein.Amount{}},
		{"more is an overrun", &rein.Usage{Input: 90, Output: 20, Micros: 60}, time.Second, rein.Amount{Tokens: 10, Micros: 10}, rein.Amount{Tokens: 10, Micros: 10}},
		{"time beyond the deadline is not the call's", nil, time.Hour, rein.Amount{}, rein.Amount{}},
		{"a clock that went back took no time", nil, -time.Hour, rein.Amount{DrivenMS: -1000}, rein.Amount{}},
	} {
		change, overrun := guard.Settle(bound, c.usage, c.took)
		if change != c.change || overrun != c.overrun {
			t.Errorf("%s: got %+v %+v, want %+v %+v", c.name, change, overrun, c.change, c.overrun)
		}
	}
}

func TestReserveIsASmallPart(t *testing.T) {
	for _, tokens := range []int64{1, 100, 10_000, 2_000_000} {
		limit := rein.DefaultBudget().Amount
		limit.Tokens = tokens
		r := guard.Reserve(limit, rein.ModelInfo{InputMicros: 3_000_000, OutputMicros: 15_000_000})
		if r.Tokens > 4096 || r.Tokens*16 > tokens || r.Micros*16 > limit.Micros || r.DrivenMS*16 > limit.DrivenMS || r.Rounds+r.ToolCalls+r.Runs != 0 {
			t.Errorf("of %d tokens: %+v", tokens, r)
		}
	}
}

// A fitted prompt fits, keeps the instructions and the newest message, and never parts a call from
// its result.
//
// Covers: LAW-4/pipeline ENG-4
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		messages := anyTranscript(r)
		limit := 100 + r.Int64N(3000)
		got := guard.Fit(messages, limit)
		if n := guard.InputBound(got, nil, nil); n > limit && textOf(got) > 0 {
			t.Fatalf("%d tokens do not fit %d: %+v", n, limit, got)
		}
		open := map[string]bool{}
		for _, m := range got {
			for _, c := range m.Calls {
				open[c.ID] = true
			}
			if m.Role == rein.ToolRole && !open[m.CallID] {
				t.Fatalf("a result without its call: %+v", got)
			}
			delete(open, m.CallID)
			if !utf8.ValidString(m.Text) {
				t.Fatalf("a text was cut inside a character: %q", m.Text)
			}
		}
		if len(open) > 0 {
			t.Fatalf("a call without its result: %+v", got)
		}
		if got[0].Role != rein.System {
			t.Fatalf("the instructions are gone: %+v", got)
		}
	}
}

func textOf(messages []rein.Message) int {
	n := 0
	for _, m := range messages {
		n += len(m.Text)
	}
	return n
}

func anyTranscript(r *rand.Rand) []rein.Message {
	text := func() string { return strings.Repeat("é", r.IntN(400)) }
	messages := []rein.Message{{Role: rein.System, Text: "Be kind."}, {Role: rein.User, Text: text()}}
	for i := range r.IntN(6) {
		m := rein.Message{Role: rein.Assistant, Text: text()}
		var results []rein.Message
		for j := range r.IntN(3) {
			id := fmt.Sprintf("c%d-%d", i, j)
			m.Calls = append(m.Calls, rein.ToolCall{ID: id, Name: "echo"})
			results = append(results, rein.Message{Role: rein.ToolRole, CallID: id, Text: text()})
		}
		messages = append(append(messages, m), results...)
	}
	return messages
}
