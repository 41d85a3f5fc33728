package cassette_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/replay/cassette"
)

func tape() *cassette.Tape {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &cassette.Tape{
		Header: cassette.Header{Version: cassette.Version, Run: "r1", Tools: []cassette.Tool{{Name: "look", Effect: rein.Pure, Schema: `{ "type": "object" }`}}},
		Events: []rein.Event{
			{Run: "r1", Seq: 1, At: at, Kind: rein.RunStarted, Data: json.RawMessage(`{"task":{"flow":"chat"}}`)},
			{Run: "r1", Seq: 2, At: at, Kind: rein.StepDone, Step: "1", Data: json.RawMessage(`{"message":{"role":"assistant","text":"-- a --\n<b> of r1:1"}}`)},
			{Run: "r1.2", Seq: 1, At: at, Kind: rein.RunStarted, Data: json.RawMessage(`{"task":{"flow":"chat"}}`)},
		},
	}
}

func TestFileAndBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tape.txtar")
	if err := cassette.WriteFile(file, tape()); err != nil {
		t.Fatal(err)
	}
	got, err := cassette.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tape(), got); d != "" {
		t.Error(d)
	}
	if err := cassette.WriteFile(file, tape()); err == nil {
		t.Error("a file was written over")
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestRename(t *testing.T) {
	got := tape().Rename("other")
	if runs := got.Runs(); !cmp.Equal(runs, []rein.RunID{"other", "other.2"}) {
		t.Error(runs)
	}
	if !strings.Contains(string(got.Events[1].Data), "of other:1") || tape().Events[0].Run != "r1" {
		t.Errorf("%s", got.Events[1].Data)
	}
}

func TestRedact(t *testing.T) {
	kinds, block := []string{"badge"}, false
	clean := func(raw json.RawMessage) (json.RawMessage, []string, bool) {
		return json.RawMessage(strings.ReplaceAll(string(raw), "<b>", "x")), kinds, block
	}
	got, err := tape().Redact(clean)
	if err != nil || !cmp.Equal(got.Redacted, kinds) || strings.Contains(string(got.Events[1].Data), "<b>") {
		t.Errorf("%v %v", got, err)
	}
	block = true
	if _, err := tape().Redact(clean); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("what must not be passed on is passed on: %v", err)
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "it is no cassette",
		"-- cassette --\n{":               "the header of the cassette cannot be read",
		"-- cassette --\n{\"version\":7}": "version 7",
		"-- cassette --\n{\"version\":1,\"run\":\"r1\"}":                                                                    "does not hold the start",
		"-- cassette --\n{\"version\":1,\"run\":\"r1\"}\n-- r1 x --\n{}":                                                    "RUN NUMBER KIND [STEP]",
		"-- cassette --\n{\"version\":1,\"run\":\"r1\"}\n-- r1 one run.started --\n{}":                                      "RUN NUMBER KIND [STEP]",
		"-- cassette --\n{\"version\":1,\"run\":\"r1\"}\n-- r1 1 run.started --\n{\"data\":{}}\n-- r2 1 run.started --\n{}": "is not of the tree",
	} {
		if _, err := cassette.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A file that somebody changed never makes the program panic.
func FuzzParse(f *testing.F) {
	data, err := cassette.Format(tape())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		tape, err := cassette.Parse(data)
		if err != nil {
			return
		}
		if player, err := cassette.NewPlayer(tape); err == nil {
			player.Models()
			player.Tools()
		}
		_, _ = tape.Before("1")
		tape.Rename("other")
	})
}
