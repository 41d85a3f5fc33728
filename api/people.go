package api

import (
	"rein"
)

// Me is the answer to GET /v1/me.
type Me struct {
	rein.Identity
	// CSRF is what a browser sends as X-CSRF-Token with a request that changes something; empty for
	// who is not in a browser.
	CSRF string `json:"csrf,omitempty"`
}

// Users is the answer to GET /v1/users.
type Users struct {
	Users []rein.UserInfo `json:"users"`
}

// NewUser is the body of POST /v1/users.
type NewUser struct {
	Name string        `json:"name"`
	Role rein.UserRole `json:"role"`
}

// ChangedUser is the body of PATCH /v1/users/{name}. What is left out stays as it is.
type ChangedUser struct {
	Role     rein.UserRole `json:"role,omitempty"`
	Disabled *bool         `json:"disabled,omitempty"`
}

// LoginLink is the answer to POST /v1/users/{name}/link: what logs a browser in, once and soon. It is
// the path and query of an address of this server.
type LoginLink struct {
	Link string `json:"link"`
}

// NewToken is the body of POST /v1/tokens.
type NewToken struct {
	User   string       `json:"user,omitempty"`   // empty: the sender
	Label  string       `json:"label"`            // what it is for
	Scopes []rein.Scope `json:"scopes,omitempty"` // empty: all that the user has
	Days   int          `json:"days,omitempty"`   // how long it is good; 0: as long as is usual
}

// MadeToken is the answer to POST /v1/tokens: the only time that the token itself is told.
type MadeToken struct {
	rein.Token
	Text string `json:"text"`
}

// Tokens is the answer to GET /v1/tokens.
type Tokens struct {
	Tokens []rein.Token `json:"tokens"`
}

// Changes is the answer to GET /v1/changes.
type Changes struct {
	Changes []rein.PeopleChange `json:"changes"`        // oldest first
	Next    int64               `json:"next,omitempty"` // the after of the next page; 0: that was all
}

// Files is the answer to GET /v1/sessions/{id}/files.
type Files struct {
	Files []rein.File `json:"files"`
}
