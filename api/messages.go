package api

import (
	"time"

	"rein"
)

// Messages is the answer to GET /v1/messages: your messages, the newest first.
type Messages struct {
	Messages []PostedMessage `json:"messages"`
	Next     string          `json:"next,omitempty"` // the before of the next page; empty: this is the last one
}

// A PostedMessage is something that rein told you outside of what you were doing: a reminder, an alarm, a notice, or that something
// waits for your answer.
type PostedMessage struct {
	ID      string     `json:"id"`
	Kind    string     `json:"kind"` // reminder, result, alarm, notice or ask
	Text    string     `json:"text"`
	At      time.Time  `json:"at"`
	Session string     `json:"session,omitempty"`
	Run     rein.RunID `json:"run,omitempty"`
	Ask     rein.AskID `json:"ask,omitempty"` // what waits for your answer
	Urgent  bool       `json:"urgent,omitempty"`
	Seen    time.Time  `json:"seen,omitzero"`  // when you read it; empty: not yet
	Sent    []Sent     `json:"sent,omitempty"` // what happened to it in your channels
}

// Sent is what happened to a message in one channel.
type Sent struct {
	Channel string             `json:"channel"`
	State   rein.DeliveryState `json:"state"`
	Tries   int                `json:"tries"`
	Changed time.Time          `json:"changed"`
	Next    time.Time          `json:"next,omitzero"`   // for a waiting delivery: when the next attempt is
	Error   string             `json:"error,omitempty"` // why the last attempt failed, or why it was dropped
}

// MessageQuery narrows a list of messages.
type MessageQuery struct {
	Unread bool   // only those that you have not read
	Before string // only those before this one: next of the previous page
	Limit  int    // how many at most
}

// SeenMessages is the body of POST /v1/messages/seen.
type SeenMessages struct {
	IDs []string `json:"ids"` // which messages you have read; empty: all
}

// MessagePreferences are how you want your messages.
type MessagePreferences struct {
	Quiet    []QuietHours `json:"quiet"`              // when messages wait, unless they are urgent
	Zone     string       `json:"zone,omitempty"`     // the time zone of the quiet hours, such as Europe/Amsterdam; empty: that of the settings
	Language string       `json:"language,omitempty"` // the language of what rein adds to a message, such as nl; empty: that of the settings
}

// QuietHours are a time of the day at which messages wait. They end on the next day if to is not after from.
type QuietHours struct {
	Days []string `json:"days,omitempty"` // the days on which they begin, such as monday; empty: every day
	From string   `json:"from"`           // such as 22:00
	To   string   `json:"to"`             // such as 07:00
}

// Channels is the answer to GET /v1/channels: where you get messages outside of rein, the oldest first.
type Channels struct {
	Channels []Channel `json:"channels"`
}

// A Channel is one place where you get messages: an address of mail, a browser, a chat, a webhook.
type Channel struct {
	ID       string    `json:"id"`
	Kind     string    `json:"kind"`              // mail, push, telegram or webhook
	Address  string    `json:"address,omitempty"` // an address of mail; of a browser and a webhook only where it is
	Label    string    `json:"label,omitempty"`   // what you call it
	Muted    []string  `json:"muted"`             // kinds of messages that do not go there
	Verified time.Time `json:"verified,omitzero"` // since when it is yours; empty: not yet, and nothing is sent there
	Gone     time.Time `json:"gone,omitzero"`     // since when it takes no messages any more; empty: it does
	Why      string    `json:"why,omitempty"`     // why it is gone
	Created  time.Time `json:"created"`
}

// NewChannel is the body of POST /v1/channels.
type NewChannel struct {
	Kind    string `json:"kind"`    // mail; browsers and chats add themselves
	Address string `json:"address"` // such as ann@example.org
	Label   string `json:"label,omitempty"`
}

// ChannelChange is the body of PATCH /v1/channels/{id}.
type ChannelChange struct {
	Muted []string `json:"muted"` // kinds of messages that do not go there; empty: all go there
}

// ChannelCode is the body of POST /v1/channels/{id}/verify.
type ChannelCode struct {
	Code string `json:"code"` // what was sent to the channel
}

// PushKey is the answer to GET /v1/push/key.
type PushKey struct {
	Key string `json:"key"` // the applicationServerKey with which a browser subscribes
}

// NewPushSubscription is the body of POST /v1/push/subscriptions: what PushSubscription.toJSON() gives in a browser.
type NewPushSubscription struct {
	Endpoint string   `json:"endpoint"`
	Keys     PushKeys `json:"keys"`
	Label    string   `json:"label,omitempty"` // what you call the browser
	// ExpirationTime is what browsers send along; it does not count.
	ExpirationTime *float64 `json:"expirationTime,omitempty"`
}

// PushKeys are the keys of a subscription, in base64url.
type PushKeys struct {
	P256DH string `json:"p256dh"`
	Auth   string `json:"auth"`
}
