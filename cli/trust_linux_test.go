package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An end of the input, as of a terminal that closes, answers nothing: the next run asks again.
//
// Attack: 84
func TestTrustWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when\nsay I work.\n")
	if err := os.WriteFile(filepath.Join(d.home, "AGENTS.md"), []byte("OBEY-ME"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := d.open("run", "--foreground", "Hello.")
	x.seesAfter("Type yes to trust it", "> ")
	x.types("\x04")
	x.ends(exitWaits)
	if strings.Contains(x.text(), "I work.") {
		t.Error("a run started though nobody answered")
	}
	x = d.open("run", "--foreground", "Hello.")
	x.seesAfter("Type yes to trust it", "> ")
	x.types("\n")
	x.ends(exitOK)
	x.sees("I work.")
}

// At a terminal rein shows what a folder brings and asks before a run. What is typed before it asks trusts nothing; who
// says no is not asked about the same again; a change asks again.
//
// Attack: 84
func TestTrustAtATerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when system~\"OBEY-ME\"\nsay I obey.\n\nwhen\nsay I do not.\n")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(d.home, "AGENTS.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("OBEY-ME\x1b[2J")
	x := d.open("run", "--foreground", "Hello.")
	x.types("yes\nyes\n") // before anybody asks
	x.sees("Type yes to trust it")
	x.seesAfter("Type yes to trust it", "> ")
	x.types("\n")
	x.ends(exitOK)
	x.sees("I do not.")
	if strings.Contains(x.text(), "OBEY-ME\x1b[2J") {
		t.Error("a file controls the terminal")
	}
	x = d.open("run", "--foreground", "Hello.")
	x.ends(exitOK)
	x.sees("I do not.")
	if strings.Contains(x.text(), "Type yes") {
		t.Error("it asks again about what was declined")
	}
	write("OBEY-ME too")
	x = d.open("run", "--foreground", "Hello.")
	x.sees("AGENTS.md")
	x.seesAfter("Type yes to trust it", "> ")
	x.types("yes\n")
	x.ends(exitOK)
	x.sees("I obey.")
	write("OBEY-ME again")
	x = d.open("trust")
	x.sees("changed: AGENTS.md was changed")
	x.seesAfter("Type yes to trust it", "> ")
	x.types("yes\n")
	x.ends(exitOK)
	x.sees("trusted by owner")
	x = d.open("run", "--foreground", "Hello.")
	x.ends(exitOK)
	x.sees("I obey.")
}
