package rein

import "time"

// A Delivery is one thing that is told to one target.
type Delivery struct {
	ID        string        `json:"id"` // the same on every try
	Target    string        `json:"target"`
	Kind      WebhookEvent  `json:"kind"`
	Household string        `json:"household"`
	User      string        `json:"user"`
	Run       RunID         `json:"run"`
	Ask       AskID         `json:"ask,omitempty"`
	State     DeliveryState `json:"state"`
	Tries     int           `json:"tries"`
	Created   time.Time     `json:"created"`
	Changed   time.Time     `json:"changed"`
	Next      time.Time     `json:"next,omitzero"`   // of a waiting one: when it is tried
	Error     string        `json:"error,omitempty"` // what was wrong with the last try
}

// DeliveryState is where a delivery stands.
type DeliveryState string

const (
	DeliveryWaiting DeliveryState = "waiting"
	Delivered       DeliveryState = "delivered"
	DeliveryDropped DeliveryState = "dropped"  // there was nothing to tell any more
	DeliveryGivenUp DeliveryState = "given up" // it was tried for as long as Patience
)

// Deliveries is what became of what was to be told.
type Deliveries struct {
	Targets    []WebhookStatus `json:"targets"`
	Deliveries []Delivery      `json:"deliveries"` // the newest first
}

// WebhookStatus is where a target of deliveries stands. Its URL is not told: the path may be a secret.
type WebhookStatus struct {
	Name     string                `json:"name"`
	Host     string                `json:"host"`
	Events   []WebhookEvent        `json:"events"`
	Private  bool                  `json:"private,omitempty"`
	Content  bool                  `json:"content,omitempty"`
	Disabled time.Time             `json:"disabled,omitzero"` // since when
	Why      string                `json:"why,omitempty"`
	Counts   map[DeliveryState]int `json:"counts"` // of its deliveries
}

// WebhookEvent is something that a target can be told.
type WebhookEvent string

const (
	WebhookAskOpened WebhookEvent = "ask.opened" // something waits for a person
	WebhookAskClosed WebhookEvent = "ask.closed" // what the target was told of waits no longer
	WebhookRunEnded  WebhookEvent = "run.ended"  // a run that a person started has ended
)
