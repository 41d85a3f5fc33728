package anthropic_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
)

// An exchange is one recorded request and its answer, with what the official SDKs make of it.
type exchange struct {
	Src, File, Api string
	I, Status      int
	Stream         bool
	Headers        map[string][]string
	Response       string

	id   string
	k    int // within its file
	want *expected
}

type expected struct {
	ID      string
	K       int
	Verdict string
	Text    string
	Tools   []struct {
		Name string
		Args json.RawMessage
	}
	Stop string
}

type loop struct {
	ID, Api string
	Steps   []struct {
		Tools []struct {
			ID     string
			Result json.RawMessage
		}
	}
}

func (x exchange) String() string { return fmt.Sprintf("%s/%s %d", x.Src, x.File, x.k) }

// stopsOf says what we make of the API's stop reasons.
var stopsOf = map[string]rein.Stop{
	"end_turn": "", "tool_use": "", "stop_sequence": "",
	"max_tokens": rein.StopLength, "model_context_window_exceeded": rein.StopLength, "pause_turn": rein.StopLength,
	"refusal": rein.StopRefusal,
}

// recorded returns the traffic that was recorded at the real service. Where the data is absent, it
// is our own exchanges alone.
func recorded(t *testing.T) []exchange {
	t.Helper()
	all := builtin()
	dir := dataDir(t)
	if dir == "" {
		fmt.Println("model/anthropic: the recorded traffic is absent; testing with our own exchanges")
		return all
	}
	want := map[string]*expected{}
	lines(t, filepath.Join(dir, "expected.json-lines"), func(line []byte) error {
		e := new(expected)
		err := json.Unmarshal(line, e)
		want[fmt.Sprint(e.ID, e.K)] = e
		return err
	})
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no traffic in the data folder: %v", err)
	}
	byFile := map[string][]exchange{}
	for _, name := range files {
		lines(t, name, func(line []byte) error {
			var x exchange
			err := json.Unmarshal(line, &x)
			sum := sha256.Sum256([]byte(x.Src + "/" + x.File))
			x.id = hex.EncodeToString(sum[:6])
			byFile[x.id] = append(byFile[x.id], x)
			return err
		})
	}
	for _, list := range byFile {
		slices.SortStableFunc(list, func(a, b exchange) int { return a.I - b.I })
		for k, x := range list {
			if x.Api == "anthropic.messages" {
				x.k, x.want = k, want[fmt.Sprint(x.id, k)]
				all = append(all, x)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b exchange) int {
		return strings.Compare(fmt.Sprintf("%s %06d", a.id, a.k), fmt.Sprintf("%s %06d", b.id, b.k))
	})
	return all
}

// recordedLoops returns the loops that were recorded, or ours.
func recordedLoops(t *testing.T) []loop {
	t.Helper()
	own := loop{ID: "own", Api: "anthropic.messages"}
	all := []loop{own}
	dir := dataDir(t)
	if dir == "" {
		return all
	}
	lines(t, filepath.Join(dir, "loops.json-lines"), func(line []byte) error {
		var l loop
		err := json.Unmarshal(line, &l)
		if l.Api == "anthropic.messages" {
			all = append(all, l)
		}
		return err
	})
	return all
}

// dataDir returns the folder of recorded traffic beside the repository, or "".
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above this folder")
		}
		dir = filepath.Dir(dir)
	}
	data := filepath.Join(dir, "..", "shared", "data", "provider-traffic")
	if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return data
}

func lines(t *testing.T, name string, each func([]byte) error) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, 1<<24)
	for scan.Scan() {
		if err := each(scan.Bytes()); err != nil {
			t.Fatalf("%s: %v", filepath.Base(name), err)
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
}
