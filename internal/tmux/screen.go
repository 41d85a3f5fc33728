package tmux

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Type types a text as it is, without Enter at its end.
func (x *Terminal) Type(text string) error {
	_, err := x.do("send-keys", "-l", "--", text)
	return err
}

// Press presses keys by the names that tmux has for them, such as Enter, Escape, C-c and PPage.
func (x *Terminal) Press(keys ...string) error {
	_, err := x.do(append([]string{"send-keys", "--"}, keys...)...)
	return err
}

// Paste pastes a text at once, as terminals do: the program learns that it was not typed.
func (x *Terminal) Paste(text string) error {
	if _, err := x.do("set-buffer", "--", text); err != nil {
		return err
	}
	_, err := x.do("paste-buffer", "-p", "-d")
	return err
}

// Resize gives the window another size.
func (x *Terminal) Resize(width, height int) error {
	_, err := x.do("resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
	return err
}

// Screen returns the rows of the screen, without what ends in blanks.
func (x *Terminal) Screen() (string, error) { return x.do("capture-pane", "-p") }

// Painted returns the rows of the screen with their colours, as escape sequences.
func (x *Terminal) Painted() (string, error) { return x.do("capture-pane", "-p", "-e") }

// Ask returns the value of a variable of tmux, such as alternate_on.
func (x *Terminal) Ask(name string) (string, error) {
	return x.do("display-message", "-p", "#{"+name+"}")
}

// Until looks at the screen with what look does whenever something was written, until it is as it should be. It returns
// the last look.
func (x *Terminal) Until(ctx context.Context, look func() (string, error), is func(string) bool) (string, error) {
	for {
		screen, err := look()
		if err != nil || is(screen) {
			return strings.TrimRight(screen, "\n"), err
		}
		select {
		case <-x.changed:
		case <-ctx.Done():
			return screen, fmt.Errorf("the screen does not become as it should be: %w", ctx.Err())
		}
	}
}
