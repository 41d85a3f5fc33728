// Package quote makes outside text harmless. It writes the text into blocks such as <untrusted> and
// <tool_result>, which the text can neither close nor forge, and reads such blocks back exactly. It
// also reads the blocks that models write, which are seldom tidy.
package quote

import "strings"

// The tags of blocks that mean something to a model or to us. No quoted text can contain one.
const (
	UntrustedTag = "untrusted"
	ResultTag    = "tool_result"
	CallTag      = "tool_call"
)

// Untrusted wraps text that came from outside, so that a model can tell it from what it is told.
// Open is its inverse.
func Untrusted(source, text string) string {
	return Block(UntrustedTag, [][2]string{{"source", source}}, text)
}

// Open returns what Untrusted was given, byte by byte. It is not ok if the text is anything but one
// such block.
func Open(quoted string) (source, text string, ok bool) {
	found := Blocks(quoted, UntrustedTag)
	if len(found) != 1 || found[0].Start != 0 || found[0].End != len(quoted) || found[0].Cut {
		return "", "", false
	}
	return found[0].Attr("source"), found[0].Content, true
}

// Block writes a block whose content and attributes cannot close it, nor forge another. The tag and
// the names of attributes are ours: letters, digits, "_" and "-".
func Block(tag string, attrs [][2]string, content string) string {
	var b strings.Builder
	b.WriteString("<" + tag)
	for _, a := range attrs {
		b.WriteString(" " + a[0] + `="` + escapeAttr(a[1]) + `"`)
	}
	b.WriteString(">\n")
	b.WriteString(shift(content, fold(tag), +1))
	b.WriteString("\n</" + tag + ">")
	return b.String()
}

// Escape makes text harmless without a block around it: none of our tags is left in it.
func Escape(text string) string { return shift(text, "", +1) }

// Unescape is the inverse of Escape.
func Unescape(text string) string { return shift(text, "", -1) }
