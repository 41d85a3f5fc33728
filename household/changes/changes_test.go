package changes_test

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/changes"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A shelf is a book over a real store.
type shelf struct {
	*testing.T
	changes.Book
	store *sqlite.Store
	most  int64
	now   time.Time
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{T: t, most: changes.DefaultMost, now: time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)}
	var err error
	s.store, err = sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	s.must(err)
	s.Book = changes.Book{Tables: s.store, Most: func() int64 { return s.most }, Now: func() time.Time { return s.now }}
	return s
}

func (s *shelf) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// call is a call of ann's, unless another user is named.
func call(run, step string, user ...string) rein.Invocation {
	who := append(user, "ann")[0]
	return rein.Invocation{
		Run: rein.RunID(run), Step: rein.StepKey(step), Key: run + ":" + step,
		Task: &rein.Task{Household: "home", User: who, Session: "s-" + who, Workspace: "w"}, Approved: true,
	}
}

// draft replaces one content by another.
func draft(path, before, after string, undoes ...string) changes.Draft {
	d := changes.Draft{Tool: "write_file", Root: "/w", Undoes: undoes, Contents: map[string][]byte{}}
	f := changes.File{Path: path}
	if before != "" {
		f.Before = changes.Content{Mark: changes.MarkOf(changes.Sum([]byte(before)), 0o644), Mode: 0o644}
		d.Contents[changes.Sum([]byte(before))] = []byte(before)
	}
	if after != "" {
		f.After = changes.Content{Mark: changes.MarkOf(changes.Sum([]byte(after)), 0o600), Mode: 0o600}
	}
	d.Files = []changes.File{f}
	return d
}

// keep records a change, and that it is done.
func (s *shelf) keep(inv rein.Invocation, d changes.Draft) {
	s.Helper()
	s.must(s.Keep(s.Context(), inv, d))
	s.must(s.store.Write(s.Context(), s.Done(inv.Key)))
}

// ids lists what a filter finds.
func (s *shelf) ids(f changes.Filter) string {
	s.Helper()
	f.Household = "home"
	if f.User == "" {
		f.User = "ann"
	}
	list, err := s.List(s.Context(), f)
	s.must(err)
	var ids []string
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

// kept reports whether a content is.
func (s *shelf) kept(user, text string) bool {
	s.Helper()
	data, err := s.Content(s.Context(), "home", user, changes.Sum([]byte(text)))
	if err != nil && rein.CodeOf(err) != rein.CodeNotFound {
		s.Fatal(err)
	}
	return err == nil && string(data) == text
}

func (s *shelf) write(do func(context.Context, rein.Tx) error) {
	s.Helper()
	s.must(s.store.Write(s.Context(), do))
}

func TestMarks(t *testing.T) {
	sum := changes.Sum([]byte("x"))
	for _, c := range []struct {
		mark changes.Mark
		sum  string
		link bool
	}{
		{changes.MarkOf(sum, 0o644), sum, false},
		{changes.MarkOf(sum, 0o755), sum, false},
		{changes.MarkOf(sum, fs.ModeSymlink), sum, true},
		{changes.Folder, "", false},
		{changes.Left, "", false},
		{"", "", false},
	} {
		if c.mark.Sum() != c.sum || c.mark.IsLink() != c.link {
			t.Errorf("%s: %q %v", c.mark, c.mark.Sum(), c.mark.IsLink())
		}
	}
	if changes.MarkOf(sum, 0o644) == changes.MarkOf(sum, 0o755) {
		t.Error("a program and a text have the same mark")
	}
}

// A change is there before it is done, with everything that was said of it, and the same call again takes its place.
//
// Covers: SD-91
func TestKeep(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.must(s.Keep(t.Context(), call("r1", "2"), draft("a", "old", "new")))
	c, err := s.Find(t.Context(), "home", "ann", "r1:2")
	s.must(err)
	f := c.Files[0]
	if !c.Begun || c.Run != "r1" || c.Step != "2" || c.Tool != "write_file" || c.Root != "/w" || c.Workspace != "w" || c.Session != "s-ann" || !c.At.Equal(s.now) ||
		f.Path != "a" || f.Before.Mode != 0o644 || f.After.Mode != 0o600 || f.Before.Mark.Sum() != changes.Sum([]byte("old")) {
		t.Errorf("%+v", c)
	}
	s.keep(call("r1", "2"), draft("b", "older", ""))
	if c, err = s.Find(t.Context(), "home", "ann", "r1:2"); err != nil || c.Begun || len(c.Files) != 1 || c.Files[0].Path != "b" || c.Files[0].After != (changes.Content{}) {
		t.Errorf("%+v %v", c, err)
	}
	if !s.kept("ann", "old") || !s.kept("ann", "older") {
		t.Error("a content is missing")
	}
	made := draft("new/f", "", "x")
	made.Files = append(made.Files, changes.File{Path: "new", After: changes.Content{Mark: changes.Folder}})
	s.must(s.Keep(t.Context(), call("r1", "3"), made))
	s.keep(call("r1", "3"), draft("new/f", "", "x")) // the folder is there already
	if c, err = s.Find(t.Context(), "home", "ann", "r1:3"); err != nil || len(c.Files) != 2 {
		t.Errorf("a folder of the first attempt is forgotten: %+v %v", c, err)
	}
	for _, inv := range []rein.Invocation{{Task: &rein.Task{}}, {Key: "k"}} {
		if err := s.Keep(t.Context(), inv, draft("a", "x", "y")); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%+v: %v", inv, err)
		}
	}
}

