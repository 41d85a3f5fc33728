package main

import (
	"context"
	"encoding/json"
	"fmt"

	"rein"
	"rein/flow/kit"
)

// joinedLoop is the least that a loop can do that sends the same conversation: each message is encoded once, and
// what is sent is the bytes of all of them. It keeps nothing.
type joinedLoop struct {
	client *client
	show   func(string)
	steps  int
}

func (*joinedLoop) close() error { return nil }

func (j *joinedLoop) run(ctx context.Context, n int) (string, error) {
	system, user := systemText, userText(n)
	body := fmt.Appendf(nil, `{"model":%q,"tools":%s,"stream":true,"messages":[`, j.client.model, wireTools)
	add := func(m wireMessage) error {
		data, err := json.Marshal(m)
		body = append(append(body, data...), ',')
		return err
	}
	if err := add(wireMessage{Role: "system", Content: &system}); err != nil {
		return "", err
	}
	if err := add(wireMessage{Role: "user", Content: &user}); err != nil {
		return "", err
	}
	for range j.steps + 1 {
		body = append(body[:len(body)-1], "]}"...) // in place of the last comma
		answer, err := j.client.send(ctx, body, j.show)
		if err != nil {
			return "", err
		}
		body = append(body[:len(body)-2], ',')
		if len(answer.ToolCalls) == 0 {
			return *answer.Content, nil
		}
		if err := add(answer); err != nil {
			return "", err
		}
		for _, call := range answer.ToolCalls {
			text, err := lookupArgs([]byte(call.Function.Arguments))
			if err != nil {
				return "", err
			}
			if err := add(wireMessage{Role: "tool", ToolCallID: call.ID, Content: &text}); err != nil {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("no answer after %d tool calls", j.steps)
}

// grow is the loop of flow operate for as many rounds as are wanted.
func grow(run rein.Run, task rein.Task) (rein.Outcome, error) {
	s, err := decode(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	act := kit.ActPrompt(task)
	return kit.Loop(run, task, task.Messages, s.Rounds, func(talk []rein.Message, round int) rein.Prompt {
		p := act(talk, round)
		if !s.Compact {
			p.Compact = nil
		}
		return p
	})
}

func growTask(n int, s spec) rein.Task {
	budget := rein.MaxBudget()
	return rein.Task{
		Flow: "grow", Tools: []string{"lookup"}, Settings: encode(settings{Rounds: s.Steps + 1, Compact: s.Compact}), Budget: &budget,
		Messages: []rein.Message{{Role: rein.System, Text: systemText}, {Role: rein.User, Text: userText(n)}},
	}
}
