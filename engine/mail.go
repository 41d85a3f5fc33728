package engine

import (
	"slices"

	"rein"
)

// mail is what has reached a run from outside, as far as its driver has read it.
type mail struct {
	seen        int64            // the newest command
	ending      rein.CommandKind // the strongest command that ends the run
	inbox       []rein.Item      // not read by the flow yet
	interrupted bool             // a modify is among them
	paused      bool             // by a person; see held
	answers     map[rein.AskID]rein.Answer
	children    map[rein.RunID]bool // spawned here: has it ended?
}

func newMail() mail {
	return mail{answers: map[rein.AskID]rein.Answer{}, children: map[rein.RunID]bool{}}
}

// receive takes in a command.
func (m *mail) receive(run rein.RunID, ev rein.Event) error {
	c, err := rein.Payload[rein.Command](ev)
	if err != nil {
		return err
	}
	m.seen = ev.Seq
	kind := ev.Kind.Command()
	switch kind {
	case rein.CommandAnswer:
		m.answers[c.Ask] = c.Answer
	case rein.CommandExpire:
		m.answers[c.Ask] = rein.Answer{State: rein.AskExpired}
	case rein.CommandMessage, rein.CommandModify:
		m.inbox = append(m.inbox, rein.Item{Kind: kind, By: ev.By, Command: rein.NewCommandID(run, ev.Seq), Text: c.Text, Cause: c.Cause})
		m.interrupted = m.interrupted || kind == rein.CommandModify
	case rein.CommandStop, rein.CommandCancel, rein.CommandDelete:
		if kind.Force() > m.ending.Force() {
			m.ending = kind
		}
	case rein.CommandPause, rein.CommandResume:
		m.paused = kind == rein.CommandPause
	case rein.CommandChild:
		m.children[c.Child] = true
	}
	return nil
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
