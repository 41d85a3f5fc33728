package vault

import (
	"context"
	"errors"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/vault/words"
)

// bag is an embedder that knows words and no meaning: each word is a direction.
type bag struct {
	id      string
	dim     int
	refuses string // texts with this

	mu    sync.Mutex
	err   error
	texts int
}

func (b *bag) ID() string { return b.id }
func (b *bag) Dim() int   { return b.dim }

func (b *bag) Embed(_ context.Context, texts []string) ([][]float32, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return nil, b.err
	}
	b.texts += len(texts)
	for _, text := range texts {
		if b.refuses != "" && strings.Contains(text, b.refuses) {
			return nil, rein.Errorf(rein.CodeTooLong, "this text is refused")
		}
	}
	var all [][]float32
	for _, text := range texts {
		vector := make([]float32, b.dim)
		vector[0] = 0.01
		words.Each(text, func(w words.Word) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(words.English.Stem(w.Text)))
			vector[h.Sum32()%uint32(b.dim)]++
		})
		all = append(all, vector)
	}
	return all, nil
}

func (b *bag) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
}

func (b *bag) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.texts
}

var errDown = errors.New("the embedder is down")

func newBag() *bag { return &bag{id: "bag", dim: 4093} }

// A rig is a vault in folders of its own.
type rig struct {
	*Vault
	t        testing.TB
	dir, idx string
}

func (r *rig) write(name, text string) {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// open opens the vault of the rig, again if it is open.
func (r *rig) open(o Options) {
	r.t.Helper()
	if r.Vault != nil {
		if err := r.Close(); err != nil {
			r.t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	o.Root, o.Index = root, r.idx
	v, err := Open(r.t.Context(), o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.Vault = v
	r.t.Cleanup(func() { v.Close(); root.Close() })
	r.sync()
}

func (r *rig) sync() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 10*time.Minute)
	defer cancel()
	if err := r.Sync(ctx); err != nil {
		r.t.Fatal(err)
	}
	if err := r.WaitVectors(ctx); err != nil && !errors.Is(err, errDown) {
		r.t.Fatal(err)
	}
}

// newRig makes a vault of notes that changes only when it is told to.
func newRig(t testing.TB, notes map[string]string, o Options) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), idx: filepath.Join(t.TempDir(), "index")}
	for name, text := range notes {
		r.write(name, text)
	}
	o.Still = true
	r.open(o)
	return r
}

func (r *rig) find(q Query) Results {
	r.t.Helper()
	found, err := r.Search(r.t.Context(), q)
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

func paths(found Results) []string {
	all := []string{}
	for _, h := range found.Hits {
		all = append(all, h.Path)
	}
	return all
}

func ptr[T any](v T) *T { return &v }
