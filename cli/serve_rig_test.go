package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/api"
)

// A home is a user's folder with settings and data, in which rein is called.
type home struct {
	*testing.T
	dir string
	env []string
	// patience is how long a process may live; zero means a minute.
	patience time.Duration
}

const houseScript = `
when turn=1 user~"Ask."
call ask_user {"question":"Which colour?","choices":["red","blue"]}

when tool~"blue"
say You said blue.

when user~"Think." attempt=1
hang

when user~"Think."
say Thought of.

when
say Hello.
`

// newHome makes a home whose model plays houseScript; more is what else the settings have.
func newHome(t *testing.T, more string) *home {
	t.Helper()
	h := &home{T: t, dir: t.TempDir()}
	h.env = append(os.Environ(), "HOME="+h.dir, "GORACE="+quickExit, "TZ=UTC", "REIN_FLOW=operate",
		"REIN_CONFIG=", "REIN_DATA=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=")
	h.write(".config/rein/rein.toml", "model = \"demo\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n"+more)
	h.write(".config/rein/demo.txt", houseScript)
	self, err := os.Executable()
	h.check(err)
	h.check(os.Symlink(self, filepath.Join(h.dir, "rein")))
	return h
}

func (h *home) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *home) write(name, text string) {
	h.Helper()
	name = filepath.Join(h.dir, name)
	h.check(os.MkdirAll(filepath.Dir(name), 0o700))
	h.check(os.WriteFile(name, []byte(text), 0o600))
}

func (h *home) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(h.patience, time.Minute))
	h.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(h.dir, "rein"), args...)
	cmd.Dir, cmd.Env = h.dir, h.env
	return cmd
}

// rein calls rein and returns what it prints, and its exit code.
func (h *home) rein(args ...string) (stdout, stderr string, code int) {
	h.Helper()
	cmd := h.command(args...)
	var out, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &wrong
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		h.Fatal(err)
	}
	return out.String(), wrong.String(), cmd.ProcessState.ExitCode()
}

// ok calls rein, wants it to succeed, and returns its output without the last line feed.
func (h *home) ok(args ...string) string {
	h.Helper()
	out, wrong, code := h.rein(args...)
	if code != exitOK {
		h.Fatalf("rein %s: exit %d\n%s%s", strings.Join(args, " "), code, out, wrong)
	}
	return strings.TrimSuffix(out, "\n")
}

// refuses calls rein and wants it to fail with the code, and words on standard error.
func (h *home) refuses(code int, says string, args ...string) {
	h.Helper()
	out, wrong, got := h.rein(args...)
	if got != code || !strings.Contains(wrong, says) || out != "" {
		h.Errorf("rein %s: exit %d, want %d and %q:\n%s%s", strings.Join(args, " "), got, code, says, out, wrong)
	}
}

// keptText keeps what a process writes, for who reads it meanwhile.
type keptText struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed with the next write, if someone waits for it
}

func (k *keptText) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.more != nil {
		close(k.more)
		k.more = nil
	}
	return k.text.Write(p)
}

// next returns the text, and what is closed when there is more of it.
func (k *keptText) next() (string, <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.more == nil {
		k.more = make(chan struct{})
	}
	return k.text.String(), k.more
}

func (k *keptText) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.String()
}

// A house is a home with rein serve running in it.
type house struct {
	*home
	cmd    *exec.Cmd
	banner string
	url    string
	link   string // that logs a browser in
	token  string // that requests bring
	errors *keptText
	ended  func() error
	client *http.Client
}

var bannerAddress = regexp.MustCompile(`(?m)^  address  (\S+)$`)

// serve starts rein serve on a port of its own and reads its banner.
func (h *home) serve(args ...string) *house {
	h.Helper()
	s := &house{home: h, errors: &keptText{}, client: &http.Client{}}
	s.cmd = h.command(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	out, err := s.cmd.StdoutPipe()
	h.check(err)
	s.cmd.Stderr = s.errors
	h.check(s.cmd.Start())
	lines := bufio.NewReader(out)
	for !strings.Contains(s.banner, "Ctrl-C shuts it down") {
		line, err := lines.ReadString('\n')
		s.banner += line
		if err != nil {
			_ = s.cmd.Wait()
			h.Fatalf("rein serve has ended:\n%s%s", s.banner, s.errors)
		}
	}
	go io.Copy(io.Discard, lines) //nolint:errcheck // it ends with the process
	s.ended = sync.OnceValue(s.cmd.Wait)
	h.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.ended()
		s.client.CloseIdleConnections()
	})
	address := bannerAddress.FindStringSubmatch(s.banner)
	if address == nil {
		h.Fatal(s.banner)
	}
	s.url, s.link = address[1], h.ok("login")
	return s
}

