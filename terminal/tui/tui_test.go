package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/terminal/tui"
)

const working = `
when turn=1
drip 1ms
say <<END
# Plan

I look at the folder, then I write **one** file.
END
call list_directory {"path":"."}

when turn=2
say There is a note. I write the file.
call write_file {"path":"hello.txt","content":"hello\nworld\n"}

when turn=3 tool~"not now"
say You did not want that, so I leave it.

when turn=3
call execute_command {"command":"touch made && ls"}

when
say Done: it is in hello.txt.
`

// A task is done on the screen: its text streams behind a gutter, calls are rows, what changes something waits for a
// key, and new text after a call stands below it.
//
// Covers: SD-5 SD-40 SD-41 SD-42 SD-44 SD-45 SD-50
func TestApproving(t *testing.T) {
	t.Parallel()
	s := newStage(t, working, options{files: map[string]string{"note.txt": "a note"}})
	s.golden("empty")
	s.types("write hello")
	s.keys("enter")
	s.waits("a allow once")
	s.golden("approval")
	s.armed()
	s.keys("a")
	s.waits("execute_command touch made")
	s.armed()
	s.keys("v", "G", "a")
	s.waits("✓ done ·")
	screen := s.waits("Done: it is in hello.txt.")
	s.golden("done")
	s.keys("ctrl+o")
	s.waits("\n   }\n   effect checkable") // the arguments, on lines of their own
	s.keys("ctrl+o")
	call, answer := strings.Index(screen, "execute_command"), strings.Index(screen, "Done: it is")
	if call < 0 || answer < call {
		t.Errorf("the answer does not stand below the call:\n%s", screen)
	}
	for _, name := range []string{"hello.txt", "made"} {
		if _, err := os.Stat(filepath.Join(s.folder, name)); err != nil {
			t.Error(err)
		}
	}
}

// A denial reaches the model with its reason, and the run goes on.
//
// Covers: SD-46
func TestRejecting(t *testing.T) {
	t.Parallel()
	s := newStage(t, working, options{})
	s.types("write hello")
	s.keys("enter")
	s.armed()
	s.keys("r")
	s.types("not now")
	s.keys("enter")
	s.waits("✓ done ·")
	s.golden("rejected")
	if _, err := os.Stat(filepath.Join(s.folder, "hello.txt")); err == nil {
		t.Error("what was rejected was written")
	}
}

// What was typed before an approval appears never approves it: it is in the input.
//
// Covers: SD-46
func TestTypeAhead(t *testing.T) {
	t.Parallel()
	s := newStage(t, working, options{})
	s.types("write hello")
	s.keys("enter")
	s.waits("a allow once")
	s.types("aaaa yes")
	s.keys("y", "a")
	screen := s.waits("› aaaa yesya")
	if !strings.Contains(screen, "waits for you") {
		t.Errorf("the approval is gone:\n%s", screen)
	}
	if _, err := os.Stat(filepath.Join(s.folder, "hello.txt")); err == nil {
		t.Error("keys that were typed ahead approved")
	}
}

// Leaving stops nothing: what waits stays open, and the next screen shows it again.
//
// Covers: SD-46
func TestLeavingAndComingBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, working, options{})
	s.types("write hello")
	s.keys("enter")
	s.waits("a allow once")
	s.leaves()
	page, err := s.app.Sessions(t.Context(), "")
	if err != nil || len(page.Sessions) != 1 {
		t.Fatal(page, err)
	}
	s.open(tui.Options{Session: page.Sessions[0].ID})
	s.armed()
	s.keys("a")
	s.waits("execute_command touch made")
}

// A message to a run that is active steers it, and says when it was read.
func TestSteering(t *testing.T) {
	t.Parallel()
	s := newStage(t, `
when turn=1
call ask_user {"question":"Which colour?","choices":["red","blue"]}

when user~"faster"
say I hurry.

when
say As you like.
`, options{})
	s.types("paint")
	s.keys("enter")
	s.waits("Tab input")
	s.golden("question")
	s.armed()
	s.keys("tab")
	s.types("be faster")
	s.keys("enter")
	s.waits("not read yet")
	s.keys("tab")
	s.armed()
	s.keys("2", "enter")
	s.waits("I hurry.")
	s.waits("read at step")
}

