//go:build linux

package cli

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

const deskScript = `
when turn=1 user~"Look."
say I will look.
call list_directory {}

when turn=1 user~"Ask."
call ask_user {"question":"Which colour?","choices":["red","blue"]}

when user~"Think." attempt=1
drip 1h
say Hmmm, well

when user~"Think."
say Thought of.

when turn=1 user~"Twice."
call ask_user {"question":"Which colour?"}

when turn=2 user~"Twice."
call ask_user {"question":"And which size?"}

when user~"Twice." tool="large"
say It is large.

when user~"Twice."
say It is odd.

when tool~"blue"
say You said blue.

when
say Done looking.
`

// At a terminal text comes as it is written, chips follow it, and the answer is not repeated.
//
// Covers: SD-11
func TestTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "Look.")
	x.sees("│ I will look.\n⏺ list_directory\n")
	x.sees("> ")
	x.types("y\n")
	x.ends(exitOK)
	if got := strings.Count(x.text(), "Done looking."); got != 1 {
		t.Errorf("the answer is there %d times:\n%s", got, x.text())
	}
	if !strings.Contains(x.text(), "\x1b[32m") {
		t.Errorf("there are no colours:\n%q", x.text())
	}
}

// Ctrl-C at a question leaves it open; a second terminal answers it, and a third goes on with it. In the
// background it goes on by itself.
//
// Covers: SD-46
func TestInterruptAtPrompt(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "--foreground", "Look.")
	x.sees("> ")
	x.types("\x03")
	x.ends(exitLeft)
	x.sees("it stays open: `rein answer ")
	run := d.theRun()
	if out := d.rein("answer", d.theAsk(), "--yes", "--shown", d.shown(run)); !strings.HasPrefix(out, "recorded for run "+run) {
		t.Error(out)
	}
	y := d.open("resume", run)
	y.ends(exitOK)
	y.sees("Done looking.")

	x = d.open("run", "Look.")
	x.sees("> ")
	x.types("\x03")
	x.ends(exitLeft)
	run = d.theRun()
	x.sees("run " + run + " is kept: `rein resume " + run + "` continues it")
	d.rein("answer", d.theAsk(), "--yes", "--shown", d.shown(run))
	d.until(func() bool { return strings.Contains(d.rein("show", run), "Done looking.") })
}

// Two terminals on one run: what one answers is withdrawn from the other.
//
// Covers: TAB-B8
func TestTwoTerminals(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "Ask.")
	x.sees("> ")
	y := d.open("resume", d.theRun())
	y.sees("> ")
	y.types("2\n")
	y.ends(exitOK)
	x.sees("answered by owner elsewhere: blue")
	x.ends(exitOK)
	x.sees("You said blue.")
	y.sees("You said blue.")
}

// What was half typed for a question that someone else answered does not become a part of the next
// answer.
//
// Covers: TAB-B8
func TestHalfTyped(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "Twice.")
	x.sees("> ")
	x.types("extra ")
	x.sees("extra ") // the terminal has it
	if out := d.rein("answer", d.theAsk(), "red"); !strings.HasPrefix(out, "sent to run") {
		t.Error(out)
	}
	x.sees("And which size?")
	x.seesAfter("And which size?", "\n> ")
	x.types("large\n")
	x.ends(exitOK)
	x.sees("It is large.")
}

// The owner is killed while another terminal follows its run: that one goes on with it.
//
// Covers: LAW-10
func TestTakeOver(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "--foreground", "Ask.")
	x.sees("> ")
	y := d.open("resume", "--foreground", d.theRun())
	y.sees("> ")
	if err := x.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	y.sees("this one continues it")
	y.types("blue\n")
	y.ends(exitOK)
	y.sees("You said blue.")
}

// The owner stays for another terminal's run, says so, and leaves at Ctrl-C.
func TestOwnerStays(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "--foreground", "Ask.")
	x.sees("> ")
	y := d.open("run", "--foreground", "Think.")
	y.sees("Hmmm,")
	x.types("blue\n")
	x.sees("this process stays until the other runs")
	x.types("\x03")
	x.ends(exitOK)
	y.sees("this one continues it")
	y.sees("Thought of.")
	y.ends(exitOK)
}

// The first Ctrl-C stops, the second leaves; other signals leave at once. The run is kept.
func TestLeaving(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "--foreground", "Think.")
	x.sees("Hmmm,")
	x.types("\x03")
	x.sees("stopping the run; Ctrl-C again leaves at once")
	x.types("\x03")
	x.sees("is being stopped, and its work is kept: if a call delays that, `rein resume ")
	x.ends(exitLeft)
	if strings.Contains(x.text(), "continues it") {
		t.Errorf("a run that was told to stop does not go on:\n%s", x.text())
	}
	if list := d.rein("runs"); strings.Contains(list, "stopping") { // it may have ended while the process left
		y := d.open("resume", "--foreground", d.theRun())
		y.sees("it is stopping, so it does not continue")
		y.sees("stopped")
		y.ends(exitStopped)
	} else if !strings.Contains(list, "stopped") {
		t.Errorf("neither stopping nor stopped:\n%s", list)
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		y := d.open("run", "--foreground", "Think.")
		y.sees("Hmmm,")
		if err := y.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		y.sees("is kept: `rein resume ")
		y.ends(exitLeft)
	}
}

// Two that start at once: one becomes the owner, the other finds it.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	var all []*console
	for range 4 {
		all = append(all, d.open("run", "Hello."))
	}
	for _, x := range all {
		x.ends(exitOK)
	}
	if n := strings.Count(d.rein("runs"), " done "); n != 4 {
		t.Errorf("%d of 4 are done", n)
	}
}
