package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rein/terminal"
)

// What is printed at a terminal fits it, whether it has 80 columns or 40: help, lists, logs, checks, errors, and a run with
// what it asks. A command or a path that somebody may copy stays on one row.
//
// Covers: ENG-57
func TestLinesFit(t *testing.T) {
	t.Parallel()
	for _, columns := range []uint16{80, 40} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, longScript)
			d.link()
			d.columns = columns
			d.rein("run", "--yes-to", "list_directory", "Look at 日本語日本語日本語 and e\u0301e\u0301e\u0301 and then at all that is in this folder, please.")
			d.rein("run", "--park", "Look at it again, and say what is in this folder, which I do not know.")
			x := d.open("resume", "last")
			x.sees("> ")
			x.types("yes\n")
			x.ends(exitOK)
			checkFits(t, "resume", x.text(), columns)
			d.rein("run", "--park", "Look at it once more.")
			for _, typed := range everyLine() {
				x := d.open(strings.Fields(typed)...)
				select {
				case <-x.ended:
				case <-time.After(30 * time.Second):
					t.Fatalf("rein %s does not end:\n%s", typed, x.text())
				}
				checkFits(t, typed, x.text(), columns)
			}
		})
	}
}

// everyLine is what is typed: what prints lines, and mistakes.
func everyLine() []string {
	return []string{
		"runs", "runs --long", "sessions", "show last", "show last --full", "tree", "asks", "asks --full", "tools", "tools list_directory",
		"rules", "rules explain ls", "usage", "usage --by limit", "doctor", "flows", "flows strict", "models", "users", "users invites", "household show", "household list", "devices", "tokens", "secrets list", "workspace list",
		"preset list", "mcp list", "trust list", "owner", "audit verify", "config check", "undo --list", "commands", "notes", "licences",
		"help", "runs --lnog", "run", "run --flow oprate Hello", "rnus", "show nobody", "show r", "preset", "notes --vault nowhere",
		"help run", "help undo", "help mcp add",
	}
}

const longScript = `
when turn=1 user~"Look at"
call list_directory {"path":"."}

when
say There is a folder here, with 日本語日本語日本語日本語日本語日本語 in it, and e` + "\u0301" + `verything that somebody wrote on lines that are far too long for this.
`

// movesBack is what brings the cursor back to the beginning of a row.
var movesBack = regexp.MustCompile(`\r(\x1b\[K)?`)

// checkFits looks at each row that was written.
func checkFits(t *testing.T, typed, screen string, columns uint16) {
	t.Helper()
	for line := range strings.SplitSeq(strings.ReplaceAll(screen, "\r\n", "\n"), "\n") {
		for _, row := range movesBack.Split(line, -1) {
			row = strings.TrimSpace(ansi.Strip(row))
			if n := terminal.Cells(row); n > int(columns) && !staysWhole(row) {
				t.Errorf("rein %s: %d columns of %d: %s", typed, n, columns, row)
			}
		}
	}
}

// staysWhole reports whether a row is a command in backquotes, a word without spaces, or part of a usage in brackets.
func staysWhole(row string) bool {
	return strings.HasPrefix(row, "`") || !strings.Contains(row, " ") || strings.HasPrefix(row, "[--") && strings.Count(row, "]") == 1
}
