package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rein/household/changes"
	"rein/tool/files/ignore"
	"rein/tool/files/match"
)

// A spot is a folder that is looked at. It stays open, so that nothing below it is looked up from the top again.
type spot struct {
	dir     *os.Root
	local   string
	rules   *ignore.Folder
	ignored bool // git ignores it, and only what was covered or is tracked there is covered
	depth   int
}

// folder looks at one folder and what is below it.
func (s *surveying) folder(ctx context.Context, in spot, rules func(own ignore.Files) *ignore.Folder) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if s.inv.MayUse(s.root.absolute(in.local)) != nil {
		s.hidden = true
		s.leaveOthers(in.local)
		return nil
	}
	names, err := s.list(in)
	if err != nil {
		s.keep(in.local)
		return nil
	}
	in.rules = rules(s.rulesIn(in, names))
	for _, name := range names {
		if err := s.look(ctx, in, name); err != nil {
			return err
		}
	}
	return nil
}

// list returns what is in a folder, sorted: as much of it as is read at all, and what was known there.
func (s *surveying) list(in spot) ([]string, error) {
	f, err := in.dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	for s.walked < mostWalked {
		some, err := f.Readdirnames(1000)
		names, s.walked = append(names, some...), s.walked+len(some)
		if errors.Is(err, io.EOF) {
			slices.Sort(names)
			return names, nil
		}
		if err != nil {
			return nil, err
		}
	}
	s.more = true
	s.leaveOthers(in.local)
	for _, name := range s.knownBelow(in.local) {
		if path.Dir(name) == in.local && !isOthers(name) {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// rulesIn reads the ignore files of a folder with these names.
func (s *surveying) rulesIn(in spot, names []string) (own ignore.Files) {
	has := func(name string) bool { _, ok := slices.BinarySearch(names, name); return ok }
	if has(".gitignore") {
		own.Rules = s.ignoreFile(in, ".gitignore")
	}
	if has(".git") && !s.veil.hides(s.root.absolute(path.Join(in.local, ".git")), nil) {
		own.Repo, own.Exclude = true, s.ignoreFile(in, ".git/info/exclude")
	}
	return own
}

// ignoreFile reads a file of rules. One that is a link, cannot be read, or may not be seen has none.
func (s *surveying) ignoreFile(in spot, name string) match.Rules {
	info, err := in.dir.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreFile || s.veil.hides(s.root.absolute(path.Join(in.local, name)), info) {
		return nil
	}
	f, err := in.dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return nil
	}
	return ignore.Parse(text)
}

// look looks at one entry of a folder, and what is below it.
func (s *surveying) look(ctx context.Context, in spot, base string) error {
	name := path.Join(in.local, base)
	info, err := in.dir.Lstat(base)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.keep(name)
		}
		return nil
	}
	covered := s.wasCovered(name)
	ignored := in.ignored || in.rules.Judge(base, info.IsDir()) == match.Yes && base != ".gitignore"
	var why *bool
	switch {
	case base == ".git":
		why = &s.git
	case s.root.isMaking(name):
		return nil
	case s.root.hazard(name, false) != "":
		why = &s.keys
	case ignored && !covered && !s.tracks()[name]:
		why = &s.ignored
	case s.veil.hides(s.root.absolute(name), info):
		why = &s.hidden
	case !covered && s.spare <= 0:
		s.more = true
		s.leaveOthers(in.local)
		return nil
	}
	switch {
	case why != nil:
		*why = true
		s.set(name, left)
		return nil
	case info.IsDir():
		in.ignored = ignored
		return s.below(ctx, in, base, info)
	}
	s.entry(in, name, info)
	return nil
}

