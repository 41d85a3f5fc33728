package minilm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func embedAll(t testing.TB, m *Model, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	return vectors
}

func TestDataIsWhatItWas(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"minilm.blob": {blob, blobSHA256},
		"vocab.txt":   {vocabularyText, vocabularySHA256},
	} {
		sum := sha256.Sum256([]byte(test.data))
		if got := hex.EncodeToString(sum[:]); got != test.want {
			t.Errorf("%s has SHA-256 %s; want %s", name, got, test.want)
		}
	}
}

func TestIdentity(t *testing.T) {
	m := New()
	if got, want := m.ID(), "all-MiniLM-L6-v2@0c842f25d52e.1"; got != want {
		t.Errorf("ID is %q; want %q: with another ID all indexes are made again", got, want)
	}
	if m.Dim() != 384 {
		t.Errorf("Dim is %d; want 384", m.Dim())
	}
}

func TestVectorsAreOneLong(t *testing.T) {
	texts := []string{
		"", " \n\t", "a", "\x00", "\xff\xfe", "\u0301", strings.Repeat("x", 1000),
		"日本語", "한국어", "العربية", "עברית", "हिन्दी", "ไทย", "ქართული", "Ελληνικά", "Кириллица", "አማርኛ", "🎉🎉",
		strings.Repeat("word ", 100_000),
	}
	for i, vector := range embedAll(t, New(), texts...) {
		if length := math.Sqrt(cosine(vector, vector)); len(vector) != Dimension || math.Abs(length-1) > 1e-5 {
			t.Errorf("%.20q: %d numbers, length %f; want %d and 1", texts[i], len(vector), length, Dimension)
		}
	}
}

func TestMeaning(t *testing.T) {
	pairs := []struct{ text, near, far string }{
		{"How do I bake a cake?", "Preheat the oven and whip eggs with sugar.", "The server restarts after a crash."},
		{"When does the nightly backup run?", "Copies are written to the NAS at 3 in the morning.", "My favourite colour is green."},
		{"The cat sat on the mat.", "A kitten rested on the rug.", "Interest rates rose by half a percent."},
		{"doctor's appointment", "see the physician on Monday", "compile the kernel with debug symbols"},
	}
	m := New()
	for _, p := range pairs {
		v := embedAll(t, m, p.text, p.near, p.far)
		if near, far := cosine(v[0], v[1]), cosine(v[0], v[2]); near < far+0.15 {
			t.Errorf("%q: %f to %q and %f to %q", p.text, near, p.near, far, p.far)
		}
	}
}

// What the model does not read changes nothing, and what it reads last does.
func TestTextsAreReadUpToTheLimit(t *testing.T) {
	const fits = MaxTokens - 2
	v := embedAll(t, New(),
		strings.Repeat("note ", fits),
		strings.Repeat("note ", fits)+strings.Repeat("banana ", 1000),
		strings.Repeat("note ", fits-1)+"banana")
	if diff := cmp.Diff(v[0], v[1]); diff != "" {
		t.Error("words beyond the limit changed the vector")
	}
	if cosine(v[0], v[2]) > 0.9999 {
		t.Error("the last word within the limit did not change the vector")
	}
}

// A text's vector does not depend on who else is at work, nor on what the arena was used for before.
func TestConcurrentUse(t *testing.T) {
	m := newModel(fastest(), 2)
	texts := []string{"short", strings.Repeat("a longer text ", 40), "", "of a few words", strings.Repeat("note ", 15)}
	want := make([][]float32, len(texts))
	for i, text := range texts {
		want[i] = embedAll(t, newModel(fastest(), 1), text)[0]
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 3 {
				got, err := m.Embed(t.Context(), texts)
				if err != nil {
					t.Error(err)
					return
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error("vectors differ from those made alone")
				}
			}
		})
	}
	group.Wait()
}

func TestCancel(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	m := New()
	if vectors, err := m.Embed(ctx, []string{"a"}); !errors.Is(err, why) || vectors != nil {
		t.Errorf("Embed returned %v, %v; want no vectors and the cause", vectors, err)
	}
	if _, err := m.Embed(ctx, nil); err != nil {
		t.Errorf("Embed of no texts: %v", err)
	}
}

// A call that waits for its turn stops waiting when its context ends.
func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(fastest(), 1)
		for range cap(m.places) {
			m.places <- struct{}{}
		}
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := m.Embed(ctx, []string{"a", "b"})
			failed <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("Embed: %v; want %v", err, context.Canceled)
		}
		<-m.places
		embedAll(t, m, "there is a place again")
	})
}

// A countdown is a context that ends after it was looked at a number of times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A long text is left between two layers.
func TestCancelWithinText(t *testing.T) {
	ctx := &countdown{Context: context.Background()}
	ctx.left.Store(4)
	if _, err := newModel(fastest(), 1).Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Embed: %v; want %v", err, context.Canceled)
	}
}
