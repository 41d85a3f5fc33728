package anthropic_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// A sentRequest is what the server got.
type sentRequest struct {
	MaxTokens  int64 `json:"max_tokens"`
	Stream     bool
	System     []sentBlock
	Messages   []sentTurn
	Tools      []sentTool
	ToolChoice *struct{ Type string } `json:"tool_choice"`
	Thinking   *struct {
		Type   string
		Budget int64 `json:"budget_tokens"`
	}
}

type sentTurn struct {
	Role    string
	Content []json.RawMessage
}

type sentTool struct {
	Name, Description string
	Schema            json.RawMessage  `json:"input_schema"`
	Cache             *json.RawMessage `json:"cache_control"`
}

type sentBlock struct {
	Type, Text, ID, Name string
	Input                json.RawMessage
	Result               string           `json:"tool_use_id"`
	IsError              bool             `json:"is_error"`
	Content              json.RawMessage  // of a result
	Cache                *json.RawMessage `json:"cache_control"`
}

func readRequest(body []byte) (sentRequest, error) {
	var r sentRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return r, err
	}
	return r, r.valid()
}

// valid says what the API would refuse, by its documentation.
func (r sentRequest) valid() error {
	marks := 0
	for _, b := range r.System {
		if b.Type != "text" || strings.TrimSpace(b.Text) == "" {
			return fmt.Errorf("system block %+v", b)
		}
		marks += count(b.Cache)
	}
	tools := map[string]bool{}
	for _, t := range r.Tools {
		var schema struct{ Type string }
		if err := json.Unmarshal(t.Schema, &schema); err != nil || schema.Type != "object" {
			return fmt.Errorf("tool %q: schema %s", t.Name, t.Schema)
		}
		if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(t.Name) || tools[t.Name] {
			return fmt.Errorf("tool name %q", t.Name)
		}
		tools[t.Name] = true
		marks += count(t.Cache)
	}
	if c := r.ToolChoice; c != nil && c.Type != "auto" && c.Type != "none" {
		return fmt.Errorf("a forced tool choice: %s", c.Type)
	}
	n, err := validTurns(r.Messages, len(tools) > 0)
	if err != nil {
		return err
	}
	if r.MaxTokens < 1 || marks+n > 4 {
		return fmt.Errorf("max_tokens %d, %d marks", r.MaxTokens, marks+n)
	}
	if t := r.Thinking; t != nil && t.Type == "enabled" && (t.Budget < 1024 || t.Budget >= r.MaxTokens) {
		return fmt.Errorf("thinking budget %d of %d", t.Budget, r.MaxTokens)
	}
	return nil
}

func validTurns(turns []sentTurn, tools bool) (marks int, err error) {
	if len(turns) == 0 || turns[len(turns)-1].Role != "user" {
		return 0, fmt.Errorf("the last turn must be the user's")
	}
	var open []string
	for i, turn := range turns {
		if want := []string{"user", "assistant"}[i%2]; turn.Role != want || len(turn.Content) == 0 {
			return 0, fmt.Errorf("turn %d is the %s's, with %d blocks", i, turn.Role, len(turn.Content))
		}
		results := true
		for _, raw := range turn.Content {
			b, err := readBlock(raw)
			if err != nil {
				return 0, err
			}
			marks += count(b.Cache)
			switch {
			case b.Type == "tool_result":
				if !results || len(open) == 0 || open[0] != b.Result {
					return 0, fmt.Errorf("turn %d: result of %q out of order, open are %q", i, b.Result, open)
				}
				open = open[1:]
				continue
			case b.Type == "tool_use":
				if turn.Role != "assistant" || !tools || len(b.Input) == 0 || b.Input[0] != '{' || b.ID == "" {
					return 0, fmt.Errorf("turn %d: call %s", i, raw)
				}
				open = append(open, b.ID)
			case b.Type == "text" && strings.TrimSpace(b.Text) == "":
				return 0, fmt.Errorf("turn %d: an empty text", i)
			}
			results = false
			if turn.Role == "user" && len(open) > 0 {
				return 0, fmt.Errorf("turn %d: no result of %q", i, open)
			}
		}
		if turn.Role == "user" && len(open) > 0 {
			return 0, fmt.Errorf("turn %d: no result of %q", i, open)
		}
	}
	return marks, nil
}

func readBlock(raw json.RawMessage) (sentBlock, error) {
	var b sentBlock
	err := json.Unmarshal(raw, &b)
	if err == nil && b.Type == "" {
		err = fmt.Errorf("block without a type: %s", raw)
	}
	return b, err
}

func count(mark *json.RawMessage) int {
	if mark == nil {
		return 0
	}
	return 1
}
