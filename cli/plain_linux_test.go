package cli

import (
	"regexp"
	"strings"
	"testing"
)

// marks are what a terminal is steered with: colours, and what brings the cursor back to write over a row.
var marks = regexp.MustCompile(`\x1b|\r|[⏺✓✗·│┊…]`)

// With --plain, and at a terminal that only writes lines, a run prints lines: whole ones, in order, without colours and
// without anything that is written over, and it can still be answered.
//
// Covers: SD-47
func TestPlain(t *testing.T) {
	t.Parallel()
	script := "when turn=1\ncall list_directory {\"path\":\".\"}\n\nwhen\nsay One line that is so long that it is folded at the end of the row, where the terminal ends, and goes on.\n"
	for name, c := range map[string]struct {
		env  []string
		args []string
	}{
		"the flag":         {nil, []string{"run", "--plain", "Look."}},
		"TERM=dumb":        {[]string{"TERM=dumb"}, []string{"run", "Look."}},
		"the flag, narrow": {nil, []string{"run", "--plain", "Look."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, script)
			d.columns, d.env = 80, c.env
			if strings.Contains(name, "narrow") {
				d.columns = 40
			}
			x := d.open(c.args...)
			x.sees("> ")
			x.types("yes\n")
			x.ends(exitOK)
			x.sees("* list_directory")
			x.sees("| One line that")
			x.sees("  ok ")
			if found := marks.FindString(x.text()); found != "" {
				t.Errorf("it prints %q:\n%q", found, x.text())
			}
			checkFits(t, name, x.text(), d.columns)
		})
	}
}

// NO_COLOR leaves colours out and keeps the row that says what is being done.
func TestNoColour(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when\nsay Yes.\n")
	d.env = []string{"NO_COLOR=1"}
	x := d.open("run", "Look.")
	x.ends(exitOK)
	x.sees("| Yes.")
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*m`).FindString(x.text()); colour != "" {
		t.Errorf("it prints %q:\n%q", colour, x.text())
	}
}
