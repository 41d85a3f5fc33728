package vault

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds folders in folders.
const maxDepth = 100

// A file is a note as the walk saw it.
type file struct {
	path  string
	size  int64
	mtime int64
}

// A walk is what was found below a path.
type walk struct {
	folder  *folder
	files   []file
	skipped map[string]string
	dirs    []string
}

// look finds the notes at a path: a file, or all in a folder.
func (f *folder) look(name string) *walk {
	w := &walk{folder: f, skipped: map[string]string{}}
	if name == "." {
		w.dir(".", 0)
		return w
	}
	if !utf8.ValidString(name) || !f.filter.Shows(name) {
		return w
	}
	if _, linked := f.linked(path.Dir(name)); linked {
		return w
	}
	if info, err := f.root.Lstat(name); err == nil {
		w.entry(name, info, strings.Count(name, "/"))
	}
	return w
}

func (w *walk) dir(name string, depth int) {
	if depth > maxDepth {
		w.skipped[name+"/"] = "nested too deep"
		return
	}
	d, err := w.folder.root.Open(name)
	if err != nil {
		w.skipped[name+"/"] = whySkipped(err)
		return
	}
	entries, err := d.ReadDir(-1)
	_ = d.Close()
	if err != nil {
		w.skipped[name+"/"] = whySkipped(err)
	}
	w.dirs = append(w.dirs, name)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		full := path.Join(name, e.Name())
		info, err := e.Info()
		if err != nil {
			continue // gone meanwhile
		}
		w.entry(full, info, depth+1)
	}
}

func (w *walk) entry(name string, info fs.FileInfo, depth int) {
	shown := name
	if info.IsDir() {
		shown += "/"
	}
	why := w.folder.filter.Refuses(name)
	switch {
	case !utf8.ValidString(name):
		w.skipped[strings.ToValidUTF8(shown, "\uFFFD")] = "its name is not UTF-8"
	case info.IsDir() && (why == "" || w.folder.filter.LeadsTo(name)):
		w.dir(name, depth)
	case why != "":
		w.skipped[shown] = why
	case info.Mode()&fs.ModeSymlink != 0:
		w.skipped[name] = "a link: links are not followed"
	case !isNote(name):
		w.skipped[name] = notMarkdown
	case !info.Mode().IsRegular():
		w.skipped[name] = "not a plain file"
	case info.Size() > maxNote:
		w.skipped[name] = "larger than 10 MB"
	default:
		w.files = append(w.files, file{name, info.Size(), info.ModTime().UnixNano()})
	}
}
