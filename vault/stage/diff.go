package stage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"rein/internal/textdiff"
	"rein/internal/visible"
)

// ID names what is staged: it is another one as soon as anything is different.
func ID(changes []Change) string {
	if len(changes) == 0 {
		return ""
	}
	h := sha256.New()
	for _, c := range changes {
		fmt.Fprintf(h, "%q %s %s\n", c.Path, c.BaseHash, c.Hash)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Diff shows changes to people, and to models: first a line for each note with the hash of its new
// content, so that whoever agrees agrees to exactly these, then unified diffs. It has about limit
// bytes at most; what is left out of a note's diff is said. Characters that are not seen, or that turn
// others around, are written as their numbers.
func Diff(changes []Change, limit int) string {
	each := max(limit*3/4/max(len(changes), 1), 200)
	spare := 0
	return diffs(changes, func(text string) string {
		most := each + spare // what short diffs leave is for the long ones
		text = textdiff.Clip(text, most)
		spare = max(most-len(text), 0)
		return text
	})
}

// Whole is Diff for who must agree: it leaves nothing out. Only once it has more than limit bytes are
// further notes left out. Then it is too long to be shown at all, and the engine refuses the call.
func Whole(changes []Change, limit int) string {
	room := limit
	return diffs(changes, func(text string) string {
		if room <= 0 {
			return "[… not shown]\n"
		}
		room -= len(text)
		return text
	})
}

func diffs(changes []Change, show func(diff string) string) string {
	if len(changes) == 0 {
		return "Nothing is staged."
	}
	var head, body strings.Builder
	fmt.Fprintf(&head, "%d %s (changes %s):\n", len(changes), notes(len(changes)), ID(changes))
	for _, c := range changes {
		text, added, removed := unified(c)
		fmt.Fprintf(&head, "- %s: %s\n", visible.Line(c.Path), c.about(added, removed))
		if !c.Denied {
			body.WriteString("\n" + show(text))
		}
	}
	return head.String() + body.String()
}

func notes(n int) string {
	if n == 1 {
		return "note would be written"
	}
	return "notes would be written"
}

func (c Change) about(added, removed int) string {
	about := fmt.Sprintf("+%d −%d lines", added, removed)
	switch {
	case c.Denied:
		return "its folder may not be used any more: it can only be discarded"
	case c.Hash == "":
		return "removed"
	case c.BaseHash == "":
		about = fmt.Sprintf("new, %d lines", added)
	}
	return fmt.Sprintf("%s, %d bytes, SHA-256 %.32s", about, len(c.Content), c.Hash)
}

// unified returns the diff of a note, and how many lines it adds and removes.
func unified(c Change) (text string, added, removed int) {
	from, to := c.Path, c.Path
	if c.BaseHash == "" {
		from = "(new note)"
	}
	if c.Hash == "" {
		to = "(removed)"
	}
	d := textdiff.New(from, to, c.Base, c.Content)
	return d.Text, d.Added, d.Removed
}