// A change that did not happen leaves nothing, and one that is done is not dropped.
func TestDrop(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.must(s.Keep(t.Context(), call("r1", "1"), draft("a", "gone", "x")))
	s.keep(call("r1", "2"), draft("b", "stays", "x"))
	for _, key := range []string{"r1:1", "r1:2", "r1:9"} {
		s.must(s.Drop(t.Context(), key))
	}
	if got := s.ids(changes.Filter{}); got != "r1:2" || s.kept("ann", "gone") || !s.kept("ann", "stays") {
		t.Error(got)
	}
}

// Filters choose by what is set; a run stands for its children, and not for runs whose names begin like its own.
func TestList(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	for _, run := range []string{"r1", "r1.a", "r1.a.b", "r10", "r2"} {
		s.keep(call(run, "1"), draft("f", run, "x"))
	}
	s.keep(call("r1", "2"), draft("f", "more", "x"))
	s.keep(call("r3", "1", "bob"), draft("f", "his", "x"))
	for want, f := range map[string]changes.Filter{
		"r1:2 r2:1 r10:1 r1.a.b:1 r1.a:1 r1:1": {}, "r1:2 r1.a.b:1 r1.a:1 r1:1": {Run: "r1"}, "r1:2": {Run: "r1", Step: "2"}, "r1:2 r2:1": {Most: 2},
		"r1.a:1 r1:1": {Before: "r1.a.b:1"}, "r1:2 r2:1 r10:1": {After: "r1.a.b:1"}, "r3:1": {User: "bob"}, "": {Session: "s-bob"},
	} {
		if got := s.ids(f); got != want {
			t.Errorf("%+v: %s, want %s", f, got, want)
		}
	}
	if _, err := s.Find(t.Context(), "home", "ann", "r3:1"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error("ann finds a change of bob's:", err)
	}
	if s.kept("ann", "his") || !s.kept("bob", "his") {
		t.Error("a content is kept for somebody else")
	}
}

// An undo makes a change void, the undo of the undo makes it stand again, and so on.
func TestInEffect(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.keep(call("r", "1"), draft("a", "old", "new"))
	for i := 2; i < 6; i++ {
		s.keep(call("r", fmt.Sprint(i)), draft("a", "new", "old", fmt.Sprintf("r:%d", i-1)))
		c, err := s.Find(t.Context(), "home", "ann", "r:1")
		s.must(err)
		if stands, err := s.InEffect(t.Context(), c); err != nil || stands != (i%2 == 1) {
			t.Errorf("after %d undos: %v %v", i-1, stands, err)
		}
	}
	s.must(s.Keep(t.Context(), call("r", "9"), draft("a", "x", "y", "r:5")))
	if c, err := s.Find(t.Context(), "home", "ann", "r:5"); err != nil || c.UndoneBy != "" {
		t.Errorf("an undo that is not done yet counts: %+v %v", c, err)
	}
}

// Contents have a bound for each user. The oldest changes that are done make room, then folders that were looked at; what is in
// progress stays. What does not fit at all is refused, and nothing is forgotten for it.
func TestRoom(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.most = 100
	big := func(c string) string { return strings.Repeat(c, 40) }
	s.must(s.Keep(t.Context(), call("r", "0"), draft("z", big("z"), "x"))) // in progress
	s.keep(call("r", "1"), draft("a", big("a"), "x"))
	s.keep(call("r", "2"), draft("b", big("b"), "x"))
	if got := s.ids(changes.Filter{}); got != "r:2 r:0" || s.kept("ann", big("a")) || !s.kept("ann", big("z")) {
		t.Error("the oldest that is done did not go:", got)
	}
	if err := s.Keep(t.Context(), call("r", "3"), draft("c", strings.Repeat("c", 101), "x")); rein.CodeOf(err) != rein.CodeLimit || s.ids(changes.Filter{}) != "r:2 r:0" {
		t.Errorf("%v %s", err, s.ids(changes.Filter{}))
	}
	if err := s.Keep(t.Context(), call("r", "4"), draft("d", strings.Repeat("d", 70), "x")); rein.CodeOf(err) != rein.CodeLimit || !strings.Contains(err.Error(), "in progress") {
		t.Error("what is in progress made room:", err)
	}
	s.keep(call("r", "5"), draft("e", big("b"), "x")) // the same content again takes no room
	if got := s.ids(changes.Filter{}); got != "r:5 r:2 r:0" {
		t.Error(got)
	}
}

