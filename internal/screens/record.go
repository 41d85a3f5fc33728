package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"rein/internal/tmux"
)

// story is the home of the session that is recorded, with the script of its model.
//
//go:embed story.txtar
var story []byte

// How large the terminal is, and which frame stands for the session.
const (
	columns, rows = 80, 26
	still         = "approval"
)

// home is where the session is recorded. Its name is on the screen as somebody's home, which has as many letters.
const home, asHome = "/tmp/anna", "/home/ann"

// patience bounds how long the screen may take to show something.
const patience = 20 * time.Second

// A recorder types at a terminal, and keeps what is on its screen.
type recorder struct {
	*tmux.Terminal
	ctx    context.Context
	frames []frame
	err    error // the first thing that failed; nothing is done after it
}

// record plays the story.
func record(ctx context.Context, program string) (frames []frame, err error) {
	if err := os.Mkdir(home, 0o700); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	if err := unpack(); err != nil {
		return nil, err
	}
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC", "TMPDIR=" + os.TempDir()}
	x, err := tmux.Open(ctx, tmux.Options{Width: columns, Height: rows, Dir: filepath.Join(home, "backup"), Env: env, Command: []string{program}})
	if err != nil {
		return nil, err
	}
	r := &recorder{Terminal: x, ctx: ctx}
	r.play()
	stop := exec.CommandContext(ctx, program, "owner", "stop")
	stop.Env = env
	return r.frames, errors.Join(r.err, x.Close(), stop.Run())
}

// unpack writes the files of the story.
func unpack() error {
	for _, f := range txtar.Parse(story).Files {
		name := filepath.Join(home, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, f.Data, 0o700)); err != nil {
			return err
		}
	}
	return nil
}

// play does what a person does, and takes a picture of what there is to see.
func (r *recorder) play() {
	r.shows("what you want done")
	r.aside("empty")
	r.types("Why does the nightly backup fail? Fix it.")
	r.shows("Fix it.")
	r.frame("typed")
	r.presses("Enter")
	r.shows("I look at")
	r.frame("streams")
	r.shows("edit_file backup.sh", "waits for you")
	r.bright("a")
	r.frame("approval")
	r.presses("a")
	r.shows("sh backup.sh")
	r.bright("v")
	r.presses("v")
	r.shows("rows ")
	r.frame("command")
	r.presses("NPage")
	r.bright("a")
	r.presses("a")
	r.shows("exit 0", "✓ done ·")
	r.frame("done")
	r.presses("C-o", "PPage")
	r.shows("▾ execute_command")
	r.aside("opened")
	r.presses("C-o", "C-End")
	r.shows("▸ execute_command")
	r.types("/steps")
	r.presses("Enter")
	r.shows("STEPS")
	r.frame("steps")
	r.presses("Escape")
	r.gone("STEPS")
	r.types("/undo")
	r.presses("Enter")
	r.shows("undo_change")
	r.bright("a")
	r.frame("undo")
	r.presses("r")
	r.shows("why not?")
	r.types("it is right as it is")
	r.shows("› it is right as it is")
	r.aside("reason")
	r.presses("Enter")
	r.shows("right as it is", "round 1")
	r.presses("C-k")
	r.shows("Commands")
	r.aside("palette")
}

func (r *recorder) do(what string, do func() error) {
	if r.err == nil {
		if err := do(); err != nil {
			r.err = fmt.Errorf("%s: %w", what, err)
		}
	}
}

func (r *recorder) types(text string) { r.do("type "+text, func() error { return r.Type(text) }) }

func (r *recorder) presses(keys ...string) {
	r.do("press "+strings.Join(keys, " "), func() error { return r.Press(keys...) })
}

// until waits for a look at the screen.
func (r *recorder) until(what string, look func() (string, error), is func(string) bool) {
	r.do("wait for "+what, func() error {
		ctx, cancel := context.WithTimeout(r.ctx, patience)
		defer cancel()
		screen, err := r.Until(ctx, look, is)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, screen)
		}
		return nil
	})
}

func (r *recorder) shows(texts ...string) {
	r.until(strings.Join(texts, ", "), r.Screen, func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

func (r *recorder) gone(text string) {
	r.until("no "+text, r.Screen, func(screen string) bool { return !strings.Contains(screen, text) })
}

// bright waits until a key of an ask counts.
func (r *recorder) bright(key string) {
	r.until("the key "+key, r.Painted, func(screen string) bool { return strings.Contains(screen, "\x1b[35m"+key+"\x1b[39m") })
}

// aside takes a picture that the session is not told with.
func (r *recorder) aside(name string) {
	r.frame(name)
	if r.err == nil {
		r.frames[len(r.frames)-1].aside = true
	}
}

// frame takes a picture.
func (r *recorder) frame(name string) {
	r.do("look at "+name, func() error {
		screen, err := r.Painted()
		if err != nil {
			return err
		}
		f := frame{name: name, rows: cells(strings.ReplaceAll(screen, home, asHome)), cursor: [2]int{-1, -1}}
		shown, err := r.Ask("cursor_flag")
		if err == nil && shown == "1" {
			f.cursor, err = r.cursor()
		}
		r.frames = append(r.frames, f)
		return err
	})
}

func (r *recorder) cursor() (at [2]int, err error) {
	for i, name := range []string{"cursor_x", "cursor_y"} {
		text, err := r.Ask(name)
		if err != nil {
			return at, err
		}
		if at[i], err = strconv.Atoi(text); err != nil {
			return at, err
		}
	}
	return at, nil
}
