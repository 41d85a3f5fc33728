package script

import (
	"fmt"
	"slices"

	"rein"
)

// A Call is one call of Generate, in the order in which they began.
type Call struct {
	Request rein.ModelRequest
	Attempt int    // as the script counted it, from 1
	Entry   string // "file:line" of the entry that answered; empty: none matched

	// What became of it. A call that is still under way has neither.
	Reply rein.ModelReply
	Err   error
}

// Calls returns the calls so far.
func (m *Model) Calls() []Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	calls := make([]Call, len(m.calls))
	for i, c := range m.calls {
		calls[i] = *c
	}
	return calls
}

// Unused returns the entries that answered no call, as "file:line: when …", in the order of the
// file. A test that demands none has no dead lines in its script.
func (m *Model) Unused() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var unused []string
	for _, e := range m.entries {
		if !m.used[e] {
			unused = append(unused, fmt.Sprintf("%s:%d: %s", m.name, e.line, e.text))
		}
	}
	return unused
}

// begin chooses the entry for a request and records the call. One lock covers both, so that
// counted conditions see calls in the order in which they are recorded.
func (m *Model) begin(r rein.ModelRequest) (*view, *entry, *Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := newView(r, m.count.attempt(r))
	m.countNth(v)
	e := m.pick(v)
	// The caller may go on to use the slices that it passed.
	r.Messages, r.Offered = slices.Clone(r.Messages), slices.Clone(r.Offered)
	call := &Call{Request: r, Attempt: v.attempt}
	if e != nil {
		m.used[e] = true
		call.Entry = fmt.Sprintf("%s:%d", m.name, e.line)
	}
	if !m.Forget {
		m.calls = append(m.calls, call)
	}
	return v, e, call
}

func (m *Model) end(call *Call, reply rein.ModelReply, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	call.Reply, call.Err = reply, err
}

// countNth counts the call for every entry with an nth that it could be for, whichever entry
// answers in the end: otherwise nth=2 would depend on who took the first.
func (m *Model) countNth(v *view) {
	for i, e := range m.entries {
		if e.nth == nil || !e.holds(v) {
			continue
		}
		if v.nth == nil {
			v.nth = map[*entry]int{}
		}
		v.nth[e] = m.count.nth(i, v.req)
	}
}
