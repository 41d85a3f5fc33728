package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"os"
	"strconv"
	"strings"

	"rein/follow/deliver"
)

// send gives a letter to the server. The receipt is its Message-ID.
func (m *Mailer) send(ctx context.Context, l letter) (receipt string, err error) {
	if err := CheckAddress(l.to.Address); err != nil {
		return "", deliver.Gone(err)
	}
	data, err := l.bytes()
	if err != nil {
		return "", err
	}
	client, hangUp, err := m.connect(ctx)
	if err != nil {
		return "", plainly(ctx, err)
	}
	defer hangUp()
	if err := m.say(client, l, data); err != nil {
		return "", plainly(ctx, err)
	}
	_ = client.Quit() // the letter is theirs already
	return l.id, nil
}

// say gives a letter to a server that knows who we are.
func (m *Mailer) say(client *smtp.Client, l letter, data []byte) error {
	if err := client.Mail(l.from.Address); err != nil {
		return fmt.Errorf("the server does not take mail from %s: %w", l.from.Address, err)
	}
	if err := client.Rcpt(l.to.Address); err != nil {
		return recipient(err)
	}
	w, err := client.Data()
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	return content(err)
}

// connect dials the server and greets it.
func (m *Mailer) connect(ctx context.Context) (client *smtp.Client, hangUp func(), err error) {
	dialer := net.Dialer{} // the settings name the host, so any address may be dialled
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(m.opts.Host, strconv.Itoa(m.opts.Port)))
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	hangUp = func() { stop(); conn.Close() }
	if client, err = m.greet(ctx, conn); err != nil {
		hangUp()
		return nil, nil, err
	}
	return client, hangUp, nil
}

// greet protects a connection and logs in.
func (m *Mailer) greet(ctx context.Context, conn net.Conn) (*smtp.Client, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline) // the context ends the call too
	}
	secure := &tls.Config{ServerName: m.opts.Host, MinVersion: tls.VersionTLS12, RootCAs: m.roots}
	if m.opts.Security == TLS {
		conn = tls.Client(conn, secure)
	}
	client, err := smtp.NewClient(conn, m.opts.Host)
	if err != nil {
		return nil, err
	}
	if err := client.Hello(helloName()); err != nil {
		return nil, err
	}
	if m.opts.Security == StartTLS {
		if has, _ := client.Extension("STARTTLS"); !has {
			return nil, errors.New("the server does not offer STARTTLS: set mail.tls to \"tls\", or to \"none\" for a server on this machine")
		}
		if err := client.StartTLS(secure); err != nil {
			return nil, err
		}
	}
	return client, m.logIn(client)
}

// helloName is what we call ourselves. The name of the machine is nobody's business if it is not one of the DNS.
func helloName() string {
	name, err := os.Hostname()
	if err != nil || !strings.Contains(name, ".") || strings.ContainsAny(name, " \t\r\n") {
		return "localhost"
	}
	return name
}

func (m *Mailer) logIn(client *smtp.Client) error {
	if m.opts.User == "" {
		return nil
	}
	password, err := m.opts.Password()
	if err != nil {
		return fmt.Errorf("there is no password for the mail server: %w", err)
	}
	_, ways := client.Extension("AUTH")
	var way smtp.Auth = smtp.PlainAuth("", m.opts.User, password, m.opts.Host)
	if offered := strings.Fields(strings.ToUpper(ways)); !contains(offered, "PLAIN") && contains(offered, "LOGIN") {
		way = &login{user: m.opts.User, password: password}
	}
	if err := client.Auth(way); err != nil {
		return fmt.Errorf("the mail server does not let %s in: %w", m.opts.User, err)
	}
	return nil
}

func contains(all []string, one string) bool {
	for _, a := range all {
		if a == one {
			return true
		}
	}
	return false
}

// login is the way in that some servers offer alone: they ask for the user and then for the password.
type login struct{ user, password string }

func (l *login) Start(server *smtp.ServerInfo) (string, []byte, error) {
	if !server.TLS {
		return "", nil, errors.New("a password is sent over TLS only: set mail.tls to \"starttls\" or \"tls\"")
	}
	return "LOGIN", nil, nil
}

func (l *login) Next(asks []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	switch strings.ToLower(strings.Trim(string(asks), ": \x00\r\n")) { // some end it with a colon, some with a NUL
	case "username", "user name":
		return []byte(l.user), nil
	case "password":
		return []byte(l.password), nil
	}
	return nil, errors.New("the server asked for something else than user and password")
}

// recipient says what follows from the refusal of a recipient: a mailbox that does not exist will not exist tomorrow.
func recipient(err error) error {
	reply, ok := errors.AsType[*textproto.Error](err)
	switch {
	case !ok || reply.Code < 500:
		return err
	case reply.Code == 550 && !strings.HasPrefix(reply.Msg, "5.7") || reply.Code == 551 || reply.Code == 553 || strings.HasPrefix(reply.Msg, "5.1"):
		return deliver.Gone(fmt.Errorf("the mail server does not take mail for this address: %w", err))
	}
	return deliver.Never(err)
}

// content says what follows from the refusal of a letter.
func content(err error) error {
	if reply, ok := errors.AsType[*textproto.Error](err); ok && reply.Code >= 500 {
		return deliver.Never(fmt.Errorf("the mail server does not take this mail: %w", err))
	}
	return err
}

// plainly says which limit was met, if it was ours.
func plainly(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("the mail server did not answer in time: %w", err)
	}
	return err
}
