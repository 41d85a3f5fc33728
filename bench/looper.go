package main

import (
	"context"
	"encoding/json"
	"fmt"

	"rein"
	"rein/engine"
)

// looper is rein doing the work of the bare loop, with its client and a flow of the same shape.
type looper struct {
	*rig
	steps int
}

func newLooper(ctx context.Context, s spec, show func(string)) (peer, error) {
	r, err := openRig(ctx, s.Dir, &adapter{newClient(s)}, nil, func(o *engine.Options) {
		o.OnDelta = func(d rein.Delta) { show(d.Text) }
	})
	return &looper{r, s.Steps}, err
}

func (l *looper) run(ctx context.Context, n int) (string, error) {
	id := rein.RunID(fmt.Sprintf("r%d", n))
	if _, err := l.Start(ctx, id, loopTask(n, l.steps)); err != nil {
		return "", err
	}
	return l.ended(ctx, id)
}

// ended waits until a run is done, and returns its text.
func (r *rig) ended(ctx context.Context, id rein.RunID) (string, error) {
	end, err := r.Wait(ctx, id)
	if err == nil && end.End != rein.EndDone {
		err = fmt.Errorf("run %s ended as %s: %v", id, end.End, end.Failure)
	}
	return end.Text, err
}

// manySteps are more than the usual budget may be enough for.
const manySteps = 50

func loopTask(n, steps int) rein.Task {
	task := rein.Task{
		Flow: "loop", Tools: []string{"lookup"}, Settings: encode(settings{Rounds: steps + 1}),
		Messages: []rein.Message{{Role: rein.System, Text: systemText}, {Role: rein.User, Text: userText(n)}},
	}
	if steps > manySteps {
		budget := rein.MaxBudget()
		task.Budget = &budget
	}
	return task
}

// adapter is a rein.Model that does with the provider what the bare loop does.
type adapter struct{ *client }

func (a *adapter) Info() rein.ModelInfo { return rein.ModelInfo{Name: a.model, MaxOutput: 1024} }

func (a *adapter) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	messages := make([]wireMessage, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = toWire(m)
	}
	answer, err := a.chat(ctx, messages, show)
	if err != nil {
		return rein.ModelReply{}, err
	}
	m := rein.Message{Role: rein.Assistant, Text: *answer.Content}
	for _, c := range answer.ToolCalls {
		m.Calls = append(m.Calls, rein.ToolCall{ID: c.ID, Name: c.Function.Name, Args: json.RawMessage(c.Function.Arguments)})
	}
	return rein.ModelReply{Message: m, Model: a.model}, nil
}

func toWire(m rein.Message) wireMessage {
	w := wireMessage{Role: string(m.Role), Content: &m.Text, ToolCallID: m.CallID}
	for _, c := range m.Calls {
		w.ToolCalls = append(w.ToolCalls, wireCall{ID: c.ID, Type: "function", Function: wireFunction{Name: c.Name, Arguments: string(c.Args)}})
	}
	return w
}
