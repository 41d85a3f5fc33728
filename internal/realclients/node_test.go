package realclients

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"rein/internal/node"
)

// A program is a script of _node that is running.
type program struct {
	*testing.T
	lines <-chan []byte // what it prints; closed at its end
}

// A line is what stream.mjs and feed.mjs print.
type line struct {
	Type string          `json:"type"`
	ID   string          `json:"id"`
	Data json.RawMessage `json:"data"`
}

// script runs a script with what make node has installed.
func script(t *testing.T, name string, args ...string) *program {
	t.Helper()
	path := node.Need(t, "_node/node_modules/.package-lock.json", "the server is NOT tested with clients from npm")
	cmd := exec.CommandContext(t.Context(), path, append([]string{filepath.Join("_node", name)}, args...)...)
	cmd.WaitDelay = 5 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	lines, ended := make(chan []byte, 10_000), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(lines)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			lines <- bytes.Clone(scan.Bytes())
		}
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("%s: %v: %s", name, err, stderr.String())
		}
	}()
	t.Cleanup(func() { <-ended })
	return &program{t, lines}
}

// next returns the next line; ok is false after the last.
func (p *program) next() (text []byte, ok bool) {
	p.Helper()
	select {
	case text, ok = <-p.lines:
		return text, ok
	case <-time.After(patience):
		p.Fatal("it prints nothing")
		return nil, false
	}
}

// until collects lines up to one that is looked for, or to the last.
func (p *program) until(found func(line) bool) (all []line) {
	p.Helper()
	for {
		text, ok := p.next()
		if !ok {
			return all
		}
		var l line
		check(p, json.Unmarshal(text, &l))
		if all = append(all, l); found(l) {
			return all
		}
	}
}
