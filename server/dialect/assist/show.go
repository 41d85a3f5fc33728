package assist

import (
	"slices"

	"rein"
	"rein/internal/consent"
	"rein/server/shown"
)

// show sends the reply of a turn to its client. What it asks gets IDs of that client, and is what the client's next words
// can be an answer to.
func (t *turn) show(reply Reply, send func(Reply) bool) {
	var ids []string
	for _, ask := range reply.asks {
		id := t.book.Issue(ask)
		ids = append(ids, id)
		if consent.IsFor(ask) && mayAnswer(ask, t.who) {
			action := actionOf(ask, reply.Reasoning)
			action.ID = id
			reply.Actions = append(reply.Actions, action)
		}
	}
	t.book.SendAll(t.task.Session, ids, func() bool { return send(reply) })
}

// showEntries gives the actions of a history the IDs of its client. What was asked last is before the
// client's eyes then, as after a reply.
func showEntries(book *shown.Book, entries []Entry, send func() bool) {
	for i := range entries {
		for j := range entries[i].Actions {
			a := &entries[i].Actions[j]
			if a.ID = book.Name(a.ask); a.State == ActionPending {
				a.ID = book.Issue(a.ask)
			}
		}
	}
	if len(entries) == 0 {
		send()
		return
	}
	newest, last := entries[len(entries)-1], ""
	if newest.ask != nil {
		last = book.Issue(*newest.ask)
	}
	book.Send(newest.Session, last, send)
}

// among returns the ask of a slip among some, or nil.
func among(asks []rein.Ask, s shown.Slip) *rein.Ask {
	if i := slices.IndexFunc(asks, func(a rein.Ask) bool { return a.ID == s.Ask }); i >= 0 {
		return &asks[i]
	}
	return nil
}
