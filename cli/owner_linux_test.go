package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rein/app"
	"rein/sandbox/sandboxtest"
	"rein/terminal"
)

// A slowProvider answers half of what it is asked at once and the rest when it may.
type slowProvider struct {
	calls atomic.Int64
	came  chan struct{} // a call has got its first half
	rest  chan struct{} // closed: calls get their second half
}

const secretKey = "sk-owner-4711-0815-abcdefghijklmnop"

// newSlowDesk is a desk whose model is slow.
func newSlowDesk(t *testing.T, settings string) (*desk, *slowProvider) {
	t.Helper()
	p := &slowProvider{came: make(chan struct{}, 100), rest: make(chan struct{})}
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	d := newDesk(t, "when\nsay Hello.\n")
	d.env = []string{"DEMO_KEY=" + secretKey}
	d.file(".config/rein/rein.toml", "model = \"far\"\n[models.far]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \""+server.URL+"/v1\"\nkey_env = \"DEMO_KEY\"\n"+settings)
	return d, p
}

func (p *slowProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.calls.Add(1)
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return
	}
	say := func(text, more string) {
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}%s}]}\n\n", text, more)
		_ = http.NewResponseController(w).Flush()
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say("First half, ", "")
	p.came <- struct{}{}
	select {
	case <-p.rest:
	case <-r.Context().Done():
		return
	}
	say("second half.", `,"finish_reason":"stop"`)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// until waits for what other processes bring about.
func (d *desk) until(is func() bool) {
	d.t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); {
		if time.Now().After(deadline) {
			d.t.Fatalf("it did not happen within a minute; the owner's log:\n%s", readText(d.t, d.data("owner.log")))
		}
	}
}

func (d *desk) data(name string) string {
	return filepath.Join(d.home, ".local", "share", "rein", name)
}

// owner is the process that has the data open; 0: none has.
func (d *desk) owner() int {
	pid, _ := strconv.Atoi(strings.TrimSuffix(strings.Fields(d.rein("owner") + " process 0,")[1], ","))
	return pid
}

// rests waits until the owner has nothing to do and has noticed that its clients have gone.
func (d *desk) rests() {
	d.t.Helper()
	d.until(func() bool { return strings.Contains(d.rein("owner"), "no run has anything to do now; connected: 0") })
}

// signalled sends a signal to a process that the test started, or that one of these started.
func signalled(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}

// hasEnded reports whether a process is gone, or only waits for its parent to notice.
func hasEnded(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(state, "Z")
}

// logOut ends everything in the session of a terminal, as a log-out does: first it says so, then it kills.
func logOut(t *testing.T, x *console) {
	t.Helper()
	session := x.cmd.Process.Pid // open starts it as the leader of one
	signalled(t, -session, syscall.SIGHUP)
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range all {
		pid, _ := strconv.Atoi(filepath.Base(entry))
		if sid, err := unix.Getsid(pid); err == nil && sid == session {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have gone by itself
		}
	}
}

// However somebody leaves, and whatever becomes of the terminal, the run goes on: the call that was in
// progress reaches its end, and is made once.
//
// Covers: LAW-10
func TestRunGoesOn(t *testing.T) {
	t.Parallel()
	const leaves = "continues in process "
	ways := []struct {
		name  string
		leave func(*testing.T, *console)
		says  string
	}{
		{"kill -9 of rein run", func(t *testing.T, x *console) { signalled(t, x.cmd.Process.Pid, syscall.SIGKILL) }, ""},
		{"log-out", logOut, ""},
		{"SIGHUP", func(t *testing.T, x *console) { signalled(t, x.cmd.Process.Pid, syscall.SIGHUP) }, leaves},
		{"SIGTERM", func(t *testing.T, x *console) { signalled(t, x.cmd.Process.Pid, syscall.SIGTERM) }, leaves},
		{"Ctrl-\\", func(_ *testing.T, x *console) { x.types("\x1c") }, leaves},
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			d, p := newSlowDesk(t, "")
			x := d.open("run", "Tell me.")
			<-p.came
			x.sees("First half,")
			run, owner := d.theRun(), d.owner()
			way.leave(t, x)
			<-x.ended
			if way.says != "" && !strings.Contains(x.text(), "run "+run+" "+way.says+strconv.Itoa(owner)+": `rein resume "+run+"` follows it") {
				t.Errorf("it does not say what becomes of the run:\n%s", x.text())
			}
			if now := d.owner(); now != owner || owner == x.cmd.Process.Pid {
				t.Errorf("the owner was %d and is %d; rein run was %d", owner, now, x.cmd.Process.Pid)
			}
			close(p.rest)
			d.until(func() bool { return strings.Contains(d.rein("show", run), "First half, second half.") })
			if n := p.calls.Load(); n != 1 {
				t.Errorf("%d calls were made, want 1", n)
			}
		})
	}
}

