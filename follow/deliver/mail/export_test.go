package mail

import "rein/follow/deliver"

// Text is the text of a message's mail.
func (m *Mailer) Text(to deliver.To, message deliver.Message) string {
	return letterOf(m.from, to, message, m.opts.Now()).text
}
