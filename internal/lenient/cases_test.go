package lenient

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kaptinlin/jsonrepair"
)

// A repairCase is a damaged text and the JSON that it was meant to be; no output means that there
// is none to be had.
type repairCase struct{ Input, Output, Error string }

// TestRepairCases counts how many damaged texts are understood, by us and by the library that was
// the best of those tried. It is not used because its time grows with the cube of some texts.
//
// Covers: TAB-B1
func TestRepairCases(t *testing.T) {
	cases := sharedCases(t)
	if cases == nil {
		fmt.Println("lenient: the shared repair cases are not here; the built-in ones stand in for them")
		cases = builtIn
	}
	ours, theirs := 0, 0
	for _, c := range cases {
		if found, err := Value(c.Input); c.right(string(found.JSON), err) {
			ours++
		} else {
			t.Logf("not as expected: %q: got %s, %v; want %s%s", c.Input, found.JSON, err, c.Output, c.Error)
		}
		if out, err := jsonrepair.Repair(c.Input); c.right(out, err) {
			theirs++
		}
	}
	fmt.Printf("lenient: %d of %d repair cases right; the library alone: %d\n", ours, len(cases), theirs)
	if ours < theirs {
		t.Errorf("%d of %d cases right, fewer than the library's %d", ours, len(cases), theirs)
	}
}

func (c repairCase) right(out string, err error) bool {
	if c.Error != "" || err != nil {
		return c.Error != "" && err != nil
	}
	want, wantErr := strict(c.Output)
	got, gotErr := strict(out)
	return wantErr == nil && gotErr == nil && string(want.json) == string(got.json)
}

// sharedCases reads the cases that stand beside the repository, nil if there are none.
func sharedCases(t *testing.T) []repairCase {
	t.Helper()
	file, err := os.Open(filepath.Join(repoRoot(t), "..", "shared", "data", "json-repair", "cases.jsonl"))
	if err != nil {
		return nil
	}
	defer file.Close()
	var cases []repairCase
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var c repairCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

func repoRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}
