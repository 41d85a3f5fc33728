package cli

import (
	"strings"
	"testing"
)

// A person at a terminal can name a session by a part of its title, and sees which one it is. Elsewhere a name that no session
// has begins one, whatever titles there are: a script must not land in somebody's conversation.
func TestSessionsByTitle(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when\nsay Yes.\n")
	d.link()
	d.rein("run", "Paint the barn.")
	d.rein("run", "Paint the door.")
	d.rein("run", "--session", "the barn", "Begin here.")
	if list := d.rein("sessions"); !strings.Contains(list, "\nthe barn ") {
		t.Errorf("a name in a script begins no session:\n%s", list)
	}
	x := d.open("run", "--session", "HE DOOR", "In red.")
	x.ends(exitOK)
	x.sees(": Paint the door.")
	if list := d.rein("sessions"); strings.Contains(list, "\nHE DOOR ") {
		t.Errorf("a part of a title begins a session:\n%s", list)
	}
	x = d.open("run", "--session", "paint the", "In red.")
	x.ends(exitUsage)
	x.sees(`"paint the" fits 2 sessions: type more of the one that you mean`)
	x = d.open("tui", "--resume", "nothing like it")
	x.ends(exitWrong)
	x.sees(`no session "nothing like it": rein sessions lists them`)
}
