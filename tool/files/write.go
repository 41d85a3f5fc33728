package files

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"rein"
	"rein/household/changes"
	"rein/internal/textdiff"
)

// maxWrite is the most that a file may have, before and after it is written.
const maxWrite = 8 << 20

// showLimit bounds how long a call may take to be shown.
const showLimit = 8 * time.Second

// A Keeper remembers what a call is about to change, with what the files hold, so that it can be undone. It is a
// changes.Book.
type Keeper interface {
	// Keep returns when all of it is durable.
	Keep(ctx context.Context, inv rein.Invocation, d changes.Draft) error
	// Done returns what marks the change of a call as done, for the Commit of its result.
	Done(key string) func(context.Context, rein.Tx) error
	// Drop forgets the change of a call that changed nothing.
	Drop(ctx context.Context, key string) error
}

// Writing returns the tools that change files: write_file, edit_file and apply_patch. Every call shows the diff to a
// person, and writes exactly what was shown or nothing: if a file is another one by then, that is a conflict. Previous
// bytes go to the keeper first. Without one (nil) nothing can be undone. If there is a past, a file that is not what the
// run saw of it last is a conflict too.
func (r *Root) Writing(k Keeper, past Past) ([]rein.Tool, error) {
	w := writer{root: r, keep: k, past: past}
	var tools []rein.Tool
	for _, make := range []func() (rein.Tool, error){w.writeFile, w.editFile, w.applyPatch} {
		t, err := make()
		if err != nil {
			return nil, err
		}
		t.Undoable, t.Show = k != nil, w.warned(w.unchanged(t.Show))
		tools = append(tools, t)
	}
	return tools, nil
}

type writer struct {
	root *Root
	keep Keeper
	past Past
	tool string // whose changes are written
}

// as is the writer of one tool.
func (w writer) as(tool string) writer {
	w.tool = tool
	return w
}

// A change is what becomes of one file.
type change struct {
	local         string
	before, after *content // nil: there is no file
	from          *change  // of a file that moved here: the one that goes
}

// content is what a file holds.
type content struct {
	bytes  []byte
	mode   fs.FileMode
	unread changes.Mark // of what is too large to be read, or no plain file
}

// mark names a content; nil has the empty one. Whether a file is a program counts, the rest of its mode does not.
func (c *content) mark() string {
	if c == nil {
		return ""
	}
	if c.unread != "" {
		return string(c.unread)
	}
	if c.mode.IsDir() {
		return string(changes.Folder)
	}
	return string(changes.MarkOf(changes.Sum(c.bytes), c.mode))
}

// Written is an element of the Data of the tools that write. Before and After are the SHA-256 of the file, with "+x" if
// it is a program; empty: there is no file.
type Written struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

func written(changes []change) []Written {
	all := make([]Written, len(changes))
	for i, c := range changes {
		all[i] = Written{c.local, c.before.mark(), c.after.mark()}
	}
	return all
}

// pinOf names exactly these changes: whoever agrees, agrees to them.
func pinOf(changes []change) string {
	pin, err := json.Marshal(written(changes))
	if err != nil {
		return ""
	}
	return string(pin)
}

// done is the result; it follows from the pin alone, so that it is the same after a crash.
func (w writer) done(inv rein.Invocation, all []Written) (rein.Done, error) {
	lines := make([]string, len(all))
	for i, f := range all {
		what := "changed"
		switch {
		case f.Before == "":
			what = "new"
		case f.After == "":
			what = "removed"
		}
		lines[i] = fmt.Sprintf("%s: %s", quoted(f.Path), what)
	}
	data, err := json.Marshal(all)
	d := rein.Done{Text: "Written:\n" + strings.Join(lines, "\n"), Data: data}
	if w.keep != nil {
		d.Commit = w.keep.Done(inv.Key)
	}
	return d, err
}

// shown is what a person sees of changes: one line for each file, then the diffs. Nothing is left out; what is too much
// to be shown is refused by the engine.
func shown(changes []change) rein.Shown {
	var head, body strings.Builder
	for _, c := range changes {
		from, to, before := c.local, c.local, c.before
		if c.from != nil {
			from, before = c.from.local, c.from.before
		}
		if before == nil {
			from = "(new file)"
		}
		if c.after == nil {
			to = "(removed)"
		}
		d := textdiff.New(from, to, before.text(), c.after.text())
		fmt.Fprintf(&head, "- %s: %s\n", quoted(c.local), c.about(d))
		if c.before != nil || c.from != nil || c.after != nil {
			body.WriteString("\n" + d.Text)
		}
	}
	return rein.Shown{Text: head.String() + body.String(), Pin: map[string]string{"shown": pinOf(changes)}}
}