func init() { emulate = runInWindow } // the other systems have no such terminals

// runInWindow runs the command that it is given in a terminal whose only other side is this process.
func runInWindow() {
	mine, theirs, err := newTerminal(80)
	if err == nil {
		cmd := exec.Command(os.Args[1], os.Args[2:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		err = cmd.Start()
		theirs.Close()
	}
	if err == nil {
		_, err = io.Copy(os.Stdout, mine) // until the other side closes
	}
	fmt.Fprintln(os.Stderr, err)
}

// The window is killed in which rein run runs: the kernel hangs up, rein run goes, and the run goes on.
//
// Covers: LAW-10
func TestWindowKilled(t *testing.T) {
	t.Parallel()
	d, p := newSlowDesk(t, "")
	program := d.link()
	window := exec.Command(filepath.Join(d.home, "emulator"), program, "run", "Tell me.")
	if err := os.Symlink(program, window.Path); err != nil {
		t.Fatal(err)
	}
	window.Dir, window.Env = d.home, d.environ()
	if err := window.Start(); err != nil {
		t.Fatal(err)
	}
	<-p.came
	run, owner := d.theRun(), d.owner()
	children := childrenOf(t, window.Process.Pid)
	follower, err := strconv.Atoi(strings.TrimSpace(children))
	if err != nil || follower == owner {
		t.Fatalf("the window has %q as its child, and %d owns the data", children, owner)
	}
	if err := window.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = window.Wait()
	d.until(func() bool { return hasEnded(follower) })
	close(p.rest)
	d.until(func() bool { return strings.Contains(d.rein("show", run), "First half, second half.") })
	if n, now := p.calls.Load(), d.owner(); n != 1 || now != owner {
		t.Errorf("%d calls were made, want 1; the owner was %d and is %d", n, owner, now)
	}
}

// childrenOf lists the children of a process, whichever of its threads started them.
func childrenOf(t *testing.T, pid int) (children string) {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range threads {
		list, _ := os.ReadFile(file) // the thread may have ended
		children += string(list)
	}
	return children
}

// Ctrl-C stops the run, wherever it is driven, and the second one leaves; what it says is true.
func TestStopInBackground(t *testing.T) {
	t.Parallel()
	d, p := newSlowDesk(t, "")
	x := d.open("run", "Tell me.")
	<-p.came
	x.sees("First half,")
	run := d.theRun()
	x.types("\x03")
	x.sees("stopping the run; Ctrl-C again leaves at once")
	x.types("\x03")
	<-x.ended // it may have ended before the second one came
	if text := x.text(); !strings.Contains(text, "run "+run+" is being stopped by process ") && !strings.Contains(text, "stopped") {
		t.Errorf("the screen:\n%s", text)
	}
	d.until(func() bool { return strings.Contains(d.rein("runs"), " stopped ") })
}

// The owner is killed: a terminal that follows starts another, which makes the call again; without one, the
// next command does. Nothing is lost, and the answer is there once.
//
// Covers: LAW-10
func TestOwnerKilled(t *testing.T) {
	t.Parallel()
	d, p := newSlowDesk(t, "")
	x := d.open("run", "Tell me.")
	<-p.came
	run, owner := d.theRun(), d.owner()
	signalled(t, owner, syscall.SIGKILL)
	x.sees("the process that drove the run is gone; process ")
	<-p.came
	second := d.owner()
	if second == owner || second == x.cmd.Process.Pid || second == 0 {
		t.Errorf("the owner is %d, after %d", second, owner)
	}
	signalled(t, x.cmd.Process.Pid, syscall.SIGKILL)
	<-x.ended
	signalled(t, second, syscall.SIGKILL)
	d.until(func() bool { return d.owner() == 0 })
	close(p.rest)
	y := d.open("resume", run)
	y.ends(exitOK)
	y.sees("First half, second half.")
	if n := p.calls.Load(); n != 3 {
		t.Errorf("%d calls were made, want 3", n)
	}
	if out := d.rein("audit", "verify"); !strings.Contains(out, "nothing is wrong") {
		t.Error(out)
	}
	if n := strings.Count(d.rein("runs"), " done "); n != 1 {
		t.Errorf("%d runs are done:\n%s", n, d.rein("runs"))
	}
}

// A key reaches the owner by its environment: it is in no file and no argument. The socket and the log belong
// to the user alone.
func TestOwnerKeepsKeys(t *testing.T) {
	t.Parallel()
	d, p := newSlowDesk(t, "")
	x := d.open("run", "Tell me.")
	<-p.came
	owner := d.owner()
	environ := readText(t, fmt.Sprintf("/proc/%d/environ", owner))
	if !strings.Contains(environ, secretKey) {
		t.Error("the owner does not have the key")
	}
	if args := readText(t, fmt.Sprintf("/proc/%d/cmdline", owner)); strings.Contains(args, secretKey) {
		t.Errorf("the key is an argument: %q", args)
	}
	if sid, err := unix.Getsid(owner); err != nil || sid != owner {
		t.Errorf("its session is %d, %v, want its own", sid, err)
	}
	close(p.rest)
	x.ends(exitOK)
	d.until(func() bool { return d.owner() == 0 })
	entries, err := os.ReadDir(d.data(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can use %s: %v, %v", e.Name(), info, err)
		}
		if strings.Contains(readText(t, d.data(e.Name())), secretKey) {
			t.Errorf("the key is in %s", e.Name())
		}
	}
}

// An owner that nobody left anything to ends with the run; what is not at a terminal starts none.
func TestNoOwnerForNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	d.link()
	d.rein("run", "Hello.")
	x := d.open("run", "--foreground", "Hello.")
	x.ends(exitOK)
	if _, err := os.Stat(d.data("owner.log")); err == nil {
		t.Errorf("an owner was started:\n%s", readText(t, d.data("owner.log")))
	}
	x = d.open("run", "Hello.")
	x.ends(exitOK)
	d.until(func() bool { return strings.Contains(readText(t, d.data("owner.log")), "nobody needed it\n") })
	if log := readText(t, d.data("owner.log")); strings.Count(log, "\n") != 2 {
		t.Errorf("the log:\n%s", log)
	}
}

// An owner with a run that waits for a person ends when it was idle for long enough; the answer is recorded,
// and the next command goes on.
func TestIdleOwnerEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	d.env = []string{"REIN_OWNER_IDLE=1s"}
	x := d.open("run", "Ask.")
	x.sees("> ")
	x.types("\x04")
	x.ends(exitWaits)
	d.until(func() bool { return d.owner() == 0 })
	run := d.theRun()
	if out := d.rein("answer", d.theAsk(), "blue"); !strings.HasPrefix(out, "recorded for run "+run) {
		t.Error(out)
	}
	y := d.open("resume", run)
	y.sees("You said blue.")
	y.ends(exitOK)
}

