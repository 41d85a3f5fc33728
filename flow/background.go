package flow

import (
	"encoding/json"
	"errors"

	"rein"
)

// A background is a run that nobody follows. It shows nothing and asks nothing, and what people send
// it, other than to end it, changes nothing.
type background struct {
	run  rein.Run
	task rein.Task
}

// read makes an internal read.
func (b background) read(name string, args, into any) (ok bool, err error) {
	err = b.unheeding(func() error {
		ok, err = read(b.run, name, args, say(b.task, "remembering"), into)
		return err
	})
	return ok, err
}

// ask makes the one model call. Its reply is for the flow alone.
func (b background) ask(phase, prompt string, schema json.RawMessage, data string) (reply string, err error) {
	err = b.unheeding(func() error {
		m, err := b.run.CallModel(rein.Prompt{
			About: rein.About{Phase: phase, Round: 1, Human: say(b.task, phase)},
			Model: b.task.Model, Schema: schema, MaxTokens: 1500,
			Messages: []rein.Message{{Role: rein.System, Text: prompt}, {Role: rein.User, Text: data}},
		})
		reply = m.Text
		return err
	})
	return reply, err
}

// save writes to our own tables; the write and its record are one.
func (b background) save(name string, args any) error {
	raw, err := json.Marshal(args)
	if err != nil {
		return err
	}
	return b.unheeding(func() error {
		result, err := b.run.CallTool(rein.ToolCall{
			About: rein.About{Phase: "save", Round: 1, Human: say(b.task, "background save")},
			ID:    name, Name: name, Args: raw, Internal: true,
		})
		if err == nil && result.Status.Failed() {
			err = rein.Errorf(rein.CodeInternal, "%s: %s", name, result.Text)
		}
		return err
	})
}

// unheeding repeats a verb that a modify has interrupted: there is nothing to do instead.
func (b background) unheeding(verb func() error) error {
	for {
		err := verb()
		if !errors.Is(err, rein.ErrInterrupted) {
			return err
		}
		if _, err := b.run.Inbox(); err != nil {
			return err
		}
	}
}

// nothing ends a run that has nothing to keep.
func (b background) nothing(err error) (rein.Outcome, error) {
	if err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: say(b.task, "background nothing")}, nil
}
