package server

import (
	"context"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
	"rein/follow/deliver/push"
	"rein/household/channels"
	"rein/household/post"
	"rein/server/wire"
)

// A Desk is where people arrange how messages reach them.
type Desk interface {
	AddMail(ctx context.Context, household, user, address, label string) (channels.Channel, error)
	SendCode(ctx context.Context, household, user, id string) error
	Subscribe(ctx context.Context, household, user, endpoint, label string, s push.Subscription) (channels.Channel, error)
	PushKey(ctx context.Context) (string, error)
	Test(ctx context.Context, household, user, id string) error
}

// withChannels is do for a server that knows channels and arranges them.
func (s *server) withChannels(do handler) handler {
	if s.Channels != nil && s.Desk != nil {
		return do
	}
	return s.noChannels
}

// withBook is do for a server that knows channels, and may only look at them.
func (s *server) withBook(do handler) handler {
	if s.Channels != nil {
		return do
	}
	return s.noChannels
}

func (*server) noChannels(http.ResponseWriter, *http.Request, rein.Identity) error {
	return rein.Errorf(rein.CodeUnavailable, "this process does not know channels: send the request to the process that owns the data")
}

func (s *server) listChannels(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	own, err := s.Channels.Of(r.Context(), who.Household, who.User)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Channels{Channels: each(own, shownChannel)})
}

// shownChannel is a channel as its user sees it. Whoever knows the endpoint of a browser or the URL of a webhook can send
// there, so only their hosts are shown.
func shownChannel(c channels.Channel) api.Channel {
	shown := api.Channel{
		ID: c.ID, Kind: string(c.Kind), Address: c.Address, Label: c.Label, Muted: []string{},
		Verified: c.Verified, Gone: c.Gone, Why: c.Why, Created: c.Created,
	}
	if c.Kind == channels.Push || c.Kind == channels.Webhook {
		shown.Address = ""
		if u, err := url.Parse(c.Address); err == nil {
			shown.Address = u.Host
		}
	}
	for _, k := range c.Muted {
		shown.Muted = append(shown.Muted, string(k))
	}
	return shown
}

func (s *server) addChannel(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := readsToo(who); err != nil { // whoever gets the messages reads
		return err
	}
	var body api.NewChannel
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if body.Kind != string(channels.Mail) {
		return rein.Errorf(rein.CodeInvalid, "kind is %.40q; it must be mail: a browser, a chat and a webhook are added in another way, which docs/messages.md shows", body.Kind)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	c, err := s.Desk.AddMail(ctx, who.Household, who.User, body.Address, body.Label)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, shownChannel(c))
}

func (s *server) changeChannel(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.ChannelChange
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	var muted []post.Kind
	for _, k := range body.Muted {
		muted = append(muted, post.Kind(k))
	}
	if err := s.Channels.Mute(ctx, who.Household, who.User, r.PathValue("id"), muted); err != nil {
		return err
	}
	return s.showChannel(ctx, w, r, who)
}

