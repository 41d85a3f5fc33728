package rein

import "time"

// A Delivery is one message to one webhook.
type Delivery struct {
	ID        string        `json:"id"` // the same for every attempt
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
	Next      time.Time     `json:"next,omitzero"`   // for a waiting delivery: when the next attempt is
	Error     string        `json:"error,omitempty"` // why the last attempt failed
}

// DeliveryState is the state of a delivery.
type DeliveryState string

const (
	DeliveryWaiting DeliveryState = "waiting"
	Delivered       DeliveryState = "delivered"
	DeliveryDropped DeliveryState = "dropped"  // it was no longer needed
	DeliveryGivenUp DeliveryState = "given up" // it failed until the time for retries ran out
)

// Deliveries is the state of the deliveries to webhooks.
type Deliveries struct {
	Targets    []WebhookStatus `json:"targets"`
	Deliveries []Delivery      `json:"deliveries"` // the newest first
}

// WebhookStatus is the state of a webhook. Its URL is not shown, because the path may be a secret.
type WebhookStatus struct {
	Name     string                `json:"name"`
	Host     string                `json:"host"`
	Events   []WebhookEvent        `json:"events"`
	Private  bool                  `json:"private,omitempty"`
	Content  bool                  `json:"content,omitempty"`
	Disabled time.Time             `json:"disabled,omitzero"` // since when it is disabled; empty: it is not
	Why      string                `json:"why,omitempty"`
	Counts   map[DeliveryState]int `json:"counts"` // how many deliveries there are in each state
}

// WebhookEvent is something that a webhook can receive.
type WebhookEvent string

const (
	WebhookAskOpened WebhookEvent = "ask.opened" // something waits for a person
	WebhookAskClosed WebhookEvent = "ask.closed" // an ask that the webhook received is closed
	WebhookRunEnded  WebhookEvent = "run.ended"  // a run that a person started has ended
)
