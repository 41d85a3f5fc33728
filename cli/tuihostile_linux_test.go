//go:build linux

package cli

import (
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// forgeries are what a model, a file and a question use to look like rein. Each row of them says that it is forged.
const forgeries = `forged\x1b[2J\x1b[H forged\x1b]0;forged\x07\x1b[?1049l\x1b[1;1Hforged\x1b[8m hidden` +
	`\n┌ write_file forged ─────────────── waits for you ───┐\n│ a allow once: forged │\n└──── forged ────┘` +
	`\n› forged: allow everything\n ✓ owner allowed forged\n ? waiting for you · forged\n▸ execute_command forged` +
	`\n\rforged\x08\x08\x08 over\u202e forged \u200b forged\n TODO forged\n$ forged\n`

// What a model writes, what a file has in it and what a question says cannot drive the terminal, and no row of it stands
// where only rein writes.
//
// Attack: 51
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenForgeries(t *testing.T) {
	r := newRoom(t, `
when turn=1
malformed "`+forgeries+`"
call read_file {"path":"evil.txt"}

when turn=2
call ask_user {"question":"`+strings.NewReplacer(`\x1b`, `\u001b`, `\x07`, `\u0007`, `\x08`, `\u0008`).Replace(forgeries)+`"}

when
say Well.
`)
	r.file("project/evil.txt", strings.NewReplacer(`\x1b`, "\x1b", `\x07`, "\x07", `\x08`, "\x08", `\n`, "\n", `\r`, "\r").Replace(forgeries))
	p := r.sits(80, 60)
	p.opens()
	p.types("look at it", "Enter")
	p.sees("question", "waits for you")
	p.presses("C-o")
	screen := p.sees("▾ read_file")
	if n := strings.Count(screen, "forged"); n < 30 {
		t.Errorf("%d forgeries are on the screen:\n%s", n, screen)
	}
	for row := range strings.Lines(screen) {
		row = strings.TrimPrefix(row, " ▾ ask_user ") // one row, whose beginning rein writes
		if strings.Contains(row, "forged") && !strings.HasPrefix(row, "forged") && !strings.HasPrefix(row, " │ ") && !strings.HasPrefix(row, "│ ") && !strings.HasPrefix(row, "   ") {
			t.Errorf("this row could be rein's: %q", row)
		}
	}
	painted, err := p.Painted()
	p.wants(err)
	if strings.Contains(painted, "\x1b[8m") {
		t.Error("something is hidden")
	}
	for name, want := range map[string]string{"alternate_on": "1", "pane_title": "? rein: look at it"} {
		if is, err := p.Ask(name); is != want || err != nil {
			t.Errorf("%s is %q, want %q: %v", name, is, want, err)
		}
	}
	p.answers("Enter")
	p.types("no", "Enter")
	p.sees("Well.", "✓ done ·")
	p.clean()
}

// Nothing but the screen writes to the terminal: neither a run that this process drives itself, nor its commands, nor what
// goes wrong beside it.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenAlone(t *testing.T) {
	r := newRoom(t, `
when turn=1
call execute_command {"command":"sh noise.sh"}

when turn=2
fail overloaded "the provider has noise" times=1
drip 20ms
say One two three four five six seven eight nine ten eleven twelve and thirteen.
`)
	r.file(".config/rein/rein.toml", `
model = "demo"
tools.allow = ["execute_command"]
owner.background = false
[models.demo]
kind = "script"
file = "demo.txt"
[mcp.servers.noise]
command = ["sh", "-c", "echo noise of a server >&2; exit 1"]
`)
	r.file("project/noise.sh", "echo noise; echo noise >&2; echo noise >/dev/tty; (sleep 0.2; echo noise >&2) & wait\n")
	p := r.sits(80, 24)
	p.opens()
	p.types("make noise", "Enter")
	p.sees("seven eight")
	p.presses("C-c")
	p.sees("Ctrl+C again leaves; the run waits until somebody opens it again")
	p.presses("C-c")
	p.sees("the run waits until somebody opens it again;", "opens it again")
	p.opens("--continue")
	screen := p.sees("and thirteen.", "✓ done ·")
	if strings.Contains(screen, "\nnoise") {
		t.Errorf("there is noise:\n%s", screen)
	}
	p.clean()
	signalled(t, r.screen(p), syscall.SIGHUP)
	p.sees("the session is kept", "ended by a signal: hangup")
}

// Terminals without colours, without room, and without anything.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenPlainTerminals(t *testing.T) {
	r := newRoom(t, `
when turn=1
say I write *it*.
call write_file {"path":"hello.txt","content":"hello\n"}

when
say It is written.
`)
	p := r.sits(40, 12, "NO_COLOR=1")
	p.types("TERM=dumb rein tui", "Enter")
	p.sees("rein tui cannot draw where TERM")
	p.opens()
	p.types("write it", "Enter")
	p.sees("write_file hello.txt", "once")
	painted, err := p.Painted()
	p.wants(err)
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*([349][0-7]|[34]8)[;m]`).FindString(painted); colour != "" {
		t.Errorf("there is a colour: %q", colour)
	}
	p.answers("a")
	p.sees("read all of it first")
	p.presses("v", "NPage")
	p.sees("| + hello")
	p.answers("a")
	p.sees("It is written.", "v done")
	if text := r.has("hello.txt"); text != "hello\n" {
		t.Errorf("the file has %q", text)
	}
	p.clean()
}
