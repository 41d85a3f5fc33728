package tui_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api"
	"rein/app"
	"rein/model/script"
	"rein/sandbox/sandboxtest"
	"rein/terminal/tui"
	"rein/terminal/tui/look"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

var update = flag.Bool("update", false, "write the golden files again")

// A stage is the screen with a real rein in this process behind it, a person before it, and a model that plays a script.
type stage struct {
	t         *testing.T
	app       *app.App
	folder    string
	workspace string
	program   *tea.Program
	watched   *watched
	ended     chan error
	later     atomic.Int64 // how far the clock of the screen is ahead
	width     int
	height    int
}

// watched is the Model, with a look at its screen after every message.
type watched struct {
	*tui.Model
	mu     sync.Mutex
	screen string
	grown  chan struct{}
}

func (w *watched) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := w.Model.Update(msg)
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := w.Model.View().Content; now != w.screen {
		w.screen = now
		close(w.grown)
		w.grown = make(chan struct{})
	}
	return w, cmd
}

func (w *watched) look() (screen string, grown chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return ansi.Strip(w.screen), w.grown
}

// paints waits until the screen has something, with its colours.
func (s *stage) paints(what string) {
	s.t.Helper()
	s.until(fmt.Sprintf("%q", what), func(string) bool {
		s.watched.mu.Lock()
		defer s.watched.mu.Unlock()
		return strings.Contains(s.watched.screen, what)
	})
}

// options change what a stage begins with.
type options struct {
	width, height int
	screen        tui.Options
	app           app.Options
	files         map[string]string
	env           []string
}

// newStage opens the screen on a new data folder. The model plays the script.
func newStage(t *testing.T, play string, o options) *stage {
	t.Helper()
	played, err := script.Parse("play.txt", []byte(play))
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, folder: t.TempDir(), width: 80, height: 24}
	if o.width > 0 {
		s.width, s.height = o.width, o.height
	}
	for name, text := range o.files {
		if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o.app.Data, o.app.Env = t.TempDir(), []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	o.app.Env = append(o.app.Env, o.env...)
	o.app.Models = map[string]rein.Model{"played": played}
	if s.app, err = app.Open(t.Context(), o.app); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.app.Close() })
	workspace, err := s.app.AddWorkspace(t.Context(), api.NewWorkspace{Root: s.folder, Force: true})
	if err != nil {
		t.Fatal(err)
	}
	s.workspace = workspace.Name
	s.open(o.screen)
	return s
}

// open puts the screen on the terminal.
func (s *stage) open(o tui.Options) {
	s.t.Helper()
	o.Client, o.Unicode = s.app.Client, true
	o.Now = func() time.Time { return time.Now().Add(time.Duration(s.later.Load())) }
	if o.Task.Flow == "" {
		o.Task.Flow = "operate"
	}
	o.Task.Model, o.Task.Workspace = "played", s.workspace
	ctx, cancel := context.WithCancel(s.t.Context())
	s.watched = &watched{Model: tui.New(ctx, o), grown: make(chan struct{})}
	s.program = tea.NewProgram(s.watched, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithWindowSize(s.width, s.height))
	s.ended = make(chan error, 1)
	ended := s.ended
	go func() {
		_, err := s.program.Run()
		ended <- err
	}()
	s.t.Cleanup(cancel)
	s.program.Send(tea.WindowSizeMsg{Width: s.width, Height: s.height})
}

const patience = 20 * time.Second

// waits waits until the screen shows something.
func (s *stage) waits(what string) string {
	s.t.Helper()
	return s.until(what, func(screen string) bool { return strings.Contains(screen, what) })
}

func (s *stage) until(what string, is func(string) bool) string {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		screen, grown := s.watched.look()
		if is(screen) {
			return screen
		}
		select {
		case <-grown:
		case <-deadline:
			s.t.Fatalf("the screen never shows %q:\n%s", what, screen)
		}
	}
}

// armed waits until something asks, and lets enough time pass that it takes keys.
func (s *stage) armed() {
	s.t.Helper()
	s.waits("Tab input")
	s.synced()
	s.later.Add(int64(2 * time.Second)) // a key may be held down for longer than a card must have stood still
}

// types types a text.
func (s *stage) types(text string) {
	for _, r := range text {
		s.program.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// keys presses keys by name.
func (s *stage) keys(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.program.Send(keyNamed(s.t, name))
	}
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "end": {Code: tea.KeyEnd}, "home": {Code: tea.KeyHome},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+k": {Code: 'k', Mod: tea.ModCtrl}, "ctrl+t": {Code: 't', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl},
	"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "f1": {Code: tea.KeyF1},
}

func keyNamed(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	if k, ok := named[name]; ok {
		return k
	}
	r := []rune(name)
	if len(r) != 1 {
		t.Fatalf("no key %q", name)
	}
	return tea.KeyPressMsg{Code: r[0], Text: name}
}

// varying is what differs from run to run: times, durations, IDs, folders.
var varying = []struct {
	of *regexp.Regexp
	is string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`), "2026-01-02 03:04"},
	{regexp.MustCompile(`\b\d\d-\d\d \d\d:\d\d\b`), "01-02 03:04"},
	{regexp.MustCompile(`r[0-9a-z]{24}`), "rrrrrrrrrrrrrrrrrrrrrrrrr"},
	{regexp.MustCompile(`001-[0-9a-f]{10}`), "001-0000000000"}, // the workspace of the folder
	{regexp.MustCompile(`work-[0-9a-f]{10}`), "work-0000000000"},
	{regexp.MustCompile(` +(· )?(\d+ ms|\d+\.\d s|\d+ s)\b`), ""},
	{regexp.MustCompile(`(?m)^( [▸▾] .*?) {2,}(\S.*?) *$`), "$1  $2"}, // how far to the right depends on the time behind it
}

// golden compares the screen with a file.
func (s *stage) golden(name string) {
	s.t.Helper()
	screen, _ := s.watched.look()
	s.fits(screen)
	screen = strings.ReplaceAll(screen, s.folder, "/folder")
	for _, v := range varying {
		screen = v.of.ReplaceAllString(screen, v.is)
	}
	var b strings.Builder
	for line := range strings.Lines(screen + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		s.t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// fits holds that nothing is wider or higher than the terminal.
func (s *stage) fits(screen string) {
	s.t.Helper()
	rows := strings.Split(screen, "\n")
	if len(rows) > s.height {
		s.t.Errorf("%d rows on a screen of %d", len(rows), s.height)
	}
	for _, row := range rows {
		if n := look.Cells(row); n > s.width {
			s.t.Errorf("a row of %d cells on a screen of %d: %q", n, s.width, row)
		}
	}
}

// leaves leaves the screen as people do, and returns when it is gone.
func (s *stage) leaves() {
	s.t.Helper()
	s.keys("ctrl+c", "ctrl+c")
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Fatal(err)
		}
	case <-time.After(patience):
		s.t.Fatal("the screen does not leave")
	}
}
