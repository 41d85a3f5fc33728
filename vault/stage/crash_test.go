package stage_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/internal/labs"
)

// TestCrashChild is the process that the tests below kill. Its orders are in the environment: it does
// a commit or an undo and kills itself at the n-th point of it.
func TestCrashChild(t *testing.T) {
	orders := strings.Split(os.Getenv("REIN_STAGE_CHILD"), "|")
	if len(orders) != 5 {
		return // it is no child
	}
	what, dir, db, swaps := orders[0], orders[1], orders[2], orders[3] == "true"
	left, _ := strconv.Atoi(orders[4])
	r := &rig{t: t, dir: dir, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r.open(db)
	if !swaps {
		r.desk.NoSwap()
	}
	placed := 0
	r.desk.OnPoint(func(point string) {
		if point == "placed" {
			if placed++; placed == 2 && what == "conflict" {
				r.write("d.md", "theirs") // it is the last one
			}
		}
		if left--; left == 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	})
	if what == "undo" {
		r.undo(ann, "k", "first")
		return
	}
	r.desk.Commit(context.Background(), ann, "k", r.pin())
}

// A process is killed at every point of a commit, of an undo, and of a commit that is being taken
// back. The next process finds or brings about that all of it happened or nothing, says which, can do
// it then, and leaves nothing behind.
//
// Covers: HUM-34
func TestKilledAtEveryPoint(t *testing.T) {
	for _, what := range []string{"commit", "undo", "conflict"} {
		for _, swaps := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, swaps %v", what, swaps), func(t *testing.T) {
				points := 1
				for !labs.Cell(points, 4) || killed(t, what, swaps, points) {
					points++
				}
				if points < 10 {
					t.Errorf("there were only %d points", points)
				}
			})
		}
	}
}

var (
	crashBefore = map[string]string{"a.md": "base a", "d.md": "base d"}
	crashAfter  = map[string]string{"a.md": "ours a", "new/": "", "new/c.md": "ours c", "d.md": "ours d"}
)

func killed(t *testing.T, what string, swaps bool, point int) bool {
	r := &rig{t: t, dir: t.TempDir(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	db := filepath.Join(t.TempDir(), "rein.db")
	r.open(db)
	for path, content := range crashBefore {
		r.write(path, content)
	}
	for _, path := range []string{"a.md", "new/c.md", "d.md"} {
		r.mustStage(path, crashAfter[path])
	}
	from, to := crashBefore, crashAfter
	if what == "undo" {
		if _, err := r.commit("first"); err != nil {
			t.Fatal(err)
		}
		from, to = to, from
	}
	r.store.Close()
	child := exec.Command(os.Args[0], "-test.run=^TestCrashChild$")
	child.Env = append(os.Environ(), fmt.Sprintf("REIN_STAGE_CHILD=%s|%s|%s|%v|%d", what, r.dir, db, swaps, point))
	out, err := child.CombinedOutput()
	if err == nil {
		return false
	}
	if state := child.ProcessState.Sys().(syscall.WaitStatus); state.Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended otherwise: %v\n%s", err, out)
	}
	r.open(db)
	if !swaps {
		r.desk.NoSwap()
	}
	afterKill(t, r, what, fmt.Sprintf("point %d", point), from, to)
	return true
}

func afterKill(t *testing.T, r *rig, what, point string, from, to map[string]string) {
	t.Helper()
	state, c, err := r.desk.Check(t.Context(), "k")
	if err != nil {
		t.Fatalf("%s: %v", point, err)
	}
	now := r.notes()
	if what == "conflict" && now["d.md"] == "theirs" {
		if want := maps.Clone(from); state != rein.CheckNot {
			t.Errorf("%s: it is said to have happened", point)
		} else {
			want["d.md"] = "theirs"
			r.want(want)
		}
		_, err := r.commit("k")
		wantCode(t, "again", err, rein.CodeConflict, `"d.md" was changed`)
		return
	}
	want := to
	if state == rein.CheckNot {
		want = from
	}
	if r.want(want); t.Failed() {
		t.Fatalf("%s: %s (%s)", point, state, what)
	}
	if what != "undo" {
		if len(r.staged()) != 3 {
			t.Errorf("%s: staged is %q", point, r.staged())
		}
		if state == rein.CheckNot {
			c, err = r.desk.Commit(t.Context(), ann, "k", r.pin())
		}
		if err != nil || r.settle(c) != nil {
			t.Fatalf("%s: again: %v", point, err)
		}
	} else if state == rein.CheckNot {
		if _, err := r.undo(ann, "k", "first"); err != nil {
			t.Fatalf("%s: again: %v", point, err)
		}
	}
	r.want(to)
	if kept := r.sweep(); len(kept) > 0 || len(r.leftover()) > 0 || len(r.staged()) > 0 {
		t.Errorf("%s: left over: %q %q %q", point, kept, r.leftover(), r.staged())
	}
}

// A process is killed while it recovers from a kill, at every point of that.
func TestKilledWhileRecovering(t *testing.T) {
	// What the first process left is made by hand: the journal says placing, and one note of two is in
	// its place.
	for point := 1; ; point++ {
		r := newRig(t)
		r.write("a.md", "base a")
		r.write("b.md", "base b")
		r.mustStage("a.md", "ours a")
		r.mustStage("b.md", "ours b")
		placed := 0
		cutOff(func() { r.desk.Commit(t.Context(), ann, "k", r.pin()) }, r, func(p string) bool {
			if p == "placed" {
				placed++
			}
			return placed == 1
		})
		r.reopen()
		left := point
		ended := cutOff(func() { r.desk.Recover(t.Context()) }, r, func(string) bool { left--; return left == 0 })
		r.reopen()
		if state, _, err := r.desk.Check(t.Context(), "k"); state != rein.CheckNot || err != nil {
			t.Fatalf("point %d: %s %v", point, state, err)
		}
		r.want(map[string]string{"a.md": "base a", "b.md": "base b"})
		if kept := r.sweep(); len(kept) > 0 || len(r.leftover()) > 0 {
			t.Errorf("point %d: left over: %q %q", point, kept, r.leftover())
		}
		if ended {
			if point < 4 {
				t.Errorf("there were only %d points", point)
			}
			return
		}
	}
}

// cutOff runs do in a goroutine that ends for good where cut says so, without cleaning up: it holds
// the desk for ever. It tells whether do came to its end.
func cutOff(do func(), r *rig, cut func(point string) bool) bool {
	ended := make(chan bool)
	r.desk.OnPoint(func(point string) {
		if cut(point) {
			ended <- false
			select {}
		}
	})
	go func() { do(); ended <- true }()
	return <-ended
}

// reopen is a new process over the same store and vault, which it calls by another name.
func (r *rig) reopen() {
	r.t.Helper()
	link := filepath.Join(r.t.TempDir(), "vault")
	if err := os.Symlink(r.dir, link); err != nil {
		r.t.Fatal(err)
	}
	root, err := os.OpenRoot(link)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { root.Close() })
	r.desk = r.newDesk(root)
}
