package api

import "time"

// A Secret is something that was typed and that nobody can read back, such as a key or a password. It is shown
// without its value.
type Secret struct {
	Name    string    `json:"name"`
	Changed time.Time `json:"changed"`          // when it was last set
	Shared  bool      `json:"shared,omitempty"` // it belongs to the household, not to you
	// Lost says that the key it was sealed with is missing, so that it must be set again.
	Lost bool `json:"lost,omitempty"`
}

// Secrets is the answer to GET /v1/secrets.
type Secrets struct {
	Secrets []Secret `json:"secrets"` // by name, yours first
}

// MaxSecret is how many bytes a value has at most.
const MaxSecret = 64 << 10

// NewSecret is the body of PUT /v1/secrets/{name}.
type NewSecret struct {
	Value string `json:"value"` // at most 64 KiB
}

// Rekeyed is the answer to POST /v1/secret-key.
type Rekeyed struct {
	Sealed int `json:"sealed"` // how many secrets were sealed with the new key
	// Lost lists secrets that could not be opened, as HOUSEHOLD/USER/NAME: they must be set again.
	Lost []string `json:"lost"`
}
