package cli

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein"
)

// detached starts rein serve --detach and connects to it. At the end of the test the server is killed, if it still runs.
func (h *home) detached(args ...string) *house {
	h.Helper()
	out := h.ok(append([]string{"serve", "--detach", "--listen", "127.0.0.1:0"}, args...)...)
	address := bannerAddress.FindStringSubmatch(out)
	if address == nil {
		h.Fatal(out)
	}
	s := &house{home: h, banner: out, url: address[1], errors: &keptText{}, client: &http.Client{}}
	pid := s.status().PID
	h.Cleanup(func() {
		s.client.CloseIdleConnections()
		_ = syscall.Kill(pid, syscall.SIGKILL) // its number is not used again while the test runs
	})
	return s
}

// status is what rein serve status --json prints of a server that runs.
func (h *home) status() (s serverState) {
	h.Helper()
	h.check(json.Unmarshal([]byte(h.ok("serve", "status", "--json")), &s))
	return s
}

// runsNot wants rein serve status to say that there is no server, with its exit code.
func (h *home) runsNot(says string) {
	h.Helper()
	for _, args := range [][]string{{"serve", "status"}, {"serve", "quit"}} {
		out, wrong, code := h.rein(args...)
		if code != exitWrong || !strings.Contains(out, says) {
			h.Errorf("rein %s: exit %d, want %d and %q:\n%s%s", strings.Join(args, " "), code, exitWrong, says, out, wrong)
		}
	}
	if out, _, code := h.rein("serve", "status", "--json"); code != exitWrong || !strings.Contains(out, `"running":false`) {
		h.Errorf("exit %d: %s", code, out)
	}
}

func (h *home) dataFile(name string) string { return filepath.Join(h.dir, ".local/share/rein", name) }

// A server in the background answers as soon as the command returns, in a session of its own, with its log for its
// user alone. It says where it is, and quits.
func TestServeDetach(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.runsNot("no process has ")
	s := h.detached().withToken()
	s.call(http.StatusOK, "GET", "/healthz", nil)
	info, err := os.Stat(h.dataFile("serve.log"))
	if err != nil || info.Mode().Perm() != 0o600 || !strings.Contains(h.text(".local/share/rein/serve.log"), `"url":"`+s.url+`"`) {
		t.Errorf("the log: %v, %v", info, err)
	}
	asking := s.start("Ask.")
	s.follow(asking.ID, `"ask.opened"`)
	h.until("the run is parked", func() bool { return h.status().Runs == 0 })
	state := h.status()
	if !state.Running || state.URL != s.url || state.Asks != 1 || state.Runs != 0 || state.Log != h.dataFile("serve.log") || state.Since.IsZero() {
		t.Errorf("%+v", state)
	}
	if group, err := syscall.Getpgid(state.PID); err != nil || group != state.PID {
		t.Errorf("process %d is in group %d: it has no session of its own (%v)", state.PID, group, err)
	}
	out := h.ok("serve", "status")
	for _, says := range []string{"address  " + s.url, "since    20", "version  ", "runs     0 running", "asks     1 waiting for a person; `rein asks` lists them", "log      "} {
		if !strings.Contains(out, says) {
			t.Errorf("rein serve status does not say %q:\n%s", says, out)
		}
	}
	if out := h.ok("serve", "quit"); !strings.Contains(out, "the server at "+s.url+" has ended") || !strings.Contains(out, "no run was in progress") {
		t.Error(out)
	}
	h.runsNot("no process has ")
	if _, err := os.Lstat(h.dataFile(socketName)); err == nil {
		t.Error("the socket is left")
	}
}

// The second server of a folder is refused with what ends the first, and leaves that one alone.
func TestServeDetachTwice(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").detached()
	s.refuses(exitWrong, "already serves "+filepath.Dir(s.dataFile("x")), "serve", "--detach", "--listen", "127.0.0.1:0")
	s.refuses(exitWrong, "`rein serve quit` ends it", "serve", "--detach", "--listen", "127.0.0.1:0")
	s.call(http.StatusOK, "GET", "/healthz", nil)
}

