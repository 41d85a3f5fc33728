package files

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"rein"
	"rein/household/changes"
)

// A Lost file is one whose change cannot be undone.
type Lost struct {
	Path, Became string // new, changed or removed
}

// coarse is how much the clock of files may be late.
const coarse = 20 * time.Millisecond

// Since compares with an earlier look, which was made at a moment: what became of each file, and what an undo cannot bring
// back.
func (r *Root) Since(inv rein.Invocation, before map[string]changes.Stood, began time.Time, s *Survey) (files []changes.File, lost []Lost) {
	for name, was := range before {
		switch is, there := s.Files[name]; {
		case isOthers(name), there && is.Mark != changes.Left && was.Mark != changes.Left:
		case was.Mark == changes.Left:
			if became := r.became(name, was, is, there); became != "" {
				lost = append(lost, Lost{name, became})
			}
		default:
			now, err := r.lookAny(inv, name) // it may be hidden by now
			if err != nil {
				lost = append(lost, Lost{name, "changed"})
			} else if after := now.named(); after != was.Content {
				files = append(files, changes.File{Path: name, Before: was.Content, After: after})
			}
		}
	}
	for name, is := range s.Files {
		was := before[name]
		switch {
		case isOthers(name), is.Content == was.Content, was.Mark != "" && (is.Mark == changes.Left || was.Mark == changes.Left):
		case was.Mark == "" && (is.Mark == changes.Left || isLeft(before, name)):
			if became := r.touched(name, began); became != "" {
				lost = append(lost, Lost{name, became})
			}
		default:
			files = append(files, changes.File{Path: name, Before: was.Content, After: is.Content})
		}
	}
	return files, lost
}

// became says what became of something that was left out; empty: nothing, as far as anybody knows.
func (r *Root) became(name string, was, is changes.Stood, there bool) string {
	switch {
	case !there:
		if _, err := r.root.Lstat(filepath.FromSlash(name)); errors.Is(err, fs.ErrNotExist) {
			return "removed"
		}
	case is.Mark == changes.Left && is.Stamp != was.Stamp && was.Stamp != left.Stamp && is.Stamp != left.Stamp:
		return "changed"
	}
	return ""
}

// touched says whether a file of which nothing was known was changed since a moment; empty: it was not. A folder is as old
// as the last file that came into it.
func (r *Root) touched(name string, began time.Time) string {
	info, err := r.root.Lstat(filepath.FromSlash(name))
	if err != nil || lastTouched(info) < began.Add(-coarse).UnixNano() {
		return ""
	}
	return "new"
}

// isLeft reports whether an earlier look left out a path, or a folder above it: nobody knows what was there.
func isLeft(before map[string]changes.Stood, name string) bool {
	for ; ; name = path.Dir(name) {
		if before[name].Mark == changes.Left || before[others(name)].Mark == changes.Left {
			return true
		}
		if name == "." {
			return false
		}
	}
}

// Knew reports whether an earlier look knew what was at a path, or that nothing was.
func Knew(before map[string]changes.Stood, name string) bool {
	if was := before[name].Mark; was != "" {
		return was != changes.Left
	}
	return !isLeft(before, name)
}

// Until leaves out files that were written after a moment. What is gone, and folders, do not say when.
func (r *Root) Until(all []changes.File, moment time.Time) []changes.File {
	return slices.DeleteFunc(all, func(f changes.File) bool {
		info, err := r.root.Lstat(filepath.FromSlash(f.Path))
		return err == nil && !info.IsDir() && surelyTouched(info) > moment.UnixNano()
	})
}
