package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"rein/terminal"
)

// The help fits a terminal that nobody made wider: the list of commands, and what each of them says.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &call{out: terminal.NewOutput(&out, &out, noEnv)}
	if err := c.helpAll(); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range commands() {
		if err := c.helpOne(&cmd); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(cmd.does, ".") || cmd.does == "" {
			t.Errorf("rein %s: %q is not one line without a full stop", cmd.name, cmd.does)
		}
	}
	c.out.Stdout.Flush()
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