// end sends a signal and wants a clean end.
func (s *house) end(signal os.Signal) {
	s.Helper()
	s.check(s.cmd.Process.Signal(signal))
	if err := s.ended(); err != nil {
		s.Fatalf("%v\n%s", err, s.errors)
	}
}

// logs waits until the service has logged a line with the text, and returns the line.
func (s *house) logs(text string) string {
	s.Helper()
	for late := time.After(time.Minute); ; {
		all, more := s.errors.next()
		for line := range strings.Lines(all) {
			if strings.Contains(line, text) && strings.HasSuffix(line, "\n") {
				return line
			}
		}
		select {
		case <-more:
		case <-late:
			s.Fatalf("the service never logged %q, but:\n%s", text, all)
		}
	}
}

// withToken makes a token and lets requests bring it.
func (s *house) withToken(args ...string) *house {
	s.Helper()
	s.token = s.ok(append([]string{"tokens", "new", "test"}, args...)...)
	return s
}

// do sends a request. A body that is not a string is sent as JSON.
func (s *house) do(method, path string, body any, headers ...string) *http.Response {
	s.Helper()
	text, plain := body.(string)
	if !plain && body != nil {
		data, err := json.Marshal(body)
		s.check(err)
		text = string(data)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	s.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(text))
	s.check(err)
	if body != nil && !plain {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	s.check(err)
	s.Cleanup(func() { answer.Body.Close() })
	return answer
}

// call sends a request, wants the status, and returns the body.
func (s *house) call(status int, method, path string, body any, headers ...string) string {
	s.Helper()
	answer := s.do(method, path, body, headers...)
	text, err := io.ReadAll(answer.Body)
	s.check(err)
	if answer.StatusCode != status {
		s.Fatalf("%s %s: %s, want %d: %s", method, path, answer.Status, status, text)
	}
	return string(text)
}

// read sends a GET and reads the JSON of its answer.
func (s *house) read(path string, into any) {
	s.Helper()
	s.check(json.Unmarshal([]byte(s.call(http.StatusOK, "GET", path, nil)), into))
}

// start starts a run over HTTP.
func (s *house) start(text string) api.Started {
	s.Helper()
	var started api.Started
	body := api.NewRun{Task: rein.Task{Messages: []rein.Message{{Role: rein.User, Text: text}}}}
	s.check(json.Unmarshal([]byte(s.call(http.StatusCreated, "POST", "/v1/runs", body)), &started))
	return started
}

// follow reads the stream of a run until a line has the text, or to its end.
func (s *house) follow(run rein.RunID, until string) string {
	s.Helper()
	answer := s.do("GET", "/v1/runs/"+string(run)+"/events", nil, "Accept: text/event-stream")
	seen := ""
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		seen += lines.Text() + "\n"
		if until != "" && strings.Contains(lines.Text(), until) {
			return seen
		}
	}
	if until != "" {
		s.Fatalf("the stream of %s never had %q, but:\n%s", run, until, seen)
	}
	return seen
}

// finished waits for the end of a run and returns it.
func (s *house) finished(run rein.RunID) (info api.Run) {
	s.Helper()
	s.follow(run, "event: end")
	s.read("/v1/runs/"+string(run), &info)
	return info
}

// folder makes a folder that is no home and holds no data, and returns where it is.
func (h *home) folder(name string) string {
	h.Helper()
	dir := filepath.Join(h.dir, name)
	h.check(os.MkdirAll(dir, 0o700))
	return dir
}

// text reads a file of the home.
func (h *home) text(name string) string {
	h.Helper()
	data, err := os.ReadFile(filepath.Join(h.dir, name))
	h.check(err)
	return string(data)
}

// until waits for something that another process does.
func (h *home) until(what string, is func() bool) {
	h.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); {
		if time.Now().After(deadline) {
			h.Fatalf("it never was so: %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
