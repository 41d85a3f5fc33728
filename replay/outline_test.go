package replay_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein"
	"rein/replay"
	"rein/replay/cassette"
)

// A fork finds the same steps and the same words of people in outlines as in the log itself, wherever
// it parts.
func TestOutlinesSayWhatLogsSay(t *testing.T) {
	for _, file := range scenes(t) {
		t.Run(strings.TrimSuffix(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for _, tape := range tapes(t, file, 1) {
				for _, e := range tape.Log(tape.Run) {
					if e.Kind == rein.StepDone {
						sameWay(t, tape, rein.Fork{Run: tape.Run, Step: e.Step})
					}
				}
			}
		})
	}
}

// sameWay compares a fork by the log with one by outlines.
func sameWay(t *testing.T, tape *cassette.Tape, fork rein.Fork) {
	t.Helper()
	short := &cassette.Tape{Header: tape.Header}
	for _, e := range tape.Events {
		outline, err := cassette.Outline(e)
		if err != nil {
			t.Fatal(err)
		}
		short.Events = append(short.Events, outline)
	}
	var prefixes [2]*cassette.Tape
	for i, tape := range []*cassette.Tape{tape, short} {
		var err error
		if prefixes[i], err = replay.Prefix(tape, "fork", fork); err != nil {
			t.Fatal(err)
		}
	}
	player, err := cassette.NewPlayer(prefixes[0])
	if err != nil {
		t.Fatal(err)
	}
	score := cassette.NewScore(prefixes[1])
	sameWords(t, player, score)
	ended := map[cassette.Place]bool{}
	for _, e := range prefixes[0].Events {
		if e.Kind == rein.StepDone || e.Kind == rein.SubDone {
			ended[cassette.Place{Run: e.Run, Step: e.Step}] = true
		}
	}
	for _, e := range tape.Events {
		run := "fork" + e.Run[len(tape.Run):]
		if _, ok, _ := score.End(t.Context(), run, e.Step); ok != ended[cassette.Place{Run: run, Step: e.Step}] {
			t.Errorf("fork at %s: step %s of %s is there: %v, want %v", fork.Step, e.Step, run, ok, !ok)
		}
	}
}

func sameWords(t *testing.T, player *cassette.Player, score *cassette.Score) {
	t.Helper()
	for {
		want, more := player.Next()
		got, also := score.Next()
		if more != also {
			t.Fatalf("people say something more: %v, want %v", also, more)
		}
		if !more {
			return
		}
		texts := cmpopts.IgnoreFields(cassette.Said{}, "Command.Text", "Command.Answer")
		if d := cmp.Diff(want, got, texts, cmpopts.IgnoreUnexported(cassette.Said{})); d != "" {
			t.Error(d)
		}
		player.Sent()
		score.Sent()
	}
}
