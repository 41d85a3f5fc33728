package steps_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein/terminal/tui/look"
)

var update = flag.Bool("update", false, "write what is drawn into the files of testdata")

var theme = look.New(true)

// wantDrawn compares what is drawn, without colours, with a file that has each size.
func wantDrawn(t *testing.T, name string, rows func(width, height int) []string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txtar")
	got := &txtar.Archive{}
	for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}} {
		data := ""
		for _, row := range wantFits(t, rows(size[0], size[1]), size[0], size[1]) {
			data += strings.TrimRight(look.Plainly(row), " ") + "\n"
		}
		got.Files = append(got.Files, txtar.File{Name: fmt.Sprintf("%dx%d", size[0], size[1]), Data: []byte(strings.TrimRight(data, "\n") + "\n")})
	}
	if *update {
		check(t, os.WriteFile(file, txtar.Format(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	check(t, err)
	if d := cmp.Diff(string(want), string(txtar.Format(got))); d != "" {
		t.Errorf("%s (go test -update writes it down):\n%s", name, d)
	}
}

// wantFits wants rows that fit into a screen.
func wantFits(t testing.TB, rows []string, width, height int) []string {
	t.Helper()
	if len(rows) > height {
		t.Errorf("%d rows in %d", len(rows), height)
	}
	for i, row := range rows {
		if n := look.Cells(row); n > width || strings.ContainsAny(row, "\n\r\t") {
			t.Errorf("row %d has %d cells of %d: %q", i, n, width, row)
		}
	}
	return rows
}

// shown is what is on the screen, without colours.
func shown(rows []string) string { return look.Plainly(strings.Join(rows, "\n")) }

// press is a key by its name, or by what it types.
func press(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "tab": tea.KeyTab, "backspace": tea.KeyBackspace,
	}
	switch code, named := codes[name]; {
	case named:
		return tea.KeyPressMsg{Code: code}
	case name == "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case name == "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}
