package verdict

import (
	"path"
	"slices"
	"strings"

	"rein/tool/shell/parse"
)

// propose returns the pattern that a person may allow for good, or "". It is never wider than it reads:
// all words stay as they are, apart from paths in a folder of the workspace, which stand for any path
// below that folder. Parts that are opaque, that have words not known in advance, or that another
// command runs have no such pattern. Neither have those whose words mean something else in each folder: a program named by its
// path, and paths with "..".
func propose(p parse.Part, at place) string {
	if !p.IsKnown() || len(p.Via) > 0 || strings.Contains(p.Name(), "/") || climbs(p.Path) || slices.ContainsFunc(p.Argv, climbs) {
		return ""
	}
	switch p.Kind {
	case parse.Redirect:
		if p.Mode == parse.Write {
			return "> " + widened(p.Path.Text, at)
		}
	case parse.Command:
		var words []string
		for _, v := range telling(p.Env) {
			words = append(words, v.Name+"="+quote(v.Value.Text))
		}
		words = append(words, quote(p.Argv[0].Text))
		for _, a := range p.Argv[1:] {
			words = append(words, widened(a.Text, at))
		}
		return strings.Join(words, " ")
	}
	return ""
}

// climbs reports whether a word may be a path to a folder above, or has one after an option.
func climbs(w parse.Word) bool {
	parts := strings.FieldsFunc(w.Text, func(r rune) bool { return strings.ContainsRune("/=:,@", r) })
	return slices.ContainsFunc(parts, func(part string) bool {
		return part == ".." || strings.HasPrefix(part, "-") && strings.HasSuffix(part, "..")
	})
}

// widened turns a path in a folder into the folder.
func widened(word string, at place) string {
	inside, ok := at.relative(word)
	if strings.HasPrefix(word, "-") || strings.HasPrefix(word, "~") || !strings.Contains(word, "/") || !ok || path.IsAbs(word) || hazardOf(inside, true) != "" {
		return quote(word)
	}
	if real, ok := at.real(word); !ok || real != inside {
		return quote(word)
	}
	folder := path.Dir(inside)
	if folder == "." || strings.HasPrefix(folder, "..") || strings.ContainsAny(folder, "*'\" \t\n") || strings.ContainsAny(word, "=:,@*") {
		return quote(word)
	}
	return folder + "/..."
}
