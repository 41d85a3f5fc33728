package app

import (
	"context"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"rein/api"
	"rein/follow/deliver"
	"rein/follow/deliver/desk"
	mailer "rein/follow/deliver/mail"
	"rein/follow/deliver/push"
	"rein/household/channels"
	"rein/household/post"
	"rein/internal/civil"
)

// pushKeyName is the secret with the key of web push. It is the server's, so the household that the process belongs to has it.
const pushKeyName = "push/key"

// A pushBox keeps that key.
type pushBox struct{ *owner }

// Get implements push.Box.
func (b pushBox) Get(ctx context.Context) ([]byte, error) {
	return b.secrets.Get(ctx, householdSecrets, pushKeyName)
}

// Put implements push.Box.
func (b pushBox) Put(ctx context.Context, value []byte) error {
	return b.secrets.Put(ctx, householdSecrets, pushKeyName, value)
}

// openDesk makes what sends messages, and where people arrange it.
func (o *owner) openDesk() error {
	o.channels = channels.Book{Tables: o.store}
	pusher := push.New(push.Options{Keys: pushBox{o}, Contact: o.pushContact})
	d := &desk.Desk{Book: o.channels, Home: o.speaks, Push: pusher, Channels: []deliver.Channel{pusher}}
	if m := o.settings.Mail; m.Host != "" {
		sends, err := mailer.New(mailer.Options{
			Host: m.Host, Port: int(m.Port), Security: m.TLS, From: m.From, User: m.User,
			Password: func() (string, error) { return m.Secret(o.setup.variables(o.settings)) },
		})
		if err != nil {
			return wrongSetting("%v", err)
		}
		d.Mail, d.Channels = sends, append(d.Channels, sends)
	}
	o.arrange = d
	return nil
}

// speaks returns the language and the zone of people who chose none.
func (o *owner) speaks() (string, *time.Location) {
	now, _ := o.live.now()
	zone, err := civil.Zone(now.Zone)
	if err != nil {
		zone = time.UTC
	}
	return now.Language, zone
}

// pushContact is whom push services can write to.
func (o *owner) pushContact() string {
	set := o.settings
	switch from, err := mail.ParseAddress(set.Mail.From); {
	case set.Push.Contact != "":
		return set.Push.Contact
	case err == nil:
		return "mailto:" + from.Address
	case strings.HasPrefix(set.Server.URL, "https://"):
		return set.Server.URL
	}
	return ""
}

// maskFor is a text without what is a secret for a user.
func (o *owner) maskFor(household, user, text string) string {
	clean, _, blocked := o.known.of(household, user).Text(text)
	if blocked {
		return "[withheld]"
	}
	return clean
}

// makePost makes what brings messages to people.
func (s *Service) makePost() {
	if s.telegram != nil {
		s.arrange.Channels = append(s.arrange.Channels, s.telegram)
	}
	office := deliver.New(deliver.Options{
		Store: &Data{Store: s.store, seen: s.seen}, Channels: s.arrange.Channels, Link: s.messageLink, Home: s.speaks, Mask: s.maskFor, Now: s.setup.o.Now, Log: s.log,
		Arrived: func(household, user string) { s.hints.Household(household, user, api.TopicMessages) },
	})
	s.parts = append(s.parts, part{"messages", office.Serve})
}

// messageLink is where a person looks at a message. A link answers nothing by itself.
func (s *Service) messageLink(m post.Message) string {
	switch {
	case m.Ask != "":
		return s.url + "/asks"
	case m.Session != "":
		return s.url + "/s/" + url.PathEscape(m.Session)
	}
	return s.url
}
