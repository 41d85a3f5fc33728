package verdict

import (
	"path"
	"slices"
	"strings"

	"rein/tool/shell/parse"
)

// propose returns the pattern that a person may allow for good, or "". It says in which folder and way the command runs, if
// that is not the top of the workspace and the usual one. What a command reads from a pipe, a file or a here-document can be
// anything, so there is no pattern for one that has input; nor for one in a folder whose files run or are obeyed later.
func (p Policy) propose(part parse.Part, at place) string {
	words := proposeWords(part, at)
	switch {
	case words == "", part.Input.Text != "", hazardOf(at.dir, true) != "", strings.ContainsAny(at.dir, "()'\" \t\n"):
		return ""
	}
	if at.dir != "." {
		words += " (in " + at.dir + ")"
	}
	if p.How != "" {
		words += " (" + p.How + ")"
	}
	return words
}

// proposeWords returns the words of such a pattern. It is never wider than it reads:
// all words stay as they are, apart from paths in a folder of the workspace, which stand for any path
// below that folder. Parts that are opaque, that have words not known in advance, or that another
// command runs have no such pattern. Neither have those whose words mean something else in each folder: a program named by its
// path, and paths with "..".
func proposeWords(p parse.Part, at place) string {
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
			words = append(words, v.Name+"="+Quote(v.Value.Text))
		}
		words = append(words, Quote(p.Argv[0].Text))
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

// widened turns a path in a folder of the workspace into the folder.
func widened(word string, at place) string {
	inside, ok := at.relative(word)
	if strings.HasPrefix(word, "-") || strings.HasPrefix(word, "~") || !strings.Contains(word, "/") || !ok || path.IsAbs(word) || hazardOf(inside, true) != "" {
		return Quote(word)
	}
	if real, ok := at.real(word); !ok || real != inside {
		return Quote(word)
	}
	folder := path.Dir(inside)
	if folder == "." || strings.HasPrefix(folder, "..") || strings.ContainsAny(folder, "*'\" \t\n") || strings.ContainsAny(word, "=:,@*") {
		return Quote(word)
	}
	if on := (place{root: at.root, dir: ".", disk: at.disk}); at.disk != nil && !on.isFolder(folder) {
		return Quote(word) // a script of sed or an address has slashes too
	}
	return folder + "/..."
}
