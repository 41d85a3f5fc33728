package api

import "rein"

// A Target is what to erase: one run, one session or one user of your household.
type Target struct {
	Run     rein.RunID `json:"run,omitempty"`
	Session string     `json:"session,omitempty"`
	User    string     `json:"user,omitempty"`
}

// String names the target in words: "run r1", "session s1", "user ann".
func (t Target) String() string {
	switch {
	case t.Run != "":
		return "run " + string(t.Run)
	case t.Session != "":
		return "session " + t.Session
	}
	return "user " + t.User
}

// Erasure is the answer to GET and POST /v1/erasures: everything that is erased together.
type Erasure struct {
	Target
	Items []Thing `json:"items"` // empty: nothing is left to erase
	// Left counts the runs of other users that quote the target. They stay, because you may not erase them.
	Left int `json:"left,omitempty"`
	// Shown is the digest of this list. POST /v1/erasures must repeat it.
	Shown string `json:"shown"`
}

// A Thing is one item of an Erasure.
type Thing struct {
	Kind string `json:"kind"` // for example run, memory, file or user
	Name string `json:"name"`
	User string `json:"user,omitempty"` // whose it is
	Why  string `json:"why,omitempty"`  // why it goes too; empty: it is the target itself
	Text string `json:"text,omitempty"` // how it begins, if it belongs to you
}

// NewErasure is the body of POST /v1/erasures. Name one of run, session and user.
type NewErasure struct {
	Target
	// Shown is the digest from GET /v1/erasures. If the list has changed since, nothing is erased.
	Shown string `json:"shown"`
}
