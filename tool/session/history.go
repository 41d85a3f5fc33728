// Package session lets a flow read what was said and done before in the session of its run.
package session

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"rein"
	"rein/store"
)

// A Reader is the part of a store that is read.
type Reader interface {
	Runs(context.Context, store.Filter) iter.Seq2[store.RunInfo, error]
	Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error]
}

// What is read at most: the newest runs, and so much of each text.
const (
	maxRuns  = 20
	maxText  = 4000
	maxSteps = 40
)

// A Past is an earlier run, as flows read it.
type Past struct {
	Run    string   `json:"run"`
	Asked  []string `json:"asked"`
	Answer string   `json:"answer,omitempty"`
	End    rein.End `json:"end"`
	Did    []string `json:"did,omitempty"`
}

// History is the internal read of the ended root runs of the session before the run that asks. A
// child has no past: its parent told it what it needs.
func History(r Reader) rein.Tool {
	return rein.Tool{
		Name: "session.history", Description: "What was said and done in this session.", Effect: rein.Pure, Internal: true,
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			past, err := before(ctx, r, inv.Run, inv.Task)
			if err != nil {
				return rein.Done{}, err
			}
			data, err := json.Marshal(map[string]any{"runs": past})
			return rein.Done{Data: data}, err
		},
	}
}

// before asks by the task and not by the run's row: the run may just be being born.
func before(ctx context.Context, r Reader, run rein.RunID, task *rein.Task) ([]Past, error) {
	past := []Past{}
	if run.Depth() > 0 || task == nil || task.Session == "" {
		return past, nil
	}
	var earlier []store.RunInfo
	for info, err := range r.Runs(ctx, store.Filter{Session: task.Session, Roots: true}) {
		if err != nil {
			return nil, err
		}
		if info.ID != run && info.Status.Ended() && !info.Erased && !info.Started.After(task.Start) {
			earlier = append(earlier, info)
		}
	}
	for _, info := range earlier[max(0, len(earlier)-maxRuns):] {
		p, err := tell(ctx, r, info)
		if err != nil {
			return nil, err
		}
		past = append(past, p)
	}
	return past, nil
}

// tell reads one run's log.
func tell(ctx context.Context, r Reader, info store.RunInfo) (Past, error) {
	end := info.End()
	p := Past{Run: string(info.ID), Answer: clip(end.Text), End: end.End, Asked: []string{}}
	calls := map[rein.StepKey]*rein.ToolCall{}
	for ev, err := range r.Events(ctx, info.ID, 0) {
		if err != nil {
			return p, err
		}
		switch ev.Kind {
		case rein.RunStarted:
			var start rein.RunStart
			if json.Unmarshal(ev.Data, &start) == nil {
				p.Asked = append(p.Asked, userTexts(start.Task.Messages)...)
			}
		case rein.CommandMessage.EventKind(), rein.CommandModify.EventKind():
			var c rein.Command
			if json.Unmarshal(ev.Data, &c) == nil {
				p.Asked = append(p.Asked, clip(c.Text))
			}
		case rein.StepStarted:
			var start rein.StepStart
			if json.Unmarshal(ev.Data, &start) == nil && start.Call != nil && !start.Call.Internal {
				calls[ev.Step] = start.Call
			}
		case rein.StepDone:
			var done rein.StepEnd
			if call := calls[ev.Step]; call != nil && json.Unmarshal(ev.Data, &done) == nil && done.Result != nil {
				p.Did = append(p.Did, line(*call, *done.Result))
			}
		}
	}
	if p.End.Completed() {
		p.Did = nil // its answer says what it did
	}
	p.Did = p.Did[max(0, len(p.Did)-maxSteps):]
	return p, nil
}

func userTexts(messages []rein.Message) []string {
	var texts []string
	for _, m := range slices.Backward(messages) {
		if m.Role != rein.User {
			break // what came before is an older conversation that was handed in
		}
		texts = append(texts, clip(m.Text))
	}
	slices.Reverse(texts)
	return texts
}

func line(call rein.ToolCall, result rein.ToolResult) string {
	first, _, _ := strings.Cut(result.Text, "\n")
	return fmt.Sprintf("%s %s: %s, %s", call.Name, short(string(call.Args)), result.Status, short(first))
}

func short(s string) string {
	const most = 200
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func clip(s string) string {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}
