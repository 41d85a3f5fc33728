package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/sandbox"
)

// A process is the program of a server, while it runs.
type process struct {
	in     io.WriteCloser // what it reads
	out    io.ReadCloser  // what it writes
	words  *stderr
	exited chan struct{}
	term   func() // asks it to end
	kill   func() // ends it, and everything that it started
	ending sync.Once
}

// How long a program may take to end: after nothing more comes to it, and after it was asked to.
const (
	endGrace  = 2 * time.Second
	termGrace = 2 * time.Second
)

// end ends the program and everything that it started.
func (p *process) end() {
	p.ending.Do(func() {
		_ = p.in.Close()
		if !p.waitFor(endGrace) {
			p.term()
			p.waitFor(termGrace)
		}
		p.kill()
		<-p.exited
		_ = p.out.Close()
	})
}

func (p *process) waitFor(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// start starts the program of a server, for one person if it has credentials of theirs.
func (h *Hub) start(ctx context.Context, s Server, who Owner) (*process, error) {
	env, err := h.variables(ctx, s, who)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(h.o.Folder, folderName(s, who))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	words, err := newStderr(folder+".log", h.o.Filter(whose(s, who)))
	if err != nil {
		return nil, err
	}
	begin := h.startPlain
	if s.Sandbox {
		begin = h.startBoxed
	}
	p, err := begin(s, folder, env, words)
	if err != nil {
		words.close()
		return nil, rein.Errorf(rein.CodeUnavailable, "MCP server %s was not started: %w", s.Name, err)
	}
	return p, nil
}

// folderName is what the folder of a server's program is called, and its log. A place can have any characters. A program
// with credentials of a person has a folder of its own: it may keep there what they are good for.
func folderName(s Server, who Owner) string {
	switch {
	case who != Owner{}:
		return s.Family() + "-" + digest.Joined(8, s.Name, who.Household, who.User)
	case s.Place != "":
		return s.Family() + "-" + digest.Joined(8, s.Name)
	}
	return s.Name
}

// whose is the owner of what a connection meets: a person, or the household of the server.
func whose(s Server, who Owner) Owner {
	if who == (Owner{}) {
		who.Household = s.Household
	}
	return who
}

// startPlain starts a program as the user of rein, in a process group of its own.
func (h *Hub) startPlain(s Server, folder string, env []string, words *stderr) (*process, error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inRead.Close(), inWrite.Close())
	}
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = cmp.Or(s.Dir, folder), append(h.usual(), env...), endGrace
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inRead, outWrite, words
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	_, _ = inRead.Close(), outWrite.Close() // the program has its own
	if err != nil {
		return nil, errors.Join(err, inWrite.Close(), outRead.Close())
	}
	group := -cmd.Process.Pid
	p := &process{in: inWrite, out: outRead, words: words, exited: make(chan struct{})}
	p.term = func() { _ = syscall.Kill(group, syscall.SIGTERM) }
	p.kill = func() { _ = syscall.Kill(group, syscall.SIGKILL) }
	go func() {
		defer close(p.exited)
		_ = cmd.Wait()
		p.kill() // what it has started and left behind
		words.close()
	}()
	return p, nil
}

// startBoxed starts a program in the sandbox: its own folder can be written, and what the settings name.
func (h *Hub) startBoxed(s Server, folder string, env []string, words *stderr) (*process, error) {
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	limits := sandbox.Limits{CPU: -1, Output: -1, Written: -1}
	boxed, err := sandbox.Start(ctx, h.o.Report(), sandbox.Policy{
		Workspace: folder, ReadOnly: s.Read, Writable: s.Write, Hidden: h.o.Hidden, Network: s.Network, Limits: limits,
	}, sandbox.Command{Argv: s.Command, Env: append(h.path(), env...), Stdin: toServer, Stdout: fromServer, Stderr: words})
	if err != nil {
		cancel()
		return nil, err
	}
	p := &process{in: in, out: out, words: words, exited: make(chan struct{}), term: cancel, kill: cancel}
	go func() {
		defer close(p.exited)
		result, err := boxed.Wait()
		cancel()
		fromServer.CloseWithError(fmt.Errorf("the program ended with exit code %d: %w", result.ExitCode, errors.Join(err, io.EOF)))
		_ = toServer.Close()
		words.close()
	}()
	return p, nil
}

// usual are the variables that every program gets: where programs and its user's files are, and the language.
func (h *Hub) usual() []string {
	all := h.path()
	for _, name := range []string{"HOME", "LANG", "TMPDIR"} {
		if value := h.o.Getenv(name); value != "" {
			all = append(all, name+"="+value)
		}
	}
	return all
}

func (h *Hub) path() []string {
	if value := h.o.Getenv("PATH"); value != "" {
		return []string{"PATH=" + value}
	}
	return nil
}

// variables are those of the settings, with their values.
func (h *Hub) variables(ctx context.Context, s Server, who Owner) (all []string, err error) {
	values, err := h.values(ctx, s, who)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all = append(all, name+"="+values[name])
	}
	return all, err
}

// A Filter takes secrets out of a text that comes in pieces.
type Filter interface {
	Write(text string) string
	Cut() string
}

// A stderr is what a program writes for people. Its beginning is kept in a file, and its end in memory for errors.
type stderr struct {
	mu     sync.Mutex
	file   *os.File
	filter Filter
	kept   int
	tail   string
}

const (
	maxLog  = 1 << 20
	maxTail = 500
)

func newStderr(path string, filter Filter) (*stderr, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &stderr{file: file, filter: filter}, nil
}

// Write implements io.Writer. It never fails: a program must not stop because nobody reads its words.
func (e *stderr) Write(data []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.keep(e.filter.Write(strings.ToValidUTF8(string(data), "\uFFFD")))
	return len(data), nil
}

func (e *stderr) keep(text string) {
	if room := maxLog - e.kept; e.file != nil && room > 0 {
		n, _ := e.file.WriteString(text[:min(len(text), room)])
		e.kept += n
	}
	if e.tail += text; len(e.tail) > maxTail {
		e.tail = e.tail[len(e.tail)-maxTail:]
	}
}

func (e *stderr) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.file != nil {
		e.keep(e.filter.Cut())
		_ = e.file.Close()
		e.file = nil
	}
}

// said is the end of what the program wrote, for an error.
func (e *stderr) said() string {
	if e == nil {
		return ""
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if text := strings.Join(strings.Fields(e.tail), " "); text != "" {
		return "; the program wrote: " + strings.ToValidUTF8(text, "")
	}
	return ""
}
