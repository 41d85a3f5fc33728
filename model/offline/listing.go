package offline

import (
	"path"
	"slices"
	"strings"

	"rein"
)

// listing proposes to list a folder, if that is what the message asks.
func (t *turn) listing() []rein.ToolCall {
	if dirs := folders(t.question); len(dirs) > 0 {
		return t.each(lists, dirs)
	}
	if len(paths(t.question)) > 0 || !t.wantsListing() {
		return nil
	}
	if dir := folderNamed(t.question); dir != "" {
		return t.first(lists, dir)
	}
	return t.listHere()
}

// listHere lists the top, with "." for tools that require a path.
func (t *turn) listHere() []rein.ToolCall {
	for _, tool := range t.toolsFor(lists) {
		for _, top := range []string{"", "."} {
			if c, ok := newCall(tool, lists, top); ok {
				return []rein.ToolCall{c}
			}
		}
	}
	return nil
}

// wantsListing reports whether the message asks which files there are, and not what is in them.
func (t *turn) wantsListing() bool {
	words := tokenise(t.question)
	order := some(words, listWord) && (some(words, filesWord) || len(t.topic) == 0 && len(words) <= 3)
	asked := hasPhrase(words, listingPhrase) || some(words, readWord) && some(words, folderWord)
	return order || asked && t.onlyFiles()
}

// onlyFiles reports whether all words of the topic are about files and a folder.
func (t *turn) onlyFiles() bool {
	folder := tokenise(folderNamed(t.question))
	return !slices.ContainsFunc(t.topic, func(w string) bool {
		return !slices.Contains(folder, w) && !is(w, filesWord) && !is(w, aboutWord) && !thisFolder[w]
	})
}

var (
	// beforeFolder are the words after which a folder is named.
	beforeFolder = set("in under inside folder directory dir van onder map")
	// thisFolder are words before "folder" that do not name one.
	thisFolder = set("current root top main whole working home huidige hele")
	// articles may stand before the name of a folder.
	articles = set("the my our this de het mijn onze deze")
)

// folderNamed returns the folder of "the files in docs" and of "the docs folder", as the person spelt
// it, or "".
func folderNamed(text string) string {
	words := slices.DeleteFunc(fields(text), func(w string) bool { return articles[strings.ToLower(w)] })
	for i := len(words) - 1; i > 0; i-- {
		before, word := strings.ToLower(words[i-1]), strings.ToLower(words[i])
		switch {
		case beforeFolder[before] && canName(word):
			return words[i]
		case is(word, folderWord) && canName(before):
			return words[i-1]
		}
	}
	return ""
}

// canName reports whether a word can be the name of a folder.
func canName(w string) bool {
	return isPathWord(w) && len(contentWords(w)) > 0 &&
		!beforeFolder[w] && !thisFolder[w] && !verb(w) && !is(w, filesWord) && !is(w, aboutWord)
}

// entries returns the files that a listing names, inside the folder that was listed. Absolute paths and
// paths upwards are no entries.
func entries(u use) []string {
	dir := mainArg(u)
	var all []string
	for _, name := range namesIn(u.body) {
		if !looksLikeFile(name) || path.IsAbs(name) || strings.HasPrefix(name, "~") || slices.Contains(strings.Split(name, "/"), "..") {
			continue
		}
		all = append(all, path.Join(dir, name))
	}
	return all
}

// namesIn returns the first word of each line, or every word of a listing that is one line.
func namesIn(body string) []string {
	body = strings.TrimSpace(body)
	if !strings.Contains(body, "\n") {
		body, _, _ = strings.Cut(body, " -> ") // a link does not name its target
		body = strings.Join(strings.Fields(body), "\n")
	}
	var all []string
	for line := range strings.Lines(body) {
		if words := strings.Fields(strings.TrimLeft(line, " \t-*")); len(words) > 0 {
			all = append(all, strings.Trim(words[0], around))
		}
	}
	return all
}