// Why a server cannot start is said where it was started, with the exit code that it has in the foreground.
func TestServeDetachFails(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	h.check(err)
	defer taken.Close()
	h.refuses(exitWrong, "another program uses "+taken.Addr().String(), "serve", "--detach", "--listen", taken.Addr().String())
	h.refuses(exitUsage, "--listen", "serve", "--detach", "--listen", "here")
	h.refuses(exitUsage, "--ready do not go together", "serve", "--detach", "--ready", "3")
	h.refuses(exitWrong, "has ended before it was ready", "serve", "--ready", "99", "--listen", "127.0.0.1:0")
	h.write("file", "")
	h.refuses(exitWrong, "rein: ", "serve", "--detach", "--listen", "127.0.0.1:0", "--data", filepath.Join(h.dir, "file", "data"))
	h.write("old/backup.db", "")
	h.refuses(exitUsage, "is a file, not a data folder", "serve", "--detach", "--listen", "127.0.0.1:0", "--data", filepath.Join(h.dir, "old/backup.db"))
	if left, err := os.ReadDir(filepath.Join(h.dir, "old")); err != nil || len(left) != 1 {
		h.Errorf("beside the backup are %v, %v", left, err)
	}
	if os.Getuid() != 0 { // root writes anywhere
		folder := h.folder("kept")
		h.check(os.Chmod(folder, 0o500))
		h.refuses(exitWrong, "cannot be written", "serve", "--detach", "--listen", "127.0.0.1:0", "--data", filepath.Join(folder, "data"))
	}
	h.write(".config/rein/rein.toml", "model = \"nothing\"\n")
	h.refuses(exitUsage, "nothing", "serve", "--detach", "--listen", "127.0.0.1:0")
	h.runsNot("no process has ")
}

// A server that was killed is reported as such, and the next one takes the place of its socket and continues its runs.
//
// Covers: LAW-10
func TestServeDetachKilled(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.detached().withToken()
	thinking := s.start("Think.")
	s.follow(thinking.ID, `"step.started"`)
	h.check(syscall.Kill(h.status().PID, syscall.SIGKILL))
	h.until("the server is dead", func() bool { _, _, code := h.rein("serve", "status"); return code == exitWrong })
	h.runsNot("did not shut down properly; its runs are kept")
	next := h.detached()
	next.token = s.token
	if info := next.finished(thinking.ID); info.Outcome == nil || info.Outcome.Text != "Thought of." {
		t.Errorf("the run came to %+v", info)
	}
	next.ok("serve", "quit")
}

// A run that is in progress when the server quits is named, and the next start continues it.
//
// Covers: LAW-10
func TestServeQuitKeepsRuns(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.detached().withToken()
	thinking := s.start("Think.")
	s.follow(thinking.ID, `"step.started"`)
	if state := h.status(); state.Runs != 1 {
		t.Errorf("%+v", state)
	}
	out := h.ok("serve", "quit")
	if !strings.Contains(out, "1 run in progress; `rein serve --detach` continues them:\n  "+string(thinking.ID)+"  Think.") {
		t.Error(out)
	}
	if got := h.ok("runs"); !strings.Contains(got, "Think.") {
		t.Errorf("the run is not kept:\n%s", got)
	}
	next := h.detached()
	next.token = s.token
	if info := next.finished(thinking.ID); info.Outcome == nil || info.Outcome.Text != "Thought of." {
		t.Errorf("the run came to %+v", info)
	}
	var ended struct {
		URL  string
		Runs []rein.RunInfo
	}
	h.check(json.Unmarshal([]byte(h.ok("serve", "quit", "--json")), &ended))
	if ended.URL != next.url || len(ended.Runs) != 0 {
		t.Errorf("%+v", ended)
	}
}

// A server that does not answer is not taken for one that has ended.
func TestServeStatusStopped(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.detached()
	pid := h.status().PID
	h.check(syscall.Kill(pid, syscall.SIGSTOP))
	h.refuses(exitWrong, "does not answer", "serve", "status")
	h.refuses(exitWrong, "does not answer", "serve", "quit")
	h.check(syscall.Kill(pid, syscall.SIGCONT))
	h.ok("serve", "quit", "--within", "20")
}

// A server in a terminal quits when it is asked to, and a command that owns the data is not a server.
func TestServeQuitForeground(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve()
	s.refuses(exitUsage, "it is 1 to 600 seconds", "serve", "quit", "--within", "0")
	s.refuses(exitUsage, "--within cannot be", "serve", "quit", "--within", "soon")
	if state := s.status(); state.Log != "" {
		t.Errorf("its log is on standard error, not in %s", state.Log)
	}
	s.ok("serve", "quit")
	if err := s.ended(); err != nil {
		t.Errorf("%v\n%s", err, s.errors)
	}
}

// A server that leaves at once, because it was to take no longer, did what was asked: a service manager that starts it
// again after a failure leaves it alone. Its log says so.
func TestServeQuitLate(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve().withToken()
	thinking := s.start("Think.")
	s.follow(thinking.ID, `"step.started"`)
	s.ok("serve", "quit", "--within", "1")
	if err := s.ended(); err != nil {
		t.Errorf("%v\n%s", err, s.errors)
	}
	if log := fmt.Sprint(s.errors); !strings.Contains(log, "left at once") {
		t.Errorf("its log does not say that it was late: %s", log)
	}
}