// A command can be typed with the words that it takes, and a path is not a command.
func TestTypingCommands(t *testing.T) {
	t.Parallel()
	s := newStage(t, "when\nsay Well.\n", options{})
	s.types("/mode edits")
	s.waits("› /mode edits")
	s.keys("enter")
	s.waits("operate · edits")
	s.types("/etc/hosts is empty, why?")
	s.waits("› /etc/hosts is empty, why?")
	s.keys("enter")
	s.waits("│ Well.")
	s.types("/flow nonsense")
	s.keys("enter")
	if screen := s.waits("there is no flow \"nonsense\""); !strings.Contains(screen, "strict") {
		t.Errorf("the end of the advice is not on the screen:\n%s", screen)
	}
	s.types("/tree")
	s.keys("enter")
	s.waits("TREE")
}

// Why a run failed is said once.
func TestFailing(t *testing.T) {
	t.Parallel()
	s := newStage(t, "when\nfail unauthorized \"the key is wrong\"\n", options{})
	s.types("work")
	s.keys("enter")
	screen := s.waits("✗ failed ·")
	if n := strings.Count(screen, "the key is wrong"); n != 1 {
		t.Errorf("the failure is on the screen %d times:\n%s", n, screen)
	}
}

// Esc stops the run after its step.
func TestStopping(t *testing.T) {
	t.Parallel()
	s := newStage(t, "when\nsay one\nslow 60s\n", options{})
	s.types("work")
	s.keys("enter")
	s.waits("Esc stop")
	s.keys("esc")
	s.waits("stopp")
	s.keys("esc")
	s.waits("○ stopped")
	s.types("/new")
	s.keys("enter")
	s.types("work")
	s.keys("enter")
	s.waits("Thinking")
	s.program.Send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt}) // as it comes if both are fast
	s.waits("○ cancelled")
}

// Amounts of money have the currency that the API reports.
func TestCurrency(t *testing.T) {
	t.Parallel()
	const play = "price in=10.00 out=20.00\nwhen\nsay Yes.\nusage in=20 out=10\n"
	for currency, want := range map[string]string{"": "$0.0004", "EUR": "€0.0004", "CHF": "CHF 0.0004"} {
		t.Run(currency, func(t *testing.T) {
			t.Parallel()
			o := options{}
			if currency != "" {
				o.app.Set = map[string]string{"currency": currency}
			}
			s := newStage(t, play, o)
			s.types("one?")
			s.keys("enter")
			s.waits("done · 30 tokens · cost " + want)
			s.types("/budget")
			s.keys("enter")
			s.waits("cost " + want + " of 5.00")
			s.keys("esc")
			if currency == "EUR" {
				s.types("/signs")
				s.keys("enter")
				s.waits("cost EUR 0.0004")
			}
		})
	}
}

// So has what a run that is active has used so far.
func TestCurrencyMeanwhile(t *testing.T) {
	t.Parallel()
	const play = "price in=10.00 out=20.00\nwhen\nsay I write.\ncall write_file {\"path\":\"a\",\"content\":\"a\"}\nusage in=20 out=10\n"
	s := newStage(t, play, options{})
	s.types("write")
	s.keys("enter")
	s.waits("30 tok · cost $0.0004")
}

// The screen fits, and nothing breaks, at sizes that people use and at those that they do not.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := newStage(t, working, options{})
	s.types("write hello")
	s.keys("enter")
	s.waits("a allow once")
	for _, size := range [][2]int{{200, 60}, {40, 12}, {20, 6}, {132, 43}, {80, 24}} {
		s.width, s.height = size[0], size[1]
		s.program.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, key := range []string{"", "f1", "esc", "ctrl+k", "esc", "ctrl+t", "esc"} {
			if key != "" {
				s.keys(key)
			}
			s.synced()
			screen, _ := s.watched.look()
			s.fits(screen)
		}
	}
}

// synced waits until everything that was sent was taken in.
func (s *stage) synced() {
	s.t.Helper()
	done := make(chan struct{})
	s.program.Send(tui.Probe(func() { close(done) }))
	<-done
}

// What the status line waits for is named by what it was asked, and not by an ID.
func TestWaitingForARun(t *testing.T) {
	t.Parallel()
	s := newStage(t, `
when run=*.*
slow 60s
say too late

when turn=1
call fork {"prompt":"look at the sea"}

when
call wait {"handle":1}
`, options{screen: tui.Options{Task: rein.Task{Tools: []string{"fork", "wait"}}}})
	s.types("look")
	s.keys("enter")
	s.waits("waiting for “look at the sea”")
	s.keys("esc", "esc")
	s.waits("○ cancelled")
}
