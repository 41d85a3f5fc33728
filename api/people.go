package api

import (
	"rein"
)

// Me is the answer to GET /v1/me.
type Me struct {
	rein.Identity
	// CSRF is what a browser must send as X-CSRF-Token with a request that changes something; empty if you
	// are not in a browser.
	CSRF string `json:"csrf,omitempty"`
	// Currency is that of all amounts of money here, which are in millionths of its unit: three capital letters, as ISO 4217
	// has them. Empty: it is not known, or not all prices are in one currency.
	Currency string `json:"currency,omitempty"`
	// Rights are what you may approve, which tools your runs get, and what you may spend in a day because of your role; empty
	// if the server has no users.
	Rights *rein.Rights `json:"rights,omitempty"`
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

// ChangedUser is the body of PATCH /v1/users/{name}. Fields that you leave out stay as they are.
type ChangedUser struct {
	Role     rein.UserRole `json:"role,omitempty"`
	Disabled *bool         `json:"disabled,omitempty"`
}

// LoginLink is the answer to POST /v1/users/{name}/link. The link logs a browser in once, and expires soon.
// It is a path and query; put the address of the server before it.
type LoginLink struct {
	Link string `json:"link"`
}

// NewToken is the body of POST /v1/tokens.
type NewToken struct {
	User   string       `json:"user,omitempty"`   // empty: you
	Label  string       `json:"label"`            // what it is for
	Scopes []rein.Scope `json:"scopes,omitempty"` // empty: all scopes that the user has
	Days   int          `json:"days,omitempty"`   // how many days it is valid; 0: the default
}

// MadeToken is the answer to POST /v1/tokens. Only this answer has the token itself.
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
	Next    int64               `json:"next,omitempty"` // pass it as after to get the next page; 0: this is the last one
}

// Files is the answer to GET /v1/sessions/{id}/files.
type Files struct {
	Files []rein.File `json:"files"`
}
