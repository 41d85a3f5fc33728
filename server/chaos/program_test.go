package chaos

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rein/api/client"
)

// patience is never waited for unless something is wrong.
var patience = map[bool]time.Duration{false: 2 * time.Minute, true: 20 * time.Minute}[full]

// program builds the real rein once, with the race detector if the tests have it.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(built, "rein")
	args := []string{"build", "-o", path}
	if hasRaceDetector() {
		args = append(args, "-race")
		for _, quiet := range []string{"sqlite/lib", "libc", "memory"} { // as in the Makefile: then both share compiled packages
			args = append(args, "-gcflags=modernc.org/"+quiet+"=-race=false")
		}
	}
	out, err := exec.Command("go", append(args, "rein/cmd/rein")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return path, nil
})

// built is the folder of the program.
var built string

func TestMain(m *testing.M) {
	var err error
	if built, err = os.MkdirTemp("", "rein-chaos"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(built)
	os.Exit(code)
}

func hasRaceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-race" && s.Value == "true" {
			return true
		}
	}
	return false
}

// A process is rein serve.
type process struct {
	cmd     *exec.Cmd
	address string // host and port
	ended   chan struct{}
	err     error // of Wait, once it has ended
	errors  bytes.Buffer
}

// serve starts a process on the data of the folder, and returns when it listens.
func serve(dir, provider string) (*process, error) {
	path, err := program()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "rein.toml")
	if err := os.WriteFile(config, []byte(fmt.Sprintf(settings, provider)), 0o600); err != nil {
		return nil, err
	}
	p := &process{ended: make(chan struct{})}
	p.cmd = exec.Command(path, "serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "data"), "--root", filepath.Join(dir, "root"), "--config", config)
	p.cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	p.cmd.Stderr = &p.errors
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	at := make(chan string, 1)
	go func() {
		findAddress(out, at)
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	select {
	case p.address = <-at:
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("it ended at once: %w: %s", p.err, p.errors.String())
	case <-time.After(patience):
		return nil, errors.Join(errors.New("it does not begin to listen"), p.cmd.Process.Kill())
	}
}

const settings = `model = "slow"
[limits]
requests = 1000000
tokens = 1000000000
[models.slow]
kind = "openai"
model = "slow"
base_url = %q
api = "chat"
window = 200000
price_in = 0
price_out = 0
`

// findAddress reads what the process prints, to the end, and tells where it listens.
func findAddress(out io.Reader, at chan<- string) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) == 2 && fields[0] == "address" {
			at <- strings.TrimPrefix(fields[1], "http://")
		}
	}
}

// audit verifies the data of the folder, and that all is there that a head covers.
func audit(dir, head string) error {
	path, err := program()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "audit", "verify", "--head", head, "--data", filepath.Join(dir, "data"))
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("rein audit verify: %w:\n%s", err, out)
	}
	return nil
}

// signal sends a signal and waits for the end.
func (p *process) signal(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil {
		return err
	}
	return p.wait()
}

func (p *process) wait() error {
	select {
	case <-p.ended:
		return nil
	case <-time.After(patience):
		return errors.Join(errors.New("it does not end"), p.cmd.Process.Kill())
	}
}

// complaint is what the race detector or a panic has left behind.
func (p *process) complaint() string {
	for _, word := range []string{"DATA RACE", "panic:", "fatal error:"} {
		if text := p.errors.String(); strings.Contains(text, word) {
			return text
		}
	}
	return ""
}

// inside is the way to the process that no proxy is on.
func inside(dir string) *client.Client {
	return client.Unix(filepath.Join(dir, "data", "rein.sock"))
}

// soon is a context with a limit that is only met if something is wrong.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}
