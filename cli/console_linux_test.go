package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A desk is a place with a home folder, settings and data, where people have terminals.
type desk struct {
	t       *testing.T
	home    string
	columns uint16   // of its terminals; 0: many
	env     []string // further variables
}

func newDesk(t *testing.T, script string) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir()}
	t.Cleanup(d.clear)
	folder := filepath.Join(d.home, ".config", "rein")
	settings := "model = \"demo\"\n[tools]\nroot = \"../..\"\nask = [\"list_directory\"]\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n"
	if err := errors.Join(
		os.MkdirAll(folder, 0o700),
		os.WriteFile(filepath.Join(folder, "rein.toml"), []byte(settings), 0o600),
		os.WriteFile(filepath.Join(folder, "demo.txt"), []byte(script), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	return d
}

// clear ends the background owner, before its folder goes.
func (d *desk) clear() {
	if _, err := os.Stat(filepath.Join(d.home, "rein")); err == nil {
		d.rein("owner", "stop")
	}
}

// A console is a program at a terminal, with a person before it.
type console struct {
	t   *testing.T
	cmd *exec.Cmd
	tty *os.File // the person's side

	mu     sync.Mutex
	screen bytes.Buffer
	grown  chan struct{}
	ended  chan error

	answered int // how much of the screen came before the newest answer
}

// link puts the program on the desk.
func (d *desk) link() string {
	d.t.Helper()
	self, err := os.Executable()
	name := filepath.Join(d.home, "rein")
	if _, missing := os.Lstat(name); err == nil && missing != nil {
		err = os.Symlink(self, name)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return name
}

// open starts rein in a terminal of its own.
func (d *desk) open(args ...string) *console {
	d.t.Helper()
	name := d.link()
	tty, theirs, err := newTerminal(cmp.Or(d.columns, 200))
	if err != nil {
		d.t.Fatal(err)
	}
	x := &console{t: d.t, tty: tty, grown: make(chan struct{}, 1), ended: make(chan error, 1)}
	x.cmd = exec.Command(name, args...)
	x.cmd.Dir = d.home
	x.cmd.Env = d.environ()
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = theirs, theirs, theirs
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	theirs.Close()
	read := make(chan struct{})
	go x.read(read)
	go func() {
		err := x.cmd.Wait()
		<-read
		x.ended <- err
	}()
	d.t.Cleanup(func() { _ = x.cmd.Process.Kill(); tty.Close() })
	return x
}

// environ is the variables of programs in a terminal.
func (d *desk) environ() []string {
	env := append(os.Environ(), "HOME="+d.home, "GORACE="+quickExit, "LANG=C.UTF-8", "TERM=xterm", "NO_COLOR=", "REIN_CONFIG=", "REIN_DATA=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "REIN_FLOW=operate", anyRoot)
	return append(env, d.env...)
}

// newTerminal returns both sides of a terminal.
func newTerminal(columns uint16) (mine, theirs *os.File, err error) {
	mine, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("this machine has no terminals: %w", err)
	}
	n, err := unix.IoctlGetInt(int(mine.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(mine.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(mine.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: columns})
	}
	return mine, theirs, err
}

func (x *console) read(done chan struct{}) {
	defer close(done)
	buffer := make([]byte, 4096)
	for {
		n, err := x.tty.Read(buffer)
		x.mu.Lock()
		x.screen.Write(buffer[:n])
		x.mu.Unlock()
		select {
		case x.grown <- struct{}{}:
		default:
		}
		if err != nil {
			return // EIO: the other side has closed
		}
	}
}

func (x *console) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return strings.ReplaceAll(x.screen.String(), "\r\n", "\n")
}

// sees waits until the screen shows the text.
func (x *console) sees(text string) {
	x.t.Helper()
	deadline := time.After(30 * time.Second)
	for !strings.Contains(x.text(), text) {
		select {
		case <-x.grown:
		case <-deadline:
			x.t.Fatalf("the screen never showed %q, but:\n%s", text, x.text())
		}
	}
}

// seesAfter waits until the screen shows the text somewhere after another.
func (x *console) seesAfter(before, text string) {
	x.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		if _, after, ok := strings.Cut(x.text(), before); ok && strings.Contains(after, text) {
			return
		}
		select {
		case <-x.grown:
		case <-deadline:
			x.t.Fatalf("the screen never showed %q after %q, but:\n%s", text, before, x.text())
		}
	}
}

func (x *console) types(line string) {
	x.t.Helper()
	if _, err := io.WriteString(x.tty, line); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits for the end and wants the exit code.
func (x *console) ends(code int) {
	x.t.Helper()
	select {
	case <-x.ended:
	case <-time.After(30 * time.Second):
		x.t.Fatalf("it does not end:\n%s", x.text())
	}
	if got := x.cmd.ProcessState.ExitCode(); got != code {
		x.t.Fatalf("exit %d, want %d:\n%s", got, code, x.text())
	}
}

// rein runs a command beside the terminals and returns what it prints.
func (d *desk) rein(args ...string) string {
	d.t.Helper()
	x := exec.Command(filepath.Join(d.home, "rein"), args...)
	x.Dir, x.Env = d.home, append(os.Environ(), "HOME="+d.home, "GORACE="+quickExit, "TZ=UTC", "REIN_FLOW=operate", anyRoot)
	x.Env = append(x.Env, d.env...)
	out, err := x.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		d.t.Fatal(err)
	}
	return string(out)
}

// shown is the digest of what the open ask of a run shows.
func (d *desk) shown(run string) string {
	d.t.Helper()
	_, digest, ok := strings.Cut(d.rein("answer", run), "\nshown ")
	if !ok {
		d.t.Fatal("the ask shows no digest")
	}
	digest, _, _ = strings.Cut(digest, "\n")
	return digest
}

// theAsk is the ID of what has waited longest.
func (d *desk) theAsk() string {
	d.t.Helper()
	lines := strings.Split(d.rein("asks", "--long"), "\n")
	if len(lines) < 2 {
		d.t.Fatal("nothing is open")
	}
	return strings.Fields(lines[1])[0]
}

// theRun is the ID of the newest unfinished run.
func (d *desk) theRun() string {
	d.t.Helper()
	lines := strings.Split(d.rein("runs", "--long"), "\n")
	if len(lines) < 2 {
		d.t.Fatal("there are no runs")
	}
	return strings.Fields(lines[1])[0]
}
