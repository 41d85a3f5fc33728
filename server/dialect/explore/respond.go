package explore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/internal/consent"
	"rein/server/shown"
	"rein/server/wire"
	"rein/store"
)

// A Response is a person's answer to a query. Null declines it. A question needs a text; an approval needs
// true or false, or yes or no; an unknown outcome needs one of the choices.
type Response struct {
	AgentID  rein.RunID      `json:"agentId,omitempty"`
	QueryID  string          `json:"queryId,omitempty"` // empty: the agent's query that was shown last
	Response json.RawMessage `json:"response"`
}

// respond answers a query that this connection was sent.
func (s *socket) respond(r Response) error {
	if err := wire.May(s.who, rein.ScopeAnswer); err != nil {
		return err
	}
	ctx, cancel := wire.Lasting(s.ctx)
	defer cancel()
	slip, err := s.query(ctx, r)
	if err != nil {
		return err
	}
	ask, err := slip.Open(ctx, s.Store, s.who)
	if err != nil {
		return err
	}
	language, err := s.language(ctx)
	if err != nil {
		return err
	}
	given, err := readAnswer(ask, language, r.Response)
	if err != nil {
		return err
	}
	given.By = s.who.User
	_, err = s.Engine.Command(ctx, slip.Reply(given))
	return err
}

// language is that of the caller's yes and no.
func (s *socket) language(ctx context.Context) (string, error) {
	task, err := s.Task(ctx, s.who, Flow)
	return task.Language, err
}

// query finds what is answered: by its ID, or the one that is open of the agent.
func (s *socket) query(ctx context.Context, r Response) (shown.Slip, error) {
	if r.QueryID == "" {
		return s.onlyQuery(ctx, r.AgentID)
	}
	slip, ok := s.book.Find(r.QueryID)
	switch {
	case !ok:
		return slip, unseen("query %.100q", r.QueryID)
	case r.AgentID != "" && r.AgentID != slip.Run:
		return slip, errNotFound
	}
	return slip, nil
}

// onlyQuery finds what an answer means that names an agent alone: what the agent asks, if that is one
// thing and the last that this connection was shown of it.
func (s *socket) onlyQuery(ctx context.Context, agent rein.RunID) (shown.Slip, error) {
	if agent == "" {
		return shown.Slip{}, rein.Errorf(rein.CodeInvalid, "a user-response needs the queryId of the user-query, or the agentId")
	}
	if _, err := s.run(ctx, agent, s.who); err != nil {
		return shown.Slip{}, err
	}
	open, err := s.Store.Asks(ctx, store.AskFilter{Tree: agent, Pending: true})
	if err != nil {
		return shown.Slip{}, err
	}
	open = slices.DeleteFunc(open, func(a rein.Ask) bool { return a.Run != agent })
	last, ok, _ := s.book.Last(string(agent))
	switch {
	case len(open) == 0:
		return last, rein.Errorf(rein.CodeClosed, "agent %s has no open query: its last one is already answered", agent)
	case len(open) > 1:
		return last, rein.Errorf(rein.CodeInvalid, "agent %s has %d open queries: name one with queryId", agent, len(open))
	case !ok || last.Ask != open[0].ID:
		return last, unseen("what agent %s asks", agent)
	}
	return last, nil
}

// unseen says that an answer is to something that its connection was not shown.
func unseen(format string, what any) error {
	return rein.Errorf(rein.CodeConflict, format+": this connection was not shown the query, so it stays open; "+
		"to be asked again, follow the agent here, with start-agent and a lastEventId", what)
}

// readAnswer reads what was said to an ask.
func readAnswer(ask rein.Ask, language string, raw json.RawMessage) (rein.Answer, error) {
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
			yes, isBool = readYes(language, text)
		}
		switch {
		case !isBool:
			return rein.Answer{}, rein.Errorf(rein.CodeInvalid, "the query needs true or false, or yes or no: %.60q is neither, so the query stays open", raw)
		case yes:
			return rein.Answer{State: rein.AskApproved}, nil
		}
		return rein.Answer{State: rein.AskRejected}, nil
	case isText && strings.TrimSpace(text) != "":
		return rein.Answer{State: rein.AskAnswered, Text: text}, nil
	}
	return rein.Answer{}, rein.Errorf(rein.CodeInvalid, "the query needs a text, or null to decline")
}

// readYes reads a plain yes or no, also one that was meant as JSON.
func readYes(language, text string) (yes, known bool) {
	switch word := consent.Read(language, text); {
	case text == "true" || word == consent.Yes:
		return true, true
	case text == "false" || word == consent.No:
		return false, true
	}
	return false, false
}
