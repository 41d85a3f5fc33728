// Package patch reads patches that models write, V4A patches and unified diffs, and applies them to texts. It touches
// no disk. A patch fits exactly or is refused whole: a hunk goes where it says, or to the one other place where its
// lines are. Nothing is guessed and nothing is left out.
package patch

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"rein"
)

// What one patch may have.
const (
	maxBytes = 4 << 20 // of the patch
	maxFile  = 8 << 20 // of each file that it makes
	maxFiles = 500
	maxHunks = 10_000
)

// A File is what a patch does to one file.
type File struct {
	Path   string // the file as it is; of a new one, as it will be
	To     string // where it moves to; empty: it stays
	Add    bool   // there must be no such file
	Delete bool
	// Mode is 0o755 or 0o644 if the patch says whether the file is a program; zero: it stays as it is.
	Mode  fs.FileMode
	Hunks []Hunk

	whole bool // a V4A deletion: whatever the file holds
	crlf  bool // every line of the patch ended with CR LF
	line  int  // where it is in the patch
}

// A Hunk is one place in a file, with the lines there before and after.
type Hunk struct {
	lines  []line
	line   int // of its header in the patch
	header string

	placed   bool // it has line numbers: a unified diff
	old, new int  // where it begins, counted from zero
	scopes   []string
	atEnd    bool // V4A: it ends where the file ends
}

// A line of a hunk. The text has no line feed; open means that the line has none in the file either.
type line struct {
	op   byte // ' ', '-' or '+'
	text string
	open bool
}

// Parse reads a patch. Paths are clean, relative and below the folder that the patch is for; each is named once.
func Parse(text string) ([]File, error) {
	switch {
	case len(text) > maxBytes:
		return nil, rein.Errorf(rein.CodeLimit, "the patch has %d bytes, and at most %d MiB are applied at once: split it", len(text), maxBytes>>20)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return nil, rein.Errorf(rein.CodeInvalid, "the patch is not UTF-8 text")
	}
	r := newReader(text)
	parse := r.unified
	if strings.TrimSpace(r.peek()) == beginPatch {
		parse = r.v4a
	}
	files, err := parse()
	if err != nil {
		return nil, err
	}
	return files, check(files)
}

// check refuses paths that no patch may name, and a patch that names a file twice: the order would matter.
func check(files []File) error {
	if len(files) > maxFiles {
		return rein.Errorf(rein.CodeLimit, "the patch changes %d files, and at most %d at once: split it", len(files), maxFiles)
	}
	named := map[string]bool{}
	hunks := 0
	for _, f := range files {
		hunks += len(f.Hunks)
		for _, name := range []string{f.Path, f.To} {
			if name == "" && name != f.Path {
				continue
			}
			if err := CheckPath(name); err != nil {
				return rein.Errorf(rein.CodeOf(err), "line %d of the patch: %w", f.line, err)
			}
			if named[name] {
				return rein.Errorf(rein.CodeInvalid, "line %d of the patch: %q is named twice: put all changes of a file together", f.line, name)
			}
			named[name] = true
		}
	}
	if hunks > maxHunks {
		return rein.Errorf(rein.CodeLimit, "the patch has %d hunks, and at most %d are applied at once: split it", hunks, maxHunks)
	}
	return nil
}

// CheckPath refuses what no file may be called that is changed: what is not clean, leads out of its folder, or is in .git.
func CheckPath(name string) error {
	switch {
	case name == "":
		return rein.Errorf(rein.CodeInvalid, "the path of the file is missing")
	case strings.ContainsRune(name, 0):
		return rein.Errorf(rein.CodeInvalid, "path %.200q holds a NUL byte", name)
	case strings.HasPrefix(name, "/") || strings.Contains(name, `\`) || len(name) > 1 && name[1] == ':':
		return rein.Errorf(rein.CodeForbidden, "path %.200q is absolute or has a backslash: use a path below the folder, with slashes", name)
	case name != path.Clean(name) || !fs.ValidPath(name) || name == ".":
		return rein.Errorf(rein.CodeForbidden, "path %.200q is not clean: leave out \".\", \"..\" and double slashes", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part = strings.TrimRight(part, ". "); strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1") {
			return rein.Errorf(rein.CodeForbidden, "path %.200q is in .git: what git keeps there is left alone", name)
		}
	}
	return nil
}

// clean is a path as the patch spells it, without "./" before it.
func clean(name string) string {
	for strings.HasPrefix(name, "./") {
		name = name[2:]
	}
	return name
}

// A reader goes through the lines of a patch.
type reader struct {
	lines []string // without their line feeds
	at    int
	crlf  bool
}

func newReader(text string) *reader {
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	r := &reader{lines: lines, crlf: len(lines) > 0}
	for i, l := range lines {
		last := i == len(lines)-1 && !strings.HasSuffix(text, "\n")
		r.crlf = r.crlf && (strings.HasSuffix(l, "\r") || last)
	}
	for r.at < len(lines) && strings.TrimSpace(lines[r.at]) == "" {
		r.at++
	}
	return r
}

func (r *reader) done() bool { return r.at >= len(r.lines) }

// raw is the line at hand with the CR that it may have; peek is without.
func (r *reader) raw() string {
	if r.done() {
		return ""
	}
	return r.lines[r.at]
}

func (r *reader) peek() string { return strings.TrimSuffix(r.raw(), "\r") }

func (r *reader) next() string {
	l := r.peek()
	r.at++
	return l
}

// wrong is an error at the line at hand.
func (r *reader) wrong(format string, args ...any) error {
	return wrongAt(r.at+1, format, args...)
}

func wrongAt(at int, format string, args ...any) error {
	return rein.Errorf(rein.CodeInvalid, "line %d of the patch: %s", at, fmt.Sprintf(format, args...))
}
