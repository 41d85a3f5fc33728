package reach

import (
	"path/filepath"
	"testing"

	"rein"
)

// Of two policies both must agree, and what one hides is hidden; the rules of other vaults are kept
// wherever a path leads there.
//
// Attack: 40
func TestBoth(t *testing.T) {
	dir := tree(t, "a/x", "a/Private/x", "a/b/x", "c/x", "notes/Open/x", "notes/Private/x", "a/way -> $/notes", "notes/a -> $/a")
	at := func(name string) string { return filepath.Join(dir, name) }
	task := &rein.Task{Household: "home", User: "ann", Session: "s"}
	made := func(o Options) rein.Reach {
		o.Household = "home"
		p, err := New(o)
		check(t, err)
		return p.For(task)
	}
	wide, narrow := made(Options{Root: at("a")}), made(Options{Root: at("a/b")})
	strict := made(Options{Root: at("a"), Vault: at("a"), Exclude: []string{"Private"}})
	others := made(Options{Root: dir, Others: []Vault{{Path: at("notes"), Exclude: []string{"Private"}}, {Path: at("c"), Include: []string{"none"}}, {}}})
	for _, c := range []struct {
		name string
		r    rein.Reach
		path string
		want rein.Code
	}{
		{"both", Both(wide, narrow), "a/b/x", ""},
		{"the first alone", Both(wide, narrow), "a/x", rein.CodeForbidden},
		{"the second alone", Both(narrow, wide), "a/x", rein.CodeForbidden},
		{"neither", Both(wide, narrow), "c/x", rein.CodeForbidden},
		{"hidden by the second", Both(wide, strict), "a/Private/x", rein.CodeNotFound},
		{"hidden by the first", Both(strict, wide), "a/Private/x", rein.CodeNotFound},
		{"hidden by one, outside for the other", Both(narrow, strict), "a/Private/x", rein.CodeNotFound},
		{"none", None(task, rein.Errorf(rein.CodeForbidden, "gone")), "a/x", rein.CodeForbidden},
		{"another's vault", others, "notes/Open/x", ""},
		{"another's rules", others, "notes/Private/x", rein.CodeNotFound},
		{"another's rules by a link", others, "a/way/Private/x", rein.CodeNotFound},
		{"not included there", others, "c/x", rein.CodeNotFound},
		{"elsewhere", others, "a/Private/x", ""},
	} {
		if err := c.r.Path(at(c.path)); codeOf(err) != c.want {
			t.Errorf("%s: %s: %v, want %q", c.name, c.path, err, c.want)
		}
	}
	for _, r := range []rein.Reach{Both(wide, narrow), None(task, rein.Errorf(rein.CodeForbidden, "gone"))} {
		if r.Session("home", "ann", "s") != nil || r.Session("home", "bob", "s") == nil {
			t.Error("the session's own files are not the only ones")
		}
	}
}
