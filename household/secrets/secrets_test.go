package secrets_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/household/people"
	"rein/household/secrets"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A rig is a data folder with a box.
type rig struct {
	*testing.T
	dir   string
	store *sqlite.Store
	box   *secrets.Store
}

func newRig(t *testing.T) *rig {
	r := &rig{T: t, dir: t.TempDir()}
	var err error
	if r.store, err = sqlitetest.Open(t, filepath.Join(r.dir, "rein.db"), sqlite.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.store.Close() })
	known := &people.People{Tables: r.store}
	r.check(known.Begin(t.Context()))
	r.box = &secrets.Store{Tables: r.store, Keys: secrets.NewKeys(r.dir, ""), People: known}
	return r
}

func (r *rig) check(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) put(o secrets.Owner, name, value string) {
	r.Helper()
	r.check(r.box.Put(r.Context(), o, name, []byte(value)))
}

// gets wants a value, or an error with a code and all of the words.
func (r *rig) gets(o secrets.Owner, name, value string, code rein.Code, words ...string) {
	r.Helper()
	got, err := r.box.Get(r.Context(), o, name)
	if string(got) != value || rein.CodeOf(err) != code {
		r.Errorf("%s of %s is %q, %v; want %q and code %q", name, o, got, err, value, code)
	}
	for _, word := range words {
		if err == nil || !strings.Contains(err.Error(), word) {
			r.Errorf("%s of %s: %v does not say %q", name, o, err, word)
		}
	}
}

func (r *rig) exec(query string, args ...any) {
	r.Helper()
	r.check(r.store.Write(r.Context(), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	}))
}

// names are the names of an owner, with a mark for those that are lost.
func (r *rig) names(o secrets.Owner) string {
	r.Helper()
	entries, err := r.box.Names(r.Context(), o)
	r.check(err)
	var all []string
	for _, e := range entries {
		if e.Lost {
			e.Name += "!"
		}
		all = append(all, e.Name)
	}
	return strings.Join(all, " ")
}

// holds reports whether a file of the data folder holds a text.
func (r *rig) holds(text string) bool {
	r.Helper()
	files, err := os.ReadDir(r.dir)
	r.check(err)
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(r.dir, f.Name()))
		r.check(err)
		if bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}

var (
	ann   = secrets.Owner{Household: "home", User: "ann"}
	ben   = secrets.Owner{Household: "home", User: "ben"}
	other = secrets.Owner{Household: "other", User: "ann"}
	all   = secrets.Owner{Household: "home"}
)

// Each owner has their own secrets, and no file has a value.
func TestOwners(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, o := range []secrets.Owner{ann, ben, other, all} {
		r.put(o, "API_KEY", "value-of-"+o.String())
	}
	r.put(ann, "mcp/files/token", "first-of-ann")
	r.put(ann, "mcp/files/token", "second-of-ann")
	for _, o := range []secrets.Owner{ann, ben, other, all} {
		r.gets(o, "API_KEY", "value-of-"+o.String(), "")
	}
	r.gets(ann, "mcp/files/token", "second-of-ann", "")
	r.gets(ben, "mcp/files/token", "", rein.CodeNotFound, "mcp/files/token")
	if got := r.names(ann) + "; " + r.names(ben); got != "API_KEY mcp/files/token; API_KEY" {
		t.Errorf("names: %s", got)
	}
	r.check(r.box.Delete(t.Context(), ann, "API_KEY"))
	r.gets(ann, "API_KEY", "", rein.CodeNotFound)
	r.gets(ben, "API_KEY", "value-of-home/ben", "")
	if err := r.box.Delete(t.Context(), ann, "API_KEY"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("the second time: %v", err)
	}
	if r.holds("value-of-") || r.holds("-of-ann") {
		t.Error("a file holds a value")
	}
}

// A row that is moved to another owner or name does not open, nor one that was changed.
func TestMovedRows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, change := range []string{
		`UPDATE secrets SET user_name = 'ben'`, `UPDATE secrets SET user_name = ''`, `UPDATE secrets SET household = 'other'`, `UPDATE secrets SET name = 'OTHER'`,
		`UPDATE secrets SET household = 'homean', user_name = 'n'`, `UPDATE secrets SET sealed = CAST(substr(sealed, 1, length(sealed) - 1) || x'00' AS BLOB)`, `UPDATE secrets SET sealed = x''`,
	} {
		r.exec(`DELETE FROM secrets`)
		r.put(ann, "API_KEY", "value-of-ann")
		r.exec(change)
		opened := 0
		for _, o := range []secrets.Owner{ann, ben, other, all, {Household: "homean", User: "n"}} {
			for _, name := range []string{"API_KEY", "OTHER"} {
				_, err := r.box.Get(t.Context(), o, name)
				if err == nil {
					opened++
				} else if code := rein.CodeOf(err); code != rein.CodeNotFound && code != rein.CodeDamaged {
					t.Errorf("%s: %v", change, err)
				}
			}
		}
		if opened > 0 {
			t.Errorf("%s: it opens", change)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, c := range []struct{ name, value, says string }{
		{"", "v", "a name has"},
		{"a b", "v", "a name has"},
		{"../x", "v", "a name has"},
		{"a//b", "v", "a name has"},
		{strings.Repeat("n", 129), "v", "a name has"},
		{"EMPTY", "", "is empty"},
		{"LONG", strings.Repeat("v", secrets.MaxValue+1), "at most"},
	} {
		err := r.box.Put(t.Context(), ann, c.name, []byte(c.value))
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "vvv") {
			t.Errorf("%q: %v", c.name, err)
		}
	}
	for i := range 100 {
		r.put(ann, "S"+strings.Repeat("x", i), "value")
	}
	if err := r.box.Put(t.Context(), ann, "ONE_MORE", []byte("value")); rein.CodeOf(err) != rein.CodeLimit {
		t.Errorf("one too many: %v", err)
	}
	r.put(ann, "S", "another value")
	r.put(ben, "ONE_MORE", "value")
}