func (c change) about(d textdiff.Diff) string {
	about := fmt.Sprintf("+%d −%d lines", d.Added, d.Removed)
	switch {
	case c.after == nil:
		return "removed"
	case c.after.isFolder() && c.before == nil:
		return "new folder"
	case c.after.isFolder():
		return "becomes a folder"
	case c.from != nil:
		about = "moved from " + quoted(c.from.local) + ", " + about
	case c.before == nil:
		about = fmt.Sprintf("new, %d lines", d.Added)
		if d.Added == 1 {
			about = "new, 1 line"
		}
	}
	about += fmt.Sprintf(", %d bytes", len(c.after.bytes))
	if c.after.mode&0o100 != 0 && (c.before == nil || c.before.mode&0o100 == 0) {
		about += ", becomes a program (executable)"
	}
	return about
}

func (c *content) text() []byte {
	if c == nil {
		return nil
	}
	return c.bytes
}

// A plan says what a call would do to the files as they are. It touches nothing.
type plan[Args any] func(ctx context.Context, inv rein.Invocation, args Args) ([]change, error)

// show is the Show of a tool with this plan.
func show[Args any](of plan[Args]) func(context.Context, rein.Invocation) (rein.Shown, error) {
	return func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		ctx, cancel := context.WithTimeout(ctx, showLimit)
		defer cancel()
		var args Args
		if err := json.Unmarshal(inv.Args, &args); err != nil {
			return rein.Shown{}, err
		}
		changes, err := of(ctx, inv, args)
		if err != nil {
			return rein.Shown{}, err
		}
		return shown(changes), nil
	}
}

// write does what was shown, or nothing.
func (w writer) write(ctx context.Context, inv rein.Invocation, changes []change, pin string) (rein.Done, error) {
	switch {
	case inv.Key == "":
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "the call has no key")
	case pin == "":
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "nothing was written: the call does not say what the user was shown")
	case pin != pinOf(changes):
		return rein.Done{}, rein.Errorf(rein.CodeConflict, "nothing was written: it would not be what the user was shown, because a file was changed meanwhile; read it again")
	}
	if err := w.put(ctx, inv, changes); err != nil {
		return rein.Done{}, err
	}
	done, err := w.done(inv, written(changes))
	if said := w.inspected(ctx, inv, changes); said != "" {
		done.Text += "\n\n" + said
	}
	return done, err
}

// inspected is what is said about files that were written.
func (w writer) inspected(ctx context.Context, inv rein.Invocation, changes []change) string {
	if w.root == nil || w.root.inspect == nil {
		return ""
	}
	var paths []string
	for _, c := range changes {
		if c.after != nil {
			paths = append(paths, c.local)
		}
	}
	return w.root.inspect(ctx, inv, paths)
}

// check is the Check of every tool here: it compares the files with what the call would have made of them. A patch that
// was cut between two files is finished by finish.
func (w writer) check(finish func(context.Context, rein.Invocation, []Written) error) func(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
	return func(ctx context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
		all, err := pinned(inv)
		if err != nil {
			return rein.CheckUnknown, rein.Done{}, err
		}
		before, after, err := w.compare(inv, all)
		switch {
		case err != nil:
			return rein.CheckUnknown, rein.Done{}, err
		case before == len(all):
			return rein.CheckNot, rein.Done{}, nil
		case after < len(all) && before+after == len(all) && finish != nil:
			err = finish(ctx, inv, all)
		case after < len(all):
			return rein.CheckUnknown, rein.Done{}, nil // somebody has changed a file since
		}
		if err != nil {
			return rein.CheckUnknown, rein.Done{}, err
		}
		d, err := w.done(inv, all)
		return rein.CheckHappened, d, err
	}
}

// pinned reads what the call was pinned to.
func pinned(inv rein.Invocation) (all []Written, err error) {
	var args struct {
		Shown string `json:"shown"`
	}
	if err := json.Unmarshal(inv.Args, &args); err != nil {
		return nil, err
	}
	err = json.Unmarshal([]byte(args.Shown), &all)
	if err == nil && len(all) == 0 {
		err = rein.Errorf(rein.CodeInvalid, "the call does not say what the user was shown")
	}
	return all, err
}

// compare counts the files that are as before the call, and those that are as after it.
func (w writer) compare(inv rein.Invocation, all []Written) (before, after int, err error) {
	for _, f := range all {
		now, err := w.root.look(inv, f.Path)
		if err != nil {
			return 0, 0, err
		}
		w.root.sweep(inv, f.Path)
		switch now.mark() {
		case f.Before:
			before++
		case f.After:
			after++
		}
	}
	return before, after, nil
}
