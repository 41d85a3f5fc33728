package vault

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/vault/index"
)

var linked = map[string]string{
	"Home.md":                     "# Home\n\nSee [[Roof]], [[Projects/Garden|the garden]] and [the bank](Money/Bank%20account.md#Fees). Also [[Nowhere]] and [web](https://example.com/x.md).\n",
	"Projects/Roof.md":            "---\naliases: [Dak]\n---\n# Roof\n\nThe roofer Jansen wants 8,400 euros for the roof, to be paid in two parts. ^offer\n\n- slates are ordered in May ^slates\n- the gutter is replaced too\n\n| what | when |\n|---|---|\n| scaffold | June |\n\n^plan\n\nBack to [[home]].\n",
	"Projects/Garden.md":          "# Garden\n\nTomatoes and beans grow along the wall. The [roof](Roof.md) drains into the barrel.\n",
	"Money/Bank account.md":       "# Bank account\n\nThe account for the house. The roofer is paid from it in two parts.\n",
	"Money/Offer Jansen 2026.pdf": "x",
	"Photos/roof-before.jpg":      "x",
	"Private/roof.pdf":            "x",
}

// Links are known in both directions, however they are written, and follow edits.
func TestLinks(t *testing.T) {
	t.Parallel()
	r := newRig(t, linked, Options{Embedder: newBag()})
	paths := func(refs []Ref) (all []string) {
		for _, ref := range refs {
			all = append(all, ref.Path)
		}
		return all
	}
	home, err := r.Links(t.Context(), "Home")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Money/Bank account.md", "Projects/Garden.md", "Projects/Roof.md"}, paths(home.Links)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Nowhere"}, home.Missing); diff != "" {
		t.Error(diff)
	}
	roof, err := r.Links(t.Context(), "Projects/Roof.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Ref{{"Home.md", "Home"}, {"Projects/Garden.md", "Garden"}}, roof.Backlinks); diff != "" {
		t.Error(diff)
	}
	if len(roof.Related) == 0 || roof.Related[0].Path != "Money/Bank account.md" {
		t.Errorf("related are %v", roof.Related)
	}
	text, err := r.Read(Reading{Path: "Projects/Roof.md"})
	if err != nil || !slices.Equal(text.LinksTo, []string{"Home.md"}) || !slices.Equal(text.LinkedFrom, []string{"Home.md", "Projects/Garden.md"}) {
		t.Errorf("read with links to %v, from %v: %v", text.LinksTo, text.LinkedFrom, err)
	}
	r.write("Projects/Garden.md", "# Garden\n\nNo link any more. But see [[Dak]]? No: [[Home]].\n")
	r.write("Nowhere.md", "# Nowhere\n\n[[Dak]]\n")
	r.sync()
	roof, err = r.Links(t.Context(), "Projects/Roof.md")
	if err != nil || !slices.Equal(paths(roof.Backlinks), []string{"Home.md", "Nowhere.md", "Projects/Garden.md"}) {
		t.Errorf("after edits linked from %v: %v", roof.Backlinks, err)
	}
	if _, err := r.Links(t.Context(), "../x"); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("links of what lies outside: %v", err)
	}
}

// What an older program indexed has no links: it is read again, and its vectors stay.
func TestLinksOfNotesThatAnOlderProgramIndexed(t *testing.T) {
	t.Parallel()
	r := newRig(t, linked, Options{Embedder: newBag()})
	if err := r.WaitVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	old := newBag()
	x, err := index.Open(index.Options{Dir: r.idx, Embedder: old.ID(), Dim: old.Dim()})
	if err != nil {
		t.Fatal(err)
	}
	var docs []index.Doc
	for name, text := range linked {
		if had, ok := x.Note(name); ok {
			d := index.Read(name, []byte(text), r.chunking)
			d.ModTime, d.Indexed, d.Linked, d.Links = had.ModTime, had.ModTime+int64(time.Hour), false, nil
			docs = append(docs, d)
		}
	}
	if err := errors.Join(x.Commit(docs, nil), x.Close()); err != nil {
		t.Fatal(err)
	}
	v := reopen(t, r.dir, r.idx, Options{Embedder: old})
	roof, err := v.Links(t.Context(), "Projects/Roof.md")
	if err != nil || len(roof.Backlinks) != 2 {
		t.Errorf("linked from %v: %v", roof.Backlinks, err)
	}
	if missing := v.Status().Missing; missing != 0 {
		t.Errorf("%d passages lost their vectors", missing)
	}
}

