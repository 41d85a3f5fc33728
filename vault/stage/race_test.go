package stage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rein"
)

// ways are how editors and others save a note: all of it in place, by renaming a new file over it, or
// by adding to it.
var ways = map[string]func(file, text string) error{
	"in place": func(file, text string) error { return os.WriteFile(file, []byte(text), 0o644) },
	"by rename": func(file, text string) error {
		if err := os.WriteFile(file+".tmp", []byte(text), 0o644); err != nil {
			return err
		}
		return os.Rename(file+".tmp", file)
	},
	"adding": func(file, text string) error {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		return cmpOr(err, f.Close())
	},
}

// Somebody saves a note again and again while it is committed. Whatever comes of the commit, what they
// saved last is in the note, or it is what the commit replaced and the journal has it, or it is kept
// in the work folder. What was added is somewhere, each piece of it.
//
// Covers: HUM-34
// Attack: 36
func TestEditsRaceCommit(t *testing.T) {
	for way, save := range ways {
		for _, swaps := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, swaps %v", way, swaps), func(t *testing.T) { race(t, way == "adding", save, swaps) })
		}
	}
}

func race(t *testing.T, adds bool, save func(file, text string) error, swaps bool) {
	r := newRig(t)
	if !swaps {
		r.desk.NoSwap()
	}
	happened, refused := 0, 0
	for i := range 36 {
		path := fmt.Sprintf("%d.md", i)
		file := filepath.Join(r.dir, path)
		r.write(path, "base")
		r.mustStage(path, "ours")
		begun, stop := make(chan struct{}), make(chan struct{})
		var saved []string
		var user sync.WaitGroup
		user.Go(func() {
			<-begun
			for n := 0; ; n++ {
				text := fmt.Sprintf("<user %d>", n)
				if err := save(file, text); err != nil {
					t.Error(err)
					return
				}
				saved = append(saved, text)
				if n == 300 {
					<-stop
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
		// Begin at different moments.
		var once sync.Once
		points := []string{"journal", "new", "swapped", "away", "placed", "placed all"}
		r.desk.OnPoint(func(point string) {
			if point == points[i%len(points)] {
				once.Do(func() { close(begun) })
			}
		})
		id := fmt.Sprint("k", i)
		_, err := r.commit(id)
		once.Do(func() { close(begun) })
		close(stop)
		user.Wait()
		if err == nil {
			happened++
		} else {
			refused++
			wantCode(t, "commit", err, rein.CodeConflict)
			_, drop, err := r.desk.Discard(t.Context(), ann, nil)
			if err != nil || r.store.Write(t.Context(), drop) != nil {
				t.Fatal(err)
			}
		}
		holds(t, r, id, path, saved, adds)
	}
	t.Logf("%d happened, %d were refused", happened, refused)
}

// holds looks for what the user wrote.
func holds(t *testing.T, r *rig, id, path string, saved []string, adds bool) {
	t.Helper()
	now := r.notes()[path]
	all := now
	if _, changes, err := r.desk.Changes(t.Context(), ann, id); err == nil {
		for _, c := range changes {
			all += string(c.Base)
		}
	}
	for name, content := range r.leftover() {
		if !strings.HasSuffix(name, ".new") {
			all += content
		}
	}
	if !adds {
		saved = saved[len(saved)-1:]
		if now != saved[0] && now != "ours" {
			t.Errorf("%s is %q: neither what the user saved last (%q) nor ours", path, now, saved[0])
		}
	}
	for _, text := range saved {
		if !strings.Contains(all, text) {
			t.Errorf("%s is %q: %q is lost; there is %q", path, now, text, all)
		}
	}
	if !strings.Contains(all, "base") && adds {
		t.Errorf("%s is %q: what it was at first is lost", path, now)
	}
}

// Somebody has a note open for writing while it is replaced and writes later: the text is kept, and
// Sweep says where.
func TestLateWriterIsKept(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "base ")
	f, err := os.OpenFile(filepath.Join(r.dir, "a.md"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r.mustStage("a.md", "ours")
	if _, err := r.commit("k"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("late"); err != nil {
		t.Fatal(err)
	}
	kept := r.sweep()
	if len(kept) != 1 {
		t.Fatalf("kept %q", kept)
	}
	if text, err := os.ReadFile(filepath.Join(r.dir, kept[0])); err != nil || string(text) != "base late" {
		t.Errorf("%q %v", text, err)
	}
	if len(r.sweep()) != 1 {
		t.Error("it is not kept for ever")
	}
}

// Somebody writes into the note that is being replaced, at each point: the commit is taken back, all
// of it, and their text stands.
func TestEditAtEachPoint(t *testing.T) {
	for _, swaps := range []bool{true, false} {
		for _, point := range []string{"journal", "new", "away", "swapped", "placed"} {
			if !swaps && point == "swapped" {
				continue
			}
			t.Run(fmt.Sprintf("%s, swaps %v", point, swaps), func(t *testing.T) {
				r := newRig(t)
				if !swaps {
					r.desk.NoSwap()
				}
				for _, path := range []string{"a.md", "b.md"} {
					r.write(path, "base")
					r.mustStage(path, "ours")
				}
				r.mustStage("new/c.md", "ours")
				f, err := os.OpenFile(filepath.Join(r.dir, "b.md"), os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				var once sync.Once
				r.desk.OnPoint(func(p string) {
					if p == point {
						once.Do(func() { _, err = f.WriteString(" theirs") })
					}
				})
				_, failure := r.commit("k")
				if err != nil {
					t.Fatal(err)
				}
				wantCode(t, "commit", failure, rein.CodeConflict, `"b.md" was changed`)
				r.want(map[string]string{"a.md": "base", "b.md": "base theirs"})
				if kept := r.sweep(); len(kept) > 0 || len(r.leftover()) > 0 {
					t.Errorf("left over: %q %q", kept, r.leftover())
				}
			})
		}
	}
}

// Somebody edits what the commit has just written, and the commit must be taken back: their edit
// stands, the rest is as it was, and nothing is lost.
func TestEditOfOurs(t *testing.T) {
	for _, swaps := range []bool{true, false} {
		r := newRig(t)
		if !swaps {
			r.desk.NoSwap()
		}
		r.write("a.md", "base a")
		r.write("b.md", "base b")
		r.mustStage("a.md", "ours")
		r.mustStage("b.md", "ours")
		var once sync.Once
		r.desk.OnPoint(func(point string) {
			if point == "placed" {
				once.Do(func() { r.write("a.md", "ours, edited"); r.write("b.md", "theirs") })
			}
		})
		_, err := r.commit("k")
		wantCode(t, "commit", err, rein.CodeConflict, `of "a.md" what someone else wrote meanwhile was left`)
		r.want(map[string]string{"a.md": "ours, edited", "b.md": "theirs"})
	}
}
