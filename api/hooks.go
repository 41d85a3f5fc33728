package api

import (
	"time"

	"rein"
)

// Hook is a webhook of yours, for both ways: messages go to its URL, and your programs talk to your assistant through it.
type Hook struct {
	ID      string    `json:"id"`
	Label   string    `json:"label,omitempty"`
	Host    string    `json:"host,omitempty"` // where messages go; empty: nowhere. The path is not shown, because it may be a secret
	Answers bool      `json:"answers"`        // it may answer asks
	Created time.Time `json:"created"`
}

// Hooks is the answer to GET /v1/hooks.
type Hooks struct {
	Hooks []Hook `json:"hooks"` // the oldest first
}

// NewHook is the body of POST /v1/hooks.
type NewHook struct {
	Label   string `json:"label,omitempty"`   // what you call it
	URL     string `json:"url,omitempty"`     // where messages go, with https; empty: the hook only takes requests
	Answers bool   `json:"answers,omitempty"` // it may answer asks
}

// MadeHook is the answer to POST /v1/hooks. Nothing shows the secret again.
type MadeHook struct {
	Hook
	Secret string `json:"secret"` // what both ways are signed with
}

// HookRequest is the body of POST /v1/hooks/{id}: a text for the assistant, or the answer to an ask.
type HookRequest struct {
	ID     string     `json:"id"`               // names the request: the same ID again is the same request
	Text   string     `json:"text,omitempty"`   // for the assistant
	Ask    rein.AskID `json:"ask,omitempty"`    // what is answered
	Shown  string     `json:"shown,omitempty"`  // its shown, as it was read
	Answer string     `json:"answer,omitempty"` // yes, no, a choice, or the answer to a question
}

// HookReceipt is the answer to POST /v1/hooks/{id}.
type HookReceipt struct {
	ID       string        `json:"id"`
	Run      rein.RunID    `json:"run,omitempty"`      // the run that the text began or reached
	Answered rein.AskState `json:"answered,omitempty"` // what the ask is now
	Again    bool          `json:"again,omitempty"`    // it came before; this is what was answered then
}
