package pick_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/rogpeppe/go-internal/txtar"

	"rein/terminal/tui/look"
	"rein/terminal/tui/pick"
)

var update = flag.Bool("update", false, "write what is drawn into the golden files")

func press(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace,
		"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd, "f5": tea.KeyF5,
	}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func typeIn(l *pick.List, keys ...string) (last pick.Act) {
	for _, key := range keys {
		last = l.Key(press(key))
	}
	return last
}

func sessions() []pick.Item {
	return []pick.Item{
		{Key: "s1", Title: "Fix the flaky test", About: "operate", Right: "2 min ago", Group: "Today", Live: true},
		{Key: "s2", Title: "Week menu", About: "assist", Right: "€0.08", Group: "Today"},
		{Key: "s3", Title: "Disk is full: what can go, and what has to stay, on the machine in the cellar", About: "operate", Right: "14:02", Group: "Yesterday", Now: true},
		{Key: "s4", Title: "Éclairs für 冬の夜 👩‍🍳", About: "notes", Right: "waits for you", Group: "Yesterday"},
		{Key: "s5", Title: "evil \x1b[2J\u202e title", About: "a\nb", Right: "\x07", Group: "Yesterday"},
	}
}

func picture(l *pick.List, width, height int) string {
	rows, cursor := l.Rows(width, height)
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.TrimRight(look.Plainly(row), " ") + "\n")
	}
	fmt.Fprintf(&b, "cursor %d,%d\n", cursor.X, cursor.Y)
	return b.String()
}

// What people see: on the main size, on a small one, and without Unicode.
func TestPictures(t *testing.T) {
	t.Parallel()
	nice, plain := look.New(true), look.New(false)
	made := &txtar.Archive{Comment: []byte("What a list looks like. go test ./terminal/tui/pick -update writes this file.\n\n")}
	for _, c := range []struct {
		name          string
		theme         look.Theme
		items         []pick.Item
		width, height int
		keys          string
	}{
		{"first look", nice, sessions(), 80, 24, ""},
		{"searched", nice, sessions(), 80, 24, "f l"},
		{"beside the title", nice, sessions(), 80, 24, "o p e r down"},
		{"nothing found", nice, sessions(), 80, 24, "z q"},
		{"nothing there", nice, nil, 80, 24, ""},
		{"without Unicode", plain, sessions(), 80, 24, "e"},
		{"small", nice, sessions(), 40, 12, ""},
		{"small and searched", nice, sessions(), 40, 12, "d i s"},
		{"very small", nice, sessions(), 20, 4, "e"},
		{"scrolled", nice, sessions(), 80, 8, "end"},
	} {
		l := pick.New(c.theme, "Sessions", c.items)
		l.Empty("No sessions yet: write a message to start one.")
		l.Offer("ctrl+r", 'r', "rename")
		typeIn(l, strings.Fields(c.keys)...)
		made.Files = append(made.Files, txtar.File{Name: fmt.Sprintf("%s %dx%d", c.name, c.width, c.height), Data: []byte(picture(l, c.width, c.height))})
	}
	golden(t, "testdata/list.golden", string(txtar.Format(made)))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s has\n%s\nand is now\n%s", name, want, got)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	l := pick.New(look.New(true), "Sessions", sessions())
	l.Offer("ctrl+r", 'r', "rename")
	chosen := func(want string, keys ...string) {
		t.Helper()
		typeIn(l, keys...)
		if got := l.Current(); got == nil || got.Key != want {
			t.Errorf("after %v: %+v is chosen, want %s", keys, got, want)
		}
	}
	chosen("s3") // it is set now
	chosen("s2", "up")
	chosen("s1", "ctrl+p", "up", "up")
	chosen("s3", "down", "ctrl+n")
	chosen("s5", "pgdown")
	chosen("s1", "pgup")
	chosen("s5", "end")
	chosen("s1", "home")
	chosen("s4", "e", "c", "l")
	chosen("s2", "ctrl+u", "e", "e", "k", "backspace", "k")
	if act := typeIn(l, "enter"); act.Chosen == nil || act.Chosen.Key != "s2" || act.Closed || !act.Taken || act.Action != 0 {
		t.Errorf("Enter: %+v", act)
	}
	if act := typeIn(l, "ctrl+r"); act.Chosen == nil || act.Chosen.Key != "s2" || act.Action != 'r' {
		t.Errorf("the owner's key: %+v", act)
	}
	if act := typeIn(l, "f5"); act.Taken {
		t.Error("a key that means nothing was taken")
	}
	if act := typeIn(l, "q", "ctrl+r"); act.Chosen != nil || act.Action != 0 {
		t.Errorf("the owner's key where nothing is found: %+v", act)
	}
	if act := typeIn(l, "enter"); act.Chosen != nil {
		t.Errorf("Enter where nothing is found: %+v", act)
	}
	if act := typeIn(l, "esc"); !act.Closed || act.Chosen != nil {
		t.Errorf("Esc: %+v", act)
	}
	chosen("s3", "ctrl+w")
}

