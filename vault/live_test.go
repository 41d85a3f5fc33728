package vault

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein/internal/turn"
	"rein/vault/index"
)

// liveRig follows edits. Its searches are repeated until they find what they want or time is up.
func liveRig(t *testing.T, notes map[string]string, o Options) *rig {
	t.Helper()
	r := newRig(t, notes, o)
	r.open(o)
	return r
}

// seen waits until a search for a word finds exactly a path, or nothing for "".
func (r *rig) seen(word, want string, within time.Duration) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), within)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		got := strings.Join(paths(r.find(Query{Texts: []string{word}})), " ")
		if got == want {
			return
		}
		select {
		case <-ctx.Done():
			r.t.Fatalf("%q finds %q, not %q, after %s", word, got, want, within)
		case <-tick.C:
		}
	}
}

func TestEditsAreSearchableWithinTwoSeconds(t *testing.T) {
	r := liveRig(t, map[string]string{"a.md": "alpha", "sub/b.md": "beta"}, Options{Embedder: newBag()})
	const soon = 2 * time.Second
	r.write("a.md", "gamma")
	r.seen("gamma", "a.md", soon)
	r.seen("alpha", "", soon)
	r.write("new/deep/c.md", "delta") // a folder that was not there
	r.seen("delta", "new/deep/c.md", soon)
	r.write("new/deep/c.md", "epsilon")
	r.seen("epsilon", "new/deep/c.md", soon)
	if err := os.Rename(filepath.Join(r.dir, "sub"), filepath.Join(r.dir, "moved")); err != nil {
		t.Fatal(err)
	}
	r.seen("beta", "moved/b.md", soon)
	r.write("moved/b.md", "zeta")
	r.seen("zeta", "moved/b.md", soon)
	if err := os.RemoveAll(filepath.Join(r.dir, "new")); err != nil {
		t.Fatal(err)
	}
	r.seen("epsilon", "", soon)
	temp := filepath.Join(r.dir, ".a.md.tmp") // as editors save
	if err := os.WriteFile(temp, []byte("eta"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(temp, filepath.Join(r.dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	r.seen("eta", "a.md", soon)
}

func TestARescanFindsWhatNoEventTold(t *testing.T) {
	o := Options{Rescan: 20 * time.Millisecond}
	r := newRig(t, map[string]string{"a.md": "alpha"}, o)
	r.Close()
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	o.Root, o.Index = root, r.idx
	blind := &keeper{rescan: o.Rescan}
	x, err := index.Open(index.Options{Dir: r.idx})
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFolder(root, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &Vault{folder: f, index: x, asked: newQueryVectors(), turns: turn.New(2), requests: make(chan request), wake: make(chan struct{}, 1), skipped: map[string]string{}, sure: map[string]int64{}, quiet: make(chan struct{}), scanned: make(chan struct{})}
	blind.vault = v
	ctx, cancel := context.WithCancel(t.Context())
	v.stop = cancel
	v.done.Go(func() { blind.run(ctx) })
	defer v.Close()
	r.Vault = v
	r.write("a.md", "bravo") // as long as before, and perhaps at the same moment
	r.seen("bravo", "a.md", 5*time.Second)
}

// A file can change within the same tick of its clock, and keep its size.
func TestAnEditThatItsTimeDoesNotTell(t *testing.T) {
	r := newRig(t, map[string]string{"a.md": "alpha"}, Options{})
	name := filepath.Join(r.dir, "a.md")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	r.write("a.md", "bravo")
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	r.sync()
	if got := paths(r.find(Query{Texts: []string{"bravo"}})); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}

// Searches, edits, merges and vectors go on at once; in the end the index says what the folder says.
func TestEditsRaceTheIndex(t *testing.T) {
	r := liveRig(t, nil, Options{Embedder: newBag()})
	const notes, rounds = 20, 15
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for round := range rounds {
				for n := w; n < notes; n += 4 {
					r.write(fmt.Sprintf("n%d.md", n), fmt.Sprintf("# Note\nround%dx note%dx with some text\n", round, n))
				}
				if _, err := r.index.Merge(); err != nil {
					t.Error(err)
				}
				if _, err := r.Search(t.Context(), Query{Texts: []string{"note", fmt.Sprintf("round%dx", round)}}); err != nil {
					t.Error(err)
				}
				if err := r.Refresh(t.Context(), fmt.Sprintf("n%d.md", w)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	r.sync()
	for n := range notes {
		found := r.find(Query{Texts: []string{fmt.Sprintf("note%dx", n)}})
		if len(found.Hits) == 0 || found.Hits[0].Path != fmt.Sprintf("n%d.md", n) || !strings.Contains(found.Hits[0].Snippet, fmt.Sprintf("round%dx", rounds-1)) {
			t.Errorf("note %d: %+v", n, found.Hits)
		}
	}
	if got := r.find(Query{Texts: []string{"round3x"}}); len(got.Hits) != 0 {
		t.Errorf("an old text is found: %v", paths(got))
	}
	if s := r.Status(); s.Notes != notes || s.Missing != 0 {
		t.Errorf("status %+v", s)
	}
}

func TestProgressIsTold(t *testing.T) {
	notes := map[string]string{}
	for i := range 450 {
		notes[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("note number %d", i)
	}
	var mu sync.Mutex
	last, rests := map[string]Progress{}, 0
	newRig(t, notes, Options{Embedder: newBag(), Progress: func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Phase == "" {
			rests++
			return
		}
		if had := last[p.Phase]; p.Done < had.Done && p.Total == had.Total {
			t.Errorf("%s went from %d back to %d", p.Phase, had.Done, p.Done)
		}
		last[p.Phase] = p
	}})
	mu.Lock()
	defer mu.Unlock()
	if p := last["words"]; p.Done != 450 || p.Total != 450 || p.Rate <= 0 || p.Left != 0 {
		t.Errorf("words: %+v", p)
	}
	if p := last["vectors"]; p.Done != p.Total || p.Done == 0 || p.Rate <= 0 {
		t.Errorf("vectors: %+v", p)
	}
	if rests == 0 {
		t.Error("it was not told when the vault rests")
	}
}
