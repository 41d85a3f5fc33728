package cli

import "testing"

// A commit at a terminal shows the whole diff and asks; words that decide nothing decide nothing.
//
// Covers: HUM-34
func TestCommitAtATerminal(t *testing.T) {
	t.Parallel()
	h := newStage(t, "")
	h.ok("run", "--session", "s1", "Twice.")
	d := &desk{t: t, home: h.dir}
	x := d.open("notes", "commit")
	x.sees("Write these changes to your notes?")
	x.seesAfter("+Second line.", "> ")
	x.types("perhaps\n")
	x.seesAfter("neither a yes nor a no", "> ")
	x.types("no\n")
	x.sees("nothing was written")
	x.ends(exitDeclined)
	if h.text("vault/Beans.md") != beans {
		t.Error("it was written")
	}
	x = d.open("notes", "commit")
	x.seesAfter("+Second line.", "> ")
	x.types("yes\n")
	x.sees("committed own-")
	x.ends(exitOK)
	if h.text("vault/Beans.md") == beans {
		t.Error("it was not written")
	}
}
