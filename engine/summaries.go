package engine

import (
	"slices"
	"strings"
	"sync"

	"rein"
	"rein/engine/guard"
)

// summaries are what stands for the older part of prompts that are too long. The flow and the log
// keep the messages themselves: a prompt that wants no summaries gets them all.
type summaries struct {
	mu *sync.Mutex // the drive's, which guards it

	folded   []folded
	instead  []string // what people wanted done in place of the task
	failedAt int      // how long a prompt was whose summary failed; zero: the last one did not
}

// folded is a summary with what it stands for.
type folded struct {
	rein.Folded
	message rein.Message
}

// learnSummary takes in a summary that was made, or was not. After a failure none is tried until the
// prompt has grown, for each try costs a model call. It is called with mu held.
func (sm *summaries) learnSummary(s *sub) {
	if s == nil || s.start.Folds == nil || s.done == nil {
		return
	}
	if s.done.Failure != nil || s.done.Message == nil {
		sm.failedAt = s.start.Folds.Length
		return
	}
	sm.failedAt = 0
	sm.folded = append(sm.folded, folded{*s.start.Folds, *s.done.Message})
}

// learnInstead takes in what the flow has read from its Inbox. What is to be done instead of the task must
// stay in every prompt, as the task must. It is called with mu held.
func (sm *summaries) learnInstead(items []rein.Item) {
	for _, item := range items {
		if item.Kind == rein.CommandModify && item.Text != "" {
			sm.instead = append(sm.instead, item.Text)
		}
	}
}

// A foldOf is the summary that was found for a conversation, and how long that holds.
type foldOf struct {
	looked  bool
	known   int // there were so many summaries
	until   int // a longer one may fit a conversation of so many messages; zero: none
	found   *rein.Folded
	digests map[[2]int]rein.Hash // of the messages from..to
}

// longestSummary finds the summary that stands for most of the messages. It is found by the messages, not
// by where they are: a flow may send other instructions before them, or send them from another branch.
func (sm *summaries) longestSummary(c *conversation) *rein.Folded {
	sm.mu.Lock()
	known := slices.Clip(sm.folded)
	sm.mu.Unlock()
	f := &c.fold
	if !f.looked || f.known != len(known) || f.until > 0 && f.until <= len(c.messages) {
		f.lookUp(c.messages, known)
	}
	return f.found
}

func (f *foldOf) lookUp(messages []rein.Message, known []folded) {
	f.looked, f.known, f.until, f.found = true, len(known), 0, nil
	from := guard.Instructions(messages)
	known = slices.Clone(known)
	slices.SortStableFunc(known, func(a, b folded) int { return (b.To - b.From) - (a.To - a.From) })
	for _, one := range known {
		to := from + one.To - one.From
		if to > len(messages) {
			f.until = to
		} else if f.digest(messages, from, to) == one.Digest {
			one.From, one.To = from, to
			f.found = &one.Folded
			return
		}
	}
}

// digest is guard.PrefixDigest of messages[from:to]. The newest is remembered: it is asked for when a summary is made
// and when it is found again.
func (f *foldOf) digest(messages []rein.Message, from, to int) rein.Hash {
	if hash, ok := f.digests[[2]int{from, to}]; ok {
		return hash
	}
	hash := guard.PrefixDigest(messages[from:to])
	f.digests = map[[2]int]rein.Hash{{from, to}: hash}
	return hash
}

// pins are the places of the messages that are pinned, and how long that holds.
type pins struct {
	looked  bool
	asked   int // the newest message of a user was there
	instead int // so many things were to be done instead
	at      []int
}

// pinned finds what the run is to do: what the user says at the end of its task, and what was to be done
// instead since. A flow may have more around the latter. These messages stay beside a summary.
func (d *drive) pinned(c *conversation) []int {
	d.mu.Lock()
	instead := slices.Clip(d.summaries.instead)
	d.mu.Unlock()
	if p := &c.pins; !p.looked || p.asked != c.asked || p.instead != len(instead) {
		*p = pins{true, c.asked, len(instead), pinsIn(c.messages, d.task, instead)}
	}
	return c.pins.at
}

func pinsIn(messages []rein.Message, task rein.Task, instead []string) []int {
	var at []int
	pin := func(is func(string) bool) {
		for i := len(messages) - 1; i >= 0; i-- {
			if m := &messages[i]; m.Role == rein.User && m.Past == nil && !slices.Contains(at, i) && is(m.Text) {
				at = append(at, i)
				return
			}
		}
	}
	for _, m := range slices.Backward(task.Messages) {
		if m.Role != rein.User {
			break
		}
		pin(func(text string) bool { return text == m.Text })
	}
	for _, wanted := range instead {
		pin(func(text string) bool { return strings.Contains(text, wanted) })
	}
	slices.Sort(at)
	return at
}

// unfolded returns the messages as they are sent: with the summary in place of what it stands for.
func (d *drive) unfolded(c *conversation, folds *rein.Folded) []rein.Message {
	if folds == nil || folds.To > len(c.messages) {
		return c.messages
	}
	at := d.pinned(c)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.summaries.folded {
		if f.Digest == folds.Digest {
			return guard.Folded(c.messages, at, folds.From, folds.To, f.message)
		}
	}
	return c.messages
}

// marked returns the messages with those marked that are pinned.
func marked(messages []rein.Message, at []int) []rein.Message {
	messages = slices.Clone(messages)
	for _, i := range at {
		messages[i].Pinned = true
	}
	return messages
}
