package channels_test

import (
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/household/channels"
	"rein/household/post"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

func book(t *testing.T) channels.Book {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return channels.Book{Tables: s}
}

func put(t *testing.T, b channels.Book, c channels.Channel) channels.Channel {
	t.Helper()
	kept, err := b.Put(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// A channel belongs to its user: nobody else finds, changes or removes it.
func TestChannelsOfOthers(t *testing.T) {
	t.Parallel()
	b, ctx := book(t), t.Context()
	mail := put(t, b, channels.Channel{Household: "home", User: "ann", Kind: channels.Mail, Address: "ann@example.org"})
	for _, who := range [][2]string{{"home", "bob"}, {"away", "ann"}} {
		_, err := b.Get(ctx, who[0], who[1], mail.ID)
		for what, err := range map[string]error{
			"get": err, "remove": b.Remove(ctx, who[0], who[1], mail.ID), "mute": b.Mute(ctx, who[0], who[1], mail.ID, nil),
		} {
			if rein.CodeOf(err) != rein.CodeNotFound {
				t.Errorf("%s as %v: %v", what, who, err)
			}
		}
	}
	if err := b.Mute(ctx, "home", "ann", mail.ID, []post.Kind{post.Notice}); err != nil {
		t.Error(err)
	}
	if mine, err := b.Get(ctx, "home", "ann", mail.ID); err != nil || mine.Works() || len(mine.Muted) != 1 {
		t.Errorf("%+v %v", mine, err)
	}
}

// A chat is one person's: who pairs it last has it, and says what is said there. Two people may share an address of mail.
func TestChatBelongsToOne(t *testing.T) {
	t.Parallel()
	b, ctx, now := book(t), t.Context(), time.Now()
	chat := channels.Channel{Household: "home", User: "ann", Kind: channels.Telegram, Address: "42", Verified: now}
	put(t, b, chat)
	chat.User = "bob"
	bobs := put(t, b, chat)
	if found, err := b.At(ctx, channels.Telegram, "42"); err != nil || found.User != "bob" || found.ID != bobs.ID {
		t.Errorf("%+v %v", found, err)
	}
	if anns, err := b.Of(ctx, "home", "ann"); err != nil || len(anns) != 0 {
		t.Errorf("%+v %v", anns, err)
	}
	for _, user := range []string{"ann", "bob", "bob"} {
		put(t, b, channels.Channel{Household: "home", User: user, Kind: channels.Mail, Address: "us@example.org"})
	}
	if bobs, err := b.Of(ctx, "home", "bob"); err != nil || len(bobs) != 2 {
		t.Errorf("%+v %v", bobs, err)
	}
}
