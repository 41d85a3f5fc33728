package workspace_test

import (
	"context"
	"path/filepath"
	"testing"

	"rein"
	"rein/household/workspace"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

func newBook(t *testing.T) (workspace.Book, *sqlite.Store) {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return workspace.Book{Tables: s}, s
}

func TestBook(t *testing.T) {
	t.Parallel()
	book, _ := newBook(t)
	ctx := t.Context()
	garden := rein.Workspace{Name: "garden", Household: "home", Root: "/garden", Exclude: []string{"b", "a"}, Deny: []string{"x"}, Origin: rein.OriginAdded, By: "ann"}
	first, err := book.Add(ctx, garden)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := book.Add(ctx, garden); err != nil || !again.Created.Equal(first.Created) {
		t.Errorf("added again: %+v %v", again, err)
	}
	other := garden
	other.Root = "/field"
	if _, err := book.Add(ctx, other); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("another of that name: %v", err)
	}
	for _, bad := range []rein.Workspace{{Name: "", Root: "/x"}, {Name: "a b", Root: "/x"}, {Name: workspace.Default, Root: "/x"}, {Name: "x"}, {Name: "x", Root: "rel"}} {
		if _, err := book.Add(ctx, bad); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	found, ok, err := book.Find(ctx, "garden")
	if err != nil || !ok || workspace.RulesOf(found).Hash() != workspace.RulesOf(garden).Hash() || found.By != "ann" || len(found.Deny) != 1 {
		t.Errorf("found %+v %t %v", found, ok, err)
	}
	if all, err := book.List(ctx); err != nil || len(all) != 1 {
		t.Errorf("%+v %v", all, err)
	}
	if err := book.Remove(ctx, "garden"); err != nil {
		t.Error(err)
	}
	if err := book.Remove(ctx, "garden"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
}

// Rules are found by their hash for as long as they are what the hash says; the order of lists does not
// count, and everything else does.
func TestRules(t *testing.T) {
	t.Parallel()
	book, store := newBook(t)
	ctx := t.Context()
	rules := workspace.Rules{Household: "home", Root: "/a", Vault: "/b", Include: []string{"x", "y"}, Exclude: []string{"z"}, Allow: []string{"t"}}
	hash, err := book.Keep(ctx, rules)
	if err != nil {
		t.Fatal(err)
	}
	for name, changed := range map[string]func(*workspace.Rules){
		"household": func(r *workspace.Rules) { r.Household = "away" }, "root": func(r *workspace.Rules) { r.Root = "/c" }, "vault": func(r *workspace.Rules) { r.Vault = "" },
		"include": func(r *workspace.Rules) { r.Include = nil }, "exclude": func(r *workspace.Rules) { r.Exclude = nil }, "allow": func(r *workspace.Rules) { r.Allow = nil },
	} {
		other := rules
		if changed(&other); other.Hash() == hash {
			t.Errorf("with another %s the hash is the same", name)
		}
	}
	turned := rules
	turned.Include = []string{"y", "x", "y"}
	if again, err := book.Keep(ctx, turned); err != nil || again != hash {
		t.Errorf("in another order: %s, not %s (%v)", again, hash, err)
	}
	if kept, ok, err := book.Rules(ctx, hash); err != nil || !ok || kept.Hash() != hash || kept.Root != "/a" {
		t.Errorf("%+v %t %v", kept, ok, err)
	}
	if err := store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE workspace_rules SET rules = replace(rules, '/a', '/')`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if kept, ok, err := book.Rules(ctx, hash); err != nil || ok {
		t.Errorf("rules that were changed by hand bind a run: %+v %v", kept, err)
	}
}

func TestNameOf(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, root := range []string{"/", "", "/home/ann/my project", "/home/bob/my project", "/é/ü", "/x/" + string(make([]byte, 300))} {
		name := workspace.NameOf(root, "")
		if err := workspace.CheckName(name); err != nil || seen[name] {
			t.Errorf("%q is called %q: %v", root, name, err)
		}
		seen[name] = true
	}
}
