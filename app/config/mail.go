package config

import (
	"fmt"
	netmail "net/mail"
	"strings"
)

// Mail says through which server messages are mailed.
type Mail struct {
	Host     string // empty: nothing is mailed
	Port     int64  // zero: the usual one
	TLS      string
	From     string
	User     string
	Password string // where it is: env:NAME or secret:NAME
}

// Push says how browsers are notified.
type Push struct {
	Contact string // whom push services can write to
}

// mailTLS are the ways in which a connection to a mail server is protected.
var mailTLS = []string{"starttls", "tls", "none"}

func mailSections() []Key {
	return []Key{
		{"mail.host", "REIN_MAIL_HOST", "", "the mail server (SMTP) that messages to people are sent through, such as \"smtp.example.org\"; empty: rein sends no mail", text(func(c *Config) *string { return &c.Mail.Host }, isMailHost)},
		{"mail.port", "REIN_MAIL_PORT", "", "its port; 0: 587 for starttls, 465 for tls, 25 for none", whole(func(c *Config) *int64 { return &c.Mail.Port }, 0, 65535)},
		{"mail.tls", "REIN_MAIL_TLS", "", "how the connection is protected: starttls, tls (from the first byte), or none, for a server on this machine", choice(func(c *Config) *string { return &c.Mail.TLS }, mailTLS)},
		{"mail.from", "REIN_MAIL_FROM", "", "the address that mail comes from, such as \"rein <rein@example.org>\"", text(func(c *Config) *string { return &c.Mail.From }, isMailAddress)},
		{"mail.user", "REIN_MAIL_USER", "", "the name to log in with; empty: the server wants none", text(func(c *Config) *string { return &c.Mail.User }, anything)},
		{"mail.password", "REIN_MAIL_PASSWORD", "", "where the password is: \"env:NAME\" or \"secret:NAME\"", text(func(c *Config) *string { return &c.Mail.Password }, namesKey)},
		{"push.contact", "REIN_PUSH_CONTACT", "", "whom push services can write to if something is wrong: a mailto: or https: address; empty: the address of mail.from, or server.url. Some services take no messages without one", text(func(c *Config) *string { return &c.Push.Contact }, isContact)},
	}
}

func isMailHost(v string) error {
	if strings.ContainsAny(v, "/:@ \t\r\n") {
		return fmt.Errorf("it is %q and must be the name of a host, such as \"smtp.example.org\": the port is mail.port", v)
	}
	return nil
}

func isMailAddress(v string) error {
	if v == "" {
		return nil
	}
	if _, err := netmail.ParseAddress(v); err != nil {
		return fmt.Errorf("it is %q and must be an address such as \"rein <rein@example.org>\"", v)
	}
	return nil
}

func isContact(v string) error {
	if v == "" || strings.HasPrefix(v, "https://") && len(v) > len("https://") {
		return nil
	}
	if address, ok := strings.CutPrefix(v, "mailto:"); ok && strings.Contains(address, "@") {
		return nil
	}
	return fmt.Errorf("it is %q and must be an address such as \"mailto:me@example.org\" or \"https://example.org\"", v)
}

// mailFits checks what no key of the section can know alone.
func (l *loading) mailFits() {
	m := l.config.Mail
	switch {
	case m.Host != "" && m.From == "":
		l.problems.add(l.config.sources["mail.host"], "mail.host is set and mail.from is not: say which address mail comes from")
	case m.User != "" && m.Password == "":
		l.problems.add(l.config.sources["mail.user"], "mail.user is set and mail.password is not: say where the password is, as \"env:NAME\" or \"secret:NAME\"")
	case m.User != "" && m.TLS == "none" && m.Host != "localhost" && m.Host != "127.0.0.1":
		l.problems.add(l.config.sources["mail.tls"], "mail.tls is none, and the password would be sent where others can read it: set it to starttls or tls")
	}
}

// PasswordName is what Environment.Get finds the password by: a variable, or secret:NAME; empty: there is none.
func (m Mail) PasswordName() string { return strings.TrimPrefix(m.Password, envPrefix) }

// Secret returns the password of the mail server.
func (m Mail) Secret(env Environment) (string, error) {
	if value := env.Get(m.PasswordName()); value != "" {
		return value, nil
	}
	if strings.HasPrefix(m.Password, secretPrefix) {
		return "", fmt.Errorf("%s: %w", SpelledKey(m.Password), errNoSecret)
	}
	return "", fmt.Errorf("%s: %w", SpelledKey(m.PasswordName()), errNoVariable)
}
