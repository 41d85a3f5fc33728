package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// childEnv holds the spec of a child. Each cell is measured in a process of its own, which is this
// program again.
const childEnv = "REIN_BENCH_CHILD"

// patience bounds the life of a child.
const patience = 5 * time.Minute

// A spec says what a child does.
type spec struct {
	Task    string `json:"task"`
	Peer    string `json:"peer,omitempty"`
	Dir     string `json:"dir,omitempty"` // for its store
	Base    string `json:"base,omitempty"`
	MockPID int    `json:"mock_pid,omitempty"`
	Profile string `json:"profile,omitempty"` // prefix of profiles to write

	Runs    int  `json:"runs,omitempty"`
	Warm    int  `json:"warm,omitempty"`
	Conc    int  `json:"conc,omitempty"`
	Steps   int  `json:"steps,omitempty"`
	Tokens  int  `json:"tokens,omitempty"`
	Delay   int  `json:"delay,omitempty"` // ms between tokens
	Wide    int  `json:"wide,omitempty"`  // bytes of a token that says when it was sent; 0: it does not
	Nodes   int  `json:"nodes,omitempty"`
	Depth   int  `json:"depth,omitempty"`
	Parked  bool `json:"parked,omitempty"`
	Compact bool `json:"compact,omitempty"` // of growPeer: older messages are summarised
	Hold    bool `json:"hold,omitempty"`    // keep everything open after the figures are told, to be killed
	Traced  bool `json:"traced,omitempty"`  // of the server: each run marks when it passes places on its way to the first token
	Places  int  `json:"places,omitempty"`  // for runs that are driven at once; 0: as many as by default

	Passages  int    `json:"passages,omitempty"`
	Server    string `json:"server,omitempty"` // the address of the API
	ServerPID int    `json:"server_pid,omitempty"`
	Token     string `json:"token,omitempty"`
	House     string `json:"house,omitempty"` // the address of rein serve itself, and a token for it
	HouseKey  string `json:"house_key,omitempty"`
	Followers int    `json:"followers,omitempty"`
	Stuck     int    `json:"stuck,omitempty"` // followers beside them that never read

	Launched int64 `json:"launched,omitempty"` // when the process was started, in ns since 1970
}

// figures are what a child measured, by name.
type figures map[string]float64

// tasks are what a child can be told to do.
var tasks = map[string]func(context.Context, spec) (figures, error){
	"work":    workCell,
	"first":   firstCell,
	"path":    pathCell,
	"park":    parkCell,
	"recover": recoverCell,
	"long":    longCell,
	"dirty":   dirtyCell,
	"cancel":  cancelCell,
	"starts":  startsCell,
	"apiwork": apiWorkCell,
	"fanout":  fanoutCell,
	"live":    liveCell,
	"index":   indexCell,
	"search":  searchCell,
	"recall":  recallCell,
	"embed":   embedCell,
	"screen":  screenCell,
}

func isChild() bool { return os.Getenv(childEnv) != "" }

// runChild does what the spec in the environment says and tells the figures on standard output.
func runChild() error {
	var s spec
	if err := json.Unmarshal([]byte(os.Getenv(childEnv)), &s); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch s.Task {
	case "mock":
		return serveMock()
	case "server":
		return serveAPI(ctx, s)
	}
	task, ok := tasks[s.Task]
	if !ok {
		return fmt.Errorf("there is no task %q", s.Task)
	}
	f, err := task(ctx, s)
	if err != nil {
		return err
	}
	if err := tell(f); err != nil || !s.Hold {
		return err
	}
	return untilAlone()
}

func tell(f figures) error { return json.NewEncoder(os.Stdout).Encode(f) }

// untilAlone returns when the parent has closed its end, or is gone.
func untilAlone() error {
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// A process is a child that is running.
type process struct {
	cmd    *exec.Cmd
	in     io.Closer
	errors bytes.Buffer
}

// launch starts a child, which is this program or a rival's, and returns what it tells.
func launch(ctx context.Context, program string, s spec) (*process, figures, error) {
	if program == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, nil, err
		}
		program = self
	}
	s.Launched = time.Now().UnixNano()
	data, err := json.Marshal(s)
	if err != nil {
		return nil, nil, err
	}
	p := &process{cmd: exec.CommandContext(ctx, program)}
	p.cmd.Env = append(os.Environ(), childEnv+"="+string(data))
	if s.Peer == plainPeer {
		p.cmd.Env = append(p.cmd.Env, "GOGC=100")
	}
	p.cmd.Stderr = &p.errors
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, nil, err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var f figures
	if err == nil {
		err = json.Unmarshal(line, &f)
	}
	if err != nil {
		waited := p.stop()
		return nil, nil, fmt.Errorf("cell %s %s: %w (%w): %s", s.Task, s.Peer, err, waited, p.errors.Bytes())
	}
	return p, f, nil
}

// stop lets the child come to its end.
func (p *process) stop() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}

// kill ends the child as a crash would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// cell runs one child to its end.
func (b *bench) cell(ctx context.Context, s spec) (figures, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p, f, err := b.launch(ctx, s)
	if err != nil {
		return nil, err
	}
	return f, p.stop()
}

func (b *bench) launch(ctx context.Context, s spec) (*process, figures, error) {
	b.cells++
	s.Base, s.MockPID = b.base, b.mock.cmd.Process.Pid
	if b.profiles != "" {
		s.Profile = fmt.Sprintf("%s/%02d-%s%s-%d", b.profiles, b.cells, s.Task, s.Peer, s.Conc)
	}
	program := ""
	if s.Peer == rivalPeer {
		program = b.rival
	}
	p, f, err := launch(ctx, program, s)
	if err == nil {
		fmt.Fprintf(b.log, "%s %s C=%d steps=%d: %v\n", s.Task, s.Peer, s.Conc, s.Steps, f)
	}
	return p, f, err
}
