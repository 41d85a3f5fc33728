// Package desk is where people arrange how messages reach them: they add an address of mail and prove that it is theirs, let a
// browser be notified, and try a channel.
package desk

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/deliver/mail"
	"rein/follow/deliver/push"
	"rein/household/channels"
	"rein/household/post"
	"rein/internal/speech"
)

// A Desk serves people. Book and Home are needed.
type Desk struct {
	Book     channels.Book
	Home     func() (language string, zone *time.Location) // of people who chose none
	Mail     *mail.Mailer                                  // nil: the settings name no mail server
	Push     *push.Pusher                                  // nil: browsers are not notified
	Channels []deliver.Channel                             // all that messages are sent by
	Now      func() time.Time                              // nil means time.Now

	mu   sync.Mutex
	sent map[string][]time.Time // codes, by their user
}

func (d *Desk) now() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

// A user can have so many codes sent in so long: each is a mail to an address that may be anybody's.
const (
	maxCodes = 10
	codesPer = time.Hour
)

// mayHaveCode counts one more code of a user.
func (d *Desk) mayHaveCode(household, user string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sent == nil {
		d.sent = map[string][]time.Time{}
	}
	who, now := household+"\x00"+user, d.now()
	var recent []time.Time
	for _, at := range d.sent[who] {
		if now.Sub(at) < codesPer {
			recent = append(recent, at)
		}
	}
	if len(recent) >= maxCodes {
		return rein.Errorf(rein.CodeLimit, "%d codes were sent for you within an hour: try again later", len(recent))
	}
	d.sent[who] = append(recent, now)
	return nil
}

// AddMail adds an address of mail, and sends a code there. Nothing else goes there until the user repeats the code.
func (d *Desk) AddMail(ctx context.Context, household, user, address, label string) (channels.Channel, error) {
	address = strings.TrimSpace(address)
	if err := mail.CheckAddress(address); err != nil {
		return channels.Channel{}, err
	}
	if d.Mail == nil {
		return channels.Channel{}, noMail()
	}
	c, err := d.Book.Put(ctx, channels.Channel{Household: household, User: user, Kind: channels.Mail, Address: address, Label: label})
	if err != nil || c.Works() {
		return c, err
	}
	return c, d.SendCode(ctx, household, user, c.ID)
}

func noMail() error {
	return rein.Errorf(rein.CodeConflict, "rein has no mail server: whoever runs it sets mail.host and mail.from in the settings")
}

// SendCode sends a new code to a channel that is not verified yet.
func (d *Desk) SendCode(ctx context.Context, household, user, id string) error {
	c, err := d.Book.Get(ctx, household, user, id)
	switch {
	case err != nil:
		return err
	case c.Kind != channels.Mail:
		return rein.Errorf(rein.CodeInvalid, "channel %s is not an address of mail: only those are verified by a code that is sent there", id)
	case c.Works():
		return rein.Errorf(rein.CodeConflict, "channel %s is verified already", id)
	case d.Mail == nil:
		return noMail()
	}
	if err := d.mayHaveCode(household, user); err != nil {
		return err
	}
	code, c, err := d.Book.NewCode(ctx, household, user, id)
	if err != nil {
		return err
	}
	to, err := d.to(ctx, c)
	if err != nil {
		return err
	}
	if err := d.Mail.SendCode(ctx, to, code); err != nil {
		return rein.Errorf(rein.CodeUnreachable, "the code cannot be sent to %s: %w", c.Address, err)
	}
	return nil
}

// Subscribe adds a browser.
func (d *Desk) Subscribe(ctx context.Context, household, user, endpoint, label string, s push.Subscription) (channels.Channel, error) {
	if d.Push == nil {
		return channels.Channel{}, noPush()
	}
	c, err := d.Push.Channel(household, user, endpoint, label, s)
	if err != nil {
		return c, err
	}
	return d.Book.Put(ctx, c)
}

func noPush() error {
	return rein.Errorf(rein.CodeConflict, "this process sends no web push")
}

// PushKey is the key that browsers subscribe with.
func (d *Desk) PushKey(ctx context.Context) (string, error) {
	if d.Push == nil {
		return "", noPush()
	}
	return d.Push.PublicKey(ctx)
}

// test is what a channel is tried with.
var test = speech.Words{
	"en": {"test": "This is a test. Messages from rein reach you here."},
	"nl": {"test": "Dit is een test. Berichten van rein komen hier bij je aan."},
}

// Test sends a message to a channel now, whatever the hour.
func (d *Desk) Test(ctx context.Context, household, user, id string) error {
	c, err := d.Book.Get(ctx, household, user, id)
	if err != nil {
		return err
	}
	if !c.Works() {
		return rein.Errorf(rein.CodeConflict, "channel %s does not work yet: verify it first, or add it again", id)
	}
	to, err := d.to(ctx, c)
	if err != nil {
		return err
	}
	m := deliver.Message{ID: strings.ToLower(rand.Text()), Kind: post.Notice, Text: test.Say(to.Language, "test"), At: d.now(), Urgent: true}
	for _, channel := range d.Channels {
		if channel.Name() != string(c.Kind) {
			continue
		}
		if _, err := channel.Send(ctx, to, m); err != nil {
			return rein.Errorf(rein.CodeUnreachable, "the test did not reach channel %s: %w", id, err)
		}
		return nil
	}
	return rein.Errorf(rein.CodeConflict, "nothing here sends to %s: the settings do not name it", fmt.Sprint(c.Kind))
}

func (d *Desk) to(ctx context.Context, c channels.Channel) (deliver.To, error) {
	prefs, err := d.Book.Preferences(ctx, c.Household, c.User)
	language, zone := d.Home()
	zone, language = prefs.In(zone, language)
	return deliver.ToChannel(c, language, zone), err
}