// What somebody is about to choose stays chosen while the list changes below it.
func TestSetItems(t *testing.T) {
	t.Parallel()
	l := pick.New(look.New(true), "Sessions", sessions())
	l.Paste("e\n")
	typeIn(l, "down", "down")
	was := *l.Current()
	l.SetItems(append([]pick.Item{{Key: "new", Title: "e"}}, sessions()...))
	if got := l.Current(); got == nil || got.Key != was.Key {
		t.Errorf("%+v is chosen, it was %+v", got, was)
	}
	if rows, _ := l.Rows(80, 24); !strings.Contains(look.Plainly(rows[1]), "› e") {
		t.Errorf("the search is gone: %q", rows[1])
	}
	l.SetItems(nil)
	if l.Current() != nil {
		t.Errorf("%+v is chosen of nothing", l.Current())
	}
	l.SetItems(sessions())
	if l.Current() == nil {
		t.Error("nothing is chosen")
	}
}

// What was found is marked, in the title and beside it, and an accent stays on its letter.
func TestFoundIsMarked(t *testing.T) {
	t.Parallel()
	theme := look.New(true)
	l := pick.New(theme, "Sessions", []pick.Item{{Key: "1", Title: "other"}, {Key: "2", Title: "The flaky te\u0301st", About: "in park.go"}})
	l.Search("the fl est pg")
	rows := strings.Join(l.Bare(60, 5), "\n")
	for _, want := range []string{"The", "fl", "e\u0301st", "p", "g"} {
		if !strings.Contains(rows, theme.Strong(theme.Chosen(want))) {
			t.Errorf("%q is not marked in the chosen row: %q", want, rows)
		}
	}
	l.Search("t")
	l.Move(1)
	if rows := l.Bare(60, 5); !strings.Contains(rows[0], theme.Strong(theme.Accent("T"))) || !strings.Contains(rows[1], theme.Strong(theme.Chosen("t"))) {
		t.Errorf("not marked: %q", rows)
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	l := pick.New(look.New(true), "Sessions", sessions())
	rows, _ := l.Rows(80, 8)
	for row := -1; row <= len(rows); row++ {
		drawn := ""
		if row >= 0 && row < len(rows) {
			drawn = look.Plainly(rows[row])
		}
		act := l.Click(row)
		if !act.Taken || (act.Chosen != nil) != (strings.Contains(drawn, "Week") || strings.Contains(drawn, "Disk") || strings.Contains(drawn, "Éclairs") || strings.Contains(drawn, "Fix")) {
			t.Errorf("a click on row %d, %q: %+v", row, drawn, act)
		}
		if act.Chosen != nil && !strings.Contains(drawn, act.Chosen.Title[:8]) {
			t.Errorf("a click on %q chose %q", drawn, act.Chosen.Title)
		}
	}
	l.Wheel(-9)
	if got := l.Current(); got.Key != "s1" {
		t.Errorf("the wheel chose %+v", got)
	}
}

// Whatever is typed and however small the screen: rows fit, and the cursor and the chosen item are on it.
func TestFits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(19, 2))
	keys := []string{"up", "down", "pgup", "pgdown", "home", "end", "e", "冬", "\u0301", "👩", " ", "F", "backspace", "ctrl+w", "ctrl+u", "esc"}
	for range 300 {
		l := pick.New(look.New(r.IntN(2) == 0), strings.Repeat("Title ", r.IntN(20)), sessions())
		l.Offer("ctrl+r", 'r', "rename it, which has a long name")
		for range 20 {
			typeIn(l, keys[r.IntN(len(keys))])
			width, height := 4+r.IntN(90), 3+r.IntN(20)
			rows, cursor := l.Rows(width, height)
			if len(rows) > height || cursor.X < 0 || cursor.X >= width || cursor.Y < 0 || cursor.Y >= len(rows) {
				t.Fatalf("%d rows and cursor %v in %dx%d", len(rows), cursor, width, height)
			}
			marked := 0 // the row with what is typed, and the chosen one
			for _, row := range rows {
				if look.Cells(row) > width || strings.Contains(row, "\n") {
					t.Fatalf("%d cells in %d: %q", look.Cells(row), width, row)
				}
				inside := strings.TrimPrefix(strings.TrimPrefix(look.Plainly(row), "│ "), "| ")
				if strings.HasPrefix(inside, "›") || strings.HasPrefix(inside, ">") {
					marked++
				}
			}
			if l.Current() != nil && marked != 2 {
				t.Fatalf("the chosen item is not in view in %dx%d:\n%s", width, height, strings.Join(rows, "\n"))
			}
		}
	}
}
