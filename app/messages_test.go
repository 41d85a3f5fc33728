package app

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/household/post"
	"rein/internal/smtpd"
)

// A person adds an address, repeats the code that was mailed there, and gets what rein tells them: in the feed and by mail,
// once, also if the service starts again.
//
// Covers: NEU-57
func TestMessageArrives(t *testing.T) {
	t.Parallel()
	server := smtpd.Start(t, "me")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	options := Options{Data: t.TempDir(), Env: []string{"HOME=" + t.TempDir()}, Set: map[string]string{
		"server.listen": "127.0.0.1:0", "mail.host": "127.0.0.1", "mail.port": strconv.Itoa(server.Port), "mail.tls": "none", "mail.from": "rein@example.org", "language": "nl",
	}}
	s, me, leave := serving(ctx, t, options)
	added, err := me.AddChannel(ctx, api.NewChannel{Kind: "mail", Address: "me@example.org"})
	if err != nil || !added.Verified.IsZero() {
		t.Fatalf("%+v %v", added, err)
	}
	letters, err := server.Letters(ctx, "me", 1)
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`(?m)^    (\d{8})`).FindStringSubmatch(letters[0].Body)
	if len(code) != 2 {
		t.Fatalf("there is no code in %q", letters[0].Body)
	}
	if _, err := me.VerifyChannel(ctx, added.ID, "00000000"); rein.CodeOf(err) != rein.CodeInvalid && code[1] != "00000000" {
		t.Errorf("another code: %v", err)
	}
	if works, err := me.VerifyChannel(ctx, added.ID, code[1]); err != nil || works.Verified.IsZero() {
		t.Fatalf("%+v %v", works, err)
	}
	tell(ctx, t, s, "m1", "Tandarts om negen uur.")
	if sent := hears(ctx, t, me, "m1"); sent.Channel != added.ID || sent.Tries != 1 {
		t.Errorf("%+v", sent)
	}
	leave()

	s, me, leave = serving(ctx, t, options)
	tell(ctx, t, s, "m2", "Brood halen.")
	hears(ctx, t, me, "m2")
	letters, err = server.Letters(ctx, "me", 3)
	if err != nil || len(letters) != 3 {
		t.Errorf("%d letters, %v", len(letters), err)
	}
	list, err := me.Messages(ctx, api.MessageQuery{Unread: true})
	if err != nil || len(list.Messages) != 2 || list.Messages[0].Text != "Brood halen." {
		t.Errorf("%+v %v", list, err)
	}
	if err := me.SeeMessages(ctx); err != nil {
		t.Error(err)
	}
	if list, err = me.Messages(ctx, api.MessageQuery{Unread: true}); err != nil || len(list.Messages) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	leave()
}

// serving serves a folder, and returns a client of its owner.
func serving(ctx context.Context, t *testing.T, o Options) (s *Service, me *client.Client, leave func()) {
	t.Helper()
	s, err := New(o).Listen(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	return s, client.Unix(filepath.Join(o.Data, socketName)), func() {
		t.Helper()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// tell writes a message, as whoever makes one does.
func tell(ctx context.Context, t *testing.T, s *Service, id, text string) {
	t.Helper()
	err := s.store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		return post.Put(ctx, tx, post.Message{ID: id, Household: rein.FirstHousehold, User: rein.FirstUser, Kind: post.Reminder, Text: text, At: time.Now()})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// hears waits until the feed says that a message was delivered: it reads again when it hears that something changed.
func hears(ctx context.Context, t *testing.T, me *client.Client, id string) api.Sent {
	t.Helper()
	for hint, err := range me.Live(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if !hint.Hello && !slices.Contains(hint.Household, api.TopicMessages) {
			continue
		}
		list, err := me.Messages(ctx, api.MessageQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Messages {
			if m.ID == id && len(m.Sent) == 1 && m.Sent[0].State == rein.Delivered {
				return m.Sent[0]
			}
		}
	}
	t.Fatal("the feed ended")
	return api.Sent{}
}
