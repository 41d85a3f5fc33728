package offline

import (
	"slices"
	"strings"

	"rein"
)

// listing proposes to list, if that is what the message asks.
func (t *turn) listing() []rein.ToolCall {
	if dirs := folders(t.question); len(dirs) > 0 {
		return t.each(lists, dirs)
	}
	words := tokenise(t.question)
	switch {
	case len(paths(t.question)) > 0:
		return nil
	case !t.wantsListing(words):
		return t.each(lists, t.folderAlone())
	}
	if c := t.each(lists, t.folder(words)); len(c) > 0 {
		return c
	}
	return t.listHere()
}

// listHere lists the top, with "." for tools that must be told.
func (t *turn) listHere() []rein.ToolCall {
	for _, tool := range t.named(lists) {
		if c, ok := t.call(tool, "", nil); ok {
			return []rein.ToolCall{c}
		}
		if c, ok := t.call(tool, ".", nil); ok {
			return []rein.ToolCall{c}
		}
	}
	return nil
}

func (t *turn) wantsListing(words []string) bool {
	asked := hasPhrase(words, listingPhrase) || some(words, readWord) && some(words, folderWord)
	if asked && t.onlyFiles(words) {
		return true
	}
	if !some(words, listWord) {
		return false
	}
	if len(t.topic) == 0 && len(words) <= 3 {
		return true
	}
	about := stems(t.topic)
	if some(words, filesWord) {
		return true
	}
	return slices.ContainsFunc(t.named(lists), func(tool rein.Tool) bool {
		return slices.ContainsFunc(nameWords(tool.Name), func(w string) bool { return about[stem(w)] })
	})
}

// onlyFiles reports whether the message is about files and a folder, and not about what is in them.
func (t *turn) onlyFiles(words []string) bool {
	folder := tokenise(strings.Join(t.folder(words), " "))
	return !slices.ContainsFunc(t.topic, func(w string) bool {
		return !slices.Contains(folder, w) && !is(w, filesWord) && !is(w, aboutWord) && !which[w]
	})
}

var (
	// before are the words after which a folder is named.
	before = set("in under inside folder directory dir van onder map")
	// which are words before "folder" that do not name one.
	which = set("current root top main whole working home huidige hele")
)

// folderNamed returns the folder of "the files in docs" and of "the docs folder".
func folderNamed(words []string) string {
	for i := len(words) - 1; i > 0; i-- {
		switch {
		case before[words[i-1]] && canName(words[i]):
			return words[i]
		case is(words[i], folderWord) && canName(words[i-1]):
			return words[i-1]
		}
	}
	return ""
}

// canName reports whether a word can be the name of a folder.
func canName(w string) bool {
	return !before[w] && !which[w] && !verb(w) && len(contentWords(w)) > 0 && !is(w, filesWord) && !is(w, aboutWord)
}

// folderAlone returns the folder of "ls docs".
func (t *turn) folderAlone() []string {
	if words := t.bareWords(); len(words) == 2 && is(words[0], listWord) && canName(words[1]) {
		return t.spelt(words[1])
	}
	return nil
}

// folder returns the folder that the words name, if any.
func (t *turn) folder(words []string) []string {
	if name := folderNamed(words); name != "" {
		return t.spelt(name)
	}
	return nil
}

// spelt returns a name as the person wrote it: "src/API" for "api".
func (t *turn) spelt(name string) []string {
	for _, field := range strings.Fields(t.question) {
		bare := strings.TrimRight(strings.Trim(field, around), ".")
		if parts := tokenise(bare); len(parts) > 0 && parts[len(parts)-1] == name && isPathWord(bare) {
			return []string{bare}
		}
	}
	return []string{name}
}
