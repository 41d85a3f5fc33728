// Package talk brings what a person says in a channel, such as a chat or a webhook, to their assistant: as the answer to what
// they were shown last, as a message to the run that is working, or as the beginning of a run. It is a client like any other:
// it sends commands and reads views.
package talk

import (
	"cmp"
	"context"
	"slices"

	"rein"
	"rein/internal/consent"
	"rein/internal/digest"
	"rein/store"
)

// Flow is what a person in a channel talks to.
const Flow = "assist"

// An Engine is what runs and commands are sent to.
type Engine interface {
	Start(ctx context.Context, id rein.RunID, task rein.Task) (rein.RunInfo, error)
	Command(context.Context, rein.Command) (rein.Receipt, error)
	Say(ctx context.Context, id rein.RunID, task rein.Task, by, text string) (rein.Receipt, error)
}

// A Desk takes what people say. All of it is needed.
type Desk struct {
	Engine Engine
	Store  store.Reader
	// SessionFor returns the session that a message of a person belongs to now: the one of POST /chat.
	SessionFor func(ctx context.Context, who rein.Identity) (string, error)
	// Task returns the task that a run of this flow starts with. The desk adds whose it is, and the message.
	Task func(ctx context.Context, who rein.Identity, flow string) (rein.Task, error)
	// Answer answers an ask in the name of a person, with the checks of the API.
	Answer func(ctx context.Context, who rein.Identity, ask rein.AskID, answer rein.Answer) (rein.Receipt, error)
}

// Words are one thing that a person said.
type Words struct {
	Who     rein.Identity
	Key     string // names the words: the same key again is the same words
	Session string // from SessionFor; the same whenever the key is the same
	// Language is what the person speaks, such as nl; empty: that of the task.
	Language string
	Text     string
	Images   []rein.Image
	// Last is the ask that they were shown last, with the Shown that they saw. The zero value is none.
	Last Slip
	// Again says that the words may have been brought before, by a process that died.
	Again bool
}

// A Slip is an ask as somebody saw it.
type Slip struct {
	Ask   rein.AskID
	Shown string
}

// Heard is what became of words. One of the fields is set.
type Heard struct {
	Run      rein.RunID     // whose end is the reply
	Command  rein.CommandID // with Run: the message to it, which it may not get to read
	Answered rein.Answer    // to the ask that they were shown last
	Closed   bool           // they are an answer to an ask that takes none any more
	Which    []rein.Ask     // a yes or a no, and any of these could be meant
}

// Hear brings words to a session. It is safe to repeat.
func (d *Desk) Hear(ctx context.Context, w Words) (Heard, error) {
	id := rein.RunID("k-t" + digest.Listed(16, w.Who.Household, w.Who.User, w.Key))
	if w.Again {
		if heard, found, err := d.before(ctx, w, id); found || err != nil {
			return heard, err
		}
	}
	task, err := d.Task(ctx, w.Who, Flow)
	if err != nil {
		return Heard{}, err
	}
	task.Language = cmp.Or(w.Language, task.Language)
	task.Flow, task.Household, task.User, task.Session = Flow, w.Who.Household, w.Who.User, w.Session
	if heard, answered, err := d.answer(ctx, w, task.Language); answered || err != nil {
		return heard, err
	}
	open, err := d.Open(ctx, w.Who, w.Session)
	if err != nil {
		return Heard{}, err
	}
	if which := meant(open, w, task.Language); len(which) > 0 {
		return Heard{Which: which}, nil
	}
	if len(open) > 0 || len(w.Images) > 0 {
		return d.begin(ctx, w, id, task)
	}
	receipt, err := d.Engine.Say(ctx, id, task, w.Who.User, w.Text)
	if err != nil {
		return Heard{}, err
	}
	if receipt.Started != "" {
		return Heard{Run: receipt.Started}, nil
	}
	return Heard{Run: rein.AskID(receipt.Command).Run(), Command: receipt.Command}, nil
}

