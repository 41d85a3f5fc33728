package notify

import (
	"context"
	"encoding/json"
	"time"

	"rein"
)

// A Message is what a target is told.
type Message struct {
	ID        string            `json:"id"` // of the delivery
	Kind      rein.WebhookEvent `json:"kind"`
	Time      time.Time         `json:"time"` // when it happened
	Household string            `json:"household"`
	User      string            `json:"user"`
	Run       rein.RunID        `json:"run"`
	Session   string            `json:"session"`
	Flow      string            `json:"flow"`
	Title     string            `json:"title,omitempty"` // with Content only
	Ask       *Question         `json:"ask,omitempty"`
	End       rein.End          `json:"end,omitempty"` // of run.ended: how
	Link      string            `json:"link,omitempty"`
}

// A Question is an ask as a target is told of it.
type Question struct {
	ID       rein.AskID    `json:"id"`
	Kind     rein.AskKind  `json:"kind"`
	Text     string        `json:"text,omitempty"`    // with Content only
	Choices  []string      `json:"choices,omitempty"` // with Content only
	Tool     string        `json:"tool,omitempty"`    // of an approval or an unknown outcome
	For      string        `json:"for,omitempty"`     // the user who may answer
	Deadline time.Time     `json:"deadline,omitzero"`
	State    rein.AskState `json:"state"`
}

// maxText is the most of a question that is told; the whole is where the link leads.
const maxText = 8000

// message reads what a delivery tells. over says that there is nothing to tell any more.
func (c *courier) message(ctx context.Context, d rein.Delivery) (body []byte, over string, err error) {
	info, err := c.opts.Store.Run(ctx, d.Run)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return nil, "the run is not there any more", nil
	}
	if err != nil {
		return nil, "", err
	}
	m := Message{
		ID: d.ID, Kind: d.Kind, Time: info.Changed, Household: info.Household, User: info.User,
		Run: info.ID, Session: info.Session, Flow: info.Flow,
	}
	if c.Content {
		m.Title = info.Title
	}
	if d.Kind == rein.WebhookRunEnded {
		m.End = info.End().End
	} else {
		ask, err := c.opts.Store.Ask(ctx, d.Ask)
		switch {
		case err != nil && rein.CodeOf(err) != rein.CodeNotFound:
			return nil, "", err
		case err != nil:
			return nil, "the ask is not there any more", nil
		case d.Kind == rein.WebhookAskOpened && ask.State != rein.AskPending:
			return nil, "the ask was closed before it was told", nil
		}
		m.Ask, m.Time = c.question(ask), ask.Opened
		if d.Kind == rein.WebhookAskClosed {
			m.Time = ask.Closed
		}
	}
	if c.opts.Link != nil {
		m.Link = c.opts.Link(d.Run, d.Ask)
	}
	body, err = json.Marshal(m)
	return body, "", err
}

func (c *courier) question(ask rein.Ask) *Question {
	q := &Question{ID: ask.ID, Kind: ask.Kind, For: ask.For, Deadline: ask.Deadline, State: ask.State}
	if ask.Call != nil {
		q.Tool = ask.Call.Name
	}
	if c.Content {
		q.Text, q.Choices = rein.Clip(ask.Text, maxText), ask.Choices
	}
	return q
}
