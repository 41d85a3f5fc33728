package verdict

import (
	"path"
	"slices"
	"strings"

	"rein/tool/shell/parse"
)

// globHazard says why a glob must be asked about, because it may find a file that is sensitive; "" if it cannot. Names that
// begin with a dot are not found by it; see isTame.
func globHazard(glob string, write bool) string {
	glob = strings.NewReplacer(`\`, "", `'`, "", `"`, "").Replace(strings.ToLower(glob))
	for part := range strings.SplitSeq(glob, "/") {
		if i := strings.IndexByte(part, '['); i >= 0 {
			part = part[:i] + "*"
		}
		if !strings.ContainsAny(part, "*?") {
			continue
		}
		for _, h := range hazards {
			switch {
			case h.write && !write, strings.ContainsAny(h.pattern[:1], "./"):
			case strings.HasSuffix(h.pattern, "*") && part[0] == '*': // else *.go would be asked about, for secrets.go
			case overlap(part, h.pattern):
				return h.why
			}
		}
	}
	return ""
}

// overlap reports whether some name fits both of two patterns, in which a star is any text and a question mark any character.
func overlap(a, b string) bool {
	const most = 100 // a longer one is not looked at, and may fit
	if len(a) > most || len(b) > most {
		return true
	}
	fits := make([][]bool, len(a)+1) // by where both begin
	for i := len(a); i >= 0; i-- {
		fits[i] = make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			switch {
			case i < len(a) && a[i] == '*':
				fits[i][j] = fits[i+1][j] || j < len(b) && fits[i][j+1]
			case j < len(b) && b[j] == '*':
				fits[i][j] = fits[i][j+1] || i < len(a) && fits[i+1][j]
			case i == len(a) || j == len(b):
				fits[i][j] = i == len(a) && j == len(b)
			default:
				fits[i][j] = fits[i+1][j+1] && (a[i] == b[j] || a[i] == '?' || b[j] == '?')
			}
		}
	}
	return fits[0][0]
}

// maxFound is how many files a glob may find, and how many folders it may look in.
const maxFound = 5000

// globFinds says what a glob finds on the disk that must be asked about: a file that is sensitive, or a link that leads out
// of the workspace; "" if there is nothing of the kind. Without a disk it is what the glob could find.
func (p place) globFinds(glob string, write bool) string {
	if p.disk == nil {
		if why := globHazard(glob, write); why != "" {
			return "files, and of some names " + why
		}
		return ""
	}
	found, ok := p.expand(glob)
	if !ok {
		return "too many files to look at, or folders that cannot be read"
	}
	for _, name := range found {
		inside, ok := p.relative(name)
		switch {
		case !ok:
			return short(name) + ", outside the workspace"
		case hazardOf(inside, write) != "":
			return short(name) + ", and " + hazardOf(inside, write)
		case p.isLed(name, write):
			return short(name) + ", and " + led
		}
	}
	return ""
}

// expand returns what a glob finds, and the folders on the way that are links. It may find too much: quotation marks are
// forgotten, and brackets and question marks stand for any text. ok is false if there is too much to look at.
func (p place) expand(glob string) (found []string, ok bool) {
	bases := []string{""}
	if strings.HasPrefix(glob, "/") {
		bases = []string{"/"}
	}
	for part := range strings.SplitSeq(strings.Trim(glob, "/"), "/") {
		var next []string
		for _, base := range bases {
			if !strings.ContainsAny(part, "*?[") {
				next = append(next, base+part+"/")
				continue
			}
			if base != "" && p.isLed(base, false) { // what is outside is not listed
				found = append(found, base)
				continue
			}
			names, ok := p.list(base, loosened(part))
			if !ok || len(next)+len(names) > maxFound {
				return nil, false
			}
			for _, name := range names {
				next = append(next, base+name+"/")
			}
		}
		bases = next
	}
	for _, name := range bases {
		found = append(found, strings.TrimSuffix(name, "/"))
	}
	return found, true
}

// list returns the names in a folder that a pattern finds. A folder that is not there has none.
func (p place) list(dir, pattern string) (names []string, ok bool) {
	if !path.IsAbs(dir) {
		dir = path.Join(p.root, p.dir, dir)
	}
	all, err := p.disk.ReadDir(dir)
	if err != nil {
		return nil, isMissing(err)
	}
	for _, entry := range all {
		if name := entry.Name(); (name[0] != '.' || pattern[0] == '.') && overlap(name, pattern) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, true
}

// loosened is a part of a glob with stars only. It finds at least as much.
func loosened(part string) string {
	if i := strings.IndexByte(part, '['); i >= 0 {
		part = part[:i] + "*"
	}
	return strings.ReplaceAll(part, "?", "*")
}

// folderIn returns a folder on the disk that a word names or finds, or "".
func (p place) folderIn(w parse.Word) string {
	names := []string{w.Text}
	if w.Kind == parse.Glob && p.disk != nil {
		var ok bool
		if names, ok = p.expand(w.Text); !ok {
			return w.Text
		}
	}
	if i := slices.IndexFunc(names, p.isFolder); i >= 0 {
		return names[i]
	}
	return ""
}

// isFolder reports whether a word names a folder on the disk.
func (p place) isFolder(name string) bool {
	if p.disk == nil {
		return false
	}
	if !path.IsAbs(name) {
		name = path.Join(p.root, p.dir, name)
	}
	info, err := p.disk.Stat(name)
	return err == nil && info.IsDir()
}