// begin starts a run beside one that waits: it reads no messages before it has its answer. A message to a run cannot have
// images, so one that has begins a run too.
func (d *Desk) begin(ctx context.Context, w Words, id rein.RunID, task rein.Task) (Heard, error) {
	task.Messages = append(slices.Clone(task.Messages), rein.Message{Role: rein.User, Text: w.Text, Images: w.Images})
	info, err := d.Engine.Start(ctx, id, task)
	return Heard{Run: info.ID}, err
}

// answer answers the ask that was shown last, if the words fit it.
func (d *Desk) answer(ctx context.Context, w Words, language string) (Heard, bool, error) {
	if w.Last.Ask == "" || len(w.Images) > 0 || !w.Who.May(rein.ScopeAnswer) {
		return Heard{}, false, nil
	}
	ask, err := d.Store.Ask(ctx, w.Last.Ask)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return Heard{}, false, nil
	}
	if err != nil {
		return Heard{}, false, err
	}
	given, fits := consent.Answer(ask, language, w.Text)
	if !fits {
		return Heard{}, false, nil
	}
	given.Shown = w.Last.Shown
	if ask.State == rein.AskPending {
		_, err = d.Answer(ctx, w.Who, ask.ID, given)
		if code := rein.CodeOf(err); code != rein.CodeClosed && code != rein.CodeFinished {
			return Heard{Answered: given}, true, err
		}
		if ask, err = d.Store.Ask(ctx, ask.ID); err != nil {
			return Heard{}, false, err
		}
	}
	switch {
	case w.Again && ask.State == given.State && ask.Answer.By == w.Who.User && ask.Answer.Text == given.Text:
		return Heard{Answered: given}, true, nil // these words closed it
	case ask.Kind == rein.AskQuestion:
		return Heard{}, false, nil // words like any other
	}
	return Heard{Closed: true}, true, nil
}

// Open returns what waits for a person in a session, the newest last.
func (d *Desk) Open(ctx context.Context, who rein.Identity, session string) (open []rein.Ask, err error) {
	for info, err := range d.Store.Runs(ctx, store.Filter{Session: session, Roots: true, Unfinished: true}) {
		if err != nil {
			return nil, err
		}
		asks, err := d.Store.Asks(ctx, store.AskFilter{Tree: info.ID, Pending: true})
		if err != nil {
			return nil, err
		}
		open = append(open, asks...)
	}
	return slices.DeleteFunc(open, func(a rein.Ask) bool { return a.For != "" && a.For != who.User }), nil
}

// meant returns the asks that a yes or a no could be an answer to, though none of them was shown last.
func meant(open []rein.Ask, w Words, language string) []rein.Ask {
	if len(w.Images) > 0 || consent.Read(language, w.Text) == consent.Neither {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(open), func(a rein.Ask) bool { return !consent.IsFor(a) })
}

// before finds what became of words that were brought before.
func (d *Desk) before(ctx context.Context, w Words, id rein.RunID) (Heard, bool, error) {
	_, err := d.Store.Run(ctx, id)
	if err == nil {
		return Heard{Run: id}, true, nil
	}
	if rein.CodeOf(err) != rein.CodeNotFound {
		return Heard{}, false, err
	}
	for info, err := range d.Store.Runs(ctx, store.Filter{Session: w.Session, Roots: true}) {
		if err != nil {
			return Heard{}, false, err
		}
		receipts, err := d.Store.Receipts(ctx, info.ID)
		if err != nil {
			return Heard{}, false, err
		}
		for _, r := range receipts {
			if r.Key == "say-"+string(id) { // as Engine.Say keys it
				return Heard{Run: info.ID, Command: r.Command}, true, nil
			}
		}
	}
	return Heard{}, false, nil
}

// Stop stops what works for a person in a session, and reports whether anything did.
func (d *Desk) Stop(ctx context.Context, who rein.Identity, session, key string) (stopped bool, err error) {
	for info, err := range d.Store.Runs(ctx, store.Filter{Session: session, Roots: true, Unfinished: true}) {
		if err != nil {
			return stopped, err
		}
		if !who.Changes(info.Household, info.User) {
			continue
		}
		_, err := d.Engine.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: info.ID, By: who.User, Key: key})
		if err != nil && rein.CodeOf(err) != rein.CodeFinished {
			return stopped, err
		}
		stopped = true
	}
	return stopped, nil
}
