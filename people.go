package rein

import (
	"slices"
	"time"
)

// The household and the user that there are from the first start.
const (
	FirstHousehold = "home"
	FirstUser      = "owner"
)

// UserRole is the role of a user in the household.
type UserRole string

const (
	Owner   UserRole = "owner"   // has access to everything in the household, and manages its users
	Member  UserRole = "member"  // an adult: has access to their own things
	Child   UserRole = "child"   // has access to their own things, and approves little; see DefaultRoles
	Guest   UserRole = "guest"   // the same, with less
	Viewer  UserRole = "viewer"  // reads everything in the household and changes nothing
	Service UserRole = "service" // a program: has access to its own things, by token only
)

// UserRoles lists the roles, the strongest first.
func UserRoles() []UserRole { return []UserRole{Owner, Member, Child, Guest, Viewer, Service} }

// A Scope is something that a credential allows.
type Scope string

const (
	ScopeRead   Scope = "read"   // read runs, asks, files and settings
	ScopeAct    Scope = "act"    // start runs, send them commands, upload files
	ScopeAnswer Scope = "answer" // answer asks; commit and undo changes to notes
	ScopeAdmin  Scope = "admin"  // manage users and tokens, and read the audit and usage of the household
)

// Scopes lists the scopes.
func Scopes() []Scope { return []Scope{ScopeRead, ScopeAct, ScopeAnswer, ScopeAdmin} }

// Scopes returns what the role may do at most.
func (r UserRole) Scopes() []Scope {
	switch r {
	case Owner:
		return Scopes()
	case Member, Child, Guest, Service:
		return []Scope{ScopeRead, ScopeAct, ScopeAnswer}
	case Viewer:
		return []Scope{ScopeRead}
	}
	return nil
}

// An Identity is who sends a request, and what their credential is good for. The zero value is nobody.
type Identity struct {
	Household string   `json:"household"`
	User      string   `json:"user"`
	Role      UserRole `json:"role"`
	Scopes    []Scope  `json:"scopes"`
	// Via says how the sender was identified, for audit and limits: "socket", "token:ID" or "browser:ID".
	Via string `json:"via"`
	// Bare says that a browser's cookie is all that speaks for the request: nothing shows that a page of
	// this server sent it. Such a request may read and no more, whatever its method does.
	Bare bool `json:"-"`
}

// May reports whether the identity may do what needs the scope: its role and its credential must
// both allow it.
func (i Identity) May(s Scope) bool {
	if i.Bare && (s == ScopeAct || s == ScopeAnswer) {
		return false
	}
	return slices.Contains(i.Role.Scopes(), s) && slices.Contains(i.Scopes, s)
}

// Sees reports whether the identity may look at what belongs to the user of the household.
func (i Identity) Sees(household, user string) bool {
	switch {
	case i.Household == "" || i.Household != household || !i.May(ScopeRead):
		return false
	case i.User == user:
		return true
	}
	return i.Role == Owner || i.Role == Viewer
}

// Changes reports whether the identity may act on what belongs to the user of the household.
func (i Identity) Changes(household, user string) bool {
	return i.Sees(household, user) && i.May(ScopeAct) && (i.User == user || i.Role == Owner)
}

// Operates reports whether the identity may see the process as a whole, with what it does for
// everyone: an admin of the household that it belongs to.
func (i Identity) Operates() bool { return i.Household == FirstHousehold && i.May(ScopeAdmin) }

// Host is the identity of someone who can open the data folder itself, such as a terminal on the
// same machine.
func Host() Identity {
	return Identity{Household: FirstHousehold, User: FirstUser, Role: Owner, Scopes: Scopes(), Via: "socket"}
}

// UserInfo is a user of a household: a person or a program.
type UserInfo struct {
	Household string    `json:"household"`
	Name      string    `json:"name"`
	Role      UserRole  `json:"role"`
	Created   time.Time `json:"created"`
	Disabled  time.Time `json:"disabled,omitzero"` // since when the user is disabled; empty: the user is not
}

