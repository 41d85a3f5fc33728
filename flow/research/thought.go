package research

import (
	"encoding/json"
	"fmt"
	"strings"

	"rein/flow/internal/turn"
	"rein/internal/lenient"
)

// A Thought is what a model makes of a request when it plans or reflects.
type Thought struct {
	Goal, Reflection string
	Plan             []string
	Calls            []turn.Wanted
	Next             string
	Outline          string // of the answer
	Question         string // to the user
}

// parseThought reads a plan or a reflection out of a reply. The error says what is wrong with it, for
// the model.
func parseThought(reply string) (Thought, error) {
	found, err := lenient.First(reply, "next_action")
	if err != nil {
		return Thought{}, fmt.Errorf(`there is no JSON object with "next_action" in it: %w`, err)
	}
	if found.Cut {
		return Thought{}, turn.ErrCut
	}
	var raw struct {
		Goal       string          `json:"goal"`
		Reflection string          `json:"reflection"`
		Steps      json.RawMessage `json:"plan_steps"`
		Plan       json.RawMessage `json:"plan"`
		Calls      []turn.Wanted   `json:"tool_calls"`
		Next       string          `json:"next_action"`
		Outline    json.RawMessage `json:"response_outline"`
		Question   string          `json:"question_to_user"`
	}
	if err := json.Unmarshal(found.JSON, &raw); err != nil {
		return Thought{}, err
	}
	if raw.Steps == nil {
		raw.Steps = raw.Plan
	}
	return Thought{
		Goal: raw.Goal, Reflection: raw.Reflection, Plan: turn.ListOf(raw.Steps), Calls: raw.Calls,
		Next: strings.ToLower(strings.TrimSpace(raw.Next)), Outline: strings.Join(turn.ListOf(raw.Outline), "\n"),
		Question: strings.TrimSpace(raw.Question),
	}, nil
}

// why is what the thought says of itself, for people.
func (t Thought) why() string {
	if t.Reflection != "" {
		return t.Reflection
	}
	return t.Goal
}

// describe is how the thought stands in the transcript.
func (t Thought) describe() string {
	var lines []string
	if t.Reflection != "" {
		lines = append(lines, t.Reflection)
	}
	if t.Goal != "" {
		lines = append(lines, "Goal: "+t.Goal)
	}
	for i, step := range t.Plan {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, step))
	}
	return strings.Join(lines, "\n")
}

// A Move is what is done about a thought.
type Move struct {
	Kind     moveKind
	Text     string // the thought, as the transcript keeps it
	Calls    []turn.Wanted
	Question string
	Ignored  []turn.Wanted // calls that are not made
}

type moveKind string

const (
	moveTool    moveKind = "tool"
	moveRespond moveKind = "respond"
	moveAsk     moveKind = "ask_user"
	moveRevise  moveKind = "revise_plan"
)

// decide says what a thought means. What lacks what it needs, and what nobody knows, is a response.
func decide(t Thought) Move {
	move := Move{Kind: moveRespond, Text: t.describe(), Ignored: t.Calls}
	switch moveKind(t.Next) {
	case moveTool:
		if len(t.Calls) > 0 {
			move.Kind, move.Calls, move.Ignored = moveTool, t.Calls, nil
		}
	case moveAsk:
		if t.Question != "" {
			move.Kind, move.Question = moveAsk, t.Question
		}
	case moveRevise:
		move.Kind = moveRevise
	}
	return move
}
