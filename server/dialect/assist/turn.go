package assist

import (
	"context"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/journal/feed"
	"rein/server/shown"
	"rein/server/wire"
	"rein/store"
)

// A turn is one message of a person and what comes of it.
type turn struct {
	who        rein.Identity
	task       rein.Task
	text       string
	run        rein.RunID
	after      string // where its feed is followed from
	translator *Translator
	began      bool // before the turn did: it answers or steers
	// since is the command that the turn begins with, and steers says that it is a message that the run
	// may not get to read.
	since   rein.CommandID
	steers  bool
	reached bool // what the translator has seen includes it

	id rein.RunID // of the run that it starts, if it starts one; it also keys what it sends

	book   *shown.Book // of the client
	unseen bool        // the message would decide what the client was not shown
}

// begin brings a message to the caller's session: it answers what is open there, steers the run that is
// under way, or starts one.
//
// A message that is sent again with the key of one before is that one.
func (d *dialect) begin(ctx context.Context, who rein.Identity, flow, key string, body Request) (*turn, error) {
	ctx, cancel := wire.Lasting(ctx)
	defer cancel()
	session, err := d.SessionFor(ctx, who)
	if err != nil {
		return nil, err
	}
	task, err := d.Task(ctx, who, flow)
	if err != nil {
		return nil, err
	}
	task.Flow, task.Household, task.User, task.Session = flow, who.Household, who.User, session
	if body.Preset != "" {
		task.Flow, task.Preset = "", body.Preset
	}
	active, known, err := d.session(ctx, session)
	if err != nil {
		return nil, err
	}
	t := &turn{who: who, task: task, text: body.Message, id: api.NewRunID(time.Now()), book: d.clients.Of(who)}
	if key != "" {
		t.id = keyedID(who, key)
		if again, err := d.sentBefore(ctx, t); again || err != nil {
			return t, err
		}
	}
	answered, err := d.answerOpen(ctx, t, active)
	if answered || err != nil {
		return t, err
	}
	if !known {
		t.task.Messages = slices.Concat(t.task.Messages, body.messages())
	}
	return t, d.say(ctx, t, active)
}

// session returns the run that is under way in a session, and whether there was any.
func (d *dialect) session(ctx context.Context, session string) (active rein.RunID, known bool, err error) {
	for info, err := range d.Store.Runs(ctx, store.Filter{Session: session, Roots: true}) {
		if err != nil {
			return "", false, err
		}
		known = true
		if !info.Status.Ended() {
			active = info.ID
		}
	}
	return active, known, nil
}

// catchUp reads what there is of a run before the turn.
func (d *dialect) catchUp(ctx context.Context, t *turn, run rein.RunID) error {
	t.run, t.after, t.began, t.translator = run, "", true, NewTranslator(run, t.task.Language)
	for more := true; more; {
		var lines []feed.Line
		var err error
		lines, more, err = d.Feed.Page(ctx, run, feed.Options{Tree: true, After: t.after}, api.MaxLimit)
		if err != nil {
			return err
		}
		for _, line := range lines {
			t.translator.Recall(*line.Event)
			t.after = line.Cursor
		}
	}
	return nil
}

// say brings the message to the session as what it is.
func (d *dialect) say(ctx context.Context, t *turn, active rein.RunID) error {
	if active != "" {
		if err := d.catchUp(ctx, t, active); err != nil {
			return err
		}
	}
	receipt, err := d.Engine.Say(ctx, t.id, t.task, t.who.User, t.text)
	if err != nil {
		return err
	}
	t.since, t.steers = receipt.Command, receipt.Command != ""
	switch {
	case receipt.Started != "":
		t.started(receipt.Started)
	case commandRun(receipt.Command) != t.run: // another run has begun meanwhile
		return d.catchUp(ctx, t, commandRun(receipt.Command))
	}
	return nil
}

// started goes over to a run that the turn began.
func (t *turn) started(run rein.RunID) {
	t.run, t.after, t.began, t.since, t.steers, t.reached = run, "", false, "", false, true
	t.translator = NewTranslator(run, t.task.Language)
}

func commandRun(id rein.CommandID) rein.RunID {
	run, _, _ := strings.Cut(string(id), ":")
	return rein.RunID(run)
}
