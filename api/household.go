package api

import "rein"

// Household is the answer to GET /v1/household: yours, with what its roles may do.
type Household struct {
	Name  string        `json:"name"`
	Roles []rein.Rights `json:"roles"` // the strongest first
}

// Households is the answer to GET /v1/households.
type Households struct {
	Households []rein.HouseholdInfo `json:"households"`
}

// NewHousehold is the body of POST /v1/households.
type NewHousehold struct {
	Name  string `json:"name"`
	Owner string `json:"owner"` // its first user
}

// MadeHousehold is the answer to POST /v1/households. The link logs the owner in once, and expires soon; see LoginLink.
type MadeHousehold struct {
	Owner rein.UserInfo `json:"owner"`
	LoginLink
}

// NewInvite is the body of POST /v1/invites.
type NewInvite struct {
	Role rein.UserRole `json:"role"`           // member (or adult), child, guest or viewer
	Name string        `json:"name,omitempty"` // of the new user; empty: whoever comes chooses it
	Days int           `json:"days,omitempty"` // how many days it is valid; 0: the default
}

// Invites is the answer to GET /v1/invites.
type Invites struct {
	Invites []rein.Invite `json:"invites"`
}

// MadeInvite is the answer to POST /v1/invites. Only this answer has the link. It is a path and query; put the address of the
// server before it.
type MadeInvite struct {
	rein.Invite
	LoginLink
}

// NewPairing is the body of POST /v1/pairings.
type NewPairing struct {
	User string `json:"user,omitempty"` // empty: you
}

// MadePairing is the answer to POST /v1/pairings. Only this answer has the code. People type it at /pair.
type MadePairing struct {
	rein.Pairing
	Code string `json:"code"`
}

// Devices is the answer to GET /v1/devices.
type Devices struct {
	Devices []rein.Device `json:"devices"`
}
