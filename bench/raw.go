package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync/atomic"
)

// A peer does the work: runs that call a tool until the model has an answer.
type peer interface {
	run(ctx context.Context, n int) (text string, err error)
	close() error
}

// The peers. All of them show each token of an answer as it comes.
const (
	rawPeer     = "raw"
	journalPeer = "journal"
	reinPeer    = "rein"
	shippedPeer = "shipped"
	plainPeer   = "plain"  // as shipped, but with the collector as Go sets it
	joinedPeer  = "joined" // the raw loop with each message encoded once
	growPeer    = "grow"   // the adapter and pipeline as shipped, in a loop without a limit of rounds
	rivalPeer   = "rival"  // a program of its own
)

func newPeer(ctx context.Context, s spec, show func(string)) (peer, error) {
	switch s.Peer {
	case rawPeer:
		return &rawLoop{client: newClient(s), show: show, steps: s.Steps}, nil
	case journalPeer:
		j, err := openJournal(filepath.Join(s.Dir, "journal.db"))
		return &rawLoop{client: newClient(s), show: show, steps: s.Steps, journal: j}, err
	case reinPeer:
		return newLooper(ctx, s, show)
	case joinedPeer:
		return &joinedLoop{client: newClient(s), show: show, steps: s.Steps}, nil
	case shippedPeer, plainPeer, growPeer:
		return newShipped(ctx, s, show)
	}
	return nil, fmt.Errorf("there is no peer %q", s.Peer)
}

// toolCalls counts how often the tool was used in this process.
var toolCalls atomic.Int64

func lookup(q string) string {
	toolCalls.Add(1)
	return "result for " + q
}

// lookupArgs reads a call's arguments and runs the tool.
func lookupArgs(args []byte) (string, error) {
	var a struct{ Q string }
	if err := json.Unmarshal(args, &a); err != nil {
		return "", err
	}
	return lookup(a.Q), nil
}

const systemText = "You are a helpful agent."

func userText(n int) string { return fmt.Sprintf("run %d", n) }

// rawLoop is the bare loop: encode, send, decode, run the tool. With a journal, the start, every
// answer of the model, every result of a tool and the end are durable before it goes on.
type rawLoop struct {
	client  *client
	show    func(string)
	steps   int
	journal *journal
}

func (r *rawLoop) close() error {
	if r.journal == nil {
		return nil
	}
	return r.journal.close()
}

func (r *rawLoop) run(ctx context.Context, n int) (string, error) {
	system, user := systemText, userText(n)
	messages := []wireMessage{{Role: "system", Content: &system}, {Role: "user", Content: &user}}
	record := r.recorder(n)
	if err := record("start", messages); err != nil {
		return "", err
	}
	for range r.steps + 1 {
		answer, err := r.client.chat(ctx, messages, r.show)
		if err != nil {
			return "", err
		}
		messages = append(messages, answer)
		if err := record("model", answer); err != nil {
			return "", err
		}
		if len(answer.ToolCalls) == 0 {
			return *answer.Content, record("end", "ok")
		}
		for _, call := range answer.ToolCalls {
			text, err := lookupArgs([]byte(call.Function.Arguments))
			if err != nil {
				return "", err
			}
			result := wireMessage{Role: "tool", ToolCallID: call.ID, Content: &text}
			messages = append(messages, result)
			if err := record("tool", result); err != nil {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("no answer after %d tool calls", r.steps)
}

// recorder returns a function that writes the next event of a run.
func (r *rawLoop) recorder(n int) func(kind string, v any) error {
	var seq int64
	return func(kind string, v any) error {
		if r.journal == nil {
			return nil
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		seq++
		return r.journal.append(int64(n), seq, kind, data)
	}
}
