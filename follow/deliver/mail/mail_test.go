package mail_test

import (
	"context"
	"io"
	"mime"
	"mime/quotedprintable"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/deliver/mail"
	"rein/household/post"
	"rein/internal/smtpd"
)

const patience = 20 * time.Second

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mailer(t *testing.T, o mail.Options) *mail.Mailer {
	t.Helper()
	m, err := mail.New(o)
	check(t, err)
	return m
}

func to(address, language string) deliver.To {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		panic(err)
	}
	return deliver.To{Channel: "c1", Household: "home", User: "ann", Address: address, Language: language, Zone: zone}
}

var at = time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)

// OpenSMTPD delivers what is sent: the text as it was, whatever letters it has, with headers that say what it is. A mailbox
// that does not exist is gone.
func TestOpenSMTPD(t *testing.T) {
	t.Parallel()
	server := smtpd.Start(t, "ann")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m := mailer(t, mail.Options{Host: "127.0.0.1", Port: server.Port, Security: mail.Plain, From: "Thuis <rein@example.org>", Now: func() time.Time { return at }})
	text := "Tandarts om négen uur.\n.\nBcc: eve@example.org\n" + strings.Repeat("lang ", 300)
	_, err := m.Send(ctx, to("ann@example.org", "nl"), deliver.Message{ID: "0123456789abcdef", Kind: post.Reminder, Text: text, At: at})
	check(t, err)
	letters, err := server.Letters(ctx, "ann", 1)
	check(t, err)
	h := letters[0].Header
	for name, want := range map[string]string{
		"From": `"Thuis" <rein@example.org>`, "To": "<ann@example.org>", "Date": "Tue, 24 Nov 2026 08:00:00 +0000",
		"Message-ID": "<0123456789abcdef@example.org>", "Auto-Submitted": "auto-generated", "Content-Type": "text/plain; charset=utf-8", "Content-Language": "nl", "Bcc": "",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(h.Get("Subject"))
	if err != nil || !strings.HasPrefix(subject, "Herinnering: Tandarts om négen uur. . Bcc: eve@") {
		t.Errorf("%q %v", subject, err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(letters[0].Body)))
	if got := strings.ReplaceAll(string(body), "\r\n", "\n"); err != nil || !strings.HasPrefix(got, strings.TrimSpace(text)+"\n\n-- \nJe krijgt deze mail") {
		t.Errorf("%q %v", got, err)
	}
	if strings.Contains(letters[0].Body, "\n.\n") && !strings.Contains(string(body), "\n.\r\n") && !strings.Contains(string(body), "\n.\n") {
		t.Error("a line with a dot alone is lost")
	}
	_, err = m.Send(ctx, to("nobody@example.org", "nl"), deliver.Message{ID: "x", Kind: post.Reminder, Text: "x", At: at})
	if !deliver.IsGone(err) && !deliver.IsNever(err) {
		t.Errorf("an unknown mailbox: %v", err)
	}
	if err := m.SendCode(ctx, to("ann@example.org", "en"), "12345678"); err != nil {
		t.Error(err)
	}
	letters, err = server.Letters(ctx, "ann", 2)
	check(t, err)
	if both := letters[0].Body + letters[1].Body; !strings.Contains(both, "    12345678\r\n") && !strings.Contains(both, "    12345678\n") {
		t.Errorf("%q", both)
	}
}

// A question says how to answer it, and holds nothing that answers it: no link with a yes in it.
func TestQuestion(t *testing.T) {
	t.Parallel()
	m := mailer(t, mail.Options{Host: "mail.example.org", From: "rein@example.org", Now: func() time.Time { return at }})
	for language, want := range map[string]string{
		"en": "Shall I add 'dentist'?\n\nYou can choose from:\n- yes\n- no\n\nThis mail cannot be answered. To answer the question, open rein: https://rein.example/#s\nor type at a terminal: rein asks\nThe question waits until Tuesday 24 November, 10:00.\n\n-- \nYou get this mail because this address is one of your channels in rein. To stop it: rein channels remove c1\n",
		"nl": "Shall I add 'dentist'?\n\nJe kunt kiezen uit:\n- yes\n- no\n\nDeze mail kun je niet beantwoorden. Open rein om de vraag te beantwoorden: https://rein.example/#s\nof typ in een terminal: rein asks\nDe vraag wacht tot dinsdag 24 november, 10:00.\n\n-- \nJe krijgt deze mail omdat dit adres een van je kanalen in rein is. Zo stop je dat: rein channels remove c1\n",
	} {
		got := m.Text(to("ann@example.org", language), deliver.Message{
			ID: "x", Kind: post.Asking, Text: "Shall I add 'dentist'?", Link: "https://rein.example/#s", At: at,
			Ask: &deliver.Question{ID: "r:1.ask", Kind: rein.AskApproval, Choices: []string{"yes", "no"}, Shown: "v2-secret", Deadline: at.Add(time.Hour)},
		})
		if got != want {
			t.Errorf("%s: %q", language, got)
		}
	}
}

// Addresses that are more than one address, or could end a header, are none.
//
// Attack: 33
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"ann@example.org", "ann.b+c@mail.example.org"} {
		if err := mail.CheckAddress(address); err != nil {
			t.Error(err)
		}
	}
	for _, address := range []string{
		"", "ann", "ann@", "@example.org", "Ann <ann@example.org>", "ann@example.org, bob@example.org", "ann@example.org\r\nBcc: eve@example.org",
		"ann@example.org\n", " ann@example.org", "\"a\r\nb\"@example.org", "änn@example.org", strings.Repeat("a", 250) + "@example.org", "ann@example.org>\r\nDATA",
	} {
		if err := mail.CheckAddress(address); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%q: %v", address, err)
		}
	}
}
