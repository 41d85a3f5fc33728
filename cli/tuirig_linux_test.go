//go:build linux

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rein/internal/labs"
	"rein/internal/tmux"
)

// A room is a home with the settings that rein is shipped with, a model that plays a script, and a folder to work in.
type room struct {
	*desk
	project string
}

// newRoom returns a room for a test of the screen. Its tests run beside each other.
func newRoom(t *testing.T, script string) *room {
	t.Helper()
	labs.Only(t)
	if _, err := tmux.Find(); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	r := &room{desk: newDesk(t, script)}
	r.file(".config/rein/rein.toml", "model = \"demo\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n")
	r.project = r.folder("project")
	r.link()
	return r
}

// folder makes a folder to work in.
func (r *room) folder(name string) string {
	r.t.Helper()
	folder := filepath.Join(r.home, name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		r.t.Fatal(err)
	}
	return folder
}

// manyLines are sixty lines, as JSON.
var manyLines = func() string {
	var b strings.Builder
	for n := range 60 {
		fmt.Fprintf(&b, `line %d\n`, n+1)
	}
	return b.String()
}()

// screen is the process of rein at a person's terminal.
func (r *room) screen(p *person) int {
	r.t.Helper()
	shell, err := p.Ask("pane_pid")
	p.wants(err)
	id, err := strconv.Atoi(shell)
	p.wants(err)
	screen, err := strconv.Atoi(strings.TrimSpace(childrenOf(r.t, id)))
	p.wants(err)
	return screen
}

// joined is the text of a model that is on the screen, in one line.
func joined(screen string) string {
	var text []string
	for row := range strings.Lines(screen) {
		if said, ok := strings.CutPrefix(row, " │ "); ok {
			text = append(text, strings.TrimSpace(said))
		}
	}
	return strings.Join(text, " ")
}

// has reports what a file of the project has in it; empty: there is none.
func (r *room) has(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.project, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return string(text)
}

// A person sits at a terminal, in a shell in which they start rein.
type person struct {
	*tmux.Terminal
	t *testing.T
}

// sits gives a person a terminal in the project.
func (r *room) sits(width, height int, env ...string) *person {
	r.t.Helper()
	return r.sitsIn(r.project, width, height, env...)
}

func (r *room) sitsIn(folder string, width, height int, env ...string) *person {
	r.t.Helper()
	env = append([]string{"HOME=" + r.home, "PATH=" + r.home + ":" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8", "TZ=UTC", "GORACE=" + quickExit}, env...)
	x, err := tmux.Open(context.Background(), tmux.Options{Width: width, Height: height, Dir: folder, Env: env, Command: []string{"sh"}})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { x.Close() })
	p := &person{Terminal: x, t: r.t}
	p.until("the shell", atShell)
	return p
}

// atShell reports whether the shell waits for a command.
func atShell(screen string) bool {
	screen = strings.TrimSpace(screen)
	return screen != "" && strings.Contains("$#", screen[strings.LastIndex(screen, "\n")+1:])
}

// opens starts rein and waits for its input.
func (p *person) opens(args ...string) {
	p.t.Helper()
	p.types(strings.Join(append([]string{"rein"}, args...), " "), "Enter")
	p.sees("what you want done; /")
}

// types types a text, and presses keys after it.
func (p *person) types(text string, keys ...string) {
	p.t.Helper()
	if text != "" {
		p.wants(p.Type(text))
	}
	if len(keys) > 0 {
		p.wants(p.Press(keys...))
	}
}

// presses presses keys one after the other.
func (p *person) presses(keys ...string) { p.t.Helper(); p.types("", keys...) }

func (p *person) wants(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

const awhile = 30 * time.Second

// sees waits until all the texts are on the screen at the same time, and returns it.
func (p *person) sees(texts ...string) string {
	p.t.Helper()
	return p.until(strings.Join(texts, " and "), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
}

// misses waits until a text is on the screen no more.
func (p *person) misses(text string) string {
	p.t.Helper()
	return p.until("no "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

func (p *person) until(what string, is func(string) bool) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), awhile)
	defer cancel()
	screen, err := p.Until(ctx, p.Screen, is)
	if err != nil {
		p.t.Fatalf("waiting for %s: %v\n%s", what, err, shown(screen))
	}
	return screen
}

// shown is a screen for a log, without its empty rows.
func shown(screen string) string {
	rows := slices.DeleteFunc(strings.Split(screen, "\n"), func(row string) bool { return row == "" })
	return strings.Join(rows, "\n")
}

// answers waits until a key of the ask on the screen counts, which its colour says, and presses it.
func (p *person) answers(key string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), awhile)
	defer cancel()
	bright, first := "\x1b[35m"+key+"\x1b[39m", "\n| "+key+" " // without colours it is not dim
	screen, err := p.Until(ctx, p.Painted, func(screen string) bool {
		return strings.Contains(screen, bright) || strings.Contains(screen, first)
	})
	if err != nil {
		p.t.Fatalf("waiting for the key %s: %v\n%s", key, err, shown(ansi.Strip(screen)))
	}
	p.presses(key)
}

// leaves leaves the screen, and returns what it says.
func (p *person) leaves() string {
	p.t.Helper()
	p.presses("C-c")
	p.sees("Ctrl+C again leaves")
	p.presses("C-c")
	return p.until("the shell", func(screen string) bool {
		return atShell(screen) && strings.Contains(screen, "rein --resume s")
	})
}

// clean holds that the screen is what rein has drawn, and nothing else: drawn again from nothing, it is the same.
// Nothing may be active, whose time would be shown.
func (p *person) clean() {
	p.t.Helper()
	p.presses("F1")
	p.sees("\n Writing\n", "Esc back")
	p.presses("Escape") // what was said for a while is gone now
	before := p.misses("Esc back")
	p.presses("F1")
	p.sees("\n Writing\n", "Esc back")
	p.presses("C-l", "Escape")
	p.until("the same screen again:\n"+shown(before), func(screen string) bool { return strings.TrimRight(screen, "\n") == before })
}
