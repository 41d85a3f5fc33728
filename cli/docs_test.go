package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rein/app/config"
)

const manualPath = "../docs/cli.md"

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
	readme := readText(t, "../README.md")
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
	holdTable(t, manualPath, "exit codes", codes)
	holdTable(t, "../docs/configuration.md", "settings", config.Table())
	offers := "| model | variable | asks |\n|---|---|---|\n"
	for _, o := range config.Offers() {
		offers += fmt.Sprintf("| `%s` | `$%s` | `%s` |\n", o.Name, o.Model.KeyEnv, o.Model.Model)
	}
	holdTable(t, "../docs/models.md", "offers", offers)
}

// holdTable keeps a part of a page in step with the program.
func holdTable(t *testing.T, path, mark, table string) {
	t.Helper()
	page := readText(t, path)
	want := between(page, mark, table)
	if page == want {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the %s of the program: go test ./cli -run TestDocs -update", path, mark)
	}
	if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
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

var tomlBlock = regexp.MustCompile("(?s)\n```toml[^\n]*\n(.*?)```\n")

// Every piece of rein.toml that a page shows is right.
func TestDocsSettings(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../README.md") {
		for _, block := range tomlBlock.FindAllStringSubmatch(readText(t, page), -1) {
			found++
			home := t.TempDir()
			file := filepath.Join(home, "rein.toml")
			if err := os.WriteFile(file, []byte(block[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := config.Load(config.Options{File: file, Env: config.Environment{"HOME=" + home}}); err != nil {
				t.Errorf("%s: %v\n%s", page, err, block[1])
			}
		}
	}
	if found < 4 {
		t.Errorf("found only %d blocks of TOML", found)
	}
}
