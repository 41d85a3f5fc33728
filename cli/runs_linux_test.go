package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// At a terminal the list of runs is as wide as the terminal, however long a title is.
func TestRunsFit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when\nsay Yes.\n")
	d.link()
	d.columns = 80
	d.rein("run", "Say yes to "+strings.Repeat("this long sentence ", 10))
	x := d.open("runs")
	x.ends(exitOK)
	x.sees("Say yes to")
	for line := range strings.SplitSeq(strings.ReplaceAll(x.text(), "\r", ""), "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
