package strict

import "rein"

// asked tells that the run waits for a person.
func (t *Translator) asked(ask rein.Ask) []Message {
	if ask.State != rein.AskPending {
		return nil // the run was ending when it opened: nobody is asked
	}
	t.asks[ask.ID] = ask
	if !decides(ask) {
		m := update(agentInput, t.now())
		m.Question, m.Choices, m.Message = ask.Text, ask.Choices, ask.Text
		return []Message{m}
	}
	m := Message{Type: typeApproval, CallID: callID(ask), Step: t.now()}.saying(ask.Text)
	if ask.Call != nil {
		m.Tool, m.Arguments = ask.Call.Name, asJSON(ask.Call.Args) // whole: who agrees must see what they agree to
	}
	edit := ask.Kind == rein.AskApproval
	m.AllowEdit = &edit
	return []Message{m}
}

// expired tells that nobody answered in time.
func (t *Translator) expired(id rein.AskID) []Message {
	m := update(agentTimeout, t.now())
	if ask, known := t.asks[id]; known && decides(ask) {
		m.CallID = callID(ask)
	}
	return []Message{m}
}

// decides reports whether the ask wants a yes or a no, and not words.
func decides(ask rein.Ask) bool {
	return ask.Kind == rein.AskApproval || ask.Kind == rein.AskConfirmation
}

// callID is what an answer to the ask names.
func callID(ask rein.Ask) string {
	if ask.Call != nil && ask.Call.ID != "" {
		return ask.Call.ID
	}
	return string(ask.ID)
}
