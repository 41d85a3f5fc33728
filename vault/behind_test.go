package vault

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// openCold opens a vault of many notes whose index was never made, and waits for nothing.
func openCold(t *testing.T, notes int, o Options) *Vault {
	t.Helper()
	dir := t.TempDir()
	for i := range notes {
		text := fmt.Sprintf("# Note %d\n\n%s\n", i, strings.Repeat(fmt.Sprintf("plain text of number%d about nothing in particular. ", i), 20))
		if i == notes-1 {
			text = "# Last\n\nThe heron fishes at the pond.\n"
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("n%05d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return reopen(t, dir, t.TempDir(), o)
}

func reopen(t *testing.T, dir, idx string, o Options) *Vault {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	o.Root, o.Index, o.Still = root, idx, true
	v, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = v.Close()
		_ = root.Close()
	})
	return v
}

// The first question to a new vault is answered from all notes, also from those that are read last.
func TestTheFirstSearchWaitsForTheWords(t *testing.T) {
	t.Parallel()
	v := openCold(t, 1500, Options{})
	found, err := v.Search(t.Context(), Query{Texts: []string{"heron"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Hits) != 1 || found.Hits[0].Title != "Last" {
		t.Errorf("the first search found %v, notices %q", paths(found), found.Notices)
	}
	if slices.ContainsFunc(found.Notices, func(n string) bool { return strings.Contains(n, "being built") }) {
		t.Errorf("notices %q", found.Notices)
	}
}

// slow is an embedder that makes vectors only when it is let: of texts that a search waits for at once,
// of the others never.
type slow struct {
	*bag
	lets func(text string) bool
}

func (s *slow) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if slices.ContainsFunc(texts, func(text string) bool { return !s.lets(text) }) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.bag.Embed(ctx, texts)
}

// A process that ends soon still makes the vectors that its search needs, keeps them, and says that the
// rest is coming.
func TestAShortRunMakesTheVectorsItNeeds(t *testing.T) {
	t.Parallel()
	dir, idx := t.TempDir(), t.TempDir()
	for i := range 40 {
		text := fmt.Sprintf("# Plain %d\n\n%s\n", i, strings.Repeat("nothing in particular. ", 20))
		if i%10 == 3 {
			text = fmt.Sprintf("# Heron %d\n\n%s\n", i, strings.Repeat("the heron fishes. ", 20))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("n%02d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	embedder := &slow{bag: newBag(), lets: func(text string) bool { return strings.Contains(strings.ToLower(text), "heron") }}
	first := reopen(t, dir, idx, Options{Embedder: embedder})
	// The background hangs in its first batch, as one that is too slow for a short run does.
	found, err := first.Search(t.Context(), Query{Texts: []string{"where does the heron fish"}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits[:4] {
		if !strings.HasPrefix(h.Title, "Heron") || !h.Why.Vectors {
			t.Errorf("%s has a vector: %v", h.Title, h.Why.Vectors)
		}
	}
	if !slices.ContainsFunc(found.Notices, func(n string) bool {
		return strings.Contains(n, "36 passages have no vectors yet") && strings.Contains(n, "being made")
	}) {
		t.Errorf("notices %q", found.Notices)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if left := reopen(t, dir, idx, Options{Embedder: embedder}).Status().Missing; left != 36 {
		t.Errorf("%d passages have no vectors after a restart, want 36", left)
	}
}
