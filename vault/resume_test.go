package vault

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
)

func TestOnlyWhatChangedIsReadAgain(t *testing.T) {
	b := newBag()
	notes := map[string]string{}
	for i := range 30 {
		notes[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("note number %d", i)
	}
	r := newRig(t, notes, Options{Embedder: b})
	if b.count() != 30 {
		t.Fatalf("%d texts were embedded", b.count())
	}
	r.open(Options{Embedder: b, Still: true})
	r.write("n3.md", "another text")
	r.sync()
	if b.count() != 31 {
		t.Errorf("after one change %d texts were embedded in all", b.count())
	}
	if err := os.Rename(filepath.Join(r.dir, "n4.md"), filepath.Join(r.dir, "m4.md")); err != nil {
		t.Fatal(err)
	}
	r.sync()
	if got := paths(r.find(Query{Texts: []string{"number 4"}}))[0]; got != "m4.md" {
		t.Errorf("a renamed note is found as %s", got)
	}
}

func TestAnotherEmbedderMakesOtherVectors(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag()})
	for _, other := range []*bag{{id: "other", dim: 64}, {id: "other", dim: 128}, {id: "third", dim: 128}} {
		r.open(Options{Embedder: other, Still: true})
		if other.count() == 0 {
			t.Errorf("%s/%d was asked for nothing", other.id, other.dim)
		}
		found := r.find(Query{Texts: []string{"watering the garden"}, Explain: true})
		if len(found.Hits) == 0 || !found.Hits[0].Why.Vectors || len(found.Notices) > 0 {
			t.Errorf("%s/%d: %+v", other.id, other.dim, found)
		}
	}
	files, _ := filepath.Glob(filepath.Join(r.idx, "vectors-*"))
	if len(files) != 3 {
		t.Errorf("old vectors are left: %v", files)
	}
}

func TestVectorsOfAnotherDimensionAreRefused(t *testing.T) {
	b := newBag()
	r := newRig(t, garden, Options{Embedder: b})
	b.dim = 10 // its vectors are no longer what it said when the vault was opened
	found := r.find(Query{Texts: []string{"watering the garden now"}})
	if len(found.Hits) == 0 || len(found.Notices) != 1 || !strings.Contains(found.Notices[0], "words only") {
		t.Errorf("found %+v", found)
	}
}

// One text that the embedder does not take keeps no other from its vectors.
func TestARefusedPassage(t *testing.T) {
	r := newRig(t, garden, Options{})
	b := newBag()
	b.refuses = "bicycle"
	r.Close()
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	v, err := Open(t.Context(), Options{Root: root, Index: r.idx, Embedder: b, Still: true})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if err := v.WaitVectors(t.Context()); rein.CodeOf(err) != rein.CodeProvider {
		t.Errorf("waiting ended with %v", err)
	}
	if s := v.Status(); s.Missing != 1 {
		t.Errorf("status %+v", s)
	}
	found, err := v.Search(t.Context(), Query{Texts: []string{"oiled chain"}})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Path != "Projects/bikes.md" {
		t.Errorf("found %v, %v", paths(found), err)
	}
}

func TestTwoProcessesDoNotShareAnIndex(t *testing.T) {
	r := newRig(t, garden, Options{})
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := Open(t.Context(), Options{Root: root, Index: r.idx}); rein.CodeOf(err) != rein.CodeLocked {
		t.Errorf("opened twice: %v", err)
	}
}

// A damaged file of the index is made again.
func TestDamageIsRepaired(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag()})
	for _, damage := range []func(name string) error{
		func(name string) error { return os.Truncate(name, 100) },
		func(name string) error { return os.WriteFile(name, []byte(strings.Repeat("junk", 1000)), 0o600) },
		os.Remove,
	} {
		r.Close()
		files, err := os.ReadDir(r.idx)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Name() != "lock" {
				if err := damage(filepath.Join(r.idx, f.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
		r.Vault = nil
		r.open(Options{Embedder: newBag(), Still: true})
		if got := paths(r.find(Query{Texts: []string{"oiled chain"}})); len(got) == 0 || got[0] != "Projects/bikes.md" {
			t.Errorf("found %v", got)
		}
		if s := r.Status(); s.Missing != 0 || s.Notes != len(garden) {
			t.Errorf("status %+v", s)
		}
	}
}

// A process that is killed in the middle loses nothing but its last batch.
func TestKilledInTheMiddle(t *testing.T) {
	if dir := os.Getenv("REIN_VAULT_CHILD"); dir != "" {
		indexUntilKilled(t, dir)
		return
	}
	r := &rig{t: t, dir: t.TempDir(), idx: filepath.Join(t.TempDir(), "index")}
	const notes = 1500
	for i := range notes {
		r.write(fmt.Sprintf("d%d/n%d.md", i%7, i), fmt.Sprintf("# N%d\nplanted%dx %s\n", i, i, strings.Repeat("filling words ", 50)))
	}
	for _, after := range []string{"words 200", "words 800", "vectors 100", "vectors 700"} {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledInTheMiddle$")
		child.Env = append(os.Environ(), "REIN_VAULT_CHILD="+r.dir, "REIN_VAULT_INDEX="+r.idx, "REIN_VAULT_AFTER="+after)
		out, err := child.CombinedOutput()
		if err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("the child at %s ended with %v: %s", after, err, out)
		}
	}
	b := newBag()
	r.open(Options{Embedder: b, Still: true})
	if made := b.count(); made == 0 || made > notes-500 { // what a crash may undo is 256
		t.Errorf("%d of %d texts were embedded after the last kill", made, notes)
	}
	for i := 0; i < notes; i += 13 {
		found := r.find(Query{Texts: []string{fmt.Sprintf("planted%dx", i)}, Explain: true})
		if len(found.Hits) == 0 || !strings.HasSuffix(found.Hits[0].Path, fmt.Sprintf("/n%d.md", i)) || !found.Hits[0].Why.Vectors {
			t.Fatalf("note %d: %+v", i, found)
		}
	}
	if s := r.Status(); s.Notes != notes || s.Missing != 0 {
		t.Errorf("status %+v", s)
	}
}

func indexUntilKilled(t *testing.T, dir string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	var phase string
	var done int
	if _, err := fmt.Sscanf(os.Getenv("REIN_VAULT_AFTER"), "%s %d", &phase, &done); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{Root: root, Index: os.Getenv("REIN_VAULT_INDEX"), Embedder: newBag(), Progress: func(p Progress) {
		if p.Phase == phase && p.Done >= done || p.Phase == "vectors" && phase == "words" {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	<-ctx.Done()
}
