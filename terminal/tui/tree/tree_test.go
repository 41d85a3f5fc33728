package tree_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/logtest"
	"rein/terminal/tui/look"
	"rein/terminal/tui/tree"
)

var update = flag.Bool("update", false, "write what is drawn into the files of testdata")

var sizes = [][2]int{{80, 24}, {40, 12}, {200, 60}}

// wantDrawn compares what is drawn, without colours, with a file that has each size.
func wantDrawn(t *testing.T, name string, rows func(width, height int) []string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txtar")
	got := &txtar.Archive{}
	for _, size := range sizes {
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

var theme = look.New(true)

func press(name string) tea.KeyPressMsg {
	switch name {
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "tab", "space":
		return tea.KeyPressMsg{Code: map[string]rune{
			"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
			"home": tea.KeyHome, "end": tea.KeyEnd, "tab": tea.KeyTab, "space": tea.KeySpace,
		}[name]}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// TestExplore draws a recorded run of explore while its log grows.
func TestExplore(t *testing.T) {
	t.Parallel()
	events := logtest.Events(t, logtest.Store(t, "scenes_explore.db.gz"), "r1")
	for name, n := range map[string]int{"begins": 4, "works": len(events) / 2, "ends": len(events)} {
		root, now := folded(events[:n])
		v := tree.New(theme)
		wantDrawn(t, "explore_"+name, func(width, height int) []string { return v.Rows(root, width, height, now) })
	}
}

// states is a tree with a run in each state.
func states(t testing.TB) *log {
	l := begin(t, "Which oven should we buy, and does it fit?\nIt is for a kitchen of 1970.")
	l.starts("r.2", "What do ovens cost?")
	l.starts("r.10", "How wide is the kitchen? 台所の幅はどれくらいですか、そして高さは？")
	l.starts("r.10.3", "Is there a plan of the house?")
	l.starts("r.11", "Who delivers on Saturdays?")
	l.starts("r.12", "Which ones are quiet?")
	l.starts("r.13", "Is gas possible?")
	l.starts("r.14", "Is there a subsidy?\x1b[2J ✓ done")
	l.starts("r.15", "What do neighbours have?")
	l.starts("r.16", "How long does it last?")
	l.thinks("r", "1", "Looking for parts")
	l.answers("r", "1", "Eight parts.")
	l.event("r", rein.RunParked, "", rein.Parked{For: []string{"run r.2", "run r.10"}})
	l.thinks("r.2", "1", "Comparing prices")
	l.asks("r.10", "1.ask", "Do you mean the niche,\nor the whole wall?")
	l.thinks("r.10.3", "1", "")
	l.event("r.10.3", rein.StepWaiting, "1", rein.Waiting{Why: "the limit of openai: 60 requests a minute", Until: l.at.Add(40 * time.Second)})
	l.sent("r.11", rein.Command{Kind: rein.CommandPause, Text: "first the others"})
	l.thinks("r.12", "1", "")
	l.answers("r.12", "1", "The ones of Siemens and Miele. They are the quietest.")
	l.ends("r.12", rein.EndDone, "The ones of Siemens and Miele. They are the quietest.")
	l.sent("r.13", rein.Command{Kind: rein.CommandDelete})
	l.ends("r.13", rein.EndDeleted, "")
	l.ends("r.14", rein.EndFailed, "openai answered 401: the key is not valid")
	l.sent("r.15", rein.Command{Kind: rein.CommandModify, Text: "What do the neighbours at the left have?"})
	l.sent("r.15", rein.Command{Kind: rein.CommandComment, Text: "Ask Bob."})
	l.event("r.15", rein.RunBlocked, "", rein.Blocked{Reason: "step 3 was a tool call"})
	l.sent("r.16", rein.Command{Kind: rein.CommandStop})
	return l
}

// TestStates draws a run in each state, and one that hides others.
func TestStates(t *testing.T) {
	t.Parallel()
	l := states(t)
	v := tree.New(theme)
	draw := func(width, height int) []string { return v.Rows(l.Timeline, width, height, l.at.Add(3*time.Second)) }
	wantDrawn(t, "states", draw)
	v.Key(press("n"), l.Timeline)
	v.Key(press("left"), l.Timeline)
	wantDrawn(t, "states_folded", draw)
	v.Key(press("G"), l.Timeline)
	wantDrawn(t, "states_last", draw)
	ascii := tree.New(look.New(false))
	wantDrawn(t, "states_ascii", func(width, height int) []string {
		return ascii.Rows(l.Timeline, width, height, l.at.Add(3*time.Second))
	})
}

// deep is a tree in which each run has started another one.
func deep(t testing.TB, depth int) *log {
	l := begin(t, "The first question")
	run := rein.RunID("r")
	for n := range depth {
		l.starts(run+".9", fmt.Sprintf("What is beside depth %d?", n+1))
		run += ".7"
		l.starts(run, fmt.Sprintf("What is below depth %d?", n))
	}
	return l
}

func TestDeep(t *testing.T) {
	t.Parallel()
	l := deep(t, 12)
	v := tree.New(theme)
	v.Key(press("G"), l.Timeline)
	wantDrawn(t, "deep", func(width, height int) []string { return v.Rows(l.Timeline, width, height, l.at) })
}

// many is a tree of 500 runs, three deep.
func many(t testing.TB) *log {
	l := begin(t, "The largest question")
	for n := range 499 {
		run := rein.RunID(fmt.Sprintf("r.%d", n/40+1))
		if n%40 > 0 {
			run += rein.RunID(fmt.Sprintf(".%d", n%40))
		}
		l.starts(run, fmt.Sprintf("What about part %d?", n))
	}
	return l
}

// However deep a run is, its question has most of the row.
func TestVeryDeep(t *testing.T) {
	t.Parallel()
	l := deep(t, 40)
	v := tree.New(theme)
	v.Key(press("G"), l.Timeline)
	rows := v.Rows(l.Timeline, 40, 12, l.at)
	rowOf(t, rows, "What is below depth")
	rowOf(t, rows, "…")
}

// The wheel moves the screen, and the chosen run with it where it would leave.
func TestWheel(t *testing.T) {
	t.Parallel()
	l := many(t)
	v := tree.New(theme)
	for _, c := range []struct {
		by            int
		first, chosen string
	}{{5, "What about part 4?", "What about part 4?"}, {2, "What about part 6?", "What about part 6?"}, {-3, "What about part 3?", "What about part 6?"}, {-99, "The largest question", "What about part 6?"}, {999, "What about part 488?", "What about part 488?"}} {
		v.Rows(l.Timeline, 80, 24, l.at)
		v.Wheel(c.by)
		rows := v.Rows(l.Timeline, 80, 24, l.at)
		if first, chosen := rowOf(t, rows, c.first), rowOf(t, rows, "›"); first != 1 || !strings.Contains(look.Plainly(rows[chosen]), c.chosen) {
			t.Errorf("after %d:\n%s", c.by, strings.Join(rows, "\n"))
		}
	}
}

// Only what is on the screen is drawn, wherever that is.
func TestMany(t *testing.T) {
	t.Parallel()
	l := many(t)
	v := tree.New(theme)
	for range 9 {
		v.Rows(l.Timeline, 80, 24, l.at)
		v.Key(press("pgdown"), l.Timeline)
	}
	wantDrawn(t, "many", func(width, height int) []string { return v.Rows(l.Timeline, width, height, l.at) })
	v.Key(press("G"), l.Timeline)
	rows := v.Rows(l.Timeline, 80, 24, l.at)
	if !strings.Contains(look.Plainly(rows[0]), "500 runs") || !strings.Contains(strings.Join(rows, "\n"), "part 498") {
		t.Errorf("the end of the tree:\n%s", strings.Join(rows, "\n"))
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	v := tree.New(theme)
	for _, root := range []*timeline.Timeline{nil, timeline.New("r")} {
		rows := wantFits(t, v.Rows(root, 40, 12, time.Time{}), 40, 12)
		if !strings.Contains(rows[0], "Reading the log") {
			t.Errorf("before the log came: %q", rows)
		}
		if a := v.Key(press("d"), root); a != (tree.Act{}) {
			t.Errorf("d leads to %+v", a)
		}
		if a := v.Key(press("esc"), root); a.Kind != tree.Back {
			t.Errorf("Esc leads to %+v", a)
		}
	}
	l := begin(t, "Alone")
	wantDrawn(t, "alone", func(width, height int) []string { return v.Rows(l.Timeline, width, height, l.at) })
}

// rowOf is where a text is on the screen.
func rowOf(t *testing.T, rows []string, text string) int {
	t.Helper()
	for i, row := range rows {
		if strings.Contains(look.Plainly(row), text) {
			return i
		}
	}
	t.Fatalf("%q is not in:\n%s", text, strings.Join(rows, "\n"))
	return 0
}

// Runs stay where they are when they end, and when another one starts later.
func TestNothingMoves(t *testing.T) {
	t.Parallel()
	l := states(t)
	v := tree.New(theme)
	places := func() (at []int) {
		rows := v.Rows(l.Timeline, 80, 40, l.at)
		for _, q := range []string{"What do ovens cost?", "How wide", "Is there a plan", "Who delivers", "How long"} {
			at = append(at, rowOf(t, rows, q))
		}
		return at
	}
	before := places()
	l.ends("r.2", rein.EndDone, "A lot.")
	l.ends("r.10.3", rein.EndFailed, "no")
	l.ends("r.16", rein.EndStopped, "")
	l.starts("r.1", "A later one, of an earlier branch")
	if d := cmp.Diff(before, places()); d != "" {
		t.Errorf("rows moved:\n%s", d)
	}
}

// TestActs says what each key leads to, and asks before a run is deleted.
func TestActs(t *testing.T) {
	t.Parallel()
	l := states(t)
	v := tree.New(theme)
	v.Rows(l.Timeline, 80, 24, l.at)
	want := func(key string, want tree.Act) {
		t.Helper()
		want.Taken = true
		if got := v.Key(press(key), l.Timeline); got != want {
			t.Errorf("%s leads to %+v, want %+v", key, got, want)
		}
	}
	want("enter", tree.Act{Kind: tree.Open, Run: "r"})
	want("a", tree.Act{Kind: tree.Answer, Run: "r.10", Ask: "r.10:1.ask"}) // the one below it
	want("d", tree.Act{Kind: tree.Delete, Run: "r", Confirm: "Delete “Which oven should we buy, and does it fit?”? It ends now, with 6 unfinished runs below it. What it found is not used. The log stays. This cannot be undone."})
	want("n", tree.Act{})
	want("a", tree.Act{Kind: tree.Answer, Run: "r.10", Ask: "r.10:1.ask"})
	want("m", tree.Act{Kind: tree.Modify, Run: "r.10"})
	want("M", tree.Act{Kind: tree.Message, Run: "r.10"})
	want("c", tree.Act{Kind: tree.Comment, Run: "r.10"})
	want("s", tree.Act{Kind: tree.Stop, Run: "r.10"})
	want("p", tree.Act{Kind: tree.Pause, Run: "r.10"})
	want("j", tree.Act{})
	want("j", tree.Act{})
	want("p", tree.Act{Kind: tree.Resume, Run: "r.11"})
	want("a", tree.Act{})
	if rows := v.Rows(l.Timeline, 80, 24, l.at); !strings.Contains(rows[23], "nobody is asked") {
		t.Errorf("after a where nobody is asked: %q", rows[23])
	}
	want("j", tree.Act{})
	for _, key := range []string{"d", "m", "M", "s", "p"} { // it has ended
		want(key, tree.Act{})
		if rows := v.Rows(l.Timeline, 80, 24, l.at); !strings.Contains(rows[23], "has ended") {
			t.Errorf("after %s of a run that has ended: %q", key, rows[23])
		}
	}
	want("c", tree.Act{Kind: tree.Comment, Run: "r.12"})
	want("esc", tree.Act{Kind: tree.Back, Run: "r.12"})
	if a := v.Key(press("?"), l.Timeline); a != (tree.Act{}) {
		t.Errorf("a key that is not for the tree leads to %+v", a)
	}
}

// The arrows fold and lead along the branches; a click chooses a run, and opens the chosen one.
func TestMoves(t *testing.T) {
	t.Parallel()
	l := states(t)
	v := tree.New(theme)
	at := func(key string, want rein.RunID) {
		t.Helper()
		v.Rows(l.Timeline, 80, 24, l.at)
		v.Key(press(key), l.Timeline)
		if got := v.Key(press("enter"), l.Timeline); got.Run != want {
			t.Errorf("after %s %s is chosen, not %s", key, got.Run, want)
		}
	}
	at("right", "r.2")
	at("down", "r.10")
	at("right", "r.10.3")
	at("left", "r.10")
	at("left", "r.10") // folded now
	at("down", "r.11")
	at("up", "r.10")
	at("o", "r.10")
	at("right", "r.10.3")
	at("right", "r.10.3")
	at("home", "r")
	at("space", "r")
	at("j", "r") // all else is folded away
	at("o", "r")
	at("end", "r.16")
	at("k", "r.15")
	at("g", "r")
	rows := v.Rows(l.Timeline, 80, 24, l.at)
	row := rowOf(t, rows, "Who delivers")
	for _, want := range []tree.Act{{Taken: true}, {Kind: tree.Open, Run: "r.11", Taken: true}} {
		if a := v.Click(row + 1); a != want {
			t.Errorf("a click leads to %+v, want %+v", a, want)
		}
	}
	for _, nowhere := range []int{-1, 0, 23, 24} {
		if a := v.Click(nowhere); a != (tree.Act{}) {
			t.Errorf("a click on row %d leads to %+v", nowhere, a)
		}
	}
}

// Whatever keys come, at whatever size, rows fit and the chosen run is on the screen.
func TestAlwaysFits(t *testing.T) {
	t.Parallel()
	keys := []string{"j", "k", "down", "up", "g", "G", "pgup", "pgdown", "left", "right", "o", "space", "n", "d", "a", "m", "p", "s", "c", "enter", "esc", "x", "tab", "home", "end"}
	for name, l := range map[string]*log{"states": states(t), "deep": deep(t, 40), "many": many(t)} {
		random := rand.New(rand.NewPCG(1, 2))
		v := tree.New(theme)
		for range 600 {
			width, height := 1+random.IntN(120), 1+random.IntN(40)
			rows := wantFits(t, v.Rows(l.Timeline, width, height, l.at), width, height)
			if seen := strings.Count(look.Plainly(strings.Join(rows, "\n")), "›"); width > 3 && (seen < 1 || seen > 2) {
				t.Fatalf("%s at %dx%d: the chosen run is on %d rows:\n%s", name, width, height, seen, strings.Join(rows, "\n"))
			}
			switch random.IntN(6) {
			case 0:
				v.Wheel(random.IntN(9) - 4)
			case 1:
				v.Click(random.IntN(height + 2))
			default:
				v.Key(press(keys[random.IntN(len(keys))]), l.Timeline)
			}
		}
	}
}

func BenchmarkRows(b *testing.B) {
	l := many(b)
	v := tree.New(theme)
	for b.Loop() {
		v.Rows(l.Timeline, 80, 24, l.at)
	}
}
