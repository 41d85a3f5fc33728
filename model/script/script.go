// Package script is a model that plays a text file, for tests and demos. What the request contains
// (its phase, its turn, its last message …) selects an entry of the file. Clocks and randomness
// play no role, so a call that is repeated after a crash gets the same answer. The file can also
// order faults: slow, cut, malformed, failing and misbehaving replies. docs/script.md describes the
// format.
package script

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"

	"rein"
)

// A Model plays a parsed script. It is safe for concurrent use, and must not be copied.
type Model struct {
	// Hook, if not nil, is called at the start of each call, before anything is matched. It may
	// block, so that a test can hold a call open. Set it before the first call.
	Hook func(rein.ModelRequest)

	// Forget keeps no calls, for benchmarks whose memory must not grow.
	Forget bool

	name    string // of the file, for messages
	info    rein.ModelInfo
	entries []*entry

	mu    sync.Mutex
	calls []*Call
	used  map[*entry]bool
	count counter
}

var _ rein.Model = (*Model)(nil)

// Parse reads a script. The name stands in messages where a file's name would. The error has
// CodeInvalid and names the line, what is wrong with it and what would be right.
func Parse(name string, text []byte) (*Model, error) {
	p := parser{name: name, lines: splitLines(text), info: rein.ModelInfo{Name: "script"}}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return &Model{name: name, info: p.info, entries: p.entries, used: map[*entry]bool{}, count: newCounter()}, nil
}

// maxFile bounds a script.
const maxFile = 4 << 20

// ReadFile reads the script at the path.
func ReadFile(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "read script: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, rein.Errorf(rein.CodeInvalid, "read script: %w", err)
	case len(text) > maxFile:
		return nil, rein.Errorf(rein.CodeInvalid, "read script: %s has more than %d bytes", path, maxFile)
	}
	return Parse(filepath.Base(path), text)
}

// Info returns what the header of the script says.
func (m *Model) Info() rein.ModelInfo { return m.info }

// Generate answers with the first entry whose conditions hold. If none does, the error has
// CodeInvalid (trying again would not help) and names the entries that came nearest.
func (m *Model) Generate(ctx context.Context, r rein.ModelRequest, show func(text string)) (rein.ModelReply, error) {
	if m.Hook != nil {
		m.Hook(r)
	}
	v, e, call := m.begin(r)
	var reply rein.ModelReply
	var err error
	if e == nil {
		err = m.miss(v)
	} else {
		reply, err = m.play(ctx, e, v, show)
	}
	m.end(call, reply, err)
	return reply, err
}

// pick returns the first entry that answers, or nil.
func (m *Model) pick(v *view) *entry {
	for _, e := range m.entries {
		if e.answers(v) {
			return e
		}
	}
	return nil
}
