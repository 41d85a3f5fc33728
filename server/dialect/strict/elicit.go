package strict

import (
	"context"
	"encoding/json"
	"strings"

	"rein"
)

// An elicited answers a question from a dialog: with data, or not at all.
type elicited struct {
	ID     string          `json:"elicitation_id"`
	Action string          `json:"action"` // accept, decline or cancel
	Data   json.RawMessage `json:"data"`
}

func (e *elicited) check() error {
	switch {
	case e.ID == "":
		return rein.Errorf(rein.CodeInvalid, "field \"elicitation_id\" is empty: repeat that of the agent_request_input")
	case e.Action != "accept" && e.Action != "decline" && e.Action != "cancel":
		return rein.Errorf(rein.CodeInvalid, "action is %.40q; it must be one of: accept, decline, cancel", e.Action)
	case e.Action == "accept":
		return filled("data", e.text())
	}
	return nil
}

// text is what the data says: a text, the value of an object that holds just one, or all of it as JSON.
func (e *elicited) text() string {
	var text string
	if json.Unmarshal(e.Data, &text) == nil {
		return text
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(e.Data, &fields) == nil && len(fields) == 1 {
		for _, value := range fields {
			if json.Unmarshal(value, &text) == nil {
				return text
			}
			return string(value)
		}
	}
	return strings.TrimSpace(string(e.Data))
}

// elicited answers the question that this socket was sent with the ID. It agrees to nothing: what wants a
// yes or a no is answered by a tool_approval_response.
func (s *socket) elicited(ctx context.Context, e elicited) error {
	if err := s.needs(rein.ScopeAnswer); err != nil {
		return err
	}
	slip, ok := s.book.Find(e.ID)
	if !ok {
		return rein.Errorf(rein.CodeNotFound, "elicitation_id %.60q is not from a question that this socket received", e.ID)
	}
	ask, err := slip.Open(ctx, s.Store, s.who)
	if err != nil {
		return s.unused(ctx, "answer", err)
	}
	if decides(ask) {
		return rein.Errorf(rein.CodeInvalid, "this is a request for approval: answer it with a tool_approval_response")
	}
	answer := rein.Answer{State: rein.AskDeclined}
	if e.Action == "accept" {
		answer = rein.Answer{State: rein.AskAnswered, Text: e.text()}
	}
	err = s.answer(ctx, slip, func(rein.Ask) rein.Answer { return answer })
	if err != nil {
		return s.unused(ctx, "answer", err)
	}
	return s.askAgain(ctx, slip)
}