func (s *server) showChannel(ctx context.Context, w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	c, err := s.Channels.Get(ctx, who.Household, who.User, r.PathValue("id"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, shownChannel(c))
}

func (s *server) removeChannel(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Channels.Remove(ctx, who.Household, who.User, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) verifyChannel(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := readsToo(who); err != nil { // whoever gets the messages reads
		return err
	}
	var body api.ChannelCode
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Channels.Verify(ctx, who.Household, who.User, r.PathValue("id"), body.Code); err != nil {
		return err
	}
	return s.showChannel(ctx, w, r, who)
}

// onChannel is an act on a channel that answers nothing.
func (s *server) onChannel(do func(ctx context.Context, household, user, id string) error) handler {
	return func(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
		ctx, cancel := lasting(r)
		defer cancel()
		if err := do(ctx, who.Household, who.User, r.PathValue("id")); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

func (s *server) showPushKey(w http.ResponseWriter, r *http.Request, _ rein.Identity) error {
	ctx, cancel := lasting(r) // the first one makes it
	defer cancel()
	key, err := s.Desk.PushKey(ctx)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.PushKey{Key: key})
}

func (s *server) subscribePush(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := readsToo(who); err != nil { // whoever gets the messages reads
		return err
	}
	var body api.NewPushSubscription
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	c, err := s.Desk.Subscribe(ctx, who.Household, who.User, body.Endpoint, body.Label, push.Subscription{P256DH: body.Keys.P256DH, Auth: body.Keys.Auth})
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, shownChannel(c))
}

func (s *server) showPreferences(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	p, err := s.Channels.Preferences(r.Context(), who.Household, who.User)
	if err != nil {
		return err
	}
	shown := api.MessagePreferences{Quiet: []api.QuietHours{}, Zone: p.Zone, Language: p.Language}
	for _, q := range p.Quiet {
		shown.Quiet = append(shown.Quiet, api.QuietHours(q))
	}
	return answer(w, http.StatusOK, shown)
}

func (s *server) setPreferences(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.MessagePreferences
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	p := channels.Preferences{Household: who.Household, User: who.User, Zone: body.Zone, Language: body.Language}
	for _, q := range body.Quiet {
		p.Quiet = append(p.Quiet, channels.Quiet(q))
	}
	if err := s.Channels.SetPreferences(ctx, p); err != nil {
		return err
	}
	return s.showPreferences(w, r, who)
}

func (s *server) channelOperations() []operation {
	nothing := []reply{{status: http.StatusNoContent}}
	return []operation{
		{
			method: "GET", path: "/v1/channels", name: "listChannels", tag: "messages", summary: "List where you get messages outside of rein: addresses of mail, browsers, chats, webhooks",
			needs: rein.ScopeRead, answers: ok(api.Channels{}), do: s.withBook(s.listChannels),
		},
		{
			method: "POST", path: "/v1/channels", name: "addChannel", tag: "messages", summary: "Add an address of mail. A code is sent there; nothing else is until you repeat it",
			needs: rein.ScopeAct, body: api.NewChannel{}, answers: []reply{{status: http.StatusCreated, value: api.Channel{}}}, do: s.withChannels(s.addChannel),
		},
		{
			method: "PATCH", path: "/v1/channels/{id}", name: "changeChannel", tag: "messages", summary: "Choose which kinds of messages do not go to a channel",
			needs: rein.ScopeAct, body: api.ChannelChange{}, answers: ok(api.Channel{}), do: s.withChannels(s.changeChannel),
		},
		{
			method: "DELETE", path: "/v1/channels/{id}", name: "removeChannel", tag: "messages", summary: "Remove a channel. Nothing more is sent there",
			needs: rein.ScopeAct, answers: nothing, do: s.withChannels(s.removeChannel),
		},
		{
			method: "POST", path: "/v1/channels/{id}/code", name: "sendChannelCode", tag: "messages", summary: "Send another code to an address of mail that is not verified",
			needs: rein.ScopeAct, answers: nothing, do: s.withChannels(func(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
				return s.onChannel(s.Desk.SendCode)(w, r, who)
			}),
		},
		{
			method: "POST", path: "/v1/channels/{id}/verify", name: "verifyChannel", tag: "messages", summary: "Repeat the code that was sent to a channel: from then on messages go there",
			needs: rein.ScopeAct, body: api.ChannelCode{}, answers: ok(api.Channel{}), do: s.withChannels(s.verifyChannel),
		},
		{
			method: "POST", path: "/v1/channels/{id}/test", name: "testChannel", tag: "messages", summary: "Send a test message to a channel now",
			needs: rein.ScopeAct, answers: nothing, do: s.withChannels(func(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
				return s.onChannel(s.Desk.Test)(w, r, who)
			}),
		},
		{
			method: "GET", path: "/v1/push/key", name: "showPushKey", tag: "messages", summary: "Get the key with which a browser subscribes to web push",
			needs: rein.ScopeRead, answers: ok(api.PushKey{}), do: s.withChannels(s.showPushKey),
		},
		{
			method: "POST", path: "/v1/push/subscriptions", name: "subscribePush", tag: "messages", summary: "Let a browser be notified: send what PushSubscription.toJSON() gives. To stop it, remove the channel",
			needs: rein.ScopeAct, body: api.NewPushSubscription{}, answers: []reply{{status: http.StatusCreated, value: api.Channel{}}}, do: s.withChannels(s.subscribePush),
		},
	}
}
