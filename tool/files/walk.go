package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/tool/files/ignore"
	"rein/tool/files/match"
)

// unknown is the kind of an entry that could not be looked at.
const unknown = "unknown"

// A walk lists folders level by level, so that what is left out of a large tree is what lies deep.
type walk struct {
	root    *Root
	inv     rein.Invocation // whose policy says what may be seen
	top     string          // the folder that is listed, below the root
	hidden  bool
	entries []Entry
	seen    int  // entries that could be listed
	dotted  int  // entries left out because they are hidden
	partial bool // folders were left out that were to be read too

	rules   map[string]*ignore.Folder // of the folders that are read, by their paths from the top
	within  bool                      // the top itself is ignored, and so is all below it
	closed  int                       // folders that were to be read too, but are ignored or git's own
	stopped error                     // why it ended early
}

func (w *walk) run(ctx context.Context, path string, depth int) error {
	f, _, err := w.root.opened(w.inv, path, folderOnly)
	if err != nil {
		return err
	}
	if w.top, err = w.root.within(path); err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, searchTime, errTime)
	defer cancel()
	names, err := w.names(limited, f, w.top)
	if err != nil {
		return w.root.explain(w.inv, path, w.top, err)
	}
	var top *ignore.Folder
	top, w.within = w.root.ignoring(w.inv, w.top)
	w.rules = map[string]*ignore.Folder{"": top}
	level := w.add("", names)
	for range depth - 1 {
		w.partial = w.partial || w.seen > len(w.entries)
		var next []int
		for _, at := range level {
			next = append(next, w.descend(limited, at)...)
		}
		level = next
	}
	if limited.Err() != nil && ctx.Err() == nil {
		w.stopped, w.partial = context.Cause(limited), true
	}
	return context.Cause(ctx)
}

// descend lists a folder that is an entry itself. If it cannot be read, the entry says so.
func (w *walk) descend(ctx context.Context, at int) []int {
	e := w.entries[at]
	name := e.Path
	if ctx.Err() != nil || e.Ignored && !w.within || path.Base(name) == ".git" {
		w.closed++
		return nil
	}
	local := filepath.Join(w.top, filepath.FromSlash(name))
	w.rules[name] = w.rules[parent(name)].Below(path.Base(name), w.root.ownRules(w.inv, local))
	var names []string
	f, _, err := w.root.open(local, folderOnly)
	if err == nil {
		names, err = w.names(ctx, f, local)
	}
	if err != nil {
		w.entries[at].Error = reason(err)
	}
	return w.add(name, names)
}

// parent is the path of the folder that an entry is in; empty: the top.
func parent(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}

// add lists the names of a folder, as far as there is room, and returns where its own folders stand.
func (w *walk) add(folder string, names []string) (folders []int) {
	w.seen += len(names)
	slices.Sort(names)
	for _, name := range names[:min(len(names), maxListed-len(w.entries))] {
		e := w.entry(path.Join(folder, name))
		e.Ignored = w.within || w.rules[folder].Judge(name, e.Kind == "folder") == match.Yes
		if e.Kind == "folder" {
			folders = append(folders, len(w.entries))
		}
		w.entries = append(w.entries, e)
	}
	return folders
}

// names reads the names of a folder that may be listed, and closes it. Of what is hidden it does not
// even say how much there is.
func (w *walk) names(ctx context.Context, f *os.File, local string) ([]string, error) {
	defer f.Close()
	var kept []string
	for ctx.Err() == nil && w.seen+w.dotted+len(kept) < maxSeen {
		names, err := f.Readdirnames(1000)
		for _, name := range names {
			if w.root.hides(w.inv, filepath.Join(local, name)) {
				continue
			}
			if !w.hidden && strings.HasPrefix(name, ".") {
				w.dotted++
				continue
			}
			kept = append(kept, name)
		}
		if errors.Is(err, io.EOF) {
			return kept, nil
		}
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// entry looks at one entry without following it.
func (w *walk) entry(name string) Entry {
	local := filepath.Join(w.top, filepath.FromSlash(name))
	info, err := w.root.root.Lstat(local)
	if err != nil {
		return Entry{Path: name, Kind: unknown, Error: reason(err)}
	}
	modified := info.ModTime().UTC()
	e := Entry{Path: name, Kind: kindOf(info.Mode()), Modified: &modified}
	switch e.Kind {
	case "file":
		size := info.Size()
		e.Bytes = &size
	case "link":
		e.Target, _ = w.root.root.Readlink(local)
	}
	return e
}

// sort puts what is in a folder right after it.
func (w *walk) sort() {
	slices.SortFunc(w.entries, func(a, b Entry) int {
		return slices.CompareFunc(strings.Split(a.Path, "/"), strings.Split(b.Path, "/"), cmp.Compare[string])
	})
}

// reason is why an entry cannot be looked at, without its path.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is no longer there"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	return cause(err).Error()
}

// quoted writes a name in one line: as it is, or in quotes with escapes if anything in it does not
// print, or if it could be taken for something else.
func quoted(name string) string {
	odd := func(c rune) bool { return !unicode.IsPrint(c) }
	plain := utf8.ValidString(name) && !strings.ContainsFunc(name, odd) && strings.TrimSpace(name) == name &&
		!strings.HasPrefix(name, `"`) && !strings.HasPrefix(name, "[") && !strings.Contains(name, "  ") && !strings.Contains(name, " -> ")
	if plain {
		return name
	}
	return strconv.Quote(name)
}
