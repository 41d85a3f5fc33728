package hands

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
)

// writes is a script that replaces one file and makes another.
const writes = `
turn 1
call read_file {"path":"sub/old.txt"}
turn 2
call write_file {"path":"sub/old.txt","content":"all of it is new\n","overwrite":true}
turn 3
call write_file {"path":"sub/made.txt","content":"made\n"}
when
say Written.
`

// undone has a run undo what another one changed.
func (r *rig) undone(run rein.RunID, ann person) worked {
	r.Helper()
	settings, _ := json.Marshal(map[string]string{"run": string(run)}) // it can be written
	return r.do(rein.Task{Flow: "undo", Session: "scene", Settings: settings}, ann)
}

// Scenario B8: write_file, then a rollback: every byte is what it was, and so are the permissions. The person sees the diff
// before the change, and before the undo.
//
// Covers: SD-91 SD-42/shell
func TestWrittenAndRolledBack(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const before = "one\r\ntwo\u00e9\r\nno end"
	r.put(r.path("sub/old.txt"), before)
	if err := os.Chmod(r.path("sub/old.txt"), 0o750); err != nil {
		t.Fatal(err)
	}
	r.open(writes, "")
	w := r.do(asked("Write."), r.agreeing(
		wish{"write_file", []string{"sub/old.txt", "no end", "+all of it is new"}},
		wish{"write_file", []string{"sub/made.txt", "+made"}},
	))
	if w.end.Text != "Written." || !strings.Contains(r.read("sub/old.txt"), "all of it is new") {
		t.Fatal(w.told())
	}
	u := r.undone(w.run, r.agreeing(wish{"undo_change", []string{"sub/old.txt", "no end", "sub/made.txt"}}))
	if got := r.read("sub/old.txt"); got != before {
		t.Errorf("the file is %q after the undo\n%s", got, u.told())
	}
	if info, err := os.Stat(r.path("sub/old.txt")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("its permissions: %v, %v", info, err)
	}
	if _, err := os.Lstat(r.path("sub/made.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the new file is still there: %v", err)
	}
}

// Somebody puts links where the run's files were, and asks for an undo, before it is shown or after the person agreed:
// nothing outside the workspace changes.
//
// Attack: 80
func TestUndoStaysInTheWorkspace(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		for _, linked := range []string{"sub", "sub/old.txt"} {
			t.Run(fmt.Sprintf("%s late %v", linked, late), func(t *testing.T) {
				t.Parallel()
				r := newRig(t)
				r.put(r.path("sub/old.txt"), "as it was\n")
				r.open(writes, "")
				w := r.do(asked("Write."), approve)
				outside := filepath.Join(filepath.Dir(r.root), "outside")
				for _, name := range []string{"old.txt", "made.txt"} { // they are as the run left its own
					r.put(filepath.Join(outside, name), r.read("sub/"+name))
				}
				swap := func() {
					target := filepath.Join(outside, strings.TrimPrefix(linked, "sub"))
					if err := errors.Join(os.RemoveAll(r.path(linked)), os.Symlink(target, r.path(linked))); err != nil {
						t.Error(err)
					}
				}
				if !late {
					swap()
				}
				u := r.undone(w.run, func(rein.Ask) rein.Answer {
					if late {
						swap()
					}
					return rein.Answer{State: rein.AskApproved}
				})
				for name, want := range map[string]string{"old.txt": "all of it is new\n", "made.txt": "made\n"} {
					if got, err := os.ReadFile(filepath.Join(outside, name)); err != nil || string(got) != want {
						t.Errorf("%s outside is %q, %v\n%s", name, got, err, u.told())
					}
				}
				if u.end.End != rein.EndDeclined {
					t.Errorf("it was undone:\n%s", u.told())
				}
				if entries, err := os.ReadDir(outside); err != nil || len(entries) != 2 {
					t.Errorf("outside: %v, %v", entries, err)
				}
			})
		}
	}
}

