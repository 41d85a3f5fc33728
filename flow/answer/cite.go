package answer

import (
	"regexp"
	"strings"
)

// maxCitation bounds a citation in bytes, so that finding all takes time linear in the text.
const maxCitation = 600

// A mention is a place in a text that names sources.
type mention struct {
	start, end int
	refs       []string // as they are written, without brackets
	label      string   // of a link: what is shown in its place
	wiki       bool     // a file may be named without its folder
}

// mentions finds what a text cites: [path#section] and [path], several parted by commas or
// semicolons, links to files, and [[wiki links]]. Code, links to the web and brackets that only look
// alike are left out; known tells what is a source however it looks.
func mentions(text string, known func(ref string) bool) []mention {
	var all []mention
	for i := 0; i < len(text); {
		switch end := skipCode(text, i); {
		case end > i:
			i = end
		case strings.HasPrefix(text[i:], `\[[`): // a wiki link that is quoted, and means nothing here
			i = max(i+2, matching(text, i+1, '[', ']'))
		case text[i] == '\\':
			i += 2
		case text[i] != '[':
			i++
		default:
			m, next := bracket(text, i, known)
			if len(m.refs) > 0 {
				all = append(all, m)
			}
			i = next
		}
	}
	return all
}

// bracket looks at what stands in the brackets that open here, and returns where to go on.
func bracket(text string, start int, known func(string) bool) (m mention, next int) {
	end := matching(text, start, '[', ']')
	if end < 0 {
		return m, start + 1
	}
	inner := text[start+1 : end-1]
	if wiki, ok := strings.CutPrefix(inner, "["); ok && strings.HasSuffix(wiki, "]") {
		return wikiLink(text, start, end, strings.TrimSuffix(wiki, "]")), end
	}
	if strings.HasPrefix(text[end:], "(") {
		if stop := matching(text, end, '(', ')'); stop > 0 {
			return link(text, start, end, stop, known), stop
		}
	}
	if refs := citedIn(inner, known); len(refs) > 0 {
		return mention{start: start, end: end, refs: refs}, end
	}
	return m, start + 1
}

// wikiLink looks at [[target]] and [[target|label]], also where it embeds what it names.
func wikiLink(text string, start, end int, inner string) mention {
	target, label, _ := strings.Cut(inner, "|")
	if strings.TrimSpace(target) != target || target == "" || scheme.MatchString(target) {
		return mention{}
	}
	if start > 0 && text[start-1] == '!' {
		start--
	}
	return mention{start, end, []string{target}, label, true}
}

// link looks at a Markdown link. One to the web, to a place in the text itself, or an image, is none
// of ours.
func link(text string, start, end, stop int, known func(string) bool) mention {
	inner, to := text[start+1:end-1], strings.TrimSpace(text[end+1:stop-1])
	if name, rest, ok := strings.Cut(strings.TrimPrefix(to, "<"), ">"); ok && to[0] == '<' && strings.TrimSpace(rest) == "" {
		to = name
	} else {
		to, _, _ = strings.Cut(to, ` "`)
	}
	to = strings.ReplaceAll(to, "%20", " ")
	isImage := start > 0 && text[start-1] == '!'
	switch {
	case known(inner):
		to, inner = inner, ""
	case isImage || to == "" || to[0] == '#' || strings.HasPrefix(to, "//") || scheme.MatchString(to) && !known(to):
		return mention{}
	}
	return mention{start: start, end: stop, refs: []string{to}, label: inner}
}

// citedIn returns the sources that the text between two brackets names. Unless all of it does, it is
// an ordinary bracket.
func citedIn(inner string, known func(string) bool) []string {
	whole := strings.TrimSpace(inner)
	if known(whole) {
		return []string{whole}
	}
	parts := strings.FieldsFunc(inner, func(r rune) bool { return r == ';' || r == ',' })
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if !isCitation(parts[i], known) {
			parts = nil // the mark is part of a name, or it is no list of sources
			break
		}
	}
	if len(parts) == 0 && isCitation(whole, known) {
		return []string{whole}
	}
	return parts
}

var (
	scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	file   = regexp.MustCompile(`[^/.][^/]*\.[A-Za-z][A-Za-z0-9]{0,7}$`)
	// Names of documents are taken for citations even where they stand alone.
	document = regexp.MustCompile(`(?i)[^/.][^/]*\.(md|mdx|markdown|txt|org|rst|adoc|pdf|html?|canvas|docx?|odt|rtf|csv|xlsx?|pptx?|epub)$`)
)

// isCitation reports whether a text names a source, or looks as if it were to.
func isCitation(ref string, known func(string) bool) bool {
	ref = strings.TrimSpace(ref)
	if ref == "" || known(ref) {
		return ref != ""
	}
	path, section, _ := strings.Cut(ref, "#")
	path, section = strings.TrimRight(path, " "), strings.TrimSpace(section)
	switch {
	case scheme.MatchString(ref), ref[0] == '^', ref[0] == '!', strings.ContainsAny(path, ";,[]"):
		return false
	case document.MatchString(path):
		return true
	case strings.Contains(path, " "):
		return false
	case section != "":
		return file.MatchString(path) || strings.Contains(path, "/")
	}
	return file.MatchString(path) && strings.Contains(path, "/")
}

// matching returns where the bracket that opens at start is closed, on the same line, or -1.
func matching(text string, start int, open, shut byte) int {
	depth := 0
	for i := start; i < min(len(text), start+maxCitation); i++ {
		switch text[i] {
		case '\n':
			return -1
		case '\\':
			i++
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// skipCode returns the end of the code that begins here, or the same place if there is none.
func skipCode(text string, at int) int {
	c := text[at]
	if c != '`' && c != '~' {
		return at
	}
	run := repeats(text[at:], c)
	if run >= 3 && beginsLine(text, at) {
		return endOfFence(text, at, run)
	}
	if c == '~' {
		return at + run
	}
	rest := text[at+run : min(len(text), at+run+maxSpan)]
	rest, _, _ = strings.Cut(rest, "\n\n")
	for i := 0; i < len(rest); i++ {
		n := repeats(rest[i:], '`')
		if n == run {
			return at + run + i + n
		}
		i += max(n-1, 0)
	}
	return at + run
}

// maxSpan bounds code within a line of text, in bytes.
const maxSpan = 4000

// repeats counts how often a text begins with the character.
func repeats(text string, c byte) int { return len(text) - len(strings.TrimLeft(text, string(c))) }

// beginsLine reports whether there are only blanks before, and too few to mean anything.
func beginsLine(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-4):at], " ")
	return before == "" && at <= 3 || strings.HasSuffix(before, "\n")
}

// endOfFence returns the end of the block that a fence opens: the rest of the text, if none closes it.
func endOfFence(text string, at, run int) int {
	fence := text[at : at+run]
	for i := at; ; {
		next := strings.IndexByte(text[i:], '\n')
		if next < 0 {
			return len(text)
		}
		i += next + 1
		line, _, _ := strings.Cut(text[i:], "\n")
		line = strings.TrimRight(line, " \t\r")
		if bare := strings.TrimLeft(line, " "); len(line)-len(bare) <= 3 && strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
			return i + len(line)
		}
	}
}
