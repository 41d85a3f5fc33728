package files

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/household/changes"
	"rein/tool/files/ignore"
)

// What an undo of a command covers at most.
const (
	CoveredFile  = 1 << 20   // bytes of a file
	CoveredFiles = 20_000    // files, folders and links
	CoveredBytes = 200 << 20 // of all of them
)

// What a look at a folder reads at most.
const (
	mostWalked = 5 * CoveredFiles // entries; of what comes after them only those that were covered are looked at
	mostDeep   = 64               // levels of folders
)

// A Survey is a look at all files of the folder that an undo of a command covers.
type Survey struct {
	Files   map[string]changes.Stood
	Changed changes.Look // what is not as it was known, with the contents that were wanted

	git, ignored, hidden, keys, special, shut, deep, more bool
	large                                                 []string
}

// surveying is a survey in progress.
type surveying struct {
	*Survey
	root   *Root
	inv    rein.Invocation
	known  changes.Tree
	read   bool // contents are wanted
	now    time.Time
	tracks func() map[string]bool // what git tracks, with the folders that it is in
	names  func() []string        // all that was known, sorted
	veil   veil                   // what the run may not use
	spare  int                    // how many more files are covered
	room   int64                  // and bytes
	walked int                    // entries so far
}

// Survey looks at the folder. Files that are as they were known are not read. With read, what is not kept yet is read,
// and given in Changed; without it, and with an empty tree, no file is read at all. What was covered stays covered: else a
// command could take care that nobody gets back what the next one removes.
func (r *Root) Survey(ctx context.Context, inv rein.Invocation, known changes.Tree, read bool) (*Survey, error) {
	if r == nil {
		return nil, noFolder()
	}
	s := &surveying{Survey: &Survey{Files: map[string]changes.Stood{}}, root: r, inv: inv, known: known, read: read, now: time.Now()}
	s.Changed = changes.Look{Root: r.real, Files: map[string]changes.Stood{}, Contents: map[string][]byte{}}
	s.tracks, s.names, s.veil = sync.OnceValue(r.tracked), sync.OnceValue(s.sorted), r.veil(inv)
	s.spare, s.room = CoveredFiles, CoveredBytes
	for name, was := range known.Files {
		if s.wasCovered(name) {
			s.spare--
			s.room -= sizeIn(was.Stamp)
		}
	}
	top, err := r.root.OpenRoot(".")
	if err != nil {
		return nil, putError(".", err)
	}
	defer top.Close()
	if err := s.folder(ctx, spot{dir: top, local: "."}, func(own ignore.Files) *ignore.Folder { return ignore.Top(own) }); err != nil {
		return nil, err
	}
	for name := range known.Files {
		if _, ok := s.Files[name]; !ok {
			s.Changed.Gone = append(s.Changed.Gone, name)
		}
	}
	return s.Survey, nil
}

// sorted lists all that was known.
func (s *surveying) sorted() []string {
	all := make([]string, 0, len(s.known.Files))
	for name := range s.known.Files {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// knownBelow lists what was known below a folder.
func (s *surveying) knownBelow(folder string) []string {
	prefix := folder + "/"
	if folder == "." {
		prefix = ""
	}
	all := s.names()
	from, _ := slices.BinarySearch(all, prefix)
	to := from
	for to < len(all) && strings.HasPrefix(all[to], prefix) {
		to++
	}
	return all[from:to]
}

// wasCovered reports whether an earlier look covered a path.
func (s *surveying) wasCovered(name string) bool {
	was := s.known.Files[name].Mark
	return was != "" && was != changes.Left
}

// left stands for what is not covered, with everything below it.
var left = changes.Stood{Content: changes.Content{Mark: changes.Left}, Stamp: "left"}

// others is the name under which the rest of a folder is left out. No file has it.
func others(folder string) string { return folder + "//" }

func isOthers(name string) bool { return strings.HasSuffix(name, "//") }

// leaveOthers leaves out what else is in a folder.
func (s *surveying) leaveOthers(folder string) { s.set(others(folder), left) }

// keep leaves a path, and what is below it, as it was known: nobody can look.
func (s *surveying) keep(name string) {
	s.shut = true
	if was, ok := s.known.Files[name]; ok {
		s.Files[name] = was
	} else {
		s.set(name, left)
	}
	for _, below := range s.knownBelow(name) {
		s.Files[below] = s.known.Files[below]
	}
}

func (s *surveying) set(name string, stood changes.Stood) {
	s.Files[name] = stood
	if s.known.Files[name] != stood {
		s.Changed.Files[name] = stood
	}
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
	add(s.special, "pipes, sockets and devices")
	add(s.shut, "what cannot be read")
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
	add(s.deep, fmt.Sprintf("folders more than %d levels deep", mostDeep))
	add(s.more, fmt.Sprintf("files beyond the first %d, or %d MiB in all", CoveredFiles, CoveredBytes>>20))
	return strings.Join(parts, "; ")
}