// A Token identifies a program. Lists show it without its secret.
type Token struct {
	ID       string    `json:"id"`
	User     string    `json:"user"`
	Label    string    `json:"label"` // what it is for
	Scopes   []Scope   `json:"scopes"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires"`
	Revoked  time.Time `json:"revoked,omitzero"`
	LastUsed time.Time `json:"last_used,omitzero"` // to the minute
}

// PeopleChange is one change to the users, tokens or logins of a household. It has no secrets.
type PeopleChange struct {
	N      int64      `json:"n"` // its number; later changes have higher ones
	At     time.Time  `json:"at"`
	By     string     `json:"by"`  // the user who did it
	Via    string     `json:"via"` // how the user was identified, as in Me
	What   ChangeKind `json:"what"`
	On     string     `json:"on"` // the user that was changed
	Detail string     `json:"detail,omitempty"`
}

// ChangeKind is the kind of a change.
type ChangeKind string

const (
	UserAdded     ChangeKind = "user added"    // detail: the role
	RoleSet       ChangeKind = "role set"      // detail: from what to what
	UserDisabled  ChangeKind = "user disabled" // the server refuses the user at once and revokes their credentials
	UserEnabled   ChangeKind = "user enabled"  // revoked credentials stay revoked
	TokenMade     ChangeKind = "token made"    // detail: its ID, scopes and end
	TokenRevoked  ChangeKind = "token revoked" // detail: its ID
	LinkMade      ChangeKind = "login link made"
	CodeMade      ChangeKind = "pairing code made"
	LoggedIn      ChangeKind = "logged in"      // detail: the browser's ID
	LoggedOut     ChangeKind = "logged out"     // detail: the browser's ID
	Invited       ChangeKind = "invited"        // on: whom it is for, or nobody; detail: the invite's ID and role
	InviteRevoked ChangeKind = "invite revoked" // detail: its ID
	Joined        ChangeKind = "joined"         // detail: the invite's ID and role

	DataErased  ChangeKind = "erased"       // detail: what was erased
	RuleRevoked ChangeKind = "rule revoked" // detail: its ID, tool and scope

	SecretSet     ChangeKind = "secret set"     // detail: its name
	SecretRemoved ChangeKind = "secret removed" // detail: its name

	FolderTrusted  ChangeKind = "folder trusted"     // detail: the folder, and the hash of what it brings
	FolderDeclined ChangeKind = "folder not trusted" // detail: the same
	TrustRevoked   ChangeKind = "trust revoked"      // detail: the same
)

// An Invite lets one person join a household. Lists show it without its secret.
type Invite struct {
	ID        string    `json:"id"`
	Household string    `json:"household"`
	Role      UserRole  `json:"role"`           // of the user that it makes
	User      string    `json:"user,omitempty"` // the name of that user; empty: whoever comes chooses it
	By        string    `json:"by"`             // who invited
	Created   time.Time `json:"created"`
	Expires   time.Time `json:"expires"`
	Used      time.Time `json:"used,omitzero"`
}

// A Pairing is a short code that logs a device in once.
type Pairing struct {
	User    string    `json:"user"`
	Expires time.Time `json:"expires"`
}

// A Device is a browser that is logged in.
type Device struct {
	ID       string    `json:"id"`
	User     string    `json:"user"`
	Label    string    `json:"label,omitempty"`   // what it said it is, such as "Firefox on Android"
	CameBy   CameBy    `json:"came_by,omitempty"` // how it got in
	Created  time.Time `json:"created"`
	LastSeen time.Time `json:"last_seen"` // to the minute
	Expires  time.Time `json:"expires"`
	This     bool      `json:"this,omitempty"` // the browser that asks
}

// CameBy says how a device got in.
type CameBy string

const (
	ByLink   CameBy = "link"
	ByCode   CameBy = "code"
	ByInvite CameBy = "invite"
)

// HouseholdInfo is a household as whoever runs the server sees it.
type HouseholdInfo struct {
	Name   string   `json:"name"`
	Users  int      `json:"users"`  // that are not disabled
	Owners []string `json:"owners"` // of them
}
