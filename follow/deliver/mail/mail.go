// Package mail sends messages by e-mail, as plain text, to a server that the settings name. It speaks SMTP with the standard
// library: one message with plain text needs no more.
package mail

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	netmail "net/mail"
	"strings"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/household/channels"
)

// How a connection is protected.
const (
	StartTLS = "starttls" // it begins plain, and must become TLS before anything is said
	TLS      = "tls"
	Plain    = "none" // for a server on this machine
)

// Options are those of a mailer. Host and From are needed.
type Options struct {
	Host     string
	Port     int    // zero: 587 for StartTLS, 465 for TLS, 25 for Plain
	Security string // empty: StartTLS
	From     string // an address, with or without a name
	User     string // empty: the server wants none
	Password func() (string, error)
	Now      func() time.Time // nil means time.Now
}

// A Mailer sends mail. New makes one.
type Mailer struct {
	opts  Options
	from  netmail.Address
	roots *x509.CertPool // who is believed about servers; nil: whom the system believes
}

// New checks the options.
func New(o Options) (*Mailer, error) {
	from, err := netmail.ParseAddress(o.From)
	switch {
	case o.Host == "":
		return nil, rein.Errorf(rein.CodeInvalid, "mail.host is empty: name the server that mail is sent through")
	case err != nil || CheckAddress(from.Address) != nil:
		return nil, rein.Errorf(rein.CodeInvalid, "mail.from is %.80q and must be an address such as \"rein <rein@example.org>\"", o.From)
	}
	if o.Security == "" {
		o.Security = StartTLS
	}
	if o.Port == 0 {
		o.Port = map[string]int{StartTLS: 587, TLS: 465, Plain: 25}[o.Security]
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Mailer{opts: o, from: *from}, nil
}

// maxAddress is what a mail server takes at most.
const maxAddress = 254

// CheckAddress says what is wrong with an address of mail, if anything. It is an address alone: no name, no list, nothing
// that could end a line.
func CheckAddress(address string) error {
	parsed, err := netmail.ParseAddress(address)
	if err != nil || parsed.Address != address || len(address) > maxAddress || strings.ContainsAny(address, " \t\r\n<>\"\\") || !isASCII(address) {
		return rein.Errorf(rein.CodeInvalid, "%.80q is not an address of mail: write it like ann@example.org", address)
	}
	return nil
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Name implements deliver.Channel.
func (*Mailer) Name() string { return string(channels.Mail) }

// Send implements deliver.Channel.
func (m *Mailer) Send(ctx context.Context, to deliver.To, message deliver.Message) (receipt string, err error) {
	return m.send(ctx, letterOf(m.from, to, message, m.opts.Now()))
}

// SendCode sends the code that verifies a channel, to its address.
func (m *Mailer) SendCode(ctx context.Context, to deliver.To, code string) error {
	_, err := m.send(ctx, letter{
		id: strings.ToLower(rand.Text()), from: m.from, to: netmail.Address{Address: to.Address}, at: m.opts.Now(), language: to.Language,
		subject: words.Say(to.Language, "code"),
		text:    words.Say(to.Language, "verify", code, int(channels.CodeLife.Minutes()), to.Channel) + "\n",
	})
	return err
}
