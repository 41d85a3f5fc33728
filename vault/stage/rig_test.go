package stage_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/reach"
	"rein/vault/stage"
)

// A rig is a desk over a real store and a real folder.
type rig struct {
	t     *testing.T
	dir   string // the vault
	desk  *stage.Desk
	store *sqlite.Store
	steps int
	now   time.Time
	deny  string // a folder that may not be used
	most  int64  // bytes that a user may keep; zero: any
}

var ann = rein.Place{Household: "home", User: "ann", Session: "s1"}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r.open(filepath.Join(t.TempDir(), "rein.db"))
	return r
}

// open is also what the child process of the crash test does.
func (r *rig) open(db string) {
	s, err := sqlitetest.Open(r.t, db, sqlite.Options{Limits: store.Limits{User: rein.Quota{Bytes: r.most}}})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		if wrong, err := s.VerifyAccounts(context.Background()); err != nil && rein.CodeOf(err) != rein.CodeUnavailable || len(wrong) > 0 {
			r.t.Errorf("accounts: %v %v", wrong, err)
		}
		s.Close()
	})
	r.store = s
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { root.Close() })
	r.desk = r.newDesk(root)
}

func (r *rig) newDesk(root *os.Root) *stage.Desk {
	return stage.New(r.store, root, stage.Options{
		Allow: func(path string) bool { return r.deny == "" || !strings.HasPrefix(path, r.deny+"/") },
		Now:   func() time.Time { return r.now },
	})
}

func (r *rig) write(path, content string) {
	r.t.Helper()
	file := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) invocation(p rein.Place) rein.Invocation {
	r.steps++
	task := &rein.Task{Household: p.Household, User: p.User, Session: p.Session}
	policy, err := reach.New(reach.Options{Vault: r.dir, Household: p.Household})
	if err != nil {
		r.t.Fatal(err)
	}
	return rein.Invocation{
		Run: "r1", Step: rein.StepKey(fmt.Sprint(r.steps)), Key: fmt.Sprintf("r1:%d", r.steps),
		Task: task, Reach: policy.For(task),
	}
}

// stage makes the note hold the content.
func (r *rig) stage(path, content string) error {
	_, write, err := r.desk.Stage(context.Background(), r.invocation(ann), path, func(stage.Note) ([]byte, error) { return []byte(content), nil })
	if err != nil {
		return err
	}
	return r.store.Write(context.Background(), write)
}

func (r *rig) mustStage(path, content string) {
	r.t.Helper()
	if err := r.stage(path, content); err != nil {
		r.t.Fatalf("stage %s: %v", path, err)
	}
}

// commit commits what is staged and settles it.
func (r *rig) commit(id string) (stage.Commit, error) {
	c, err := r.desk.Commit(context.Background(), ann, id, r.pin())
	if err != nil {
		return c, err
	}
	return c, r.settle(c)
}

// pin names what is staged now.
func (r *rig) pin() string {
	r.t.Helper()
	staged, err := r.desk.List(context.Background(), ann)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.desk.Pin(staged)
}

// undo takes a commit back, as it is.
func (r *rig) undo(p rein.Place, id, of string) (stage.Commit, error) {
	c, changes, err := r.desk.Changes(context.Background(), p, of)
	if err != nil {
		return stage.Commit{}, err
	}
	return r.desk.Undo(context.Background(), p, id, of, r.desk.PinUndo(c, changes))
}

func (r *rig) settle(c stage.Commit) error {
	return r.store.Write(context.Background(), func(ctx context.Context, tx rein.Tx) error { return stage.Settle(ctx, tx, c) })
}

// staged returns the paths that are staged.
func (r *rig) staged() []string {
	r.t.Helper()
	changes, err := r.desk.List(context.Background(), ann)
	if err != nil {
		r.t.Fatal(err)
	}
	paths := []string{}
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	return paths
}

// notes returns every file of the vault but those of the work folder.
func (r *rig) notes() map[string]string {
	r.t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(r.dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() == ".rein" {
			return cmpOr(err, fs.SkipDir)
		}
		path, _ := filepath.Rel(r.dir, file)
		if e.Type().IsRegular() {
			content, err := os.ReadFile(file)
			found[path] = string(content)
			return err
		}
		if e.IsDir() && path != "." {
			found[path+"/"] = ""
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

func cmpOr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (r *rig) want(want map[string]string) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.notes()); diff != "" {
		r.t.Errorf("the vault (-want +got):\n%s", diff)
	}
}

// leftover returns the files of the work folder with what is in them.
func (r *rig) leftover() map[string]string {
	r.t.Helper()
	found := map[string]string{}
	files, err := filepath.Glob(filepath.Join(r.dir, ".rein", "*"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			r.t.Fatal(err)
		}
		found[filepath.Base(file)] = string(content)
	}
	return found
}

// sweep takes everything away that may go, and returns what was kept.
func (r *rig) sweep() []string {
	r.t.Helper()
	r.now = r.now.Add(time.Hour)
	kept, err := r.desk.Sweep(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	return kept
}

func wantCode(t *testing.T, what string, err error, code rein.Code, words ...string) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("%s: %v (%s), want %s", what, err, rein.CodeOf(err), code)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %v, want %q in it", what, err, w)
		}
	}
}

// forget removes the journal of commits, as when what it holds is erased.
func (r *rig) forget() error {
	return r.store.Write(context.Background(), func(ctx context.Context, tx rein.Tx) error {
		for _, statement := range []string{`DELETE FROM note_commit_files`, `DELETE FROM note_commits`} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}