// An idle owner with other keys, settings or version gives way to a new one; a busy one is used, and the
// terminal says so. One that rein owner stop ends keeps its runs.
func TestOwnerGivesWay(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("run", "Ask.")
	x.sees("> ")
	first, waits := d.owner(), d.theRun()
	d.env = []string{"OTHER_API_KEY=another"}
	y := d.open("run", "Ask.")
	y.sees("> ")
	y.sees("process " + strconv.Itoa(first) + " drives the run with the settings, keys and version that it started with; `rein owner stop` ends it")
	y.types("blue\n")
	y.ends(exitOK)
	x.types("\x04")
	x.ends(exitWaits)
	d.rests()
	z := d.open("run", "Hello.")
	z.ends(exitOK)
	d.until(func() bool {
		return strings.Contains(readText(t, d.data("owner.log")), "process "+strconv.Itoa(first)+" ends: it was dismissed")
	})
	if log := readText(t, d.data("owner.log")); strings.Count(log, " owns ") != 2 {
		t.Errorf("the log:\n%s", log)
	}
	z = d.open("resume", waits)
	z.sees("> ")
	if out := d.rein("owner", "stop"); !strings.HasPrefix(out, "process ") || !strings.HasSuffix(out, " has ended\n") {
		t.Error(out)
	}
	z.sees("the process that drove the run is gone; process ")
	z.types("blue\n")
	z.ends(exitOK)
}

// rein serve takes the place of an idle owner, and says how a busy one ends.
func TestServeAfterOwner(t *testing.T) {
	t.Parallel()
	d, p := newSlowDesk(t, "")
	x := d.open("run", "Tell me.")
	<-p.came
	run := d.theRun()
	if out := d.rein("serve", "--listen", "127.0.0.1:0"); !strings.Contains(out, "in the background, and drives runs: `rein owner stop` ends it") {
		t.Error(out)
	}
	x.types("\x1c")
	x.ends(exitLeft)
	close(p.rest)
	d.until(func() bool { return strings.Contains(d.rein("show", run), "second half.") })
	d.rests()
	y := d.open("serve", "--listen", "127.0.0.1:0")
	y.sees("Ctrl-C shuts it down")
	if out := d.rein("owner"); !strings.Contains(out, "rein serve at http://127.0.0.1:") {
		t.Error(out)
	}
	if out := d.rein("owner", "stop"); !strings.Contains(out, "not a background owner: `rein serve quit` ends it") {
		t.Error(out)
	}
	y.types("\x03")
	y.ends(exitOK)
}

