package main

import (
	"os"
	"strings"
	"testing"
)

// Every command and every flag is in docs/cli.md, as it is typed, and every command in the README.
//
// Covers: ENG-56
func TestDocs(t *testing.T) {
	manual, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range commands() {
		if !strings.Contains(string(manual), "\n## rein "+cmd.name+"\n") {
			t.Errorf("docs/cli.md has no section %q", "rein "+cmd.name)
		}
		if !strings.Contains(string(manual), cmd.usage()) {
			t.Errorf("docs/cli.md does not say %q", cmd.usage())
		}
		if !strings.Contains(string(readme), "`rein "+cmd.name) {
			t.Errorf("README.md does not name rein %s", cmd.name)
		}
	}
}

// The exit codes are documented.
func TestDocsExitCodes(t *testing.T) {
	manual, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"| 0 |", "| 1 |", "| 2 |"} {
		if !strings.Contains(string(manual), row) {
			t.Errorf("docs/cli.md has no row %q", row)
		}
	}
}
