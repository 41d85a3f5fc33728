package files

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"rein"
	"rein/household/changes"
	"rein/tool/files/ignore"
	"rein/tool/files/match"
)

// What an undo of a command covers at most.
const (
	CoveredFile  = 1 << 20   // bytes of a file
	CoveredFiles = 20_000    // files, folders and links
	CoveredBytes = 200 << 20 // of all of them
)

// A Survey is a look at all files of the folder that an undo of a command covers.
type Survey struct {
	Files   map[string]changes.Stood
	Changed changes.Look // what is not as it was known, with the contents that were wanted

	git, ignored, hidden, keys bool
	large                      []string
	more                       int
}

// surveying is a survey in progress.
type surveying struct {
	*Survey
	root  *Root
	inv   rein.Invocation
	known changes.Tree
	read  bool // contents are wanted
	bytes int64
	now   time.Time
}

// Survey looks at the folder. Files that are as they were known are not read. With read, what is not kept yet is read,
// and given in Changed; without it, and with an empty tree, no file is read at all.
func (r *Root) Survey(ctx context.Context, inv rein.Invocation, known changes.Tree, read bool) (*Survey, error) {
	if r == nil {
		return nil, noFolder()
	}
	s := &surveying{Survey: &Survey{Files: map[string]changes.Stood{}}, root: r, inv: inv, known: known, read: read, now: time.Now()}
	s.Changed = changes.Look{Root: r.real, Files: map[string]changes.Stood{}, Contents: map[string][]byte{}}
	if err := s.folder(ctx, ".", ignore.Top(r.ownRules(inv, "."))); err != nil {
		return nil, err
	}
	for name := range known.Files {
		if _, ok := s.Files[name]; !ok {
			s.Changed.Gone = append(s.Changed.Gone, name)
		}
	}
	return s.Survey, nil
}

func (s *surveying) folder(ctx context.Context, local string, rules *ignore.Folder) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	f, err := s.root.root.Open(filepath.FromSlash(local))
	if err != nil {
		s.leave(local) // it is gone, or may not be read
		return nil
	}
	entries, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		s.leave(local)
	}
	for _, e := range entries {
		name := path.Join(local, e.Name())
		switch {
		case e.Name() == ".git":
			s.git = true
			s.set(name, left)
			continue
		case strings.HasPrefix(e.Name(), ".rein-") && strings.HasSuffix(e.Name(), ".tmp"):
			continue
		case s.root.hazard(name, false) != "":
			s.keys = true
			s.set(name, left)
			continue
		case rules.Judge(e.Name(), e.IsDir()) == match.Yes && e.Name() != ".gitignore" && !s.wasCovered(name):
			s.ignored = true
			s.set(name, left)
			continue
		case s.root.mayRestore(s.inv, name) != nil:
			s.hidden = true
			s.set(name, left)
			continue
		case len(s.Files) >= CoveredFiles:
			s.leave(local)
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it vanished
		}
		if err := s.entry(name, info); err != nil {
			return err
		}
		if e.IsDir() {
			if err := s.folder(ctx, name, rules.Below(e.Name(), s.root.ownRules(s.inv, filepath.FromSlash(name)))); err != nil {
				return err
			}
		}
	}
	return nil
}

// wasCovered reports whether an earlier look covered a path. It stays covered, as git keeps track of what it tracks: else
// a command could write an ignore file, and the next one could remove what nobody gets back.
func (s *surveying) wasCovered(name string) bool {
	was := s.known.Files[name].Mark
	return was != "" && was != changes.Left
}

