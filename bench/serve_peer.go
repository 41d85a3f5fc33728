package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"rein"
	"rein/api"
)

// apiPeer does the work through the API: it starts a run and follows it to its end.
type apiPeer struct {
	*caller
	spec   spec
	show   func(string)
	posted func() // the start was answered; nil: nobody wants to know
	stream bool   // the start is answered with the stream itself
	house  bool   // of rein serve itself: its tools, and a model by its name there
}

func (p *apiPeer) task(n int) rein.Task {
	task := shippedTask(n, p.spec)
	if p.house {
		task.Tools, task.Model = nil, "first"
	}
	return task
}

func (p *apiPeer) close() error { return nil }

func (p *apiPeer) run(ctx context.Context, n int) (string, error) {
	id, follow := rein.RunID(fmt.Sprintf("r%d", n)), p.follow
	if p.stream {
		id = "s" + id
		follow = func(ctx context.Context, id rein.RunID, show func(string, []byte)) error {
			return p.startAndFollow(ctx, id, p.task(n), show)
		}
	} else if err := p.start(ctx, id, p.task(n)); err != nil {
		return "", err
	}
	if p.posted != nil {
		p.posted()
	}
	var end rein.RunEnd
	var wrong error
	shown := false
	err := follow(ctx, id, func(_ string, data []byte) {
		var line api.Line
		if err := json.Unmarshal(data, &line); err != nil {
			wrong = err
			return
		}
		switch {
		case line.Delta != nil:
			p.show(line.Delta.Text)
			shown = true
		case line.Event != nil && line.Event.Kind.Ends():
			ended, err := rein.Payload[rein.RunEnd](*line.Event)
			end, wrong = ended, errors.Join(wrong, err)
		}
	})
	if !shown {
		p.show(end.Text) // the model was done before this client was there
	}
	if err = errors.Join(err, wrong); err == nil && end.End != rein.EndDone {
		err = fmt.Errorf("run %s ended as %s: %v", id, end.End, end.Failure)
	}
	return end.Text, err
}
