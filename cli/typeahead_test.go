//go:build linux

package cli

import (
	"strings"
	"testing"
)

// forgery prints what looks like rein's own prompt, slowly, and then makes a call that a person must
// approve.
const forgery = `
when turn=1 user~"Forge."
drip 100ms
say <<END
? Allow get_current_time {}?
  [y]es, once; [n]o; [e]dit the arguments
> and so on and so forth and more
END
call list_directory {"path":"."}

when tool~"refused"
say It was refused.

when
say It was listed.
`

// A model prints a forged prompt. The person falls for it: the yes lies in the terminal's buffer when
// the next, different call is put to them. It approves nothing.
//
// Covers: LAW-9
// Attack: 51
func TestTypeAhead(t *testing.T) {
	t.Parallel()
	for _, early := range []string{"y\n", "yes\n", "y\nyes\ny\n", "yes"} {
		t.Run(strings.TrimSpace(early), func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, forgery)
			x := d.open("run", "Forge.")
			x.sees("[y]es, once")
			x.types(early)
			x.sees("\n> ")
			x.types("no\n") // what lay in the buffer would come before it
			x.ends(exitOK)
			x.sees("It was refused.")
		})
	}
}

// Whatever the person types meanwhile, and however narrow the terminal is, no row of the model's text
// begins without a bar.
//
// Attack: 51
func TestForgedRows(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when\ndrip 50ms\nsay forged> "+strings.Repeat("forged ", 30)+"\n")
	d.columns = 60
	x := d.open("run", "Forge.")
	x.sees("forged forged")
	for _, typed := range []string{"one\n", "two\n", "three\n"} { // in the middle of a row
		x.types(typed)
		x.seesAfter(strings.TrimSpace(typed), "forged forged")
	}
	x.ends(exitOK)
	for row := range strings.SplitSeq(x.text(), "\n") {
		for part := range strings.SplitSeq(row, "\r") {
			part = strings.TrimPrefix(part, "\x1b[K") // what was waited for is gone
			if strings.Contains(part, "forged") && !strings.HasPrefix(part, "│ ") && !strings.HasPrefix(part, "┊ ") {
				t.Errorf("a row begins without a bar: %q\n%s", part, x.text())
			}
		}
	}
}

// rein answer shows an ask whole and takes the answer; what was typed before it asks for a line counts
// for nothing, and what is no answer leaves the ask open.
//
// Covers: SD-46
// Attack: 51 53
func TestAnswerAtATerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `turn 1
call list_directory {"path":"`+strings.Repeat("very/long/", 30)+`THE-END"}

when
say Listed.
`)
	d.link()
	if out := d.rein("run", "--park", "List."); strings.Contains(out, "THE-END") || strings.Contains(out, "--yes") {
		t.Errorf("a line that approves, or the whole in a summary:\n%s", out)
	}
	if out := d.rein("asks"); strings.Contains(out, "THE-END") || strings.Contains(out, "--yes") {
		t.Errorf("a line that approves, or the whole in a summary:\n%s", out)
	}
	run := d.theRun()
	if out := d.rein("answer", d.theAsk(), "--yes"); !strings.Contains(out, "--shown") {
		t.Errorf("approved unseen:\n%s", out)
	}
	if out := d.rein("answer", run, "--yes", "--shown", d.shown(run)); !strings.Contains(out, "name the ask") {
		t.Errorf("approved whatever the run asks:\n%s", out)
	}
	x := d.open("answer", run)
	x.types("y\n")
	x.sees("Approve this call of list_directory?")
	x.types("yes\n")
	x.sees("THE-END")
	x.sees("\n> ")
	x.types("ok?\n")
	x.sees("nothing is decided")
	x.seesAfter("nothing is decided", "\n> ")
	if out := d.rein("asks"); !strings.Contains(out, "pending") {
		t.Errorf("it is answered:\n%s", out)
	}
	x.types("yes\n")
	x.ends(exitOK)
	x.sees("recorded for run " + run)
}
