package offline

import (
	"path"
	"slices"
	"strings"
)

// backticked returns what a text has between backticks, in order, and the text without it. A span
// ends with as many backticks as it began with; a fence loses its language.
func backticked(text string) (spans []string, rest string) {
	var outside strings.Builder
	for {
		start := strings.IndexByte(text, '`')
		if start < 0 {
			return spans, outside.String() + text
		}
		n := len(text[start:]) - len(strings.TrimLeft(text[start:], "`"))
		ticks := text[start : start+n]
		body := text[start+n:]
		end := strings.Index(body, ticks)
		if end < 0 {
			return spans, outside.String() + text
		}
		outside.WriteString(text[:start] + " ")
		span := body[:end]
		if n >= 3 {
			span = withoutInfo(span)
		}
		if span = strings.TrimSpace(span); span != "" {
			spans = append(spans, span)
		}
		text = body[end+n:]
	}
}

// withoutInfo drops the first line of a fence, which names its language.
func withoutInfo(fence string) string {
	info, body, ok := strings.Cut(fence, "\n")
	if ok && !strings.ContainsAny(strings.TrimSpace(info), " \t") {
		return body
	}
	return fence
}

var (
	fileEndings = set(`md txt go py js ts tsx jsx json toml yaml yml csv tsv html css sh log xml sql rs c h cc cpp java rb php
		ini cfg conf env lock mod sum pdf svelte org rst tex ics markdown proto kt swift lua`)
	bareFiles = set("README LICENSE MAKEFILE Makefile DOCKERFILE Dockerfile CHANGELOG CONTRIBUTING")
	notFiles  = set("node.js next.js vue.js")
	// pathStarts are beginnings that only paths have.
	pathStarts = []string{"./", "../", "~/", "/"}
)

// fields returns the words of a text as they are spelt, without the punctuation around them.
func fields(text string) []string {
	var all []string
	for _, word := range strings.Fields(text) {
		bare := strings.TrimRight(strings.Trim(word, around), ".")
		all = append(all, strings.Trim(bare, around))
	}
	return all
}

const around = "\"'`“”‘’«»()[]{}<>,;:!?*"

// paths returns the words of a text that look like files, in order, each once. Backticks make a word
// with a slash a path too.
func paths(text string) []string {
	spans, _ := backticked(text)
	var all []string
	for _, word := range fields(text) {
		quoted := slices.Contains(spans, word) && isPathWord(word) && strings.Contains(word, "/")
		if (quoted || looksLikeFile(word)) && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// looksLikeFile reports whether a word is a file's name or path: by its ending, by being a file
// that every project has, or by a beginning that only paths have.
func looksLikeFile(word string) bool {
	if !isPathWord(word) || notFiles[strings.ToLower(word)] || strings.HasSuffix(word, "/") {
		return false
	}
	base := path.Base(word)
	if ext := path.Ext(base); ext != "" && ext != base {
		return fileEndings[strings.ToLower(ext[1:])]
	}
	return bareFiles[base] || len(word) > 2 && slices.ContainsFunc(pathStarts, func(s string) bool { return strings.HasPrefix(word, s) })
}

func isPathWord(word string) bool {
	return word != "" && len(word) < 300 && !strings.Contains(word, "://") && !strings.ContainsAny(word, " \t\n|&;$*<>\"'`\\=")
}

// folders returns the words that look like folders: they end with a slash.
func folders(text string) []string {
	var all []string
	for _, word := range fields(text) {
		if isPathWord(word) && len(word) > 1 && strings.HasSuffix(word, "/") {
			all = append(all, strings.TrimSuffix(word, "/"))
		}
	}
	return all
}
