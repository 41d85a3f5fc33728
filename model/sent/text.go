package sent

import "strings"

// A Text is a text of a reply while it comes. What is shown of a reply somebody else has: as long as the text is one
// piece of that, there is no second copy.
type Text struct {
	Said       func() string // rein.ModelRequest.Said, or nil
	own        strings.Builder
	from, size int // where the text is in what was shown, and how long
}

// Add takes the next piece, which is shown next. before is how many bytes were shown before it.
func (t *Text) Add(piece string, before int) {
	if piece == "" {
		return
	}
	if t.size == 0 {
		t.from = before
	}
	if t.Said != nil && t.from+t.size != before { // something else was shown in between
		t.own.WriteString(t.String())
		t.Said = nil
	}
	if t.Said == nil {
		t.own.WriteString(piece)
	}
	t.size += len(piece)
}

// Len returns the length of the text.
func (t *Text) Len() int { return t.size }

// String returns the text, all pieces of which were shown. When the call was given up nobody has it any more.
func (t *Text) String() string {
	if t.Said == nil {
		return t.own.String()
	}
	said := t.Said()
	if len(said) < t.from+t.size {
		return ""
	}
	return said[t.from : t.from+t.size]
}
