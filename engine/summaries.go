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

// longestSummary finds the summary that stands for most of the messages. It is found by the messages, not
// by where they are: a flow may send other instructions before them, or send them from another branch.
func (sm *summaries) longestSummary(messages []rein.Message) *rein.Folded {
	sm.mu.Lock()
	known := slices.Clone(sm.folded)
	sm.mu.Unlock()
	from := guard.Instructions(messages)
	slices.SortStableFunc(known, func(a, b folded) int { return (b.To - b.From) - (a.To - a.From) })
	for _, f := range known {
		to := from + f.To - f.From
		if to <= len(messages) && guard.PrefixDigest(messages[from:to]) == f.Digest {
			f.From, f.To = from, to
			return &f.Folded
		}
	}
	return nil
}

// pinned marks what the run is to do: what the user says at the end of its task, and what was to be
// done instead since. A flow may have more around the latter.
func (d *drive) pinned(messages []rein.Message) []rein.Message {
	messages = slices.Clone(messages)
	pin := func(is func(string) bool) {
		for i, m := range slices.Backward(messages) {
			if m.Role == rein.User && m.Past == nil && !m.Pinned && is(m.Text) {
				messages[i].Pinned = true
				return
			}
		}
	}
	for _, m := range slices.Backward(d.task.Messages) {
		if m.Role != rein.User {
			break
		}
		pin(func(text string) bool { return text == m.Text })
	}
	d.mu.Lock()
	instead := slices.Clone(d.summaries.instead)
	d.mu.Unlock()
	for _, wanted := range instead {
		pin(func(text string) bool { return strings.Contains(text, wanted) })
	}
	return messages
}

// unfolded returns the messages as they are sent: with the summary in place of what it stands for.
func (d *drive) unfolded(messages []rein.Message, folds *rein.Folded) []rein.Message {
	if folds == nil || folds.To > len(messages) {
		return messages
	}
	messages = d.pinned(messages)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.summaries.folded {
		if f.Digest == folds.Digest {
			return guard.Folded(messages, folds.From, folds.To, f.message)
		}
	}
	return messages
}
