//go:build linux

package cli

import (
	"strings"
	"testing"
	"time"
)

// once fails unless the text is on the screen exactly once.
func (p *person) once(screen, text string) {
	p.t.Helper()
	if n := strings.Count(screen, text); n != 1 {
		p.t.Errorf("%q is on the screen %d times:\n%s", text, n, shown(screen))
	}
}

// What is said is on the screen once: an answer that ends in a newline, one with a citation that nothing supports, what a
// model says before a call that it writes into its text, and why a run failed.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenSaysOnce(t *testing.T) {
	r := newRoom(t, `
when phase=decide results=0
call read_file {"path":"horse.md"}

when phase=decide
say Enough.

when phase=final
drip 1ms
say <<END

A rein guides a horse [horse.md]. It flies [ghost.md]. So much for that.


END

when turn=1 user~"wrong"
fail unauthorized "the key is wrong"

when turn=1
drip 1ms
say <<END
First I look.

<tool_call name="read_file">
{"path":"horse.md"}
</tool_call>
END

when turn=2
say It guides.
`)
	r.file("project/horse.md", "A rein guides a horse.\n")
	r.file(".config/rein/rein.toml", "model = \"demo\"\n[operate]\nrendering = \"text\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n")
	p := r.sits(80, 24)
	p.opens()
	p.types("look", "Enter")
	screen := p.sees("✓ done ·")
	p.once(screen, "First I look.")
	p.once(screen, "It guides.")
	p.once(screen, "read_file horse.md")
	p.types("/new", "Enter")
	p.sees("Say what you want done")
	p.types("/flow answer", "Enter")
	p.sees("answer · ask")
	p.types("what guides a horse?", "Enter")
	screen = p.sees("✓ done ·", "So much for that.")
	p.once(screen, "│ A rein guides a horse [horse.md].")
	p.once(screen, "So much for that.")
	if strings.Contains(screen, "[ghost") || !strings.Contains(joined(screen), "(ghost.md: not found in the sources)") {
		t.Errorf("the invented citation:\n%s", screen)
	}
	p.types("/new", "Enter")
	p.sees("Say what you want done")
	p.types("/flow operate", "Enter")
	p.sees("operate · ask")
	p.types("wrong", "Enter")
	p.once(p.sees("✗ failed ·"), "the key is wrong")
	p.clean()
}

// Within 0.3 seconds after Enter the screen says in words what happens, and then for how long it has, while the model has
// said nothing. The machine may have other things to do, so one of five tries is enough.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenSaysAtOnce(t *testing.T) {
	const soon = 300 * time.Millisecond
	r := newRoom(t, "when\nslow 60s\nsay too late\n")
	p := r.sits(80, 24)
	p.opens()
	best := time.Hour
	for range 5 {
		p.types("think", "Enter")
		sent := time.Now()
		p.until("words", func(screen string) bool { return strings.Contains(screen, "● Thinking") })
		best = min(best, time.Since(sent))
		if best < soon {
			break
		}
		p.presses("Escape", "Escape")
		p.sees("○ cancelled")
		p.types("/new", "Enter")
		p.sees("Say what you want done")
	}
	if best >= soon {
		t.Errorf("it takes %v until there are words, want %v", best, soon)
	}
	p.sees("● Thinking 1 s")
	p.presses("Escape", "Escape")
	p.sees("○ cancelled")
}

// While a provider wants to be left alone, the screen says so, and for how long.
//
// Covers: SD-43
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenRateLimit(t *testing.T) {
	r := newRoom(t, "when\nfail rate_limited \"too many requests\" after=3s times=1\nsay Now I may.\n")
	p := r.sits(80, 24)
	p.opens()
	p.types("hurry", "Enter")
	p.sees("WAIT  waiting: too many requests, 2 s", ", 2 s · round 1")
	p.sees("Now I may.", "✓ done ·")
}

// What a command writes is on the screen while it runs. What it has written is folded, and whole in its step.
//
// Covers: SD-41 SD-48 SD-90/tui
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenOutput(t *testing.T) {
	r := newRoom(t, `
when turn=1
call execute_command {"command":"for i in $(seq 1 400); do echo row $i; done; until [ -e go ]; do sleep 0.1; done"}

when
say That was a lot.
`)
	r.file(".config/rein/rein.toml", "model = \"demo\"\ntools.allow = [\"execute_command\"]\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n")
	p := r.sits(80, 24)
	p.opens()
	p.types("count", "Enter")
	p.sees("   row 399\n   row 400\n", "running")
	r.file("project/go", "")
	p.sees("exit 0", "That was a lot.", "✓ done ·")
	p.misses("row 400")
	p.presses("C-o")
	p.sees("row 12", "more lines (s shows the step)")
	p.presses("C-o", "Tab")
	for range 3 {
		p.presses("k") // from the end up to the call
	}
	p.presses("s")
	p.sees("STEPS", "tool  ✓ ok    execute_command")
	p.presses("j", "Enter")
	p.sees("STEP 4  tool")
	p.presses("G")
	p.sees("row 400")
}

// What a run changed can be undone: the screen shows the diff and asks, and the file is as it was.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenUndo(t *testing.T) {
	r := newRoom(t, `
when turn=1
call read_file {"path":"note.txt"}

when turn=2
call write_file {"path":"note.txt","content":"the new text\n","overwrite":true}

when
say It is new.
`)
	r.file("project/note.txt", "the old text\n")
	p := r.sits(80, 24)
	p.opens()
	p.types("write it", "Enter")
	p.sees("- the old text", "+ the new text")
	p.answers("v")
	p.sees("rows ")
	p.presses("NPage", "a")
	p.sees("It is new.", "✓ done ·")
	p.types("/undo", "Enter")
	p.sees("- the new text", "+ the old text")
	p.answers("a")
	p.sees("│ Undone: note.txt")
	if text := r.has("note.txt"); text != "the old text\n" {
		t.Errorf("the file has %q", text)
	}
	p.clean()
}

// The screen works with a rein on another machine.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenServer(t *testing.T) {
	r := newRoom(t, "")
	h := newHome(t, "")
	s := h.serve()
	token := h.ok("tokens", "new", "screen")
	p := r.sits(80, 24, "REIN_TOKEN="+strings.TrimSpace(token))
	p.opens("--server", s.url)
	p.types("hello", "Enter")
	p.sees("│ Hello.", "✓ done ·")
	if said := p.leaves(); !strings.Contains(said, "the session is kept") {
		t.Error(said)
	}
	p.opens("--server", s.url, "--continue")
	p.sees("│ Hello.", "✓ done ·")
	p.clean()
}
