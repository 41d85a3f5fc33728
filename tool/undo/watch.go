package undo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

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
	if err := w.note(ctx, inv, s.Changed); err != nil {
		return nil, err
	}
	if err := w.Book.Watch(ctx, inv, s.Changed.Root, commandTool); err != nil {
		return nil, err
	}
	w.Running.set(inv.Key, true)
	return &watch{w, inv, s.Files}, nil
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

// Finish records what a command changed that was cut: nobody saw it end.
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
	all, _ := w.Files.Since(inv, known.Files, s)
	return w.Book.Tables.Write(ctx, w.Book.Seen(inv, known.Open, all, s.Changed, false))
}

// A watch is a command that runs.
type watch struct {
	*Watcher
	inv    rein.Invocation
	before map[string]changes.Stood
}

// End implements shell.Watch.
func (w *watch) End(ctx context.Context) (shell.Changes, error) {
	defer w.Running.set(w.inv.Key, false)
	s, err := w.Files.Survey(ctx, w.inv, changes.Tree{Files: w.before}, false)
	if err != nil {
		return shell.Changes{}, err
	}
	all, lost := w.Files.Since(w.inv, w.before, s)
	commit := w.Book.Seen(w.inv, w.inv.Key, all, s.Changed, true)
	record := func(ctx context.Context) error { return w.Book.Tables.Write(ctx, commit) }
	return shell.Changes{Text: changedText(all, lost), Commit: commit, Record: record}, nil
}

// mostListed is how many changed files are named in a result.
const mostListed = 20

func changedText(all []changes.File, lost []string) string {
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
	for _, name := range lost[:min(len(lost), mostListed)] {
		lines = append(lines, fmt.Sprintf("cannot be undone: %q", name))
	}
	return "Files in the workspace:\n" + strings.Join(lines, "\n")
}
