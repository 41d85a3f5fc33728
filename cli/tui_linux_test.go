//go:build linux

package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// chores is a model that does what an operator asks for, step by step.
const chores = `
when turn=1
slow 300ms
drip 5ms
say <<END
# Plan

I look at the folder, then I write **one** file.
END
call list_directory {"path":"."}

when turn=2
say It is empty. I write the file.
call write_file {"path":"hello.txt","content":"hello\nworld\n"}

when turn=3
call write_file {"path":"draft.txt","content":"to be edited"}

when turn=4
call execute_command {"command":"touch made && ls"}

when turn=5 tool~"too early"
call ask_user {"question":"Which colour?","choices":["red","blue"]}

when turn=6 tool~"blue"
say It is too early for the command, and the colour is blue.
`

// The whole way of a task, at the size of an old terminal and at that of a large one: it streams, asks, and does what
// was allowed, edited, rejected and answered.
//
// Covers: SD-5 SD-40 SD-41 SD-42 SD-44 SD-45 SD-46 SD-49 SD-50/tui
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenWork(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			r := newRoom(t, chores)
			p := r.sits(size[0], size[1])
			p.opens()
			p.types("do the chores", "Enter")
			p.sees("I look at the folder, then I write one file.")
			p.sees("write_file hello.txt", "+ world")
			p.answers("a")
			p.sees("draft.txt", "waits for you")
			p.answers("e")
			p.sees("Ctrl-S")
			p.presses("Down", "End", "Left", "Left") // before the quote and the comma
			p.types(" well", "C-s")
			p.sees("+ to be edited well", "allow once")
			p.answers("a")
			p.sees("touch made && ls", "- touch made: ask")
			p.answers("r")
			p.sees("why not?")
			p.types("too early", "Enter")
			p.sees("Which colour?", "2 blue")
			p.answers("Enter")
			p.types("2", "Enter")
			screen := p.sees("the colour is blue", "✓ done ·")
			for name, want := range map[string]string{"hello.txt": "hello\nworld\n", "draft.txt": "to be edited well", "made": ""} {
				if text := r.has(name); text != want {
					t.Errorf("%s has %q, want %q", name, text, want)
				}
			}
			if call, said := strings.Index(screen, "execute_command"), strings.Index(screen, "It is too early"); call < 0 || said < call {
				t.Errorf("the answer does not stand below the call:\n%s", screen)
			}
			p.clean()
			if said := p.leaves(); !strings.Contains(said, "the session is kept") {
				t.Error(said)
			}
		})
	}
}

// What is allowed for the session is not asked about again, and what is wider than that is.
//
// Covers: SD-50/tui
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenScopes(t *testing.T) {
	r := newRoom(t, `
when turn=1
call execute_command {"command":"touch one"}

when turn=2
say Once more.
call execute_command {"command":"touch one"}

when turn=3
say And now two.
call execute_command {"command":"touch one && touch two"}

when tool~"not two"
say Only one then.
`)
	p := r.sits(80, 40)
	p.opens()
	p.types("touch it", "Enter")
	p.sees("| touch one", "s this session: touch one")
	p.answers("s")
	screen := p.sees("Once more.", "And now two.", "- touch two: ask", "- touch one: allowed")
	if asked := strings.Count(screen, "owner allowed"); asked != 1 {
		t.Errorf("it was asked about %d times:\n%s", asked, screen)
	}
	p.answers("r")
	p.sees("why not?")
	p.types("not two", "Enter")
	p.sees("Only one then.", "✓ done ·")
	p.types("/rules", "Enter")
	p.sees("execute_command: touch one", "session in ")
	p.presses("Escape")
	p.misses("Rules: ")
	p.clean()
}

// course is a model that talks for a while, and listens between two rounds.
const course = `
when user~"quicker"
say I hurry now.

when user~"something else"
say I do something else.

when user~"wait"
slow 60s
say too late

when turn=1
drip 20ms
say <<END
One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty and so on, as long as it takes, because somebody wants to say something meanwhile, and needs some time.
END
call list_directory {"path":"."}

when
say That was all.
`

