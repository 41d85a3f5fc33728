package engine

import (
	"slices"
	"strings"
	"sync"

	"rein"
)

// mail is what has reached a run from outside, as far as its driver has read it. Commands are rows
// before they are here: a drive that misses one is refused by the store when it parks or ends, because
// it names the newest that it has seen.
type mail struct {
	mu *sync.Mutex // the drive's, which guards it

	seen        int64            // the newest command
	ending      rein.CommandKind // the strongest command that ends the run
	inbox       []rein.Item      // not read by the flow yet
	interrupted bool             // a modify is among them
	paused      bool             // by a person; see held
	mode        rein.Mode        // that the run started with or that people set since; see drive.mode
	answers     map[rein.AskID]rein.Answer
	children    map[rein.RunID]bool // spawned here: has it ended?
	forks       []rein.RunID        // those of them that tools forked, in the order of their handles
}

// receive takes in a command. Commands come in the order of the log, and each one once.
func (m *mail) receive(run rein.RunID, ev rein.Event) error {
	c, err := rein.Payload[rein.Command](ev)
	if err != nil {
		return err
	}
	// What counts as seen includes commands that change nothing here, such as comments: parking is refused for
	// every command that the driver has not read, whatever it says.
	m.seen = ev.Seq
	kind := ev.Kind.Command()
	switch kind {
	case rein.CommandAnswer:
		m.answers[c.Ask] = c.Answer
	case rein.CommandExpire:
		m.answers[c.Ask] = rein.Answer{State: rein.AskExpired}
	case rein.CommandMessage, rein.CommandModify:
		m.inbox = append(m.inbox, rein.Item{Kind: kind, By: ev.By, Command: rein.NewCommandID(run, ev.Seq), Text: c.Text, Cause: c.Cause, From: c.From})
		m.interrupted = m.interrupted || kind == rein.CommandModify
	case rein.CommandStop, rein.CommandCancel, rein.CommandDelete:
		// A run that is being stopped can still be deleted; the other way round changes nothing.
		if kind.Force() > m.ending.Force() {
			m.ending = kind
		}
	case rein.CommandPause, rein.CommandResume:
		m.paused = kind == rein.CommandPause
	case rein.CommandMode:
		m.mode = c.Mode
	case rein.CommandChild:
		m.children[c.Child] = true
	}
	return nil
}

// learnChild takes in that this run has started another one. A child may have ended before its parent's own event
// was read: commands and the driver's events come from two writers. So what is known already is not set back.
func (m *mail) learnChild(run rein.RunID) {
	if _, known := m.children[run]; !known {
		m.children[run] = false
	}
}

// learnFork is learnChild for a child that a tool forked. The log has forks in the order of their handles.
func (m *mail) learnFork(run rein.RunID) {
	m.learnChild(run)
	m.forks = append(m.forks, run)
}

// fork returns the fork with a handle, or "".
func (m *mail) fork(handle int) rein.RunID {
	m.mu.Lock()
	defer m.mu.Unlock()
	if handle < 1 || handle > len(m.forks) {
		return ""
	}
	return m.forks[handle-1]
}

// handleOf returns the handle of a fork.
func (m *mail) handleOf(run rein.RunID) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Index(m.forks, run) + 1
}

// fromPeople returns what people sent and the flow has not read: another run's message starts no run of the session.
func (m *mail) fromPeople() []rein.Item {
	return slices.DeleteFunc(slices.Clone(m.inbox), func(item rein.Item) bool { return item.From != "" })
}

// read takes out what a flow has read.
func (m *mail) read(items []rein.Item) {
	m.inbox = slices.DeleteFunc(m.inbox, func(unread rein.Item) bool {
		return slices.ContainsFunc(items, func(read rein.Item) bool { return read.Command == unread.Command })
	})
	m.interrupted = slices.ContainsFunc(m.inbox, func(item rein.Item) bool { return item.Kind == rein.CommandModify })
}

// sticky returns the error that every verb returns once the run is ending.
func sticky(ending rein.CommandKind) *rein.Error {
	switch ending {
	case rein.CommandStop:
		return rein.ErrStopped
	case rein.CommandCancel:
		return rein.ErrCancelled
	case rein.CommandDelete:
		return rein.ErrDeleted
	}
	return nil
}

// endingNow returns the command that ends the run, if one came.
func (m *mail) endingNow() rein.CommandKind {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ending
}

func (m *mail) heldNow() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.held()
}

// isAnswered reports whether a person has answered the ask. That its deadline has passed is no answer.
func (m *mail) isAnswered(ask rein.Ask) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	answer, closed := m.answers[ask.ID]
	return closed && answer.State != rein.AskExpired
}

// isClosed reports whether an ask was answered, or its time is over.
func (m *mail) isClosed(ask rein.Ask) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, closed := m.answers[ask.ID]
	return closed
}

// interruption returns the error that ends a wait: the run is ending, or a modify wants something else to
// be done, and stands until the flow has read its Inbox. It is called with mu held.
func (m *mail) interruption() error {
	if m.ending != "" {
		return sticky(m.ending)
	}
	if m.interrupted {
		return rein.ErrInterrupted
	}
	return nil
}

func (m *mail) interruptedNow() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.interruption()
}

// isChild reports whether this run spawned the other one.
func (m *mail) isChild(run rein.RunID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.children[run]
	return known
}

// hasEnded reports whether the end of a child has come.
func (m *mail) hasEnded(child rein.RunID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.children[child]
}

// unfinished returns the children that have not ended, sorted, so that they are ended in the same order
// every time. It is called with mu held.
func (m *mail) unfinished() []rein.RunID {
	var list []rein.RunID
	for child, ended := range m.children {
		if !ended {
			list = append(list, child)
		}
	}
	slices.SortFunc(list, func(a, b rein.RunID) int { return strings.Compare(string(a), string(b)) })
	return list
}

// held reports whether nothing new may begin: the run is paused, and not being ended. A stop does not wait
// for a resume. It is called with mu held.
func (m *mail) held() bool { return m.paused && m.ending == "" }
