package reach

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"rein"
)

// A Filter says which notes of a vault are seen, by their paths within it, with slashes. Case and the
// way accents are written do not count: some file systems take such names for one.
type Filter struct{ include, exclude []string }

// NewFilter makes a filter of folders within the vault. Without folders to include all are; those to
// exclude win.
func NewFilter(include, exclude []string) (Filter, error) {
	var f Filter
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{include, &f.include}, {exclude, &f.exclude}} {
		for _, name := range list.from {
			if err := checkFolder(name); err != nil {
				return Filter{}, err
			}
			if clean := Fold(strings.Trim(path.Clean("/"+name), "/")); clean != "" {
				*list.to = append(*list.to, clean)
			}
		}
	}
	return f, nil
}

// checkFolder refuses what looks like a rule and would match nothing: whoever excludes "Private/*" must
// not believe that it holds.
func checkFolder(name string) error {
	switch {
	case strings.HasPrefix(path.Clean(name), ".."):
		return rein.Errorf(rein.CodeInvalid, "folder %q lies outside the vault", name)
	case strings.ContainsAny(name, "*?"):
		return rein.Errorf(rein.CodeInvalid, "folder %q: name a folder, without * and ?; all that lies in it goes with it", name)
	case name != strings.TrimSpace(name):
		return rein.Errorf(rein.CodeInvalid, "folder %q begins or ends with a space: write its name without", name)
	}
	return nil
}

// Fold makes names comparable that some file systems take for one.
func Fold(name string) string { return norm.NFC.String(strings.ToLower(name)) }

const notIncluded = "not in an included folder"

// Refuses says why a path is not among what the vault shows, or "".
func (f Filter) Refuses(name string) string {
	folded := Fold(name)
	for part := range strings.SplitSeq(folded, "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return "hidden"
		}
	}
	for _, out := range f.exclude {
		if within(folded, out) {
			return "in an excluded folder"
		}
	}
	for _, in := range f.include {
		if within(folded, in) {
			return ""
		}
	}
	if len(f.include) > 0 {
		return notIncluded
	}
	return ""
}

// LeadsTo reports whether an included folder lies below a path that is not included itself, so that
// one has to go through it.
func (f Filter) LeadsTo(name string) bool {
	folded := Fold(name)
	for _, in := range f.include {
		if folded == "." || within(in, folded) {
			return f.Refuses(name) == notIncluded
		}
	}
	return false
}

// Shows reports whether a path is seen: as itself, or on the way to what is included.
func (f Filter) Shows(name string) bool { return f.Refuses(name) == "" || f.LeadsTo(name) }

func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder) && name[len(folder)] == '/'
}
