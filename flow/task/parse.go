package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"rein/flow/internal/turn"
	"rein/internal/lenient"
)

// ActionKind says what a model wants of a task's turn.
type ActionKind string

const (
	ActionTool      ActionKind = "tool_call"
	ActionNeedInfo  ActionKind = "need_info"
	ActionFinal     ActionKind = "final"
	ActionSubGoal   ActionKind = "sub_goal"
	ActionInvalid   ActionKind = "invalid"   // nothing that can be read
	ActionIntention ActionKind = "intention" // it says that it will, and does not
)

// An Action is what a model wants, as it was understood.
type Action struct {
	Kind      ActionKind
	Tool      string
	Args      json.RawMessage
	Why       string // the call is made, for people
	Questions []string
	Then      *Action  // the call that a yes to the question decides
	Message   string   // of a final; of one that is no good, the reply as it was
	Goal      string   // of a sub-goal
	Problem   string   // what is wrong with it, for the model
	Masked    []string // kinds of secrets that were taken out of what people would be shown
}

// shown is what people see of the action.
func (a Action) shown() string {
	if a.Kind == ActionFinal {
		return a.Message
	}
	return a.question()
}

// question is what a person is asked.
func (a Action) question() string {
	if len(a.Questions) == 1 {
		return a.Questions[0]
	}
	var lines []string
	for i, q := range a.Questions {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, q))
	}
	return strings.Join(lines, "\n")
}

// parseOutput reads the reply of a model that speaks the task's protocol.
func parseOutput(reply string) Action {
	action, err := readAction(reply)
	if err != nil {
		return Action{Kind: ActionInvalid, Message: reply, Problem: err.Error()}
	}
	return action
}

func readAction(reply string) (a Action, err error) {
	found, err := lenient.First(reply, "type")
	if err != nil {
		return a, errors.New(`there is no JSON object with "type" in it`)
	}
	if found.Cut {
		return a, turn.ErrCut
	}
	var raw struct {
		Type      string          `json:"type"`
		Questions json.RawMessage `json:"questions"`
		Question  json.RawMessage `json:"question"`
		Then      *turn.Wanted    `json:"then"`
		Message   string          `json:"message"`
		Goal      string          `json:"goal"`
	}
	var call turn.Wanted
	if err := errors.Join(json.Unmarshal(found.JSON, &raw), json.Unmarshal(found.JSON, &call)); err != nil {
		return a, err
	}
	a = Action{Kind: ActionKind(strings.ToLower(strings.TrimSpace(raw.Type)))}
	switch a.Kind {
	case ActionTool:
		a.Tool, a.Args, a.Why = call.Name, call.Args, call.Why
		return a, want(a.Tool, "tool", "the name of a tool")
	case ActionNeedInfo:
		a.Questions = append(turn.ListOf(raw.Questions), turn.ListOf(raw.Question)...)
		if raw.Then != nil && raw.Then.Name != "" {
			a.Then = &Action{Kind: ActionTool, Tool: raw.Then.Name, Args: raw.Then.Args, Why: raw.Then.Why}
		}
		return a, want(a.question(), "questions", "what to ask")
	case ActionFinal:
		a.Message = strings.TrimSpace(raw.Message)
		return a, want(a.Message, "message", "what to tell the user")
	case ActionSubGoal:
		a.Goal = strings.TrimSpace(raw.Goal)
		return a, want(a.Goal, "goal", "what to do first")
	}
	return a, fmt.Errorf("type is %q; it must be tool_call, need_info, final or sub_goal", raw.Type)
}

func want(value, name, what string) error {
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%q is missing: it must be %s", name, what)
	}
	return nil
}

// announces matches a message that begins with what the model is about to do.
var announces = regexp.MustCompile(`(?i)^(?:(?:ok|oke|oké|okay|sure|prima|goed|natuurlijk|of course)[,.!]?\s+)?(?:i['’]?ll|i will|i['’]m going to|i am going to|let me|ik zal|ik ga|laat me)\s`)

// intention finds out the final message that announces an action where nothing was called. It would
// be a promise that nobody keeps.
func intention(a Action, happened bool) Action {
	if a.Kind != ActionFinal || happened || !announces.MatchString(a.Message) {
		return a
	}
	return Action{
		Kind: ActionIntention, Message: a.Message,
		Problem: "the message announces an action, but no tool was called. Send the tool_call itself, or a final message that promises nothing",
	}
}
