package card_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/terminal/tui/card"
	"rein/terminal/tui/look"
)

var update = flag.Bool("update", false, "write the golden files")

// A desk has a card on it, and a clock.
type desk struct {
	*card.Card
	now           time.Time
	width, height int
}

func newDesk(ask rein.Ask, o card.Options, width, height int) *desk {
	o.Now = noon
	d := &desk{Card: card.New(look.New(true), ask, o), now: noon.Add(time.Second), width: width, height: height}
	d.rows()
	return d
}

// rows draws the card, without colours.
func (d *desk) rows() string {
	rows := d.Rows(d.width, d.height, d.now)
	for i := range rows {
		rows[i] = strings.TrimRight(ansi.Strip(rows[i]), " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

// press presses a key and draws the card again.
func (d *desk) press(name string) card.Act {
	act := d.Key(key(name), d.now)
	d.rows()
	return act
}

// types presses keys that are separated by spaces, slowly.
func (d *desk) types(names string) (last card.Act) {
	for _, name := range strings.Fields(names) {
		last = d.press(name)
		d.now = d.now.Add(time.Second)
	}
	return last
}

// key is a key as terminals send it.
func key(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "left": tea.KeyLeft, "right": tea.KeyRight,
		"up": tea.KeyUp, "down": tea.KeyDown, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f2": tea.KeyF2,
	}
	k := tea.Key{}
	for mod, bit := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt} {
		if rest, ok := strings.CutPrefix(name, mod); ok {
			name, k.Mod = rest, k.Mod|bit
		}
	}
	switch code, ok := named[name]; {
	case ok:
		k.Code = code
	case name == "space":
		k.Code, k.Text = tea.KeySpace, " "
	default:
		k.Code, _ = utf8.DecodeRuneInString(name)
		k.Text = name
	}
	if k.Mod != 0 {
		k.Text = ""
	}
	return tea.KeyPressMsg(k)
}

// states are what people do with a card, by the name of the ask and the keys.
var states = map[string][]string{
	"command":   {"", "v", "v G a", "r n o", "e", "s"},
	"network":   {"", "a", "v G a"},
	"edit":      {"", "v G e", "v G e x ctrl+s"},
	"arguments": {"", "e"},
	"long":      {"", "a", "v", "v pgdown j", "v G", "v G a"},
	"plan":      {"", "m", "r"},
	"question":  {"", "2", "m a y b e left"},
	"free":      {""},
	"unknown":   {"", "2"},
}

// Each kind of ask in each state, at the sizes that a screen gives it.
//
// Covers: SD-42 SD-49 SD-50/tui
func TestGolden(t *testing.T) {
	all := asks()
	if missing := slices.DeleteFunc(slices.Collect(maps.Keys(all)), func(name string) bool { return states[name] != nil }); len(missing) > 0 {
		t.Fatalf("no states of %v", missing)
	}
	for name, keys := range states {
		var b strings.Builder
		for _, size := range [][2]int{{80, 24}, {80, 14}, {40, 12}, {40, 8}, {200, 60}} {
			for _, typed := range keys {
				d := newDesk(all[name], card.Options{}, size[0], size[1])
				d.types(typed)
				fmt.Fprintf(&b, "-- %dx%d: %s --\n%s\n", size[0], size[1], typed, d.rows())
			}
		}
		golden(t, name, b.String())
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s has changed (-want +got); -update if that is right:\n%s", file, diff)
	}
}
