// Package push sends messages to browsers by web push: encrypted for the browser, signed for its push service. The standard
// library has all the parts.
package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/household/channels"
	"rein/household/post"
	"rein/internal/outbound"
)

// Options are those of a pusher. Keys is needed.
type Options struct {
	Keys    Box
	Contact func() string    // whom push services can write to, a mailto: or https: URL; nil or "": nobody
	Now     func() time.Time // nil means time.Now
}

// A Pusher sends to browsers. New makes one.
type Pusher struct {
	opts   Options
	keys   keys
	client *http.Client
}

// maxAnswer is how much of a push service's answer is read.
const maxAnswer = 16 << 10

// New makes a pusher. An endpoint is chosen by whoever subscribes, so only addresses of the internet are dialled.
func New(o Options) *Pusher {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Contact == nil {
		o.Contact = func() string { return "" }
	}
	return &Pusher{opts: o, keys: keys{box: o.Keys}, client: outbound.New(outbound.Options{
		AnyPort: true, NoRedirects: true, Timeout: -1, Header: 16 << 10, Body: maxAnswer,
	})}
}

// PublicKey is the key that browsers subscribe with.
func (p *Pusher) PublicKey(ctx context.Context) (string, error) {
	pair, err := p.keys.get(ctx)
	if err != nil {
		return "", err
	}
	return public(pair)
}

// Channel checks what a browser sent when it subscribed, and returns the channel of it. Whoever subscribes reads there, so
// it needs no code.
func (p *Pusher) Channel(household, user, endpoint, label string, s Subscription) (channels.Channel, error) {
	if _, err := originOf(endpoint); err != nil {
		return channels.Channel{}, err
	}
	if _, _, err := s.keys(); err != nil {
		return channels.Channel{}, err
	}
	data, err := json.Marshal(s)
	return channels.Channel{
		Household: household, User: user, Kind: channels.Push, Address: endpoint, Label: label, Data: data, Verified: p.opts.Now(),
	}, err
}

// originOf is where an endpoint is, as its push service is known by.
func originOf(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return "", rein.Errorf(rein.CodeInvalid, "the endpoint of a subscription must be an https address: send what PushSubscription.toJSON() gives")
	}
	if literal, err := netip.ParseAddr(u.Hostname()); err == nil && !outbound.IsPublic(literal) {
		return "", rein.Errorf(rein.CodeInvalid, "the endpoint of a subscription is at %s, which is not an address of the internet", literal)
	}
	return u.Scheme + "://" + u.Host, nil
}

// A note is what the page's service worker gets and shows.
type note struct {
	ID      string       `json:"id"` // the tag of the notification: a second one with it replaces the first
	Kind    post.Kind    `json:"kind"`
	Text    string       `json:"text"`
	Link    string       `json:"link,omitempty"`
	At      time.Time    `json:"at"`
	Session string       `json:"session,omitempty"`
	Urgent  bool         `json:"urgent,omitempty"`
	Ask     rein.AskID   `json:"ask,omitempty"`
	Shown   string       `json:"shown,omitempty"`
	Choices []string     `json:"choices,omitempty"`
	AskKind rein.AskKind `json:"ask_kind,omitempty"`
	Until   time.Time    `json:"until,omitzero"`
}

// payload is a message as it fits into one push. What is too long is cut: the whole is where the link leads. A question that
// had to be cut cannot be answered from the notification, because its reader did not see all of it.
func payload(m deliver.Message) ([]byte, error) {
	n := note{ID: m.ID, Kind: m.Kind, Text: m.Text, Link: m.Link, At: m.At, Session: m.Session, Urgent: m.Urgent}
	if q := m.Ask; q != nil {
		n.Ask, n.AskKind, n.Shown, n.Choices, n.Until = q.ID, q.Kind, q.Shown, q.Choices, q.Deadline
	}
	for most := maxPayload; ; most /= 2 {
		if len(n.Text) > most {
			n.Text, n.Shown, n.Choices = rein.Clip(n.Text, most), "", nil
		}
		text, err := json.Marshal(n)
		if err != nil || len(text) <= maxPayload {
			return text, err
		}
		if most == 0 {
			return nil, deliver.Never(errors.New("the message does not fit into a push"))
		}
	}
}

// Name implements deliver.Channel.
func (*Pusher) Name() string { return string(channels.Push) }

// Send implements deliver.Channel.
func (p *Pusher) Send(ctx context.Context, to deliver.To, m deliver.Message) (receipt string, err error) {
	request, err := p.request(ctx, to, m)
	if err != nil {
		return "", err
	}
	response, err := p.client.Do(request)
	if err != nil {
		why := errors.New(rein.Clip(outbound.Reason(err), 300)) // without the endpoint, which is a secret
		if _, refused := errors.AsType[*outbound.RefusedError](err); refused {
			why = deliver.Gone(why)
		}
		return "", why
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer) // its status is all that counts
	return m.ID, judge(response)
}

func (p *Pusher) request(ctx context.Context, to deliver.To, m deliver.Message) (*http.Request, error) {
	origin, err := originOf(to.Address)
	if err != nil {
		return nil, deliver.Gone(err)
	}
	var s Subscription
	if err := json.Unmarshal(to.Data, &s); err != nil {
		return nil, deliver.Gone(errors.New("the keys of the subscription cannot be read"))
	}
	text, err := payload(m)
	if err != nil {
		return nil, err
	}
	sealed, err := seal(s, text)
	if err != nil {
		return nil, deliver.Gone(err)
	}
	pair, err := p.keys.get(ctx)
	if err != nil {
		return nil, err
	}
	now := p.opts.Now()
	proof, err := authorization(pair, origin, p.opts.Contact(), now)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.Address, bytes.NewReader(sealed))
	if err != nil {
		return nil, errors.New("the endpoint cannot be called")
	}
	for name, value := range map[string]string{
		"Authorization": proof, "Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm",
		"TTL": strconv.Itoa(int(ttl(m, now).Seconds())), "Urgency": urgency(m), "Topic": m.ID, "User-Agent": "rein-push/1",
	} {
		request.Header.Set(name, value)
	}
	return request, nil
}

// ttl is how long the push service keeps a message for a browser that is away.
func ttl(m deliver.Message, now time.Time) time.Duration {
	if m.Ask != nil && !m.Ask.Deadline.IsZero() {
		return max(0, min(deliver.Patience, m.Ask.Deadline.Sub(now)))
	}
	return deliver.Patience
}

// urgency says whether a phone that saves its battery is woken.
func urgency(m deliver.Message) string {
	if m.Urgent || m.Ask != nil || m.Kind == post.Reminder || m.Kind == post.Alarm {
		return "high"
	}
	return "normal"
}

func judge(response *http.Response) error {
	answered := fmt.Errorf("the push service answered %d", response.StatusCode)
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone:
		return deliver.Gone(fmt.Errorf("%w: the browser has unsubscribed", answered))
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return deliver.Gone(fmt.Errorf("%w: the subscription was not made with the key of this server: subscribe again", answered))
	case status == http.StatusBadRequest, status == http.StatusRequestEntityTooLarge:
		return deliver.Never(answered)
	default:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return deliver.Again(time.Duration(max(0, min(seconds, 3600)))*time.Second, answered)
	}
}
