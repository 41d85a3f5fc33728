package undo

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/household/changes"
	"rein/tool/files"
	"rein/tool/shell"
)

// A Watcher looks at a workspace before and after a command, and keeps what the files held.
type Watcher struct {
	Book    changes.Book
	Files   *files.Root
	Running *Running // of the process
}

// Running is the commands that run in this process. What another one was running was cut.
type Running struct {
	mu   sync.Mutex
	keys map[string]bool
}

func (r *Running) set(key string, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys == nil {
		r.keys = map[string]bool{}
	}
	if r.keys[key] = is; !is {
		delete(r.keys, key)
	}
}

func (r *Running) has(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keys[key]
}

var _ shell.Watcher = (*Watcher)(nil)

// commandTool is the tool whose changes are watched.
const commandTool = "execute_command"

// backgroundTool is what changes are recorded with that were made while a command ran in the background: others worked
// meanwhile.
const backgroundTool = commandTool + " in the background"

// InBackground reports whether a change is everything that changed while a command ran in the background.
func InBackground(c changes.Change) bool { return c.Tool == backgroundTool }

// Uncovered implements shell.Watcher.
func (w *Watcher) Uncovered(ctx context.Context, inv rein.Invocation) (string, error) {
	s, err := w.Files.Survey(ctx, inv, changes.Tree{}, false)
	if err != nil {
		return "", err
	}
	return s.Uncovered(), nil
}

// Begin implements shell.Watcher.
func (w *Watcher) Begin(ctx context.Context, inv rein.Invocation) (shell.Watch, error) {
	if inv.Task == nil || inv.Key == "" {
		return nil, rein.Errorf(rein.CodeInvalid, "the command belongs to no run")
	}
	began := time.Now()
	s, err := w.look(ctx, inv)
	if err != nil {
		return nil, err
	}
	tool := commandTool
	if inBackground(inv) {
		tool = backgroundTool
	}
	if err := w.Book.Watch(ctx, inv, s.Changed.Root, tool); err != nil {
		return nil, err
	}
	w.Running.set(inv.Key, true)
	return &watch{w, inv, s.Files, began, w.beatOn(inv)}, nil
}

// look looks at the workspace and keeps what the files hold.
func (w *Watcher) look(ctx context.Context, inv rein.Invocation) (*files.Survey, error) {
	if err := w.Finish(ctx, inv); err != nil {
		return nil, err
	}
	known, err := w.tree(ctx, inv)
	if err != nil {
		return nil, err
	}
	s, err := w.Files.Survey(ctx, inv, known, true)
	if err != nil {
		return nil, err
	}
	return s, w.note(ctx, inv, s.Changed)
}

// Before looks at the workspace before a call changes what git ignores: what was covered stays covered. It is a
// files.Beforehand.
func (w *Watcher) Before(ctx context.Context, inv rein.Invocation) error {
	if inv.Task == nil {
		return nil
	}
	known, err := w.tree(ctx, inv)
	if err != nil || w.Running.has(known.Open) { // who began it has looked
		return err
	}
	_, err = w.look(ctx, inv)
	return err
}

// inBackground reports whether a command goes on after its call.
func inBackground(inv rein.Invocation) bool {
	var args struct {
		Background bool `json:"background"`
	}
	return json.Unmarshal(inv.Args, &args) == nil && args.Background
}

const (
	beat = 10 * time.Second // between two signs of life of a command
	late = 3 * beat         // a machine that is busy may miss some
)

// Begun says that a process begins: whatever commands another one was running have ended by now, and what changes from now on
// is not theirs.
func Begun(ctx context.Context, book changes.Book) error {
	return book.Ended(ctx, time.Now().Add(-late))
}

// beatOn records signs of life of a command until it is stopped.
func (w *Watcher) beatOn(inv rein.Invocation) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = w.Book.Alive(context.Background(), inv, w.Files.Path()) // one that is missing is made up for by the next
			case <-done:
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(done)
		<-ended
	})
}

func (w *Watcher) tree(ctx context.Context, inv rein.Invocation) (changes.Tree, error) {
	return w.Book.Tree(ctx, inv.Task.Household, inv.Task.User, w.Files.Path())
}

// mostNoted is how many bytes of contents go into one transaction: others wait for it.
const mostNoted = 8 << 20

