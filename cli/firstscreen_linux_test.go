package cli

import "testing"

// The first screen of somebody who has connected no model says what answers, and where it cannot be drawn the error says why.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	x := newBareDesk(t).open()
	x.sees("The built-in offline model answers")
	x.types("\x04")
	x.ends(exitOK)

	dumb := newBareDesk(t, "TERM=dumb").open("tui")
	dumb.sees("rein tui cannot draw where TERM is dumb")
	dumb.ends(exitUsage)
}
