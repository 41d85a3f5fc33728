package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rein/cmd/rein/config"
)

const manualPath = "../../docs/cli.md"

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every command and every flag is in docs/cli.md, as it is typed.
//
// Covers: ENG-56
func TestDocs(t *testing.T) {
	manual := readText(t, manualPath)
	for _, cmd := range commands() {
		if !strings.Contains(manual, "\n### rein "+cmd.name+"\n") {
			t.Errorf("docs/cli.md has no section %q", "rein "+cmd.name)
		}
		if !strings.Contains(manual, "`"+cmd.usage()+"`") {
			t.Errorf("docs/cli.md does not say %q", cmd.usage())
		}
	}
}

// The README leads to the manual and names only commands that there are.
func TestReadme(t *testing.T) {
	readme := readText(t, "../../README.md")
	if !strings.Contains(readme, "docs/cli.md") {
		t.Error("README.md does not lead to docs/cli.md")
	}
	for _, found := range regexp.MustCompile("`rein ([a-z][a-z ]*)").FindAllStringSubmatch(readme, -1) {
		if _, _, err := find(strings.Fields(found[1])); err != nil {
			t.Errorf("README.md: %v", err)
		}
	}
}

// The exit codes and the settings are those of the program.
func TestDocsTables(t *testing.T) {
	codes := "| code | meaning |\n|---|---|\n"
	for _, e := range exits {
		codes += "| " + strconv.Itoa(e.code) + " | " + e.means + " |\n"
	}
	manual := readText(t, manualPath)
	want := between(between(manual, "exit codes", codes), "settings", config.Table())
	if manual == want {
		return
	}
	if !*update {
		t.Fatal("docs/cli.md does not have the tables of the program: go test ./cmd/rein -run TestDocs -update")
	}
	if err := os.WriteFile(manualPath, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// between replaces what stands between two marks of a text.
func between(text, mark, with string) string {
	start, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->"
	before, rest, ok := strings.Cut(text, start)
	_, behind, also := strings.Cut(rest, end)
	if !ok || !also {
		return "no " + mark
	}
	return before + start + with + end + behind
}
