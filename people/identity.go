// Package people knows who may do what: households, their users and roles, tokens, and browsers that
// are logged in. It is the types, the decisions and the SQL; a store brings the transactions. Secrets
// are kept as hashes only.
package people

import "slices"

// A Role is what a user is in their household.
type Role string

const (
	Owner   Role = "owner"   // everything in the household, and its people
	Member  Role = "member"  // what is their own
	Viewer  Role = "viewer"  // looks at everything in the household, changes nothing
	Service Role = "service" // a program: what is its own, by token only
)

// Roles lists the roles, the strongest first.
func Roles() []Role { return []Role{Owner, Member, Viewer, Service} }

// A Scope is one thing that a credential may be good for.
type Scope string

const (
	Read   Scope = "read"   // look at runs, asks, files and settings
	Act    Scope = "act"    // start runs, send them commands, upload files
	Answer Scope = "answer" // answer asks, commit and undo changes of notes
	Admin  Scope = "admin"  // people, tokens, the audit and usage of the household
)

// Scopes lists the scopes.
func Scopes() []Scope { return []Scope{Read, Act, Answer, Admin} }

// Scopes returns what the role may do at most.
func (r Role) Scopes() []Scope {
	switch r {
	case Owner:
		return Scopes()
	case Member, Service:
		return []Scope{Read, Act, Answer}
	case Viewer:
		return []Scope{Read}
	}
	return nil
}

// An Identity is who sends a request, and what their credential is good for. The zero value is nobody.
type Identity struct {
	Household string  `json:"household"`
	User      string  `json:"user"`
	Role      Role    `json:"role"`
	Scopes    []Scope `json:"scopes"`
	// Via says how they were recognised, for audit and limits: "socket", "token:ID" or "browser:ID".
	Via string `json:"via"`
	// Bare says that a browser's cookie is all that speaks for the request: nothing shows that a page of
	// this server sent it. Such a request may read and no more, whatever its method does.
	Bare bool `json:"-"`
}

// May reports whether the identity may do what needs the scope: its role and its credential must
// both allow it.
func (i Identity) May(s Scope) bool {
	if i.Bare && (s == Act || s == Answer) {
		return false
	}
	return slices.Contains(i.Role.Scopes(), s) && slices.Contains(i.Scopes, s)
}

// Sees reports whether the identity may look at what belongs to the user of the household.
func (i Identity) Sees(household, user string) bool {
	switch {
	case i.Household == "" || i.Household != household || !i.May(Read):
		return false
	case i.User == user:
		return true
	}
	return i.Role == Owner || i.Role == Viewer
}

// Changes reports whether the identity may act on what belongs to the user of the household.
func (i Identity) Changes(household, user string) bool {
	return i.Sees(household, user) && i.May(Act) && (i.User == user || i.Role == Owner)
}

// Operates reports whether the identity may see the process as a whole, with what it does for
// everyone: an admin of the household that it belongs to.
func (i Identity) Operates() bool { return i.Household == firstHousehold && i.May(Admin) }

// Host is the identity of someone who can open the data folder itself, such as a terminal on the
// same machine.
func Host() Identity {
	return Identity{Household: firstHousehold, User: "owner", Role: Owner, Scopes: Scopes(), Via: "socket"}
}
