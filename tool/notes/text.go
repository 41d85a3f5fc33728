package notes

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/vault/stage"
)

// checkText refuses notes that are not text: an edit would break what they are.
func checkText(n stage.Note) error {
	if !utf8.Valid(n.Content) || bytes.IndexByte(n.Content, 0) >= 0 {
		return rein.Errorf(rein.CodeInvalid, "%q is not UTF-8 text: it is left alone", n.Path)
	}
	return nil
}

// mustExist refuses a note that is neither on the disk nor staged.
func mustExist(n stage.Note) error {
	if !n.Exists {
		return rein.Errorf(rein.CodeNotFound, "%q does not exist: write_note makes a new note", n.Path)
	}
	return checkText(n)
}

const bom = "\xef\xbb\xbf"

// lineEnd is how the lines of a text end, mostly.
func lineEnd(text []byte) string {
	if all := bytes.Count(text, []byte("\n")); all > 0 && 2*bytes.Count(text, []byte("\r\n")) > all {
		return "\r\n"
	}
	return "\n"
}

// withEnds writes the ends of lines as the note has them.
func withEnds(text, end string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if end == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", end)
}

// splice puts a text in the place of some bytes. The rest stays as it is, to the byte.
func splice(note []byte, from, to int, text string) []byte {
	return slices.Concat(note[:from], []byte(text), note[to:])
}

// insertBlock puts a text on lines of its own at a place where a line begins or the note ends. What
// is around it keeps its blank lines; a heading after it gets one if there is none.
func insertBlock(note []byte, at int, text string) []byte {
	end := lineEnd(note)
	text = withEnds(strings.TrimRight(text, "\r\n"), end) + end
	if at > 0 && note[at-1] != '\n' {
		text = end + text
	}
	if at < len(note) && note[at] != '\n' && note[at] != '\r' {
		text += end
	}
	return splice(note, at, at, text)
}

// afterLast returns where the line after the last one that is not blank begins, between two places.
func afterLast(note []byte, from, to int) int {
	last := from + len(bytes.TrimRight(note[from:to], " \t\r\n"))
	if last == from {
		return from
	}
	if i := bytes.IndexByte(note[last:to], '\n'); i >= 0 {
		return last + i + 1
	}
	return to
}
