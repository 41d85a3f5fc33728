package tui_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui"
)

// The tables of keys and commands in docs/terminal.md are those of the program.
func TestDocs(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := "| where | key | |\n|---|---|---|\n"
	for _, k := range tui.KeysHelp() {
		keys += fmt.Sprintf("| %s | `%s` | %s |\n", k[0], k[1], k[2])
	}
	commands := "| command | |\n|---|---|\n"
	for _, c := range tui.CommandsHelp() {
		commands += fmt.Sprintf("| `%s` | %s |\n", c[0], c[1])
	}
	for section, want := range map[string]string{"Keys": keys, "Commands": commands} {
		if diff := cmp.Diff(want, tableIn(string(page), section)); diff != "" {
			t.Errorf("docs/terminal.md, %s (-the program +the page):\n%s", section, diff)
		}
	}
}

// tableIn is the table of a section of a page.
func tableIn(page, section string) (table string) {
	_, text, _ := strings.Cut(page, "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			table += line
		}
	}
	return table
}
