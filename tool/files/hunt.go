package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/tool/files/ignore"
	"rein/tool/files/match"
)

// Limits of one call of glob or grep. Beyond them it returns what it found, and says so.
const (
	maxEntries = 200_000
	maxDepth   = 64
	// searchTime ends a search; searchTimeout is for the call, which has then still time to answer.
	searchTime    = 20 * time.Second
	searchTimeout = 30 * time.Second
)

var (
	errEnough  = errors.New("enough") // the caller has what it wants
	errTime    = fmt.Errorf("stopped after %s", searchTime)
	errEntries = fmt.Errorf("stopped after %d entries", maxEntries)
)

// A hunt goes through the files of a folder in the order of their paths. It follows no links and stays
// out of .git. What it passes over it counts, unless the policy hides it.
type hunt struct {
	root    *Root
	inv     rein.Invocation
	hidden  bool // also what begins with a dot
	ignored bool // also what git ignores
	filters []match.Filter
	// visit takes a file. It has to ask the policy about it.
	visit func(ctx context.Context, local string) error

	top     string // where it began, below the root
	seen    int
	left    leftOut
	stopped error // why it ended early
}

// leftOut counts what a hunt passed over.
type leftOut struct{ dotted, ignored, links, unread, deep int }

// run visits the files below a folder. It returns an error only if the call itself is over.
func (h *hunt) run(ctx context.Context, local string) error {
	h.top = local
	limited, cancel := context.WithTimeoutCause(ctx, searchTime, errTime)
	defer cancel()
	var rules *ignore.Folder
	if !h.ignored {
		rules = h.root.rulesAt(h.inv, local)
	}
	err := h.folder(limited, "", rules, 1)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errEnough), errors.Is(err, errTime), errors.Is(err, errEntries):
		h.stopped = err
		return nil
	}
	return err
}

// local is where a path from the top is, below the root.
func (h *hunt) local(name string) string { return filepath.Join(h.top, filepath.FromSlash(name)) }

// folder visits what is in a folder, by name.
func (h *hunt) folder(ctx context.Context, name string, rules *ignore.Folder, depth int) error {
	if depth > maxDepth {
		h.left.deep++
		return nil
	}
	entries, err := h.entries(ctx, h.local(name))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		at := path.Join(name, e.Name())
		if !h.wants(at, e, rules) {
			continue
		}
		if !e.IsDir() {
			err = h.visit(ctx, h.local(at))
		} else {
			err = h.folder(ctx, at, h.below(rules, at), depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// below reads the rules of a folder in another.
func (h *hunt) below(rules *ignore.Folder, name string) *ignore.Folder {
	if rules == nil {
		return nil
	}
	return rules.Below(path.Base(name), h.root.ownRules(h.inv, h.local(name)))
}

// entries reads a folder, sorted by name. One that cannot be read, or may not be seen, has none.
func (h *hunt) entries(ctx context.Context, local string) ([]fs.DirEntry, error) {
	f, _, err := h.root.open(local, folderOnly)
	if err != nil {
		h.unread(local)
		return nil, nil
	}
	defer f.Close()
	if !h.root.isSeen(h.inv, f, local) {
		return nil, nil
	}
	all, err := h.read(ctx, f)
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return all, err
}

// unread counts what cannot be opened, unless it must look as if it were not there.
func (h *hunt) unread(local string) {
	if h.root.seen(h.inv, local) == nil {
		h.left.unread++
	}
}

func (h *hunt) read(ctx context.Context, f *os.File) (all []fs.DirEntry, err error) {
	for {
		some, err := f.ReadDir(1000)
		all = append(all, some...)
		h.seen += len(some)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			h.left.unread++
			return all, nil
		case h.seen > maxEntries:
			return all, errEntries
		case ctx.Err() != nil:
			return all, context.Cause(ctx)
		}
	}
}

// wants decides about one entry, as ripgrep does: a rule that takes back what is ignored also shows what
// begins with a dot. Whether the policy shows it is asked here only of what is counted: that takes a
// while, and what is opened is asked about then.
func (h *hunt) wants(name string, e fs.DirEntry, rules *ignore.Folder) bool {
	if e.Name() == ".git" || !h.chosen(name, e) {
		return false
	}
	verdict := match.None
	if rules != nil {
		verdict = rules.Judge(e.Name(), e.IsDir())
	}
	var left *int
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		left = &h.left.links
	case verdict == match.Yes:
		left = &h.left.ignored
	case verdict == match.None && !h.hidden && strings.HasPrefix(e.Name(), "."):
		left = &h.left.dotted
	default:
		return e.IsDir() || e.Type().IsRegular()
	}
	if h.root.seen(h.inv, h.local(name)) == nil {
		*left++
	}
	return false
}

// chosen asks the globs of the call.
func (h *hunt) chosen(name string, e fs.DirEntry) bool {
	for _, f := range h.filters {
		if e.IsDir() && f.Prunes(name) || !e.IsDir() && !f.Takes(name) {
			return false
		}
	}
	return true
}

// notes says what was left out, a line for each reason.
func (h *hunt) notes() []string {
	var lines []string
	for _, n := range []struct {
		count int
		what  string
	}{
		{h.left.ignored, "ignored by .gitignore left out: set ignored to include them"},
		{h.left.dotted, "hidden left out: set hidden to include them"},
		{h.left.links, "symbolic links not followed"},
		{h.left.unread, "could not be read"},
		{h.left.deep, fmt.Sprintf("folders more than %d levels down left out: name one as path", maxDepth)},
	} {
		if n.count > 0 {
			lines = append(lines, fmt.Sprintf("[%d %s]", n.count, n.what))
		}
	}
	if h.stopped != nil && !errors.Is(h.stopped, errEnough) {
		lines = append(lines, fmt.Sprintf("[%v: there may be more; search a folder below]", h.stopped))
	}
	return lines
}