// A disk that is full: the run does not start, no owner is left, and the words are the usual ones.
func TestOwnerOnFullDisk(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	folder := d.data("")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=64k,mode=0700"); err != nil {
		t.Skipf("no small file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	x := d.open("run", "Hello.")
	x.ends(exitWrong)
	x.sees("make room and try again")
	if pid := d.owner(); pid != 0 {
		t.Errorf("process %d has it open", pid)
	}
}

// If no owner can be started, the command drives the run itself, and says what that means.
func TestOwnerCannotStart(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	c := &call{env: []string{"HOME=" + t.TempDir()}}
	c.out = terminal.NewOutput(io.Discard, &stderr, c.env.Get)
	a, err := c.openBeside(t.Context(), func(context.Context, app.Place) error { return errors.New("no more processes") })
	if err != nil {
		t.Fatal(err)
	}
	if says := "the run stops when this terminal closes, because no background process could be started: no more processes"; !a.Owns() || !strings.Contains(stderr.String(), says) {
		t.Errorf("it owns the data: %t; it says:\n%s", a.Owns(), stderr.String())
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// Whoever is the first process of a container takes all others with it, so nothing is promised there.
func TestFirstProcess(t *testing.T) {
	for _, c := range []struct {
		pid, parent int
		want        bool
	}{{1, 0, true}, {7, 1, true}, {7, 6, false}} {
		if got := first(c.pid, c.parent); got != c.want {
			t.Errorf("process %d of %d: %t", c.pid, c.parent, got)
		}
	}
}

// needsSandbox leaves a test out where commands are not contained.
func needsSandbox(t *testing.T) {
	t.Helper()
	sandboxtest.Need(t) // without it commands are asked about each time
}

// A command that a run has left in the background keeps the owner for its usual time. The end of the run names it, and people
// see and end it.
func TestOwnerStaysForCommands(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	d := newDesk(t, `
when results=0
call execute_command {"command":"until test -e may-end; do sleep 0.05; done","background":true}

when
say It runs.
`)
	folder := filepath.Join(d.home, "work")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	x := d.open("run", "--root", folder, "Begin.")
	x.seesAfter("It has no network.", "> ")
	x.types("yes\r")
	x.ends(exitOK)
	owner := d.owner()
	if out := d.rein("owner"); owner == 0 || !strings.Contains(out, "commands in the background: 1") {
		t.Errorf("the owner is not there for it:\n%s", out)
	}
	list := d.rein("commands")
	id := regexp.MustCompile(`bg-[0-9a-f]+`).FindString(list)
	if id == "" || !strings.Contains(list, "until test -e may-end") {
		t.Fatalf("it is not listed:\n%s", list)
	}
	if out := x.text(); !strings.Contains(out, "command "+id+" still runs in the background: until test -e may-end") || !strings.Contains(out, "commands stop "+id) {
		t.Errorf("the end of the run does not name it:\n%s", out)
	}
	syscall.Kill(owner, syscall.SIGSTOP)
	said := d.rein("owner")
	syscall.Kill(owner, syscall.SIGCONT)
	if !strings.Contains(said, fmt.Sprintf("process %d has", owner)) {
		t.Errorf("of a process that is stopped it says %q", said)
	}
	if out := d.rein("commands", "stop", id); !strings.Contains(out, id+" was stopped") {
		t.Errorf("it was not stopped:\n%s", out)
	}
	if out := d.rein("commands"); !strings.Contains(out, "no command runs") {
		t.Errorf("it still runs:\n%s", out)
	}
}

// A command of the shell that is in progress goes on too, and has its effect once.
func TestCommandGoesOn(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	d := newDesk(t, `
when results=0
call execute_command {"command":"echo began >> log.txt; until test -e may-end; do sleep 0.05; done; echo ended >> log.txt"}

when
say The command has ended.
`)
	folder := filepath.Join(d.home, "work")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	x := d.open("run", "--root", folder, "--yes-to", "execute_command", "Wait for it.")
	log := func() string {
		text, _ := os.ReadFile(filepath.Join(folder, "log.txt"))
		return string(text)
	}
	d.until(func() bool { return log() == "began\n" })
	run := d.theRun()
	logOut(t, x)
	<-x.ended
	d.file("work/may-end", "")
	d.until(func() bool { return strings.Contains(d.rein("show", run), "The command has ended.") })
	if got := log(); got != "began\nended\n" {
		t.Errorf("the command wrote %q", got)
	}
}