// A run changes notes, files and, by a command, more files. One undo puts all of it back, and one undo of that brings it again.
//
// Covers: SD-91
func TestMixedUndo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	vault := filepath.Join(filepath.Dir(r.root), "vault")
	r.vault = vault
	before := map[string]string{r.path("a.txt"): "a\n", r.path("b.txt"): "b\n", filepath.Join(vault, "Note.md"): "# Note\n\nold\n"}
	for path, text := range before {
		r.put(path, text)
	}
	r.open(`
turn 1
call append_note {"path":"Note.md","text":"more"}
turn 2
call write_note {"path":"Made.md","content":"# Made\n"}
turn 3
call commit_staged_changes {}
turn 4
call write_file {"path":"a.txt","content":"by a tool\n","overwrite":true}
turn 5
call execute_command {"command":"echo by a command > b.txt; mkdir d; echo new > d/n"}
when
say Changed.
`, "[notes]\nvectors = false\n")
	task := asked("Change everything.")
	task.Tools = []string{"append_note", "write_note", "commit_staged_changes", "write_file", "execute_command"}
	w := r.do(task, approve)
	after := r.files(r.root, vault)
	if w.end.Text != "Changed." || !strings.Contains(after, "by a tool") || !strings.Contains(after, "by a command") || !strings.Contains(after, "more") || !strings.Contains(after, "Made.md") {
		t.Fatalf("%s\n%s", after, w.told())
	}
	u := r.undone(w.run, r.agreeing(wish{"undo_change", []string{"a.txt", "b.txt", "d/n", "Note.md", "Made.md", "commit of notes"}}))
	for path, want := range before {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v\n%s", path, got, err, u.told())
		}
	}
	if got := r.files(r.root, vault); strings.Contains(got, "Made.md") || strings.Contains(got, "d/") {
		t.Errorf("something is left:\n%s", got)
	}
	again := r.undone(u.run, r.agreeing(wish{"undo_change", []string{"a.txt", "d/n", "Note.md", "Made.md"}}))
	if got := r.files(r.root, vault); got != after {
		t.Errorf("after the undo of the undo:\n%s\nand it was\n%s\n%s", got, after, again.told())
	}
}

// files is every file below some folders, with its content.
func (r *rig) files(folders ...string) string {
	r.Helper()
	var lines []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.Contains(path, "/.rein/") {
				return err
			}
			data, err := os.ReadFile(path)
			lines = append(lines, strings.TrimPrefix(path, folder+"/")+" "+string(data))
			return err
		})
		if err != nil {
			r.Fatal(err)
		}
	}
	return strings.Join(lines, "\n")
}

// In mode edits notes are committed without asking, since that can be undone; but not notes that agents obey.
func TestEditsCommitNotes(t *testing.T) {
	t.Parallel()
	for name, wants := range map[string]int{"Plain.md": 0, "AGENTS.md": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			vault := filepath.Join(filepath.Dir(r.root), "vault")
			r.vault = vault
			r.put(filepath.Join(vault, "x.md"), "x\n")
			r.open("turn 1\ncall write_note {\"path\":\""+name+"\",\"content\":\"text\\n\"}\nturn 2\ncall commit_staged_changes {}\nwhen\nsay Committed.\n", "[notes]\nvectors = false\n")
			task := asked("Write a note.")
			task.Tools, task.Mode = []string{"write_note", "commit_staged_changes"}, rein.ModeEdits
			asks := 0
			w := r.do(task, func(ask rein.Ask) rein.Answer {
				if asks++; !strings.Contains(ask.Text, "agents obey it") {
					t.Errorf("asked: %s", ask.Text)
				}
				return rein.Answer{State: rein.AskApproved}
			})
			if _, err := os.Stat(filepath.Join(vault, name)); err != nil || asks != wants {
				t.Errorf("asked %d times, %v\n%s", asks, err, w.told())
			}
		})
	}
}
