package trust_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"rein"
	"rein/household/people"
	"rein/household/trust"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

func newBook(t *testing.T) (trust.Book, *people.People, *sqlite.Store) {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	p := &people.People{Tables: s}
	if err := p.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return trust.Book{Tables: s, Note: p.NoteFolder}, p, s
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// A decision is about one content in one folder. A newer one follows it; runs that began under the older keep it until
// somebody revokes the trust in the folder.
func TestDecisions(t *testing.T) {
	t.Parallel()
	book, p, _ := newBook(t)
	ctx, host := t.Context(), rein.Host()
	decide := func(d trust.Decision) trust.Decision {
		t.Helper()
		return must[trust.Decision](t)(book.Decide(ctx, host, d))
	}
	trusted := func(root, hash string) bool { t.Helper(); return must[bool](t)(book.Trusted(ctx, "home", root, hash)) }
	if _, err := book.Decide(ctx, host, trust.Decision{Root: "/r"}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
	first := decide(trust.Decision{Root: "/r", Hash: "h1", Files: []trust.File{{Path: "AGENTS.md", Sum: "1"}, {Path: "b", Sum: "2"}}})
	if again := decide(trust.Decision{Root: "/r", Hash: "h1"}); again.ID != first.ID {
		t.Error("deciding the same again makes another decision")
	}
	for _, c := range []struct {
		root, hash string
		want       bool
	}{{"/r", "h1", true}, {"/r", "h2", false}, {"/r/sub", "h1", false}, {"/", "h1", false}, {"/r", "", false}} {
		if trusted(c.root, c.hash) != c.want {
			t.Errorf("%+v", c)
		}
	}
	if ok := must[bool](t)(book.Trusted(ctx, "other", "/r", "h1")); ok {
		t.Error("another household trusts it")
	}
	decide(trust.Decision{Root: "/r", Hash: "h2"})
	decide(trust.Decision{Root: "/r", Folder: "sub", Hash: "h3"})
	decide(trust.Decision{Root: "/q", Hash: "h4", Declined: true})
	if !trusted("/r", "h1") || trusted("/q", "h4") {
		t.Error("a run that began earlier lost its trust, or what was declined is trusted")
	}
	now := must[[]trust.Decision](t)(book.Of(ctx, "home", "/r"))
	if len(now) != 2 || now[0].Hash != "h2" || now[1].Folder != "sub" || !now[0].Holds() {
		t.Errorf("%+v", now)
	}
	if list := must[[]trust.Decision](t)(book.List(ctx, "home")); len(list) != 2 {
		t.Errorf("%+v", list)
	}
	must[trust.Decision](t)(book.Revoke(ctx, host, now[0].ID))
	for _, hash := range []string{"h1", "h2", "h3"} {
		if trusted("/r", hash) {
			t.Errorf("%s is trusted though the folder is not", hash)
		}
	}
	if _, err := book.Revoke(ctx, host, "none"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
	decide(trust.Decision{Root: "/r", Hash: "h1"})
	if !trusted("/r", "h1") {
		t.Error("it cannot be trusted again")
	}
	var what []rein.ChangeKind
	for _, c := range must[[]rein.PeopleChange](t)(p.Changes(ctx, host, 0, 0)) {
		what = append(what, c.What)
	}
	want := []rein.ChangeKind{rein.UserAdded, rein.FolderTrusted, rein.FolderTrusted, rein.FolderTrusted, rein.FolderDeclined, rein.TrustRevoked, rein.FolderTrusted}
	if !slices.Equal(what, want) {
		t.Errorf("the changes are %q", what)
	}
	same := first.Changes([]trust.File{{Path: "AGENTS.md", Sum: "9"}, {Path: "c", Sum: "3"}})
	if !slices.Equal(same, []string{"AGENTS.md was changed", "b is gone", "c is new"}) {
		t.Errorf("%q", same)
	}
}

// A file of a skill is what its sum says, or is not there.
func TestFiles(t *testing.T) {
	t.Parallel()
	book, _, s := newBook(t)
	ctx := t.Context()
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for range 2 {
		if err := book.Keep(ctx, map[string][]byte{sum: []byte("abc")}); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := book.File(ctx, sum); err != nil || string(data) != "abc" {
		t.Errorf("%q %v", data, err)
	}
	if err := s.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE skill_files SET data = ?`, []byte("evil"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{sum, "none", ""} {
		if data, err := book.File(ctx, name); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("%q: %q %v", name, data, err)
		}
	}
}