// entry looks at one entry.
func (s *surveying) entry(name string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		s.set(name, changes.Stood{Content: changes.Content{Mark: changes.Folder, Mode: mode.Perm()}, Stamp: "dir"})
		return nil
	case !mode.IsRegular() && mode.Type() != fs.ModeSymlink:
		s.leave(name)
		return nil
	case info.Size() > CoveredFile:
		s.large = append(s.large, name)
		s.set(name, left)
		return nil
	case s.bytes+info.Size() > CoveredBytes:
		s.leave(name)
		return nil
	}
	s.bytes += info.Size()
	stamp, was := stampOf(info), s.known.Files[name]
	_, kept := s.known.Kept[was.Mark.Sum()]
	if stamp != "" && was.Stamp == stamp && was.Mode.Perm() == permOf(info) && (kept || !s.read) {
		s.Files[name] = was
		return nil
	}
	if s.known.Files == nil && !s.read {
		s.Files[name] = changes.Stood{}
		return nil
	}
	now, err := s.root.lookAny(s.inv, name)
	if err != nil || now == nil {
		return nil // it vanished, or became something else
	}
	if s.now.UnixNano()-lastTouched(info) < int64(2*time.Second) {
		stamp = "" // a change that follows at once may have the same time
	}
	stood := changes.Stood{Content: now.named(), Stamp: stamp}
	s.set(name, stood)
	if sum := stood.Mark.Sum(); s.read && sum != "" {
		if _, kept := s.known.Kept[sum]; !kept {
			s.Changed.Files[name], s.Changed.Contents[sum] = stood, now.bytes
		}
	}
	return nil
}

// left stands for what is not covered, with everything below it.
var left = changes.Stood{Content: changes.Content{Mark: changes.Left}, Stamp: "left"}

func (s *surveying) leave(name string) {
	s.more++
	s.set(name, left)
}

// isLeft reports whether an earlier look left out a path, or a folder above it: nobody knows what was there.
func isLeft(before map[string]changes.Stood, name string) bool {
	for ; ; name = path.Dir(name) {
		if before[name].Mark == changes.Left {
			return true
		}
		if name == "." {
			return false
		}
	}
}

func (s *surveying) set(name string, stood changes.Stood) {
	s.Files[name] = stood
	if s.known.Files[name] != stood {
		s.Changed.Files[name] = stood
	}
}

// permOf is the mode as contents have it.
func permOf(info fs.FileInfo) fs.FileMode {
	if info.Mode().Type() == fs.ModeSymlink {
		return 0
	}
	return info.Mode().Perm()
}

// Uncovered says what the survey left out, in a few words.
func (s *Survey) Uncovered() string {
	var parts []string
	add := func(is bool, words string) {
		if is {
			parts = append(parts, words)
		}
	}
	add(s.git, ".git")
	add(s.ignored, "files that git ignores")
	add(s.keys, "files that may hold keys or passwords")
	add(s.hidden, "files that runs may not use")
	if n := len(s.large); n > 0 {
		names := make([]string, 0, 3)
		for _, name := range s.large[:min(n, 3)] {
			names = append(names, quoted(name))
		}
		if n > 3 {
			names = append(names, "…")
		}
		add(true, fmt.Sprintf("%d files over %d MiB (%s)", n, CoveredFile>>20, strings.Join(names, ", ")))
	}
	add(s.more > 0, fmt.Sprintf("files beyond the first %d, or %d MiB in all", CoveredFiles, CoveredBytes>>20))
	return strings.Join(parts, "; ")
}

// Since compares with an earlier look: what became of each file. Files whose earlier content is not known, or that are too
// large by now, are lost to an undo, and named.
func (r *Root) Since(inv rein.Invocation, before map[string]changes.Stood, s *Survey) (files []changes.File, lost []string) {
	for name, was := range before {
		if is, ok := s.Files[name]; ok && is.Mark != changes.Left || was.Mark == changes.Left {
			continue
		}
		now, err := r.lookAny(inv, name) // it may be ignored or too large by now
		if err != nil {
			lost = append(lost, name)
			continue
		}
		if after := now.named(); after != was.Content && (was.Mark != changes.Folder || after.Mark != changes.Folder) {
			files = append(files, changes.File{Path: name, Before: was.Content, After: after})
		}
	}
	for name, is := range s.Files {
		was := before[name]
		switch {
		case is.Mark == changes.Left, is.Content == was.Content, is.Mark == changes.Folder && was.Mark == changes.Folder:
		case isLeft(before, name):
			lost = append(lost, name)
		default:
			files = append(files, changes.File{Path: name, Before: was.Content, After: is.Content})
		}
	}
	return files, lost
}
