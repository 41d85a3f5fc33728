// Package channels keeps where people get messages outside of rein: addresses of mail, browsers, chats, webhooks. It also keeps
// how they want them: which kinds where, quiet hours, language. It has the rules and the SQL; follow/deliver sends.
package channels

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/household/post"
)

// Kind is a way to reach a person.
type Kind string

// The kinds.
const (
	Mail     Kind = "mail"
	Push     Kind = "push"     // a browser
	Telegram Kind = "telegram" // a chat
	Webhook  Kind = "webhook"
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{Mail, Push, Telegram, Webhook} }

// isOwn reports whether an address belongs to one person in all households.
func (k Kind) isOwn() bool { return k == Telegram || k == Push }

// A Channel is an address of a person. Nothing is sent there until it is verified, nor after it is gone.
type Channel struct {
	ID              string
	Household, User string
	Kind            Kind
	Address         string // an address of mail, a push endpoint, the ID of a chat, a URL
	Label           string // what its user calls it
	Data            json.RawMessage
	Muted           []post.Kind // kinds of messages that do not go there
	Verified        time.Time
	Gone            time.Time // since when it takes no messages any more
	Why             string    // it is gone
	Created         time.Time
}

// Works reports whether messages are sent there.
func (c Channel) Works() bool { return !c.Verified.IsZero() && c.Gone.IsZero() }

// Takes reports whether messages of a kind are sent there.
func (c Channel) Takes(k post.Kind) bool { return c.Works() && !slices.Contains(c.Muted, k) }

// What there is at most.
const (
	maxOwned   = 20 // channels of a user
	maxAddress = 2000
	maxLabel   = 100
	maxData    = 4000
)

func (c Channel) check() error {
	switch {
	case c.Household == "" || c.User == "":
		return rein.Errorf(rein.CodeInvalid, "a channel needs a household and a user")
	case !slices.Contains(Kinds(), c.Kind):
		return rein.Errorf(rein.CodeInvalid, "there is no channel of the kind %.40q: it must be one of %v", string(c.Kind), Kinds())
	case c.Address == "" || len(c.Address) > maxAddress || !isPlain(c.Address):
		return rein.Errorf(rein.CodeInvalid, "the address of a channel is one line of 1 to %d bytes", maxAddress)
	case len(c.Label) > maxLabel || !isPlain(c.Label):
		return rein.Errorf(rein.CodeInvalid, "the label of a channel is one line of at most %d bytes", maxLabel)
	case len(c.Data) > maxData || len(c.Data) > 0 && !json.Valid(c.Data):
		return rein.Errorf(rein.CodeInvalid, "the data of a channel is JSON of at most %d bytes", maxData)
	}
	return checkKinds(c.Muted)
}

func checkKinds(kinds []post.Kind) error {
	for _, k := range kinds {
		if !slices.Contains(post.Kinds(), k) {
			return rein.Errorf(rein.CodeInvalid, "there is no message of the kind %.40q: it must be one of %v", string(k), post.Kinds())
		}
	}
	return nil
}

// isPlain reports whether a text is one line that can be shown.
func isPlain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

func notFound(id string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no channel %.80q", id)
}
