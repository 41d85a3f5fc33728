package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/notify"
	"rein/household/channels"
	"rein/internal/outbound"
)

// A Message is what is sent to the URL of a hook.
type Message struct {
	ID        string     `json:"id"`   // the same on every try
	Kind      string     `json:"kind"` // reminder, result, alarm, notice, ask, or reply
	Time      time.Time  `json:"time"`
	Text      string     `json:"text"`
	Link      string     `json:"link,omitempty"`
	Run       rein.RunID `json:"run,omitempty"`
	InReplyTo string     `json:"in_reply_to,omitempty"` // of a reply: the id of the request
	End       rein.End   `json:"end,omitempty"`         // of a reply: how the run ended
	Ask       *Asked     `json:"ask,omitempty"`
}

// Asked is what waits for an answer: send its ID and its shown back.
type Asked struct {
	ID       rein.AskID   `json:"id"`
	Kind     rein.AskKind `json:"kind"`
	Choices  []string     `json:"choices,omitempty"`
	Shown    string       `json:"shown"`
	Deadline time.Time    `json:"deadline,omitzero"`
}

const (
	tryLimit  = 10 * time.Second
	maxAnswer = 64 << 10
)

// A sender posts to URLs that users chose: only to the internet, and to what whoever runs rein named.
type sender struct{ http *http.Client }

func newSender(o Options) *sender {
	return &sender{http: outbound.New(outbound.Options{
		Allow: o.Networks, Hosts: o.Hosts, AnyPort: true, NoRedirects: true, Timeout: tryLimit, Header: 16 << 10, Body: maxAnswer,
	})}
}

var _ deliver.Channel = (*Hooks)(nil)

// Name implements deliver.Channel.
func (h *Hooks) Name() string { return string(channels.Webhook) }

// Send implements deliver.Channel.
func (h *Hooks) Send(ctx context.Context, to deliver.To, m deliver.Message) (string, error) {
	var data struct {
		Hook string `json:"hook"`
	}
	if err := json.Unmarshal(to.Data, &data); err != nil {
		return "", deliver.Never(rein.Errorf(rein.CodeInvalid, "the channel belongs to no hook"))
	}
	found, err := h.read(ctx, "id = ? AND household = ? AND user_name = ?", data.Hook, to.Household, to.User)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", deliver.Gone(errors.New("its hook was removed"))
	}
	body := Message{ID: m.ID, Kind: string(m.Kind), Time: m.At, Text: m.Text, Link: m.Link, Run: m.Run}
	if q := m.Ask; q != nil {
		body.Ask = &Asked{ID: q.ID, Kind: q.Kind, Choices: q.Choices, Shown: q.Shown, Deadline: q.Deadline}
	}
	return "", h.post(ctx, found[0], body)
}

// post sends a message to the URL of a hook, signed.
func (h *Hooks) post(ctx context.Context, k Hook, m Message) error {
	secret, err := h.opts.Secrets.Get(ctx, k.owner(), k.secretName())
	if err != nil {
		return err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return deliver.Never(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, k.URL, bytes.NewReader(body))
	if err != nil {
		return deliver.Never(errors.New("its URL makes no request"))
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "rein-webhook/1", notify.DeliveryHeader: m.ID,
		notify.EventHeader: "message." + m.Kind, notify.SignatureHeader: notify.Sign(string(secret), h.opts.Now(), body),
	} {
		request.Header.Set(name, value)
	}
	response, err := h.sends.http.Do(request)
	if err != nil {
		why := errors.New(outbound.Reason(err)) // without the URL, which may be secret
		if _, no := errors.AsType[*outbound.RefusedError](err); no {
			return deliver.Never(fmt.Errorf("%w: whoever runs rein can name it in hooks.allow", why))
		}
		return why
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer) // its status is all that counts
	return judge(response)
}

func judge(response *http.Response) error {
	said := fmt.Errorf("the hook answered %d", response.StatusCode)
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusGone:
		return deliver.Gone(said)
	case status >= 300 && status < 400:
		return deliver.Never(fmt.Errorf("%w: redirects are not followed", said))
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		return deliver.Again(time.Duration(min(seconds, 3600))*time.Second, said)
	}
	return said
}
