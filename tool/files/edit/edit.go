// Package edit replaces exact parts of a text: all edits or none. It touches no disk and guesses nothing. If a part is
// not found, the error shows the lines that are most like it, and how they differ.
package edit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"rein"
)

// MaxBytes is the most that a text may have, before and after.
const MaxBytes = 8 << 20

// MaxEdits is how many edits are made at once.
const MaxEdits = 100

// An Edit replaces Old, which must be in the text once, or every Old if All is set.
type Edit struct {
	Old, New string
	All      bool
}

const bom = "\ufeff"

// Apply makes the edits one after the other, each on what those before it made. The text keeps the mark at its
// beginning. If all its lines end with CR LF, so do those of the edits, however they are written; a text that has both
// line ends is compared as it is.
func Apply(text []byte, edits []Edit) ([]byte, error) {
	if err := check(text, edits); err != nil {
		return nil, err
	}
	now, mark := string(text), ""
	if strings.HasPrefix(now, bom) {
		now, mark = now[len(bom):], bom
	}
	crlf := isCRLF(now)
	if crlf {
		now = plain(now)
	}
	for i, e := range edits {
		if crlf {
			e.Old, e.New = plain(e.Old), plain(e.New)
		}
		var err error
		if now, err = e.apply(now); err != nil {
			return nil, rein.Errorf(rein.CodeOf(err), "%s%w", which(i, len(edits)), err)
		}
	}
	if crlf {
		now = strings.ReplaceAll(now, "\n", "\r\n")
	}
	if now = mark + now; now == string(text) {
		return nil, rein.Errorf(rein.CodeInvalid, "the edits leave the text as it is")
	}
	return []byte(now), nil
}

// which names an edit if there is more than one.
func which(i, of int) string {
	if of == 1 {
		return ""
	}
	return fmt.Sprintf("edit %d of %d (nothing was changed): ", i+1, of)
}

func check(text []byte, edits []Edit) error {
	switch {
	case len(text) > MaxBytes:
		return rein.Errorf(rein.CodeLimit, "it has %d bytes, and texts of at most %d MiB are edited", len(text), MaxBytes>>20)
	case !utf8.Valid(text) || strings.ContainsRune(string(text), 0):
		return rein.Errorf(rein.CodeInvalid, "it is not UTF-8 text, so it cannot be edited")
	case len(edits) == 0 || len(edits) > MaxEdits:
		return rein.Errorf(rein.CodeInvalid, "there are %d edits: give 1 to %d", len(edits), MaxEdits)
	}
	for i, e := range edits {
		switch {
		case e.Old == "":
			return rein.Errorf(rein.CodeInvalid, "%sold is empty: give the text to replace", which(i, len(edits)))
		case e.Old == e.New:
			return rein.Errorf(rein.CodeInvalid, "%sold and new are the same", which(i, len(edits)))
		case !utf8.ValidString(e.New) || strings.ContainsRune(e.New, 0):
			return rein.Errorf(rein.CodeInvalid, "%snew is not UTF-8 text", which(i, len(edits)))
		}
	}
	return nil
}

func (e Edit) apply(text string) (string, error) {
	found := places(text, e.Old)
	switch {
	case len(found) == 0:
		return "", rein.Errorf(rein.CodeNotFound, "old was not found. %s", near(text, e.Old))
	case len(found) > 1 && !e.All:
		return "", rein.Errorf(rein.CodeConflict, "old is there %s (at lines %s): add lines around it so that it is there once, or set replace_all", times(len(found)), lines(text, found))
	}
	n := strings.Count(text, e.Old)
	if grown := len(text) + n*(len(e.New)-len(e.Old)); grown > MaxBytes {
		return "", rein.Errorf(rein.CodeLimit, "the text would have %d bytes, and at most %d MiB are written", grown, MaxBytes>>20)
	}
	return strings.ReplaceAll(text, e.Old, e.New), nil
}

// maxPlaces is how many places an error counts.
const maxPlaces = 1000

// places returns where a part is in a text, also where two of them overlap: which one is meant is not known then.
func places(text, part string) (found []int) {
	for at := 0; len(found) < maxPlaces; {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return found
		}
		found = append(found, at+i)
		at += i + 1
	}
	return found
}

func times(n int) string {
	if n == maxPlaces {
		return fmt.Sprintf("%d times or more", n)
	}
	return fmt.Sprintf("%d times", n)
}

// lines lists the lines of some places.
func lines(text string, places []int) string {
	var b strings.Builder
	line, from := 1, 0
	for i, at := range places[:min(len(places), 10)] {
		line += strings.Count(text[from:at], "\n")
		from = at
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, line)
	}
	if len(places) > 10 {
		b.WriteString(", …")
	}
	return b.String()
}

// isCRLF reports whether all lines of a text end with CR LF.
func isCRLF(text string) bool {
	n := strings.Count(text, "\r\n")
	return n > 0 && n == strings.Count(text, "\n")
}

func plain(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// As gives a new text the line ends, and the mark at the beginning, that the one before has. Only what has no CR LF of
// its own gets them.
func As(before, text string) string {
	if isCRLF(strings.TrimPrefix(before, bom)) && !strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if strings.HasPrefix(before, bom) && !strings.HasPrefix(text, bom) {
		text = bom + text
	}
	return text
}
