package parse

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanInline finds what CommonMark has no syntax for: tags, wikilinks, comments and boilerplate.
func (n *Note) scanInline(text []byte, at int) {
	for line := range bytes.Lines(text[at:]) {
		if isBoilerplate(line) && !In(n.Code, at) {
			n.Boiler = append(n.Boiler, Span{at, at + len(line)})
		}
		n.scanLine(line, at)
		at += len(line)
	}
}

func (n *Note) scanLine(line []byte, base int) {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '#' && opensTag(line, i) && !In(n.Code, base+i):
			size := tagSize(line[i+1:])
			if tag := string(line[i+1 : i+1+size]); isTag(tag) {
				n.addTag(tag)
				i += size
			}
		case line[i] == '[' && i+1 < len(line) && line[i+1] == '[' && !In(n.Code, base+i):
			if end := bytes.Index(line[i:min(len(line), i+1000)], []byte("]]")); end > 0 {
				n.wikilink(string(line[i+2:i+end]), i > 0 && line[i-1] == '!', base+i)
				i += end + 1
			}
		}
	}
}

// wikilink reads what stands between the brackets: target#section|label.
func (n *Note) wikilink(inner string, embed bool, at int) {
	inner = strings.TrimLeft(inner, "[")
	target, label, _ := strings.Cut(inner, "|")
	target, section, _ := strings.Cut(strings.TrimSuffix(target, `\`), "#")
	n.addLink(Link{Target: strings.TrimSpace(target), Section: strings.TrimSpace(section), Label: strings.TrimSpace(label), Wiki: true, Embed: embed, At: at})
}

// opensTag reports whether a # can begin a tag: in "a#b" and "](x#y)" it does not.
func opensTag(line []byte, at int) bool {
	if at == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRune(line[:at])
	return unicode.IsSpace(before) || strings.ContainsRune("({,;\"'>*_", before) || before == '\uFEFF'
}

func tagSize(text []byte) int {
	size := 0
	for size < len(text) && size < 200 {
		r, n := utf8.DecodeRune(text[size:])
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r) && !unicode.Is(unicode.So, r) && r != '_' && r != '-' && r != '/' {
			break
		}
		size += n
	}
	return size
}

// isTag wants something that is not a digit, so that "#12" stays a number.
func isTag(tag string) bool {
	return strings.ContainsFunc(tag, func(r rune) bool {
		return !unicode.IsDigit(r) && r != '/' && r != '-' && r != '_'
	})
}

// isBoilerplate reports a line that a template left, a comment, or one that holds links and nothing
// else: it is alike in many notes and says little about this one.
func isBoilerplate(line []byte) bool {
	s := strings.TrimSpace(string(line[:min(len(line), 400)]))
	switch {
	case s == "":
		return false
	case strings.Contains(s, "{{") && strings.Contains(s, "}}"), strings.Contains(s, "<%") && strings.Contains(s, "%>"):
		return true
	case strings.HasPrefix(s, "%%") && strings.HasSuffix(s, "%%"), strings.HasPrefix(s, "<!--"):
		return true
	}
	return onlyLinks(s)
}

// onlyLinks reports a line such as "← [[Home]] | [[Next]] →".
func onlyLinks(s string) bool {
	if !strings.Contains(s, "[[") || strings.HasPrefix(s, "#") {
		return false
	}
	links := 0
	for {
		before, rest, ok := strings.Cut(s, "[[")
		if strings.ContainsFunc(before, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return false
		}
		if !ok {
			return links > 1
		}
		_, rest, ok = strings.Cut(rest, "]]")
		if !ok {
			return false
		}
		links++
		s = rest
	}
}
