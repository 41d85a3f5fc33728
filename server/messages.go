package server

import (
	"context"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/follow/deliver"
	"rein/household/post"
	"rein/server/wire"
	"rein/store"
)

// withMessages is do for a server that knows messages.
func (s *server) withMessages(do handler) handler {
	if s.Messages != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process does not know messages: send the request to the process that owns the data")
	}
}

// listMessages lists the sender's own messages: nobody reads another's, not even an owner.
func (s *server) listMessages(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	limit := number(r, "limit", api.DefaultLimit)
	found, err := s.Messages.List(r.Context(), post.Filter{
		Household: who.Household, User: who.User, Unread: flag(r, "unread"), Before: r.URL.Query().Get("before"), Limit: limit + 1,
	})
	if err != nil {
		return err
	}
	list := api.Messages{Messages: []api.PostedMessage{}}
	if len(found) > limit {
		found = found[:limit]
		list.Next = found[limit-1].ID
	}
	sent, err := s.sent(r.Context(), who)
	if err != nil {
		return err
	}
	for _, m := range found {
		shown := s.shownMessage(m)
		shown.Sent = sent[m.ID]
		list.Messages = append(list.Messages, shown)
	}
	return answer(w, http.StatusOK, list)
}

// shownMessage is a message as its reader sees it.
func (s *server) shownMessage(m post.Kept) api.PostedMessage {
	if s.Mask != nil {
		m.Text = s.Mask(m.Household, m.User, m.Text)
	}
	return api.PostedMessage{ID: m.ID, Kind: string(m.Kind), Text: m.Text, At: m.At, Session: m.Session, Run: m.Run, Ask: m.Ask, Urgent: m.Urgent, Seen: m.Seen}
}

// maxSent is how many deliveries are looked at to say what became of messages.
const maxSent = 2000

// sent returns what became of the sender's messages in their channels, by message.
func (s *server) sent(ctx context.Context, who rein.Identity) (map[string][]api.Sent, error) {
	all := map[string][]api.Sent{}
	if s.Tables == nil {
		return all, nil
	}
	return all, s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err := deliver.Of(ctx, q, who.Household, who.User, maxSent)
		for _, d := range found {
			one := api.Sent{Channel: d.Channel, State: d.State, Tries: d.Tries, Changed: d.Changed, Error: d.Error}
			if d.State == rein.DeliveryWaiting {
				one.Next = d.Next
			}
			all[d.Message] = append(all[d.Message], one)
		}
		return err
	})
}

// seeMessages marks the sender's messages as read.
func (s *server) seeMessages(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.SeenMessages
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if len(body.IDs) > api.MaxLimit {
		return rein.Errorf(rein.CodeInvalid, "%d messages are too many at once: name at most %d, or none for all", len(body.IDs), api.MaxLimit)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Messages.See(ctx, who.Household, who.User, body.IDs, time.Now()); err != nil {
		return err
	}
	s.Live.Household(who.Household, who.User, api.TopicMessages)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) messageOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/messages", name: "listMessages", tag: "messages", summary: "List your messages, the newest first: reminders, alarms, notices, and what waits for your answer",
			needs: rein.ScopeRead, answers: ok(api.Messages{}), do: s.withMessages(s.listMessages),
			query: []parameter{
				{name: "unread", about: "only messages that you have not read", flag: true},
				{name: "before", about: "only messages before this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "POST", path: "/v1/messages/seen", name: "seeMessages", tag: "messages", summary: "Mark messages as read: those that you name, or all",
			needs: rein.ScopeAct, body: api.SeenMessages{}, answers: []reply{{status: http.StatusNoContent}}, do: s.withMessages(s.seeMessages),
		},
		{
			method: "GET", path: "/v1/messages/preferences", name: "showMessagePreferences", tag: "messages", summary: "Get how you want your messages: quiet hours, time zone and language",
			needs: rein.ScopeRead, answers: ok(api.MessagePreferences{}), do: s.withBook(s.showPreferences),
		},
		{
			method: "PUT", path: "/v1/messages/preferences", name: "setMessagePreferences", tag: "messages", summary: "Set how you want your messages. In quiet hours they wait, unless they are urgent",
			needs: rein.ScopeAct, body: api.MessagePreferences{}, answers: ok(api.MessagePreferences{}), do: s.withChannels(s.setPreferences),
		},
	}
}
