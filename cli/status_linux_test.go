package cli

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const slowScript = `
when user~"Blue." attempt=1
say Blue it is.

when user~"brief"
say Briefly: done.

when attempt=1
hang

when
say At last.
`

// While the model thinks the terminal says so and counts the seconds, in one row that goes when there is
// something to show.
func TestThinkingIsShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t, slowScript)
	d.columns = 40
	x := d.open("run", "Think.")
	x.sees("· Thinking…")
	x.sees("· Thinking… 1 s")
	x.sees("· Thinking… 2 s")
	if strings.Contains(x.rows(), "\n· Thinking… 1 s") {
		t.Errorf("more than one row:\n%s", x.rows())
	}
	x.types("\x03")
	x.ends(exitStopped)
	if rows := x.rows(); strings.Contains(rows, "Thinking") {
		t.Errorf("it stays on the screen:\n%s", rows)
	}
}

// Where there is no terminal it is a plain line.
func TestThinkingIsToldElsewhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t, slowScript)
	x := exec.Command(d.link(), "run", "Think.")
	x.Dir, x.Env = d.home, append(os.Environ(), "HOME="+d.home, "GORACE="+quickExit, "REIN_FLOW=operate", "LC_ALL=C", anyRoot)
	told, err := x.StderrPipe()
	if err == nil {
		err = x.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(told)
	for lines.Scan() && lines.Text() == "- Starting..." { // only if that takes long
	}
	if lines.Text() != "- Thinking..." {
		t.Errorf("it says %q", lines.Text())
	}
	_ = x.Process.Signal(os.Interrupt)
	for lines.Scan() {
	}
	_ = x.Wait()
}

// Who follows a run sees what others send it.
func TestTracesOfOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(t, slowScript)
	x := d.open("run", "Think.")
	x.sees("Thinking")
	run := d.theRun()
	d.rein("steer", run, "be", "brief")
	x.sees("· message by owner: be brief")
	d.rein("modify", run, "Blue.")
	x.sees("· new task by owner: Blue.")
	x.ends(exitOK)

	x = d.open("run", "Think.")
	x.sees("Thinking")
	d.rein("stop", d.theRun(), "--reason", "lunch")
	x.sees("· stopped by owner: lunch")
	x.ends(exitStopped)
}
