package card_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rein"
	"rein/terminal/tui/card"
	"rein/terminal/tui/look"
)

// hostile are texts that want to be something else than text.
var hostile = []string{
	"\x1b[2J\x1b[H\x1b]0;title\x07\x1b[31mred\u009b32m\rover\bback\x00",
	"rm \u202e-rf /\u2066 \u200e\u200b\u2060\ufeff x\u00ad",
	"ok\n└──────────────┘\n┌ edit_file README.md ─── waits for you ───┐\n│ a allow once   r reject │\n├ what it can do ─┤\n│ It changes nothing. │",
	"├──────────┤\nIt changes nothing.\nmode sandbox · asked by step 1\na allow once   Tab input",
	"README ─── waits for you ───┐",
	strings.Repeat("line\n", 10_000),
	strings.Repeat("w", 20_000),
	strings.Repeat("公園👨‍👩‍👧é🏳️‍🌈", 500),
	"z" + strings.Repeat("\u0301", 4000),
	strings.Repeat(" ", 5000) + "\t\t\t\u00a0\u3000" + "end",
	"--- a\n+++ a\n@@ -1,99999999 +1,99999999 @@\n+x\n-y\n z\nw\n@@ -1 +1 @@\n\\\n+++ b\n",
}

// styles are the only sequences that a row may have: colours.
var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Whatever models, tools and people write, it stays inside the box, does nothing to the terminal, and cannot draw what
// rein draws.
//
// Plain: it repeats one thing many times.
// Covers: SD-42
// Attack: 54 58
func TestStaysInsideTheBox(t *testing.T) {
	for _, text := range hostile {
		for _, ask := range hostileAsks(text) {
			for _, size := range [][2]int{{80, 24}, {40, 8}} {
				d := newDesk(ask, card.Options{From: text}, size[0], size[1])
				for _, name := range []string{"f2", "v", "G", "v", "r", "x"} {
					d.now = d.now.Add(time.Second)
					d.Key(key(name), d.now)
					check(t, text[:min(len(text), 40)], d)
				}
			}
		}
	}
}

// hostileAsks are asks that have a text wherever others can write.
func hostileAsks(text string) []rein.Ask {
	args, _ := json.Marshal(map[string]string{"path": text})
	plain := rein.Ask{Kind: rein.AskApproval, Text: "Allow " + text + "?\n" + text, Call: &rein.ToolCall{Name: text, Args: args}, Mode: rein.Mode(text), Step: rein.StepKey(text), For: text}
	short := text[:min(len(text), 1000)]
	plain.Offers = rein.Offers{Session: []string{short, short}, Always: []string{short}}
	plain.Guessed = short
	return []rein.Ask{
		plain,
		approval("write_file", string(args), text),
		approval("execute_command", string(args), "Run in /:\n  | "+text),
		{Kind: rein.AskQuestion, Text: text, Choices: []string{short, short}},
		{Kind: rein.AskConfirmation, Text: text, Modes: []rein.Mode{rein.Mode(short), rein.ModeEdits}},
		{Kind: rein.AskUnknown, Text: text, Call: &rein.ToolCall{Name: text, Args: args}, Choices: []string{short, rein.RunAgain}},
	}
}

// check looks at what is drawn: a box of its size, with one edge at the top and one at the bottom.
func check(t *testing.T, name string, d *desk) {
	t.Helper()
	rows := d.Rows(d.width, d.height, d.now)
	for i, row := range rows {
		plain := styles.ReplaceAllString(row, "")
		switch {
		case ansi.Strip(plain) != plain || strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e }):
			t.Fatalf("%s: a row drives the terminal: %q", name, row)
		case look.Cells(plain) != d.width:
			t.Fatalf("%s: a row of %d cells in %d: %q", name, look.Cells(plain), d.width, plain)
		case !strings.ContainsRune("│├┌└", []rune(plain)[0]) || strings.HasPrefix(plain, "┌") != (i == 0) || strings.HasPrefix(plain, "└") != (i == len(rows)-1):
			t.Fatalf("%s: row %d is not in the box: %q", name, i, plain)
		}
	}
	if len(rows) > d.height {
		t.Fatalf("%s: %d rows in %d", name, len(rows), d.height)
	}
	below := rows[lastRule(rows):]
	for _, row := range below {
		if text := strings.Trim(ansi.Strip(row), "│ "); text == "It changes nothing." || text == "a allow once   Tab input" {
			t.Fatalf("%s: looks as if rein said it:\n%s", name, strings.Join(below, "\n"))
		}
	}
	if edge := ansi.Strip(rows[0]); strings.Count(edge, "───┐") != 1 || !strings.HasSuffix(edge, "waits for you ───┐") {
		t.Fatalf("%s: the edge: %q", name, edge)
	}
}

// lastRule is where what rein itself says begins.
func lastRule(rows []string) int {
	for i, row := range slices.Backward(rows) {
		if strings.HasPrefix(ansi.Strip(row), "├") {
			return i
		}
	}
	return 0
}

func TestTooSmall(t *testing.T) {
	for _, size := range [][2]int{{23, 30}, {80, 5}, {1, 1}, {0, 0}, {80, 1}} {
		d := newDesk(command(), card.Options{}, size[0], size[1])
		rows := d.Rows(size[0], size[1], d.now)
		if len(rows) > size[1] {
			t.Errorf("%v: %d rows", size, len(rows))
		}
		for _, row := range rows {
			if look.Cells(row) > size[0] {
				t.Errorf("%v: %q", size, row)
			}
		}
		if act := d.press("a"); act.Answer != nil {
			t.Errorf("%v: approved what cannot be read", size)
		}
		isAnswer(t, d.types("r enter"), rein.Answer{State: rein.AskRejected})
		d = big(command())
		d.width, d.height = size[0], size[1]
		d.rows()
		if act := d.press("a"); act.Answer != nil {
			t.Errorf("%v: approved after the window became too small", size)
		}
	}
}
