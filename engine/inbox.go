package engine

import (
	"slices"

	"rein"
	"rein/store"
)

// Inbox implements rein.Run. What it returns is recorded with the step, and the receipts of the messages
// say so in the same transaction; a replay returns the same, whatever has come since.
//
// A branch of a Parallel has no inbox: which branch reads a message first would be chance. No step is
// counted there.
func (b *branch) Inbox() ([]rein.Item, error) {
	if b.path != "" {
		return nil, nil
	}
	s := b.begin(inboxRequest)
	if s.rec.done != nil {
		return s.rec.done.Items, s.rec.done.Failure.Err()
	}
	items, err := s.readInbox()
	if err != nil {
		return nil, err
	}
	applied := make([]rein.CommandID, len(items))
	for i, item := range items {
		applied[i] = item.Command
	}
	s.branch.idle = 0
	s.run.note(store.Draft{
		Kind: rein.StepDone, Step: s.key, Data: &rein.StepEnd{Sig: s.req.sig, Verb: s.req.verb, Items: items}, Applied: applied,
	})
	return items, nil
}

// readInbox returns what people sent and the flow has not read, and the error of a run that is ending. A
// paused run waits here, before its next round.
func (s *step) readInbox() ([]rein.Item, error) {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	s.run.waitWhilePausedLocked()
	if s.run.mail.ending != "" {
		if s.branch.idle++; s.branch.idle > maxIdle {
			s.endStubborn(sticky(s.run.mail.ending))
		}
		return nil, sticky(s.run.mail.ending)
	}
	return slices.Clone(upTo(s.run.mail.inbox, maxText)), nil
}

// upTo returns the first items, with at most so many bytes of text; one message is never too long. What is
// left over comes with the next Inbox.
func upTo(items []rein.Item, most int) []rein.Item {
	size := 0
	for i, item := range items {
		if size += len(item.Text); size > most {
			return items[:i]
		}
	}
	return items
}