// A folder is known as it was last looked at, with the command that is running in it and when that was last known to run.
func TestTree(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	inv := call("r", "1")
	stood := changes.Stood{Content: changes.Content{Mark: changes.Mark(changes.Sum([]byte("text"))), Mode: 0o640}, Stamp: "now"}
	s.must(s.Note(t.Context(), inv, changes.Look{Root: "/w", Files: map[string]changes.Stood{"a": stood, "b": stood}, Contents: map[string][]byte{changes.Sum([]byte("text")): []byte("text")}}))
	s.must(s.Watch(t.Context(), inv, "/w", "execute_command"))
	tree := s.tree("/w")
	if tree.Open != "r:1" || !tree.Alive.Equal(s.now) || tree.Files["a"] != stood || len(tree.Files) != 2 {
		t.Errorf("%+v", tree)
	}
	s.now = s.now.Add(time.Minute)
	s.must(s.Alive(t.Context(), call("r", "other"), "/w"))
	if got := s.tree("/w"); got.Alive.Equal(s.now) {
		t.Error("another command's sign of life counts")
	}
	s.must(s.Alive(t.Context(), inv, "/w"))
	if got := s.tree("/w"); !got.Alive.Equal(s.now) {
		t.Error(got.Alive)
	}
	s.write(s.Seen(inv, "r:1", []changes.File{{Path: "b", Before: stood.Content}}, changes.Look{Root: "/w", Gone: []string{"b"}}, true))
	tree = s.tree("/w")
	if tree.Open != "" || !tree.Alive.IsZero() || len(tree.Files) != 1 {
		t.Errorf("%+v", tree)
	}
	if c, err := s.Find(t.Context(), "home", "ann", "r:1"); err != nil || c.Begun || len(c.Files) != 1 {
		t.Errorf("%+v %v", c, err)
	}
	s.must(s.Watch(t.Context(), call("r", "2"), "/w", "execute_command"))
	s.write(s.Seen(inv, "r:2", nil, changes.Look{Root: "/w"}, true))
	if _, err := s.Find(t.Context(), "home", "ann", "r:2"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error("a command that changed nothing is listed:", err)
	}
	if got := s.tree("/elsewhere"); got.Open != "" || len(got.Files) != 0 {
		t.Errorf("%+v", got)
	}
}

func (s *shelf) tree(root string) changes.Tree {
	s.Helper()
	tree, err := s.Tree(s.Context(), "home", "ann", root)
	s.must(err)
	return tree
}

// Erasing forgets changes and contents of one user, and folders apart from those in which a command is running. Nothing of
// others goes.
func TestErase(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.keep(call("r1", "1"), draft("a", "mine", "x"))
	s.keep(call("r2", "1"), draft("a", "stays", "x"))
	s.keep(call("r3", "1", "bob"), draft("a", "his", "x"))
	for _, root := range []string{"/idle", "/busy"} {
		text := []byte(root)
		s.must(s.Note(t.Context(), call("r1", "2"), changes.Look{
			Root: root, Files: map[string]changes.Stood{"f": {Content: changes.Content{Mark: changes.Mark(changes.Sum(text))}}}, Contents: map[string][]byte{changes.Sum(text): text},
		}))
	}
	s.must(s.Watch(t.Context(), call("r1", "3"), "/busy", "execute_command"))
	s.write(func(ctx context.Context, tx rein.Tx) error {
		all, err := changes.KeptOf(ctx, tx, "home")
		if err != nil || len(all) != 4 || all[0].Path != "a" || all[0].Run != "r1" || all[0].User != "ann" {
			t.Errorf("%+v %v", all, err)
		}
		return changes.Erase(ctx, tx, all[:1])
	})
	for text, want := range map[string]bool{"mine": false, "stays": true, "/idle": false, "/busy": true} {
		if s.kept("ann", text) != want {
			t.Errorf("%s is kept: %v", text, !want)
		}
	}
	if !s.kept("bob", "his") || s.ids(changes.Filter{}) != "r1:3 r2:1" {
		t.Error(s.ids(changes.Filter{}))
	}
}

// What was changed behind rein's back is noticed when it is read, and by a verification.
func TestVerify(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.keep(call("r", "1"), draft("a", "sound", "x"))
	if wrong, err := changes.Verify(t.Context(), s.store); err != nil || len(wrong) != 0 {
		t.Error(wrong, err)
	}
	s.write(func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE kept_contents SET data = x'62656e74'`)
		return err
	})
	if wrong, err := changes.Verify(t.Context(), s.store); err != nil || len(wrong) != 1 || !strings.Contains(wrong[0], "ann") {
		t.Error(wrong, err)
	}
	if _, err := s.Content(t.Context(), "home", "ann", changes.Sum([]byte("sound"))); rein.CodeOf(err) != rein.CodeDamaged {
		t.Error(err)
	}
	if size, err := changes.SizeOf(t.Context(), s.store); err != nil || size != (changes.Size{Changes: 1, Contents: 1, Bytes: 4}) {
		t.Error(size, err)
	}
}
