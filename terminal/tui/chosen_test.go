package tui_test

import (
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/terminal/tui"
)

// /compact puts a summary in place of what was said: the next run reads it, and the screen keeps everything.
func TestCompacting(t *testing.T) {
	t.Parallel()
	s := newStage(t, `
when phase=compact user~"the whole story"
say A story was told.

when system~"A story was told." user~"And then?"
say I know the summary only.

when
say `+strings.Repeat("It is the whole story. ", 40)+`
`, options{width: 100, height: 40})
	s.types("/compact")
	s.keys("enter")
	s.waits("nothing was said in this session yet")
	s.types("tell me")
	s.keys("enter")
	s.waits("✓ done ·")
	s.types("/compact")
	s.keys("enter")
	screen := s.waits("the runs of this session read this summary")
	for _, want := range []string{"› tell me", "It is the whole story.", "› /compact", "│ A story was told."} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not on the screen:\n%s", want, screen)
		}
	}
	s.types("And then?")
	s.keys("enter")
	s.waits("I know the summary only.")
}

// /theme changes the colours at once and for the next screens. Without a choice they suit the background, if that is
// known.
func TestTheme(t *testing.T) {
	t.Parallel()
	kept := make(chan tui.Colours, 3)
	s := newStage(t, "when\nsay Well.\n", options{screen: tui.Options{Remember: func(c tui.Colours) error {
		kept <- c
		return nil
	}}})
	s.types("go")
	s.keys("enter")
	s.waits("✓ done")
	s.paints("\x1b[35m›")
	s.types("/theme none")
	s.keys("enter")
	s.waits("theme none: no colours")
	s.paints("\n› ")
	if got := <-kept; got != "none" {
		t.Errorf("%q is kept", got)
	}
	s.types("/theme dark")
	s.keys("enter")
	s.waits("theme dark")
	s.types("/mode nonsense")
	s.keys("enter")
	s.paints("\x1b[91m✗")
	s.types("/theme auto")
	s.keys("enter")
	s.program.Send(tea.BackgroundColorMsg{Color: color.White})
	s.types("/mode nonsense")
	s.keys("enter")
	s.paints("\x1b[31m✗")
	s.types("/theme pink")
	s.keys("enter")
	s.waits("choose from: auto, light, dark, none")
}

// The colours that were chosen before are those of the next screen.
func TestThemeOfBefore(t *testing.T) {
	t.Parallel()
	s := newStage(t, "when\nsay Well.\n", options{screen: tui.Options{Colours: "dark"}})
	s.types("/mode nonsense")
	s.keys("enter")
	s.paints("\x1b[91m✗")
}

// A mode that is looser than the settings allow is neither shown nor set, and the screen says why.
func TestLoosestMode(t *testing.T) {
	t.Parallel()
	s := newStage(t, "when\nsay Well.\n", options{env: []string{"REIN_APPROVALS_LOOSEST=edits"}, screen: tui.Options{Task: rein.Task{Mode: "sandbox"}}})
	const why = "sandbox is looser than the settings allow (approvals.loosest = edits)"
	s.waits("mode edits: sandbox is looser")
	s.waits("operate · edits")
	s.keys("shift+tab")
	s.waits("operate · plan")
	for _, mode := range []string{"ask", "edits", "plan"} {
		s.keys("shift+tab")
		s.waits("operate · " + mode)
	}
	s.until(why, func(screen string) bool { return strings.Contains(strings.Join(strings.Fields(screen), " "), why) })
	s.types("/mode sandbox")
	s.keys("enter")
	s.waits("operate · edits")
	s.until(why, func(screen string) bool { return strings.Contains(strings.Join(strings.Fields(screen), " "), why) })
	s.types("go")
	s.keys("enter")
	s.waits("✓ done")
	s.waits("operate · edits")
}

// What the person should know from the start is on the empty screen, and below a session that was opened.
func TestNotice(t *testing.T) {
	t.Parallel()
	s := newStage(t, "when\nsay Well.\n", options{screen: tui.Options{Notice: "a provider answers, because a key is set"}})
	s.waits("a provider answers, because a key is set")
	s.types("go")
	s.keys("enter")
	screen := s.waits("✓ done")
	if strings.Contains(screen, "a key is set") {
		t.Errorf("the notice stays:\n%s", screen)
	}
	s.leaves()
	page, err := s.app.Sessions(t.Context(), "")
	if err != nil || len(page.Sessions) != 1 {
		t.Fatal(page, err)
	}
	s.open(tui.Options{Session: page.Sessions[0].ID, Notice: "a provider answers, because a key is set"})
	s.waits("a key is set")
}

// An @ completes files of the folder and notes, which are named as a link.
func TestCompletingNotes(t *testing.T) {
	t.Parallel()
	vault := t.TempDir()
	if err := os.WriteFile(filepath.Join(vault, "garden plan.md"), []byte("# Garden\n\nRoses.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, "when\nsay Well.\n", options{env: []string{"REIN_VAULT=" + vault}, screen: tui.Options{Files: func() []string { return []string{"gate.txt"} }}})
	s.types("see @ga")
	s.waits("gate.txt")
	s.waits("[[garden plan.md]]  note")
	s.types("rdpl")
	s.keys("tab")
	s.waits("› see [[garden plan.md]]")
}

// A call that was refused before it began shows what it was about, and why.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	s := newStage(t, `
when turn=1
call write_file {"path":"note.txt","content":"new"}

when
say As it is.
`, options{files: map[string]string{"note.txt": "old"}})
	s.types("write")
	s.keys("enter")
	screen := s.waits("As it is.")
	for _, want := range []string{"write_file note.txt", "? not run", "exists: change a part of it"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not on the screen:\n%s", want, screen)
		}
	}
}

// The wheel scrolls the timeline, and a click opens a call; at the end the view follows again.
func TestMouse(t *testing.T) {
	t.Parallel()
	s := newStage(t, `
when turn=1
call list_directory {"path":"."}

when
say <<END
`+strings.Repeat("- one more row\n", 40)+`- the last row
END
`, options{})
	s.types("talk")
	s.keys("enter")
	s.waits("✓ done ·")
	for range 20 {
		s.program.Send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	}
	screen := s.until("the beginning", func(screen string) bool {
		return strings.Contains(screen, "› talk") && !strings.Contains(screen, "the last row")
	})
	row := slices.IndexFunc(strings.Split(screen, "\n"), func(row string) bool { return strings.Contains(row, "list_directory") })
	s.program.Send(tea.MouseClickMsg{X: 4, Y: row, Button: tea.MouseLeft})
	s.waits("▾ list_directory")
	for range 30 {
		s.program.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	}
	s.waits("the last row")
}
