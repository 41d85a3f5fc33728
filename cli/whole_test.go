package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// aNote has 500 lines, each long enough that all of them are more than a clipped diff would hold.
func aNote(lines int) string {
	var b strings.Builder
	for i := 1; i <= lines; i++ {
		fmt.Fprintf(&b, "line %03d %s.\n", i, strings.Repeat("of the note ", 33))
	}
	return b.String()
}

func whollyShown(text string) bool {
	for i := 1; i <= 500; i++ {
		if !strings.Contains(text, fmt.Sprintf("+line %03d of the note", i)) {
			return false
		}
	}
	return !strings.Contains(text, "not shown")
}

// newLongWriter is a home whose model writes a note of so many lines, and a second one.
func newLongWriter(t *testing.T, lines int) *home {
	h := newHome(t, "[notes]\nvectors = false\n")
	h.write("vault/Cars.md", "Cars need oil.\n")
	h.write(".config/rein/demo.txt", fmt.Sprintf("turn 1\ncall write_note {\"path\": \"Long.md\", \"content\": %q}\n"+
		"call append_note {\"path\": \"Cars.md\", \"text\": \"And tyres.\"}\n\nturn 2\ncall commit_staged_changes {}\n\nturn 3\nsay Done.\n", aNote(lines)))
	return h
}

// Who approves a long diff can see all of it first, with the command that the hints name, and approves
// the whole of it.
//
// Covers: HUM-34
// Attack: 53
func TestLongDiffIsShownWhole(t *testing.T) {
	t.Parallel()
	h := newLongWriter(t, 500)
	_, hint, code := h.rein("run", "--vault", "vault", "--park", "Write.")
	if code != exitWaits {
		t.Fatalf("exit %d: %s", code, hint)
	}
	shows := regexp.MustCompile("`rein (answer (r\\w+:\\S+))` shows it in full").FindStringSubmatch(hint)
	if shows == nil {
		t.Fatalf("the hint names no command: %s", hint)
	}
	list, hint, _ := h.rein("asks")
	if strings.Contains(list, "line 002") || !strings.Contains(hint, "`rein answer ASK` shows one in full") {
		t.Errorf("the list is %s%s", list, hint)
	}
	out, hint, code := h.rein(strings.Fields(shows[1])...)
	shown := regexp.MustCompile(`(?m)^shown (\S+)$`).FindStringSubmatch(out)
	if code != exitWaits || !whollyShown(out) || !strings.Contains(out, "+And tyres.") || shown == nil {
		t.Fatalf("exit %d, %d lines: %.300s", code, strings.Count(out, "\n"), out)
	}
	if full := h.ok("asks", "--full"); !whollyShown(full) || !strings.Contains(full, "shown "+shown[1]) {
		t.Errorf("asks --full has %d lines", strings.Count(full, "\n"))
	}
	if !strings.Contains(hint, shown[1]) {
		t.Errorf("the hint does not name the digest: %s", hint)
	}
	h.ok("answer", shows[2], "--yes", "--shown", shown[1])
	h.ok("resume", "--vault", "vault", strings.Split(shows[2], ":")[0])
	if got, err := os.ReadFile(filepath.Join(h.dir, "vault", "Long.md")); err != nil || string(got) != aNote(500) {
		t.Errorf("written: %d bytes, %v", len(got), err)
	}
}

// A diff that is too long to be shown whole is put to nobody, and nothing is written.
//
// Attack: 53
func TestDiffBeyondAllBoundsIsRefused(t *testing.T) {
	t.Parallel()
	h := newLongWriter(t, 1500)
	out, wrong, code := h.rein("run", "--vault", "vault", "--park", "Write.")
	if code != exitOK || !strings.Contains(wrong, "do it in smaller parts") {
		t.Errorf("exit %d: %s%s", code, out, wrong)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "vault", "Long.md")); err == nil {
		t.Error("it was written though nobody could see it")
	}
}
