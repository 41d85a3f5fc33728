package desk_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/deliver/desk"
	"rein/follow/deliver/mail"
	"rein/household/channels"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A sender notes where tests went, and in which language.
type sender struct{ got []string }

func (*sender) Name() string { return string(channels.Mail) }

func (s *sender) Send(_ context.Context, to deliver.To, m deliver.Message) (string, error) {
	s.got = append(s.got, to.Address+": "+m.Text)
	return "", nil
}

func newDesk(t *testing.T) (*desk.Desk, *sender) {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	sends := &sender{}
	return &desk.Desk{
		Book: channels.Book{Tables: s}, Home: func() (string, *time.Location) { return "nl", time.UTC }, Channels: []deliver.Channel{sends},
	}, sends
}

// Nobody has codes mailed to strangers all day long: a user has ten in an hour, whether they arrive or not.
func TestCodesAreFew(t *testing.T) {
	t.Parallel()
	d, _ := newDesk(t)
	if _, err := d.AddMail(t.Context(), "home", "ann", "ann@example.org", ""); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("without a mail server: %v", err)
	}
	m, err := mail.New(mail.Options{Host: "127.0.0.1", Port: 1, Security: mail.Plain, From: "rein@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	d.Mail, d.Now = m, func() time.Time { return now }
	c, err := d.AddMail(t.Context(), "home", "ann", "ann@example.org", "")
	if rein.CodeOf(err) != rein.CodeUnreachable || c.ID == "" {
		t.Fatalf("nothing listens there: %v", err)
	}
	for range 9 {
		if err := d.SendCode(t.Context(), "home", "ann", c.ID); rein.CodeOf(err) != rein.CodeUnreachable {
			t.Fatal(err)
		}
	}
	if err := d.SendCode(t.Context(), "home", "ann", c.ID); rein.CodeOf(err) != rein.CodeLimit {
		t.Error(err)
	}
	if err := d.SendCode(t.Context(), "home", "bob", c.ID); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("another's channel: %v", err)
	}
	now = now.Add(time.Hour)
	if err := d.SendCode(t.Context(), "home", "ann", c.ID); rein.CodeOf(err) != rein.CodeUnreachable {
		t.Error(err)
	}
}

// A test goes to a channel that works, in the language of its user, and nowhere else.
func TestTest(t *testing.T) {
	t.Parallel()
	d, sent := newDesk(t)
	put := func(kind channels.Kind, address string, verified time.Time) string {
		c, err := d.Book.Put(t.Context(), channels.Channel{Household: "home", User: "ann", Kind: kind, Address: address, Verified: verified})
		if err != nil {
			t.Fatal(err)
		}
		return c.ID
	}
	works, not, other := put(channels.Mail, "a@example.org", time.Now()), put(channels.Mail, "b@example.org", time.Time{}), put(channels.Webhook, "https://example.org", time.Now())
	for id, want := range map[string]rein.Code{works: "", not: rein.CodeConflict, other: rein.CodeConflict, "none": rein.CodeNotFound} {
		if err := d.Test(t.Context(), "home", "ann", id); rein.CodeOf(err) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
	if err := d.Test(t.Context(), "home", "bob", works); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("another's channel: %v", err)
	}
	if got := strings.Join(sent.got, "; "); got != "a@example.org: Dit is een test. Berichten van rein komen hier bij je aan." {
		t.Errorf("%q", got)
	}
}
