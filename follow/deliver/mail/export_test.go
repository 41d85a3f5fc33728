package mail

import (
	"crypto/x509"

	"rein/follow/deliver"
)

// Trust has servers believed whose certificates these roots vouch for.
func (m *Mailer) Trust(roots *x509.CertPool) { m.roots = roots }

// Text is the text of a message's mail.
func (m *Mailer) Text(to deliver.To, message deliver.Message) string {
	return letterOf(m.from, to, message, m.opts.Now()).text
}
