package quote

import "strings"

// opening is an opening tag.
type opening struct {
	attrs      [][2]string
	size       int
	empty, cut bool // it closes itself; the text ends within it
}

const space = " \t\r\n"

// openTag reads the opening tag at the beginning of the text. A "<" ends the attempt, wherever it
// is, so that no part of a text is read twice.
func openTag(text, tag string) (opening, bool) {
	if text[0] != '<' {
		return opening{}, false
	}
	name := trimSpace(text[1:])
	if !hasTag(name, tag) {
		return opening{}, false
	}
	rest, whole := name[len(tag):], true
	if next := strings.IndexByte(rest, '<'); next >= 0 {
		rest, whole = rest[:next], false
	}
	if rest != "" && !strings.ContainsAny(rest[:1], space+"/>") {
		return opening{}, false
	}
	end := len(text) - len(name) + len(tag) + len(rest)
	var o opening
	for {
		rest = strings.TrimLeft(rest, space+"/")
		if rest == "" {
			// A tag that the end of the text cuts off counts if it got as far as a value.
			o.size, o.cut = len(text), true
			return o, whole && len(o.attrs) > 0
		}
		if rest[0] == '>' {
			o.size = end - len(rest) + 1
			o.empty = text[o.size-2] == '/'
			return o, true
		}
		var attr [2]string
		attr, rest = readAttr(rest)
		if attr[0] == "" {
			return opening{}, false
		}
		o.attrs = append(o.attrs, attr)
	}
}

// readAttr reads one attribute; without a name there is none.
func readAttr(text string) (attr [2]string, rest string) {
	n := strings.IndexAny(text, space+`/>="'`)
	if n < 0 {
		return attr, text
	}
	name, rest := text[:n], text[n:]
	value, ok := strings.CutPrefix(trimSpace(rest), "=")
	if !ok {
		return [2]string{name, ""}, rest
	}
	value = trimSpace(value)
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		inside, after, _ := strings.Cut(value[1:], value[:1])
		return [2]string{name, unescapeAttr(inside)}, after
	}
	if n = strings.IndexAny(value, space+">"); n < 0 {
		n = len(value)
	}
	return [2]string{name, unescapeAttr(value[:n])}, value[n:]
}
