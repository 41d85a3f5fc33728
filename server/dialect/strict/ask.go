package strict

import (
	"time"

	"rein"
)

// asked tells that the run waits for a person.
func (t *Translator) asked(ask rein.Ask) []Message {
	if ask.State != rein.AskPending {
		return nil // the run was ending when it opened: nobody is asked
	}
	t.asks[ask.ID] = ask
	return []Message{request(ask, t.now())}
}

// request is what a person is asked. Its ID, where it has one, is the socket's to give; see socket.show.
func request(ask rein.Ask, step int) Message {
	if !decides(ask) {
		m := update(agentInput, step)
		m.Question, m.Choices, m.Message = ask.Text, ask.Choices, ask.Text
		m.ask = &ask
		return m.until(ask)
	}
	m := Message{Type: typeApproval, Step: step, ask: &ask}.saying(ask.Text).until(ask)
	if ask.Call != nil {
		m.Tool, m.Arguments = ask.Call.Name, asJSON(ask.Call.Args) // whole: who agrees must see what they agree to
	}
	edit := ask.Kind == rein.AskApproval
	m.AllowEdit = &edit
	return m
}

// until says for how long an ask can be answered.
func (m Message) until(ask rein.Ask) Message {
	if !ask.Deadline.IsZero() {
		m.Deadline = ask.Deadline.UTC().Format(time.RFC3339)
		m.Timeout = int(ask.Deadline.Sub(ask.Opened).Round(time.Second) / time.Second)
	}
	return m
}

// expired tells that nobody answered in time.
func (t *Translator) expired(id rein.AskID) []Message {
	m := update(agentTimeout, t.now())
	if ask, known := t.asks[id]; known && decides(ask) {
		m.ask = &ask
	}
	return []Message{m}
}

// decides reports whether the ask wants a yes or a no, and not words.
func decides(ask rein.Ask) bool {
	return ask.Kind == rein.AskApproval || ask.Kind == rein.AskConfirmation
}
