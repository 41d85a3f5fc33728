package explore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/people"
	"rein/server/port"
	"rein/server/wire"
	"rein/store"
)

// A Response is what a person makes of a query. Null declines it. A question takes a text; an approval
// takes true or false, or yes or no; what may or may not have happened takes one of the choices.
type Response struct {
	AgentID  rein.RunID      `json:"agentId,omitempty"`
	QueryID  rein.AskID      `json:"queryId,omitempty"` // needed if the agent has several
	Response json.RawMessage `json:"response"`
}

// respond answers a query.
func (d *dialect) respond(ctx context.Context, who people.Identity, r Response) error {
	if err := wire.May(who, people.Answer); err != nil {
		return err
	}
	ctx, cancel := wire.Lasting(ctx)
	defer cancel()
	ask, err := d.query(ctx, who, r)
	if err != nil {
		return err
	}
	if _, err := port.Answerable(ctx, d.Store, ask.ID, who); err != nil {
		return err
	}
	given, err := readAnswer(ask, r.Response)
	if err != nil {
		return err
	}
	given.By = who.User
	_, err = d.Engine.Command(ctx, ask.Reply(given))
	return err
}

// query finds what is answered: by its ID, or the one that is open of the agent.
func (d *dialect) query(ctx context.Context, who people.Identity, r Response) (rein.Ask, error) {
	if r.QueryID == "" {
		return d.onlyQuery(ctx, who, r.AgentID)
	}
	ask, _, err := port.Ask(ctx, d.Store, r.QueryID, who)
	switch code := rein.CodeOf(err); {
	case code == rein.CodeInvalid, err == nil && r.AgentID != "" && r.AgentID != ask.Run:
		return rein.Ask{}, errNotFound
	}
	return ask, err
}

func (d *dialect) onlyQuery(ctx context.Context, who people.Identity, agent rein.RunID) (rein.Ask, error) {
	if agent == "" {
		return rein.Ask{}, rein.Errorf(rein.CodeInvalid, "a user-response needs the queryId of the user-query, or the agentId")
	}
	if _, err := d.run(ctx, agent, who); err != nil {
		return rein.Ask{}, err
	}
	open, err := d.Store.Asks(ctx, store.AskFilter{Tree: agent, Pending: true})
	if err != nil {
		return rein.Ask{}, err
	}
	open = slices.DeleteFunc(open, func(a rein.Ask) bool { return a.Run != agent })
	switch len(open) {
	case 0:
		return rein.Ask{}, rein.Errorf(rein.CodeClosed, "agent %s asks nothing now", agent)
	case 1:
		return open[0], nil
	}
	return rein.Ask{}, rein.Errorf(rein.CodeInvalid, "agent %s asks %d things now: say which by queryId", agent, len(open))
}

// readAnswer reads what was said to an ask.
func readAnswer(ask rein.Ask, raw json.RawMessage) (rein.Answer, error) {
	var value any
	if len(raw) == 0 || json.Unmarshal(raw, &value) != nil {
		return rein.Answer{}, rein.Errorf(rein.CodeInvalid, "a user-response needs a response: a text, true, false, or null to decline")
	}
	text, isText := value.(string)
	yes, isBool := value.(bool)
	switch {
	case value == nil:
		return rein.Answer{State: rein.AskDeclined}, nil
	case ask.Kind == rein.AskApproval || ask.Kind == rein.AskConfirmation:
		if isText {
			yes, isBool = readYes(text)
		}
		switch {
		case !isBool:
			return rein.Answer{}, rein.Errorf(rein.CodeInvalid, "query %s wants true or false, yes or no", ask.ID)
		case yes:
			return rein.Answer{State: rein.AskApproved}, nil
		}
		return rein.Answer{State: rein.AskRejected}, nil
	case isText && strings.TrimSpace(text) != "":
		return rein.Answer{State: rein.AskAnswered, Text: text}, nil
	}
	return rein.Answer{}, rein.Errorf(rein.CodeInvalid, "query %s wants a text, or null to decline", ask.ID)
}

func readYes(text string) (yes, known bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "yes", "y", "ok", "approve", "approved", "true":
		return true, true
	case "no", "n", "reject", "rejected", "deny", "false":
		return false, true
	}
	return false, false
}
