// Package post has the messages that people get from rein outside of what they are doing: a reminder, an alarm of the
// agenda, a notice. A message is written in the transaction of what causes it, and delivered later, through the channels
// that its reader has chosen.
package post

import (
	"context"
	"time"

	"rein"
)

// A Message is something that a person is told.
type Message struct {
	ID        string // follows from what it is about: of two messages with one ID the first is kept
	Household string
	User      string
	Kind      Kind
	Text      string // in the language of the reader
	Session   string // where it belongs; empty: nowhere
	Run       rein.RunID
	Ask       rein.AskID
	Urgent    bool // quiet hours do not hold it up
	At        time.Time
}

// Kind is the kind of a message.
type Kind string

const (
	Reminder Kind = "reminder" // a job of the kind systemEvent fired
	Result   Kind = "result"   // a job's run has ended
	Alarm    Kind = "alarm"    // an event of the agenda is near
	Notice   Kind = "notice"   // rein has something to say, such as that a job was disabled
	Asking   Kind = "ask"      // something waits for the reader
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{Reminder, Result, Alarm, Notice, Asking} }

// Put writes a message that is to be delivered. One that is there already stays as it is.
func Put(ctx context.Context, tx rein.Tx, m Message) error {
	switch {
	case m.ID == "" || m.Household == "" || m.User == "":
		return rein.Errorf(rein.CodeInvalid, "a message needs an ID, a household and a user")
	case m.Text == "":
		return rein.Errorf(rein.CodeInvalid, "message %s has no text", m.ID)
	}
	urgent := 0
	if m.Urgent {
		urgent = 1
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO messages (id, household, user_name, kind, text, session, run, ask, urgent, created)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		m.ID, m.Household, m.User, string(m.Kind), m.Text, m.Session, string(m.Run), string(m.Ask), urgent, m.At.UnixMicro())
	return err
}