// A message steers the run, /modify changes its task, Esc stops it and Esc Esc stops it now; and each of them leaves a
// trace in the timeline.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenCourse(t *testing.T) {
	r := newRoom(t, course)
	p := r.sits(80, 24)
	p.opens()
	p.types("count", "Enter")
	p.sees("seven eight")
	p.types("be quicker", "Enter")
	p.sees("› be quicker", "I hurry now.", "read at step", "✓ done ·")
	p.types("/new", "Enter")
	p.sees("Say what you want done")
	p.types("count", "Enter")
	p.sees("seven eight")
	p.types("/modify do something else", "Enter")
	p.sees("› do something else", "new task, read at step", "I do something else.", "✓ done ·")
	p.types("/new", "Enter")
	p.sees("Say what you want done")
	p.types("count", "Enter")
	p.sees("seven eight")
	p.presses("Escape")
	p.sees("○ stopped")
	p.types("/new", "Enter")
	p.sees("Say what you want done")
	p.types("wait", "Enter")
	p.sees("Thinking")
	p.presses("Escape")
	p.sees("Esc again stops now")
	p.presses("Escape")
	p.sees("○ cancelled")
	p.clean()
}

// Leaving stops nothing, however somebody leaves: the run goes on, what waits stays open, and rein --continue shows it.
// The approval is whole after that, and the run continues.
//
// Covers: SD-46
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenLeaving(t *testing.T) {
	r := newRoom(t, `
when turn=1
drip 20ms
say <<END
One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty and so on.
END
call write_file {"path":"long.txt","content":"`+manyLines+`"}

when
say It is written.
`)
	p := r.sits(80, 24)
	p.opens()
	p.types("write it", "Enter")
	p.sees("seven eight")
	if said := p.leaves(); !strings.Contains(said, "the run continues") {
		t.Error(said)
	}
	p.opens("--continue")
	p.sees("nineteen twenty and so on.", "long.txt", "waits for you")
	if said := p.leaves(); !strings.Contains(said, "what waits for you stays open") {
		t.Error(said)
	}
	p.opens("--continue")
	signalled(t, r.screen(p), syscall.SIGKILL)
	q := r.sits(80, 24)
	q.opens("--continue")
	q.sees("nineteen twenty and so on.", "more lines (v)")
	q.answers("v")
	q.sees("rows ", "+ line 6")
	q.presses("a")
	q.sees("read all of it first")
	for range 8 {
		q.presses("NPage")
	}
	q.sees("+ line 60", "of 67")
	q.answers("a")
	screen := q.sees("It is written.", "✓ done ·")
	if n := strings.Count(screen, "seven eight"); n != 1 {
		t.Errorf("the text is on the screen %d times:\n%s", n, screen)
	}
	if n := strings.Count(r.has("long.txt"), "\n"); n != 60 {
		t.Errorf("%d lines were written", n)
	}
	q.clean()
}

// The process that drives the run is killed in the middle of a text. The screen stays, another process continues the
// run, and the text is there once.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenOwnerKilled(t *testing.T) {
	r := newRoom(t, course)
	p := r.sits(80, 24)
	p.opens()
	p.types("count", "Enter")
	p.sees("seven eight")
	signalled(t, r.owner(), syscall.SIGKILL)
	p.sees("another one continues it")
	screen := p.sees("needs some time", "That was all.", "✓ done ·")
	if n := strings.Count(screen, "seven eight"); n != 1 {
		t.Errorf("the text is on the screen %d times:\n%s", n, screen)
	}
	p.clean()
}