// below looks at a folder in a folder.
func (s *surveying) below(ctx context.Context, in spot, base string, info fs.FileInfo) error {
	name := path.Join(in.local, base)
	s.cover(name, changes.Stood{Content: changes.Content{Mark: changes.Folder, Mode: info.Mode().Perm()}, Stamp: "dir"})
	if in.depth == mostDeep {
		s.deep = true
		s.leaveOthers(name)
		return nil
	}
	dir, err := in.dir.OpenRoot(base)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.keepBelow(name)
		}
		return nil
	}
	defer dir.Close()
	if opened, err := dir.Stat("."); err != nil || !os.SameFile(info, opened) {
		s.keepBelow(name) // it was swapped meanwhile
		return nil
	}
	above := in.rules
	return s.folder(ctx, spot{dir: dir, local: name, ignored: in.ignored, depth: in.depth + 1}, func(own ignore.Files) *ignore.Folder {
		return above.Below(base, own)
	})
}

// keepBelow leaves what is below a folder as it was known.
func (s *surveying) keepBelow(name string) {
	is := s.Files[name]
	s.keep(name)
	s.set(name, is)
	s.leaveOthers(name)
}

// cover covers an entry.
func (s *surveying) cover(name string, stood changes.Stood) {
	if !s.wasCovered(name) {
		s.spare--
	}
	s.set(name, stood)
}

// entry looks at a file, a link or something else that is no folder.
func (s *surveying) entry(in spot, name string, info fs.FileInfo) {
	covered, was := s.wasCovered(name), s.known.Files[name]
	isPlain := info.Mode().IsRegular() || info.Mode().Type() == fs.ModeSymlink
	isLarge := info.Size() > maxWrite || info.Size() > CoveredFile && !covered
	s.special = s.special || !isPlain
	if isPlain && isLarge {
		s.large = append(s.large, name)
	}
	if !covered && (!isPlain || isLarge) {
		s.set(name, changes.Stood{Content: left.Content, Stamp: stampOf(info)})
		return
	}
	grown := info.Size()
	if covered {
		grown -= sizeIn(was.Stamp)
	}
	fits := isPlain && !isLarge && grown <= s.room
	if !covered && !fits {
		s.more = true
		s.leaveOthers(in.local)
		return
	}
	if fits {
		s.room -= grown
	}
	stamp := stampOf(info)
	_, kept := s.known.Kept[was.Mark.Sum()]
	if stamp != "" && was.Stamp == stamp && was.Mode.Perm() == permOf(info) && (kept || !s.read || !fits) {
		s.Files[name] = was
		return
	}
	if s.known.Files == nil && !s.read {
		s.cover(name, changes.Stood{})
		return
	}
	s.take(in, name, info, fits)
}

// take reads a file that is not as it was known.
func (s *surveying) take(in spot, name string, info fs.FileInfo, fits bool) {
	now, err := readAny(in.dir, name)
	if err != nil {
		s.keep(name)
		return
	}
	if now == nil || now.isFolder() {
		return // it vanished, or became something else
	}
	stamp := stampOf(info)
	if s.now.UnixNano()-lastTouched(info) < int64(2*time.Second) {
		stamp = again + stamp // a change that follows at once may have the same time
	}
	stood := changes.Stood{Content: now.named(), Stamp: stamp}
	s.cover(name, stood)
	sum := stood.Mark.Sum()
	if _, kept := s.known.Kept[sum]; s.read && fits && sum != "" && !kept {
		s.Changed.Files[name], s.Changed.Contents[sum] = stood, now.bytes
	}
}

// again is before a stamp of a file that has to be looked at again.
const again = "~"

// sizeIn is the size of a file by its stamp.
func sizeIn(stamp string) int64 {
	size, _, _ := strings.Cut(strings.TrimPrefix(stamp, again), " ")
	n, _ := strconv.ParseInt(size, 10, 64) // none: a folder
	return n
}

// permOf is the mode as contents have it.
func permOf(info fs.FileInfo) fs.FileMode {
	if info.Mode().Type() == fs.ModeSymlink {
		return 0
	}
	return info.Mode().Perm()
}
