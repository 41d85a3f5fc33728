package assist

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/internal/speech"
	"rein/journal/feed"
	"rein/server/shown"
	"rein/server/wire"
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

	book *shown.Book // of the client
	at   standing    // of the session when the message came
	asks bool        // the message does nothing: the person is asked what is open
	// before are the words above what is open, if it is not what follows a reply.
	before map[string]string
}

// language is that of the caller, as far as it is known.
func (t *turn) language() string { return t.task.Language }

// begin brings a message to the caller's session: it answers what is open there, steers the run that is at work, or starts
// one, also beside runs that wait for a person.
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
	at, err := d.standingOf(ctx, who, session)
	if err != nil {
		return nil, err
	}
	if task.Language, err = d.languageOf(ctx, task.Language, body.Message, at.newest); err != nil {
		return nil, err
	}
	t := &turn{who: who, task: task, text: body.Message, id: api.NewRunID(time.Now()), book: d.clients.Of(who), at: at}
	if key != "" {
		t.id = keyedID(who, key)
		if again, err := d.sentBefore(ctx, t); again || err != nil {
			return t, err
		}
	}
	answered, err := d.answerOpen(ctx, t)
	if answered || err != nil {
		return t, err
	}
	if !at.known {
		t.task.Messages = slices.Concat(t.task.Messages, body.messages())
	}
	return t, d.say(ctx, t)
}

// languageOf is the language of a message: what was chosen for its sender, or what it is written in, or that of the run
// before it.
func (d *dialect) languageOf(ctx context.Context, chosen, text string, before rein.RunID) (string, error) {
	language := cmp.Or(chosen, speech.Of(text))
	if language != "" || before == "" {
		return language, nil
	}
	for e, err := range d.Store.Events(ctx, before, 0) {
		if err != nil {
			return "", err
		}
		start, _ := rein.Payload[rein.RunStart](e) // one that was erased has none
		return start.Task.Language, nil
	}
	return "", nil
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
func (d *dialect) say(ctx context.Context, t *turn) error {
	if t.at.waits && t.at.works == "" {
		return d.startBeside(ctx, t)
	}
	if active := t.at.works; active != "" {
		if err := d.catchUp(ctx, t, active); err != nil {
			return err
		}
	}
	if t.at.works != "" && t.at.works != t.at.newest {
		receipt, err := d.Engine.Command(ctx, rein.Command{Kind: rein.CommandMessage, Run: t.at.works, By: t.who.User, Text: t.text, Key: sayKey + string(t.id)})
		if rein.CodeOf(err) == rein.CodeFinished {
			return d.startBeside(ctx, t)
		}
		t.since, t.steers = receipt.Command, true
		return err
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

// startBeside starts a run for the message beside runs that wait for a person. Its model reads what they wait for.
func (d *dialect) startBeside(ctx context.Context, t *turn) error {
	task := t.task
	task.Messages = slices.Clone(task.Messages)
	if len(t.at.open) > 0 {
		task.Messages = append(task.Messages, aside(t.at.open))
	}
	task.Messages = append(task.Messages, rein.Message{Role: rein.User, Text: t.text})
	info, err := d.Engine.Start(ctx, t.id, task)
	if err == nil {
		t.started(info.ID)
	}
	return err
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
