// Package deliver brings messages to people: reminders, alarms, notices, and what waits for their answer. It writes down for
// each message the addresses that it goes to, sends it there through a Channel until that has worked, and takes answers to
// asks from the channels where people can say something.
//
// A message reaches each address at least once. A process that is killed at any moment loses none: what was sent and not
// recorded is sent again with the same ID, by which the other side drops the double.
package deliver

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"rein"
	"rein/household/channels"
	"rein/household/post"
)

// A Channel sends messages to addresses of one kind.
type Channel interface {
	// Name is the kind of channel that it serves, such as channels.Mail.
	Name() string
	// Send sends a message once and returns what the other side calls it, if it says so. The error says what happens next:
	// see Again, Never and Gone; any other means that it is tried again. Errors must not hold secrets: people see them.
	Send(ctx context.Context, to To, m Message) (receipt string, err error)
}

// To is an address, and who reads there.
type To struct {
	Channel         string // the ID of the channel
	Household, User string
	Address         string
	Label           string
	Data            json.RawMessage // what else the channel needs
	Language        string          // of the reader, such as nl
	Zone            *time.Location  // of the reader
}

// A Message is what a person gets.
type Message struct {
	ID      string // the same on every try, and different for each address
	Kind    post.Kind
	Text    string // in the language of the reader
	Session string
	Run     rein.RunID
	At      time.Time // when it happened
	Urgent  bool
	Link    string    // where to look at it; empty: nowhere
	Ask     *Question // of a message of the kind post.Asking: what waits for an answer
}

// A Question is an ask as its reader sees it. An answer goes to Answers.Answer with the Shown that is here.
type Question struct {
	ID       rein.AskID
	Kind     rein.AskKind
	Choices  []string
	Shown    string
	Deadline time.Time // zero: there is none
}

// An againError, a neverError and a goneError say what to do after a try that failed.
type (
	againError struct {
		error
		after time.Duration
	}
	neverError struct{ error }
	goneError  struct{ error }
)

func (e againError) Unwrap() error { return e.error }
func (e neverError) Unwrap() error { return e.error }
func (e goneError) Unwrap() error  { return e.error }

// Again is the error of a try after which the other side wants to be left alone for a while.
func Again(after time.Duration, err error) error { return againError{err, after} }

// Never is the error of a message that this address will never take, though it may take others.
func Never(err error) error { return neverError{err} }

// Gone is the error of an address that takes no messages any more: a chat that blocked the bot, a browser that unsubscribed.
// Nothing more is sent there until its user adds it again.
func Gone(err error) error { return goneError{err} }

// IsNever and IsGone read such an error.
func IsNever(err error) bool { _, is := errors.AsType[neverError](err); return is }
func IsGone(err error) bool  { _, is := errors.AsType[goneError](err); return is }

func wait(err error) time.Duration {
	again, _ := errors.AsType[againError](err)
	return max(0, min(again.after, mostPause))
}

// ToChannel is where a channel of the book leads.
func ToChannel(c channels.Channel, language string, zone *time.Location) To {
	return To{
		Channel: c.ID, Household: c.Household, User: c.User, Address: c.Address, Label: c.Label, Data: c.Data,
		Language: language, Zone: zone,
	}
}
