package notes_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"rein"
	"rein/engine/work/args"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/notes"
	"rein/tool/reach"
	"rein/vault/stage"
)

// A rig has the tools over a real store and a real folder.
type rig struct {
	t     *testing.T
	dir   string
	store *sqlite.Store
	desk  *stage.Desk
	tools map[string]rein.Tool
	names []string
	steps int
	asks  chan rein.Ask
	kinds chan rein.Kind // of every event, as it is written

	onEvent func(rein.Event) // is told of every event before the one who wrote it goes on
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newRig(t *testing.T) *rig {
	t.Helper()
	return newRigWith(t, func(path string) bool { return filepath.Dir(path) != "private" })
}

// newRigWith is newRig with a say in which notes may be used.
func newRigWith(t *testing.T, allow func(path string) bool) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir()}
	r.open(filepath.Join(t.TempDir(), "rein.db"), allow)
	return r
}

// open is also what the child process of the crash test does.
func (r *rig) open(db string, allow func(path string) bool) {
	r.t.Helper()
	r.tools, r.names, r.asks, r.kinds = map[string]rein.Tool{}, nil, make(chan rein.Ask, 100), make(chan rein.Kind, 1000)
	s, err := sqlitetest.Open(r.t, db, sqlite.Options{OnCommit: r.committed})
	check(r.t, err)
	r.t.Cleanup(func() { s.Close() })
	root, err := os.OpenRoot(r.dir)
	check(r.t, err)
	r.t.Cleanup(func() { root.Close() })
	r.store, r.desk = s, stage.New(s, root, stage.Options{Allow: allow})
	tools, err := notes.Writing(r.desk, nil)
	check(r.t, err)
	for _, tool := range tools {
		r.tools[tool.Name], r.names = tool, append(r.names, tool.Name)
	}
}

func (r *rig) committed(events []rein.Event) {
	for _, ev := range events {
		r.kinds <- ev.Kind
		if ev.Kind == rein.AskOpened {
			ask, _ := rein.Payload[rein.Ask](ev)
			r.asks <- ask
		}
		if r.onEvent != nil {
			r.onEvent(ev)
		}
	}
}

func (r *rig) write(path, content string) {
	r.t.Helper()
	file := filepath.Join(r.dir, path)
	check(r.t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(r.t, os.WriteFile(file, []byte(content), 0o644))
}

func (r *rig) disk(path string) string {
	r.t.Helper()
	content, err := os.ReadFile(filepath.Join(r.dir, path))
	check(r.t, err)
	return string(content)
}

// invocation is a call of ann's session.
func (r *rig) invocation(args string) rein.Invocation {
	r.steps++
	step := rein.StepKey(fmt.Sprint(r.steps))
	task := &rein.Task{Household: "home", User: "ann", Session: "s1"}
	return rein.Invocation{
		Run: "r1", Step: step, Key: "r1:" + string(step), Args: json.RawMessage(args), Task: task, Reach: reachOf(r.t, r.dir)(task),
	}
}

// reachOf lets runs of the household use a vault.
func reachOf(t testing.TB, vault string) func(*rein.Task) rein.Reach {
	t.Helper()
	policy, err := reach.New(reach.Options{Vault: vault, Household: "home", Exclude: []string{"private"}})
	check(t, err)
	return policy.For
}

// call calls a tool, pinned to what there is, and commits its effect.
func (r *rig) call(name, args string) (string, error) {
	r.t.Helper()
	inv := r.invocation(args)
	if err := r.pin(name, &inv); err != nil {
		return "", err
	}
	done, err := r.tools[name].Do(r.t.Context(), inv)
	if err != nil {
		return "", err
	}
	if done.Commit != nil {
		err = r.store.Write(r.t.Context(), done.Commit)
	}
	return done.Text, err
}

// pin pins a call as the engine does.
func (r *rig) pin(name string, inv *rein.Invocation) error {
	tool := r.tools[name]
	if len(tool.Pinned) == 0 {
		return nil
	}
	shown, err := tool.Show(r.t.Context(), *inv)
	if err != nil {
		return err
	}
	inv.Args, err = args.Pin(tool, inv.Args, shown.Pin)
	return err
}

// shown is what a person is shown of a call by ann.
func (r *rig) shown(name, args string) (string, error) {
	shown, err := r.tools[name].Show(r.t.Context(), r.invocation(args))
	return shown.Text, err
}

func (r *rig) must(name, args string) string {
	r.t.Helper()
	text, err := r.call(name, args)
	if err != nil {
		r.t.Fatalf("%s %s: %v", name, args, err)
	}
	return text
}

// staged returns a note as the session sees it.
func (r *rig) staged(path string) string {
	r.t.Helper()
	n, err := r.desk.Read(r.t.Context(), rein.Place{Household: "home", User: "ann", Session: "s1"}, path)
	check(r.t, err)
	return string(n.Content)
}

func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}
