package kit

import (
	"encoding/json"
	"errors"

	"rein"
)

// A Background is a run that nobody follows. It shows nothing and asks nothing, and what people send
// it, other than to end it, changes nothing.
type Background struct {
	Run  rein.Run
	Task rein.Task
}

// Read makes an internal read.
func (b Background) Read(name string, args, into any) (ok bool, err error) {
	err = b.unheeding(func() error {
		ok, err = Read(b.Run, name, args, Say(b.Task, "remembering"), into)
		return err
	})
	return ok, err
}

// Ask makes the one model call. Its reply is for the flow alone.
func (b Background) Ask(phase, human, prompt string, schema json.RawMessage, data string) (reply string, err error) {
	m, err := b.Call(rein.Prompt{
		About: rein.About{Phase: phase, Round: 1, Human: human},
		Model: b.Task.Model, Schema: schema, MaxTokens: 1500,
		Messages: []rein.Message{{Role: rein.System, Text: prompt}, {Role: rein.User, Text: data}},
	})
	return m.Text, err
}

// Call calls the model.
func (b Background) Call(p rein.Prompt) (reply rein.Message, err error) {
	err = b.unheeding(func() error {
		reply, err = b.Run.CallModel(p)
		return err
	})
	return reply, err
}

// Save writes to our own tables; the write and its record are one.
func (b Background) Save(name string, args any) error {
	result, err := b.Write(name, args)
	if err == nil && result.Status.Failed() {
		err = rein.Errorf(rein.CodeInternal, "%s: %s", name, result.Text)
	}
	return err
}

// Write is Save for a flow that wants to know what came of it.
func (b Background) Write(name string, args any) (result rein.ToolResult, err error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return result, err
	}
	err = b.unheeding(func() error {
		result, err = b.Run.CallTool(rein.ToolCall{
			About: rein.About{Phase: "save", Round: 1, Human: Say(b.Task, "background save")},
			ID:    name, Name: name, Args: raw, Internal: true,
		})
		return err
	})
	return result, err
}

// unheeding repeats a verb that a modify has interrupted: there is nothing to do instead.
func (b Background) unheeding(verb func() error) error {
	for {
		err := verb()
		if !errors.Is(err, rein.ErrInterrupted) {
			return err
		}
		if _, err := b.Run.Inbox(); err != nil {
			return err
		}
	}
}

// Nothing ends a run that has nothing to keep.
func (b Background) Nothing(err error) (rein.Outcome, error) {
	if err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: Say(b.Task, "background nothing")}, nil
}