// note records what is new of the folder, a part at a time.
func (w *Watcher) note(ctx context.Context, inv rein.Invocation, l changes.Look) error {
	part := changes.Look{Root: l.Root, Gone: l.Gone, Files: map[string]changes.Stood{}, Contents: map[string][]byte{}}
	size := 0
	for _, name := range slices.Sorted(maps.Keys(l.Files)) {
		part.Files[name] = l.Files[name]
		sum := l.Files[name].Mark.Sum()
		if content, ok := l.Contents[sum]; ok {
			part.Contents[sum] = content
			size += len(content)
		}
		if size < mostNoted {
			continue
		}
		if err := w.Book.Note(ctx, inv, part); err != nil {
			return err
		}
		part, size = changes.Look{Root: l.Root, Files: map[string]changes.Stood{}, Contents: map[string][]byte{}}, 0
	}
	return w.Book.Note(ctx, inv, part)
}

// Finish records what a command changed that was cut: nobody saw it end. What others changed afterwards is not its own, as
// far as that is known: calls that were recorded since, and files that were written well after its last sign of life.
func (w *Watcher) Finish(ctx context.Context, inv rein.Invocation) error {
	known, err := w.tree(ctx, inv)
	if err != nil || known.Open == "" {
		return err
	}
	if w.Running.has(known.Open) {
		return nil
	}
	s, err := w.Files.Survey(ctx, inv, known, false)
	if err != nil {
		return err
	}
	all, _ := w.Files.Since(inv, known.Files, time.Time{}, s)
	if !known.Alive.IsZero() {
		all = w.Files.Until(all, known.Alive.Add(late))
	}
	if all, err = w.withoutLater(ctx, inv, known.Open, known.Files, all); err != nil {
		return err
	}
	return w.Book.Tables.Write(ctx, w.Book.Seen(inv, known.Open, all, s.Changed, false))
}

// withoutLater leaves out what later calls are known to have changed: a file was the command's until the first of them.
func (w *Watcher) withoutLater(ctx context.Context, inv rein.Invocation, id string, before map[string]changes.Stood, all []changes.File) ([]changes.File, error) {
	later, err := w.Book.List(ctx, changes.Filter{Household: inv.Task.Household, User: inv.Task.User, After: id})
	if err != nil {
		return nil, err
	}
	then := map[string]changes.Content{} // what the first of them found
	for _, c := range later {            // the newest first
		for _, f := range c.Files {
			if c.Root == w.Files.Path() {
				then[f.Path] = f.Before
			}
		}
	}
	all = slices.DeleteFunc(all, func(f changes.File) bool { _, ok := then[f.Path]; return ok })
	for _, path := range slices.Sorted(maps.Keys(then)) {
		was := before[path].Content
		if files.Knew(before, path) && was.Mark != then[path].Mark {
			all = append(all, changes.File{Path: path, Before: was, After: then[path]})
		}
	}
	return all, nil
}

// A watch is a command that runs.
type watch struct {
	*Watcher
	inv    rein.Invocation
	before map[string]changes.Stood
	began  time.Time
	still  func() // ends its signs of life
}

// End implements shell.Watch.
func (w *watch) End(ctx context.Context) (shell.Changes, error) {
	defer w.Running.set(w.inv.Key, false)
	w.still()
	s, err := w.Files.Survey(ctx, w.inv, changes.Tree{Files: w.before}, false)
	if err != nil {
		return shell.Changes{}, err
	}
	all, lost := w.Files.Since(w.inv, w.before, w.began, s)
	if all, err = w.withoutLater(ctx, w.inv, w.inv.Key, w.before, all); err != nil {
		return shell.Changes{}, err
	}
	commit := w.Book.Seen(w.inv, w.inv.Key, all, s.Changed, true)
	record := func(ctx context.Context) error { return w.Book.Tables.Write(ctx, commit) }
	return shell.Changes{Text: changedText(all, lost), Commit: commit, Record: record}, nil
}

// mostListed is how many changed files are named in a result.
const mostListed = 20

func changedText(all []changes.File, lost []files.Lost) string {
	if len(all)+len(lost) == 0 {
		return ""
	}
	slices.SortFunc(all, func(a, b changes.File) int { return strings.Compare(a.Path, b.Path) })
	var lines []string
	for _, f := range all[:min(len(all), mostListed)] {
		what := "changed"
		switch {
		case f.Before.Mark == "":
			what = "new"
		case f.After.Mark == "":
			what = "removed"
		}
		lines = append(lines, fmt.Sprintf("%s: %q", what, f.Path))
	}
	if n := len(all) - mostListed; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", n))
	}
	slices.SortFunc(lost, func(a, b files.Lost) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range lost[:min(len(lost), mostListed)] {
		lines = append(lines, fmt.Sprintf("%s, and cannot be undone: %q", f.Became, f.Path))
	}
	if n := len(lost) - mostListed; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more that cannot be undone", n))
	}
	return "Files in the workspace:\n" + strings.Join(lines, "\n")
}
