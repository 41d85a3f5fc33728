package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// A run of four tool calls and an answer must not take more than this in the file.
const maxRunBytes = 12 << 10

// TestSizeOfARun writes runs of some twenty events side by side, as busy drivers do, and weighs
// the file.
//
// Plain: it is about sizes; TestContract writes the same events under the race detector.
func TestSizeOfARun(t *testing.T) {
	const runs = 32
	path := filepath.Join(t.TempDir(), "rein.db")
	s := openTest(t, path, Options{})
	small := writeRuns(t, s, "a", runs, 4)
	long := writeRuns(t, s, "b", runs, 24)
	t.Logf("bytes per run: %d with 4 steps, %d with 24; %d per further step", small, long, (long-small)/20)
	if small > maxRunBytes {
		t.Errorf("a run with 4 steps takes %d bytes; at most %d", small, maxRunBytes)
	}
	if perStep, first := (long-small)/20, small/4; perStep > first {
		t.Errorf("a run grows faster than its steps: %d bytes per step at first, %d later", first, perStep)
	}
}

// writeRuns returns the bytes per run that the file grew by.
func writeRuns(t *testing.T, s *Store, prefix string, runs, steps int) int64 {
	before := fileSize(t, s)
	for i := range runs {
		budget := rein.DefaultBudget()
		task := rein.Task{
			Flow: "answer", Model: "offline", Tools: []string{"search", "read"}, Budget: &budget,
			Messages: []rein.Message{{Role: rein.User, Text: "How many moons does Jupiter have?"}},
		}
		id := rein.RunID(fmt.Sprintf("%s-%020d", prefix, i))
		must(t, func() error {
			_, _, err := s.Start(t.Context(), store.Start{Run: id, Digest: rein.Hash{1}, At: time.Now(), Start: rein.RunStart{Task: task}})
			return err
		})
		must(t, func() error { _, _, err := s.Claim(t.Context(), id, time.Now()); return err })
	}
	for step := range steps {
		for i := range runs {
			writeStep(t, s, rein.RunID(fmt.Sprintf("%s-%020d", prefix, i)), rein.StepKey(fmt.Sprint(step)))
		}
	}
	for i := range runs {
		outcome := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "Jupiter has 97 known moons; the four largest were found by Galileo in 1610."}}
		must(t, func() error {
			_, err := s.Append(t.Context(), store.Batch{Run: rein.RunID(fmt.Sprintf("%s-%020d", prefix, i)), Epoch: 1, Drafts: []store.Draft{
				{Kind: rein.RunCompleted, At: time.Now(), Data: outcome, Outcome: outcome, Status: rein.Status(rein.EndDone)},
			}})
			return err
		})
	}
	return (fileSize(t, s) - before) / int64(runs)
}

// writeStep writes a model call and a tool call.
func writeStep(t *testing.T, s *Store, id rein.RunID, step rein.StepKey) {
	call := rein.ToolCall{ID: "call_abcdefghijkl", Name: "search", Args: []byte(`{"query":"moons of jupiter","k":20}`)}
	prompt := &rein.PromptRecord{
		Prompt: rein.Prompt{Model: "offline", Tools: []string{"search", "read"}, Stream: true}, Base: "1", Keep: 3,
		Add: []rein.Message{{Role: rein.ToolRole, Text: "Jupiter has 97 moons.", CallID: call.ID}},
	}
	bound := rein.Amount{Rounds: 1, Tokens: 5000, Micros: 900, DrivenMS: 60000}
	for _, d := range []store.Draft{
		{Kind: rein.StepStarted, Step: step, Data: rein.StepStart{Sig: "model", Prompt: prompt, Bound: bound}, Spend: bound, Reserve: step == ""},
		{Kind: rein.StepDone, Step: step, Data: rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{call}}, Model: "offline", Usage: &rein.Usage{Input: 900, Output: 40}}, Spend: rein.Amount{Tokens: -4060, Micros: -800, DrivenMS: -59000}},
		{Kind: rein.StepStarted, Step: step + "0", Data: rein.StepStart{Sig: "tool search", Call: &call}},
		{Kind: rein.StepDone, Step: step + "0", Data: rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: "Jupiter has 97 moons."}, Duration: time.Millisecond}},
	} {
		d.At = time.Now()
		must(t, func() error {
			_, err := s.Append(context.Background(), store.Batch{Run: id, Epoch: 1, Drafts: []store.Draft{d}})
			return err
		})
	}
}

func must(t testing.TB, do func() error) {
	err := do()
	if t == nil && err != nil {
		panic(err) // in another process there is no test
	}
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// fileSize is what remains after a checkpoint.
func fileSize(t *testing.T, s *Store) int64 {
	t.Helper()
	if _, err := s.read.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
