package tmux_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"rein/internal/tmux"
)

// What is typed reaches the program, and what it writes is on the screen, whatever characters it has.
func TestTerminal(t *testing.T) {
	t.Parallel()
	if _, err := tmux.Find(); err != nil {
		t.Skip(err)
	}
	x, err := tmux.Open(t.Context(), tmux.Options{Width: 40, Height: 10, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "PS1=> "}, Command: []string{"sh"}})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	shows := func(what string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		screen, err := x.Until(ctx, x.Screen, func(screen string) bool { return strings.Contains(screen, what) })
		if err != nil {
			t.Fatalf("%v\n%s", err, screen)
		}
	}
	wants := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	wants(x.Type(`printf '%s\n' "a'b" '"$HOME;' 'größe 世界' '%end 1 2 3'`))
	wants(x.Press("Enter"))
	shows("a'b\n\"$HOME;\ngröße 世界\n%end 1 2 3")
	wants(x.Paste("echo pasted\n"))
	shows("\npasted\n")
	wants(x.Resize(60, 20))
	wants(x.Type("stty size"))
	wants(x.Press("Enter"))
	shows("20 60")
	if on, err := x.Ask("alternate_on"); on != "0" || err != nil {
		t.Errorf("alternate_on is %q: %v", on, err)
	}
}
