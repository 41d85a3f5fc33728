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
