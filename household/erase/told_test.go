package erase_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/channels"
	"rein/household/erase"
	"rein/household/post"
)

// What somebody was told about a run goes with the run, and with the user who was told; their channels and preferences go with
// the user alone. Nothing of it is left in the file.
func TestMessagesGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target erase.Target
		goes   []string // kinds, in the order of the list
		left   string   // who still has a channel
	}{
		"run":     {erase.Target{Run: "r1"}, []string{"message", "message", "message delivery"}, "ann bob"},
		"session": {erase.Target{Session: "s1"}, []string{"message", "message", "message delivery"}, "ann bob"},
		"user":    {erase.Target{User: "ann"}, []string{"message", "message", "message delivery", "channel", "message preferences"}, "bob"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.said("r1", "ann", "s1", "Said.")
			h.said("r2", "bob", "s2", "Said.")
			book := channels.Book{Tables: h.store}
			for _, user := range []string{"ann", "bob"} {
				_, err := book.Put(t.Context(), channels.Channel{Household: "home", User: user, Kind: channels.Mail, Address: user + "-planted@example.org", Label: "PLANTED " + user, Verified: time.Now()})
				h.check(err)
				h.check(book.SetPreferences(t.Context(), channels.Preferences{Household: "home", User: user, Language: "nl"}))
			}
			h.tells("m1", "ann", "s1", "r1")
			h.tells("m2", "bob", "s9", "r1") // about ann's run, to bob
			h.tells("m3", "bob", "s2", "r2")
			h.exec(`INSERT INTO deliveries VALUES ('d1', 'm1', 'c', 'home', 'ann', 'waiting', 1, 1, 1, 1, '', 1, '', 'PLANTED error about m1')`)
			var got []string
			for _, item := range h.erases(owner, c.target).Items {
				if strings.HasPrefix(item.Kind, "message") || item.Kind == "channel" {
					got = append(got, item.Kind)
				}
			}
			if !slices.Equal(got, c.goes) {
				t.Errorf("listed are %q, want %q", got, c.goes)
			}
			gone := []string{"PLANTED text m1", "PLANTED text m2", "PLANTED error"}
			if c.target.User != "" {
				gone = append(gone, "ann-planted@", "PLANTED ann")
			}
			for _, text := range gone {
				if found := h.everywhere(text); len(found) > 0 {
					t.Errorf("%q is still in %v", text, found)
				}
			}
			for _, text := range []string{"PLANTED text m3", "bob-planted@example.org"} {
				if len(h.inTables(text)) == 0 {
					t.Errorf("%q is gone", text)
				}
			}
			if left := len(h.inTables("ann-planted@example.org")) > 0; left != strings.Contains(c.left, "ann") {
				t.Errorf("ann's channel: %v", left)
			}
		})
	}
}

// tells writes a message.
func (h *house) tells(id, user, session string, run rein.RunID) {
	h.Helper()
	h.check(h.store.Write(h.Context(), func(ctx context.Context, tx rein.Tx) error {
		return post.Put(ctx, tx, post.Message{ID: id, Household: "home", User: user, Kind: post.Result, Text: "PLANTED text " + id, Session: session, Run: run, At: h.tick()})
	}))
}
