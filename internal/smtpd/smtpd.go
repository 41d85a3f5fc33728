// Package smtpd runs OpenSMTPD for tests: a mail server that others wrote, on a port of this machine, which delivers to
// folders. It needs root, because the server gives its rights away when it begins.
package smtpd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Domain is the one that the server takes mail for.
const Domain = "example.org"

// A Server is a mail server that is running.
type Server struct {
	Port int
	dir  string
}

const patience = 20 * time.Second

// Start runs a server that knows these names of Domain, until the test ends. Where it cannot run the test is skipped, or fails
// if all must run.
func Start(t testing.TB, names ...string) *Server {
	t.Helper()
	program, err := exec.LookPath("smtpd")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/smtpd")
	}
	if err == nil && os.Getuid() != 0 {
		err = fmt.Errorf("it must be run by root")
	}
	if err != nil {
		without := "mail is NOT delivered by OpenSMTPD: run make opensmtpd: " + err.Error()
		if os.Getenv("CI") == "true" {
			t.Fatal(without)
		}
		t.Skip(without)
	}
	s, err := start(t, program, names)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Its spool and its socket have fixed places, so each server sees folders of its own there.
const inside = `set -e
mount --make-rprivate /
mkdir -p /var/spool/smtpd
mount --bind "$1/spool" /var/spool/smtpd
mount --bind "$1/run" "$(readlink -f /var/run)"
exec "$2" -d -f "$1/smtpd.conf"
`

func start(t testing.TB, program string, names []string) (*Server, error) {
	dir, err := os.MkdirTemp("", "smtpd") // the mail user must reach it, which t.TempDir may not allow
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	if s.Port, err = freePort(); err != nil {
		return nil, err
	}
	if err := s.write(names); err != nil {
		return nil, err
	}
	cmd := exec.Command("unshare", "--mount", "sh", "-c", inside, "sh", dir, program)
	out, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	said := &lines{}
	go said.read(out)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("smtpd said:\n%s", said)
		}
		os.RemoveAll(dir)
	})
	if err := s.wait(); err != nil {
		return nil, fmt.Errorf("%w; it said:\n%s", err, said)
	}
	return s, nil
}

func (s *Server) write(names []string) error {
	var boxes []string
	for _, name := range names {
		boxes = append(boxes, fmt.Sprintf("%q = daemon", name+"@"+Domain))
	}
	conf := fmt.Sprintf(`table boxes { %s }
listen on 127.0.0.1 port %d
action "box" maildir %q virtual <boxes>
match from any for domain %q action "box"
`, strings.Join(boxes, ", "), s.Port, filepath.Join(s.dir, "mail", "%{rcpt.user}"), Domain)
	for _, folder := range []string{"spool", "run", "mail"} {
		if err := os.Mkdir(filepath.Join(s.dir, folder), 0o711); err != nil {
			return err
		}
	}
	// Deliveries are made by the user daemon, who is 1 on every Debian.
	if err := os.Chown(filepath.Join(s.dir, "mail"), 1, 1); err != nil {
		return err
	}
	if err := os.Chmod(s.dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, "smtpd.conf"), []byte(conf), 0o600)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// wait returns when the server greets.
func (s *Server) wait() (err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); <-time.After(20 * time.Millisecond) {
		var c net.Conn
		if c, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port))); err != nil {
			continue
		}
		_ = c.SetDeadline(end)
		greeting, err := bufio.NewReader(c).ReadString('\n')
		c.Close()
		if strings.HasPrefix(greeting, "220") {
			return nil
		}
		return fmt.Errorf("smtpd greets with %q: %v", greeting, err)
	}
	return fmt.Errorf("smtpd does not listen: %w", err)
}

// A Letter is a mail as it was delivered.
type Letter struct {
	Header mail.Header
	Body   string // as it came, encoded
}

// Letters waits until a name has at least so many letters, and returns all that it has.
func (s *Server) Letters(ctx context.Context, name string, least int) ([]Letter, error) {
	for {
		found, err := filepath.Glob(filepath.Join(s.dir, "mail", name, "new", "*"))
		if err != nil {
			return nil, err
		}
		if len(found) >= least {
			return read(found)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return nil, fmt.Errorf("%s has %d letters, not %d: %w", name, len(found), least, ctx.Err())
		}
	}
}

func read(files []string) (all []Letter, err error) {
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		m, err := mail.ReadMessage(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		body, err := io.ReadAll(m.Body)
		f.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, Letter{m.Header, string(body)})
	}
	return all, nil
}

// lines are what a program said.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) read(from io.Reader) {
	for scan := bufio.NewScanner(from); scan.Scan(); {
		l.mu.Lock()
		l.text.WriteString(scan.Text() + "\n")
		l.mu.Unlock()
	}
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
