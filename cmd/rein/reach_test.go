package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
)

// results runs a task whose model makes the calls, in the folder, and returns what each of them gave.
func (h *home) results(folder string, calls []string, flags ...string) []rein.ToolResult {
	h.Helper()
	script := "when results=0\n"
	for _, c := range calls {
		script += "call " + c + "\n"
	}
	h.write(".config/rein/demo.txt", script+"\nwhen\nsay Done.\n")
	cmd := h.command(append([]string{"run", "--json", "--flow", "operate"}, append(flags, "Look.")...)...)
	cmd.Dir = filepath.Join(h.dir, folder)
	out, err := cmd.Output()
	if err != nil {
		h.Fatalf("%v\n%s", err, out)
	}
	var all []rein.ToolResult
	for line := range strings.Lines(string(out)) {
		var l struct {
			Event struct {
				Kind rein.Kind
				Data rein.StepEnd
			}
		}
		if err := json.Unmarshal([]byte(line), &l); err == nil && l.Event.Kind == rein.StepDone && l.Event.Data.Result != nil {
			all = append(all, *l.Event.Data.Result)
		}
	}
	if len(all) != len(calls)+1 { // the first is the flow's own, which looks for earlier runs
		h.Fatalf("%d results of %d calls:\n%s", len(all), len(calls), out)
	}
	return all[1:]
}

// diary is what nobody may see in the tests below.
const diary = "Dear diary, the code is 4711."

// The vault's rules hold for the file tools too, whichever folder they look into and however the path
// is written, and nothing tells whether a hidden note exists.
//
// Covers: HUM-41
// Attack: 40
func TestExcludedNotesThroughFileTools(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[notes]\nvectors = false\nexclude = [\"Private\", \"Work/Staff\"]\n")
	h.write("all/notes/Private/diary.md", diary)
	h.write("all/notes/Work/Staff/pay.md", diary)
	h.write("all/notes/.trash/old.md", diary)
	h.write("all/notes/Open/plan.md", "The plan.")
	h.write("all/other.txt", "Something else.")
	for name, target := range map[string]string{"Open/link.md": "../Private/diary.md", "Open/folder": "../Private", "Open/dangling.md": "../Private/none.md"} {
		h.check(os.Symlink(target, filepath.Join(h.dir, "all/notes", name)))
	}
	vault := filepath.Join(h.dir, "all/notes")
	for folder, prefix := range map[string]string{"all/notes": "", "all": "notes/", "all/notes/Private": "../"} {
		var calls, hidden []string
		for _, path := range []string{
			"Private/diary.md", "Private/none.md", "private/Diary.md", "Private/../Private/diary.md", "Open/link.md", "Open/folder/diary.md", "Open/dangling.md",
			"Work/Staff/pay.md", ".trash/old.md",
		} {
			hidden = append(hidden, prefix+path, filepath.Join(vault, path))
		}
		if folder == "all/notes/Private" {
			hidden = append(hidden, "diary.md", ".")
		}
		for _, path := range hidden {
			calls = append(calls, fmt.Sprintf("read_file {\"path\":%q}", path))
			if list := fmt.Sprintf("list_directory {\"path\":%q}", filepath.Dir(path)); !slices.Contains(calls, list) {
				calls = append(calls, list)
			}
		}
		calls = append(calls, `list_directory {"depth":5,"hidden":true}`, fmt.Sprintf("read_file {\"path\":%q}", prefix+"Open/plan.md"))
		got := h.results(folder, calls, "--vault", vault)
		for i, r := range got[:len(got)-1] {
			if strings.HasPrefix(calls[i], "read_file") && r.Status != rein.ToolFailed || strings.Contains(r.Text, "4711") {
				t.Errorf("in %s: %s is %s: %s", folder, calls[i], r.Status, r.Text)
			}
			for _, secret := range []string{"diary", "pay", "rivate", "Staff", "trash", "link", "none", "->"} {
				if r.Status == rein.ToolOK && strings.Contains(r.Text+string(r.Data), secret) {
					t.Errorf("in %s: %s tells of %q: %s %s", folder, calls[i], secret, r.Text, r.Data)
				}
			}
		}
		if plan := got[len(got)-1]; folder != "all/notes/Private" && plan.Text != "The plan." {
			t.Errorf("in %s: a note that is not excluded gives %s %s", folder, plan.Status, plan.Text)
		}
		// Whether there is something is not told.
		if there, not := got[0].Text, got[4].Text; folder == "all/notes" && there != strings.ReplaceAll(not, "none.md", "diary.md") {
			t.Errorf("a hidden note gives %q and one that does not exist %q", there, not)
		}
	}
}