// The terminal gets other sizes in the middle of a text; at each of them the screen is whole.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenResized(t *testing.T) {
	r := newRoom(t, course)
	p := r.sits(80, 24)
	p.opens()
	p.types("count", "Enter")
	p.sees("three four")
	for _, size := range [][2]int{{200, 60}, {40, 12}, {20, 6}, {80, 24}} {
		p.wants(p.Resize(size[0], size[1]))
		p.until("its last row", func(screen string) bool {
			rows := strings.Split(screen, "\n")
			return len(rows) == size[1] && strings.HasPrefix(rows[size[1]-1], "›")
		})
	}
	screen := p.sees("needs some time", "That was all.", "✓ done ·")
	if text := joined(screen); !strings.Contains(text, "One two three") || !strings.Contains(text, "and so on, as long as it takes, because somebody wants to say something meanwhile, and needs some time.") {
		t.Errorf("the text is not whole:\n%s", screen)
	}
	p.clean()
}

// What is typed before an approval appears does not approve it, whatever it is: it is in the input.
//
// Covers: SD-46
// Attack: 51
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenTypeAhead(t *testing.T) {
	r := newRoom(t, `
when turn=1
slow 500ms
say I write it.
call write_file {"path":"hello.txt","content":"hello"}

when tool~"no, thanks"
say As you like.
`)
	p := r.sits(80, 24)
	p.opens()
	p.types("write it", "Enter")
	p.sees("Thinking")
	p.types("aaaa yes a")
	p.sees("› aaaa yes a", "waits for you")
	p.types("aAsy")
	p.sees("› aaaa yes aaAsy", "waits for you")
	p.presses("C-u", "Tab")
	p.answers("r")
	p.types("no, thanks", "Enter")
	p.sees("As you like.", "✓ done ·")
	if text := r.has("hello.txt"); text != "" {
		t.Errorf("it was written: %q", text)
	}
	p.clean()
}

// Two people work in two folders of one home at the same time: each run has its own folder.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenTwoFolders(t *testing.T) {
	r := newRoom(t, `
when turn=1
say I write it.
call write_file {"path":"here.txt","content":"it is here"}

when
say It is written.
`)
	left, right := r.folder("left"), r.folder("right")
	p, q := r.sitsIn(left, 80, 24), r.sitsIn(right, 80, 24)
	p.opens()
	q.opens()
	p.types("write it left", "Enter")
	q.types("write it right", "Enter")
	for _, x := range []*person{p, q} {
		x.answers("a")
		x.sees("It is written.", "✓ done ·")
		x.clean()
	}
	for _, folder := range []string{left, right} {
		if text := readText(t, filepath.Join(folder, "here.txt")); text != "it is here" {
			t.Errorf("%s has %q", folder, text)
		}
	}
	p.types("/sessions", "Enter")
	p.sees("write it left", "write it right")
	p.presses("Escape")
	p.misses("Sessions")
	x := r.sitsIn(left, 80, 24) // somebody else looks at the same session
	x.opens("--resume", "left")
	x.sees("It is written.")
	p.types("and once more", "Enter")
	for _, one := range []*person{p, x} {
		one.until("the second answer", func(screen string) bool {
			_, after, found := strings.Cut(screen, "› and once more")
			return found && strings.Contains(after, "│ It is written.") && strings.Contains(after, "✓ done ·")
		})
	}
}

// In the tree one run below is deleted and another one gets another task; the run above sees both.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenTree(t *testing.T) {
	r := newRoom(t, `
when run=*.* user~"the sky instead"
say The sky is blue.

when run=*.*
slow 60s
say too late

when turn=1
call fork {"prompt":"look at the sea"}
call fork {"prompt":"look at the land"}

when turn=2
call wait {"handle":1}
call wait {"handle":2}

when turn=3 any~"The sky is blue" any~"deleted"
say One saw the sky, and one was deleted.
`)
	p := r.sits(80, 24)
	p.opens("tui", "--tools", "fork,wait")
	p.types("look", "Enter")
	p.sees("wait")
	p.presses("C-t")
	p.sees("look at the sea", "look at the land")
	p.presses("Down")
	p.presses("m")
	p.sees("The new task of the run")
	p.types("look at the sky instead", "Enter")
	p.sees("The sky is blue.")
	p.presses("Down", "d")
	p.sees("Delete this run?")
	p.presses("Down", "Enter")
	p.sees("deleted")
	p.presses("Escape")
	p.sees("One saw the sky, and one was deleted.", "✓ done ·")
	p.clean()
}
