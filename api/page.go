package api

import (
	"encoding/json"
	"time"

	"rein"
)

// Page is the answer to GET and PUT /v1/me/page: an object that a web page keeps for you. rein does not read it.
type Page struct {
	Page    json.RawMessage `json:"page"`
	Changed time.Time       `json:"changed,omitzero"` // empty: nothing is kept
}

// NewPage is the body of PUT /v1/me/page.
type NewPage struct {
	Page json.RawMessage `json:"page"` // a JSON object of at most 64 kB
}

// Rating is what somebody thinks of a run.
type Rating string

const (
	RatingUp   Rating = "up"
	RatingDown Rating = "down"
)

// Feedback is what one user thinks of a run.
type Feedback struct {
	User    string    `json:"user"`
	Rating  Rating    `json:"rating"`
	Comment string    `json:"comment,omitempty"`
	At      time.Time `json:"at"`
}

// NewFeedback is the body of PUT /v1/runs/{id}/feedback.
type NewFeedback struct {
	Rating  string `json:"rating"` // up or down; empty: remove what you gave
	Comment string `json:"comment,omitempty"`
}

// FeedbackList is the answer to GET and PUT /v1/runs/{id}/feedback.
type FeedbackList struct {
	Feedback []Feedback `json:"feedback"` // by user
}

// ShownRun is the answer to GET /v1/runs/{id}.
type ShownRun struct {
	rein.RunInfo
	Feedback []Feedback `json:"feedback,omitempty"` // what people think of it
}