// A block is a hit, and is read by its name, whatever it is: a paragraph, a point of a list, a table.
//
// Covers: HUM-91
func TestBlocks(t *testing.T) {
	t.Parallel()
	r := newRig(t, linked, Options{Embedder: newBag()})
	for query, want := range map[string]string{"how much does the roofer want": "^offer", "slates ordered": "^slates", "when is the scaffold": "^plan", "gutter replaced": ""} {
		found := r.find(Query{Texts: []string{query}})
		if found.Hits[0].Path != "Projects/Roof.md" || found.Hits[0].Block != want {
			t.Errorf("%q found %s, block %q, want %q", query, found.Hits[0].Path, found.Hits[0].Block, want)
		}
	}
	for id, want := range map[string]string{"^offer": "8,400", "^SLATES": "- slates are ordered in May ^slates\n", "^plan": "| what | when |\n|---|---|\n| scaffold | June |\n"} {
		text, err := r.Read(Reading{Path: "Projects/Roof.md", Section: id})
		if err != nil || !strings.Contains(text.Text, want) || strings.Contains(text.Text, "gutter") || text.Section != id {
			t.Errorf("%s is %q of section %q: %v", id, text.Text, text.Section, err)
		}
	}
	if _, err := r.Read(Reading{Path: "Projects/Roof.md", Section: "^none"}); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("a block that is not there: %v", err)
	}
}

// Files that are no notes are found by their name, in the folders that the vault shows.
//
// Covers: HUM-92
func TestOtherFilesAreFoundByName(t *testing.T) {
	t.Parallel()
	r := newRig(t, linked, Options{Exclude: []string{"Private"}})
	for query, want := range map[string]string{
		"offer jansen 2026":                        "Money/Offer Jansen 2026.pdf",
		"Offer Jansen 2026.pdf":                    "Money/Offer Jansen 2026.pdf",
		"where is the Jansen offer of 2026":        "Money/Offer Jansen 2026.pdf",
		"is there a photo of the roof before jpg?": "Photos/roof-before.jpg",
	} {
		found := r.find(Query{Texts: []string{query}})
		at := slices.IndexFunc(found.Hits, func(h Hit) bool { return h.File })
		if at < 0 || found.Hits[at].Path != want {
			t.Errorf("%q found %v", query, paths(found))
		}
	}
	whole := r.find(Query{Texts: []string{"offer jansen 2026"}})
	if !whole.Hits[0].File || whole.Hits[0].Score <= 0 || whole.Hits[0].Snippet == "" {
		t.Errorf("the file that is named in full is not first: %v", paths(whole))
	}
	for _, q := range []Query{{Texts: []string{"tomatoes along the wall"}}, {Texts: []string{"roof"}, K: ptr(1)}, {Texts: []string{"offer jansen 2026"}, Filter: index.Filter{Folder: "Projects"}}} {
		if found := r.find(q); slices.ContainsFunc(found.Hits, func(h Hit) bool { return h.File || strings.HasPrefix(h.Path, "Private") }) {
			t.Errorf("%q found %v", q.Texts, paths(found))
		}
	}
	r.write("Photos/Scaffold plan.canvas", "{}")
	r.sync()
	if found := r.find(Query{Texts: []string{"garden", "scaffold plan"}}); !slices.Contains(paths(found), "Photos/Scaffold plan.canvas") {
		t.Errorf("a file that came later is not found: %v", paths(found))
	}
	if _, err := r.Read(Reading{Path: "Photos/roof-before.jpg"}); err == nil || !strings.Contains(err.Error(), "can open it") {
		t.Errorf("reading a picture: %v", err)
	}
}
