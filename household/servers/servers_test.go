package servers_test

import (
	"path/filepath"
	"testing"

	"rein"
	"rein/household/servers"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

func newBook(t *testing.T) servers.Book {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return servers.Book{Tables: s}
}

func TestBook(t *testing.T) {
	t.Parallel()
	book, ctx := newBook(t), t.Context()
	for range 2 { // the same again changes nothing
		if err := book.Add(ctx, servers.Server{Name: "a", Spec: `{"url":"x"}`, By: "ann"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.Add(ctx, servers.Server{Name: "a", Spec: `{"url":"y"}`}); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("another of that name: %v", err)
	}
	if all, err := book.List(ctx); err != nil || len(all) != 1 || all[0].By != "ann" || all[0].Created.IsZero() {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := book.Keep(ctx, "a", []servers.Tool{{Name: "t", Hash: "1"}}); err != nil {
		t.Error(err)
	}
	if err := book.Remove(ctx, "a"); err != nil {
		t.Error(err)
	}
	if tools, err := book.Tools(ctx); err != nil || len(tools) != 0 {
		t.Errorf("its tools are still there: %+v %v", tools, err)
	}
	if err := book.Remove(ctx, "a"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
}

// A definition is accepted when it is first seen. A change is not, also if the tool was away meanwhile.
func TestKeep(t *testing.T) {
	t.Parallel()
	book, ctx := newBook(t), t.Context()
	keep := func(listed ...servers.Tool) servers.Tool {
		t.Helper()
		all, err := book.Keep(ctx, "a", listed)
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v %v", all, err)
		}
		return all[0]
	}
	first := servers.Tool{Name: "t", Definition: "{}", Hash: "1"}
	if got := keep(first); got.Accepted != "1" || !got.Changed.IsZero() {
		t.Errorf("at first: %+v", got)
	}
	if got := keep(); !got.Gone || got.Accepted != "1" {
		t.Errorf("not listed: %+v", got)
	}
	second := servers.Tool{Name: "t", Definition: `{"x":1}`, Hash: "2"}
	if got := keep(second); got.Accepted != "1" || got.Hash != "2" || got.Gone || got.Changed.IsZero() || got.Definition != second.Definition {
		t.Errorf("it came back changed: %+v", got)
	}
	if err := book.Accept(ctx, "a"); err != nil {
		t.Error(err)
	}
	if got := keep(second); got.Accepted != "2" {
		t.Errorf("after it was accepted: %+v", got)
	}
}
