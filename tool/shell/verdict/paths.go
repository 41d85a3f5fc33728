package verdict

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"rein/tool/shell/parse"
)

// A place is where a part runs: the workspace, and the folder in it.
type place struct {
	root string // absolute and clean; "" means unknown, and nothing absolute is inside then
	dir  string // relative to root, "." for itself; "" means outside or unknown

	disk Disk // nil means that names are all that is known
}

// at is where a part of a line runs: the folder that links lead to.
func (p Policy) at(dir string) place {
	at := placeOf(p.Root, dir)
	at.disk = p.Disk
	if at.dir != "" {
		real, ok := at.real(".")
		if at.dir = real; !ok {
			at.dir = ""
		}
	}
	return at
}

// placeOf is where a part runs.
func placeOf(root, dir string) place {
	p := place{root: path.Clean(root), dir: "."}
	if root == "" {
		p.root = ""
	}
	if dir != "" {
		inside, ok := p.relative(dir)
		if p.dir = inside; !ok {
			p.dir = ""
		}
	}
	return p
}

// relative returns a path below the workspace; ok is false for any other.
func (p place) relative(name string) (inside string, ok bool) {
	if path.IsAbs(name) {
		name = path.Clean(name)
		if p.root == "" || name != p.root && !strings.HasPrefix(name, strings.TrimSuffix(p.root, "/")+"/") {
			return "", false
		}
		inside = strings.TrimPrefix(strings.TrimPrefix(name, p.root), "/")
	} else {
		if p.dir == "" {
			return "", false
		}
		inside = path.Join(p.dir, name)
	}
	if inside == "" {
		inside = "."
	}
	return inside, inside != ".." && !strings.HasPrefix(inside, "../")
}

// isBelow reports whether a word names something below a folder of the workspace.
func (p place) isBelow(word, folder string) bool {
	inside, ok := p.relative(word)
	if !ok || strings.HasPrefix(word, "-") || strings.HasPrefix(word, "~") {
		return false
	}
	at := p
	at.dir = "." // folders of patterns are those of the workspace
	under, ok := at.relative(folder)
	return ok && (under == "." && inside != "." || strings.HasPrefix(inside, under+"/"))
}

// isInside reports whether a word, if it is a path or has one after "=", stays in the workspace and
// names nothing sensitive: nothing that may not be read, and if the command may write, nothing that may not be written.
// Globs must be such that no match can be an option or leave the workspace.
func (p place) isInside(w parse.Word, write bool) bool {
	if w.Kind == parse.Unknown || w.Kind == parse.Glob && !isTame(w.Text) || p.dir == "" {
		return false
	}
	if w.Kind == parse.Glob && p.globFinds(w.Text, write) != "" {
		return false
	}
	for _, text := range pathsIn(w.Text) {
		if p.isLed(text, write) {
			return false
		}
		inside, ok := p.relative(text)
		if !ok || hazardOf(inside, write) != "" || strings.HasPrefix(text, "~") {
			return false
		}
	}
	return true
}

// pathsIn returns what in a word may be a path: itself, what follows a "=" or ":", and what follows an
// option of one letter.
func pathsIn(word string) []string {
	paths := []string{word}
	for i, c := range word {
		if (c == '=' || c == ':' || c == ',' || c == '@') && i+1 < len(word) {
			paths = append(paths, word[i+1:])
		}
	}
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		paths = append(paths, word[2:])
	}
	return paths
}

// isTame reports whether the files that a glob finds are below its beginning: it starts with a letter or
// "./", and no part of it can match "..".
func isTame(glob string) bool {
	first := strings.TrimPrefix(glob, "./")
	if first == glob && (glob == "" || strings.IndexByte("*?[-~", glob[0]) >= 0) {
		return false
	}
	for _, part := range strings.Split(first, "/") {
		if strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") || part == ".." {
			return false
		}
	}
	return true
}

//go:embed sensitive.txt
var sensitiveText string

// A hazard is a kind of file that is never touched without asking.
type hazard struct {
	why     string
	pattern string
	write   bool // only writing is
}

var hazards = readHazards(sensitiveText)

func readHazards(text string) (all []hazard) {
	why, write := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasSuffix(line, ":"):
			why, write = strings.CutPrefix(strings.TrimSuffix(line, ":"), "write:")
		default:
			for _, pattern := range strings.Fields(line) {
				all = append(all, hazard{why, pattern, write})
			}
		}
	}
	return all
}

// hazardOf finds the reason for a path, absolute or relative to the workspace.
func hazardOf(name string, write bool) string {
	name = strings.ToLower(path.Clean(name)) // some file systems do not tell case apart
	parts := strings.Split(name, "/")
	for _, h := range hazards {
		if h.write && !write {
			continue
		}
		if strings.HasPrefix(h.pattern, "/") {
			if name == h.pattern || strings.HasPrefix(name, h.pattern+"/") {
				return h.why
			}
			continue
		}
		want := strings.Split(h.pattern, "/")
		for i := 0; i+len(want) <= len(parts); i++ {
			if slices.EqualFunc(parts[i:i+len(want)], want, func(got, want string) bool { ok, _ := path.Match(want, got); return ok }) {
				return h.why
			}
		}
	}
	return ""
}
