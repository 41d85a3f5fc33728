// Package tmux is a terminal that a program types at and reads: one window of tmux, driven over its control mode. It
// says when something was written, so that nobody has to look again and again.
package tmux

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Options say what a terminal is like, and what runs in it.
type Options struct {
	Width, Height int
	Dir           string
	Env           []string // all variables; TERM is set by tmux
	Command       []string
}

// A Terminal is a window of a tmux server that nothing else uses.
type Terminal struct {
	folder  string
	server  *exec.Cmd
	in      io.WriteCloser
	answers chan answer
	changed chan struct{}

	mu sync.Mutex // one command at a time
}

// An answer is what tmux says to a command.
type answer struct {
	text   string
	failed bool
}

// settings are those of the server. Keys come as they are typed, and the program is the only thing that draws.
const settings = `
set -s escape-time 0
set -g default-terminal tmux-256color
set -g status off
set -g remain-on-exit on
set -g set-clipboard off
set -g mouse on
`

// Find returns where tmux is.
func Find() (string, error) {
	path, err := exec.LookPath("tmux")
	if err != nil {
		return "", errors.New("no terminal to type at: tmux is not installed (Debian: apt-get install tmux)")
	}
	return path, nil
}

// Open starts a server with a window. The context ends it.
func Open(ctx context.Context, o Options) (*Terminal, error) {
	program, err := Find()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "tmux") // a socket's path must be short
	if err != nil {
		return nil, err
	}
	x := &Terminal{folder: folder, answers: make(chan answer, 1), changed: make(chan struct{}, 1)}
	if err := x.start(ctx, program, o); err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("start tmux: %w", err)
	}
	return x, nil
}

func (x *Terminal) start(ctx context.Context, program string, o Options) error {
	file := filepath.Join(x.folder, "conf")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		return err
	}
	size := []string{"-x", fmt.Sprint(o.Width), "-y", fmt.Sprint(o.Height)}
	args := append([]string{"-u", "-C", "-S", filepath.Join(x.folder, "s"), "-f", file, "new-session"}, size...)
	x.server = exec.CommandContext(ctx, program, append(append(args, "--"), o.Command...)...)
	x.server.Dir, x.server.Env = o.Dir, o.Env
	var err error
	if x.in, err = x.server.StdinPipe(); err != nil {
		return err
	}
	out, err := x.server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := x.server.Start(); err != nil {
		return err
	}
	go x.read(out)
	_, err = x.answer() // of new-session
	return err
}

// read reads what tmux says: answers to commands, and that the program has written something.
func (x *Terminal) read(out io.Reader) {
	defer close(x.answers)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	var text []string
	block := ""
	for lines.Scan() {
		line := lines.Text()
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case block != "" && rest == block && (kind == "%end" || kind == "%error"):
			x.answers <- answer{strings.Join(text, "\n"), kind == "%error"}
			block, text = "", nil
		case block != "":
			text = append(text, line)
		case kind == "%begin":
			block = rest
		case kind == "%output":
			x.touch()
		}
	}
}

func (x *Terminal) touch() {
	select {
	case x.changed <- struct{}{}:
	default: // a look that is still to come sees this too
	}
}

func (x *Terminal) answer() (string, error) {
	a, ok := <-x.answers
	switch {
	case !ok:
		return "", errors.New("tmux has ended")
	case a.failed:
		return "", fmt.Errorf("tmux: %s", a.text)
	}
	return a.text, nil
}

// do has tmux do something.
func (x *Terminal) do(words ...string) (string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, word := range words {
		words[i] = quoted(word)
	}
	if _, err := io.WriteString(x.in, strings.Join(words, " ")+"\n"); err != nil {
		return "", fmt.Errorf("tmux: %w", err)
	}
	return x.answer()
}

// escapes are the characters that mean something else between double quotes, and those that would end the command.
var escapes = strings.NewReplacer("\\", "\\\\", `"`, `\"`, "$", `\$`, "\n", `\n`, "\r", `\r`, "\x1b", `\e`)

// quoted is a word as tmux reads it.
func quoted(word string) string { return `"` + escapes.Replace(word) + `"` }

// Close ends the server, and with it what runs in it.
func (x *Terminal) Close() error {
	_, _ = x.do("kill-server") // it ends before it answers
	x.in.Close()
	_ = x.server.Wait()
	return os.RemoveAll(x.folder)
}
