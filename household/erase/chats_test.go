package erase_test

import (
	"slices"
	"strings"
	"testing"

	"rein/household/erase"
)

// What Telegram brought and was shown goes with the run or the session that it is about, and with the user: nothing says
// any more where they talked.
//
// Covers: NEU-2
func TestChatsGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target erase.Target
		goes   []string
	}{
		"run":     {erase.Target{Run: "r1"}, []string{"run r1 in Telegram", "what Telegram was shown: PLANTED end r1"}},
		"session": {erase.Target{Session: "s1"}, []string{"message 17 from Telegram", "run r1 in Telegram", "what Telegram was shown: PLANTED end r1"}},
		"user": {erase.Target{User: "ann"}, []string{
			"a code that pairs a chat", "message 17 from Telegram", "run r1 in Telegram", "what Telegram was shown: PLANTED end r1", "what Telegram was shown: PLANTED help",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.said("r1", "ann", "s1", "Said.")
			h.said("r2", "bob", "s2", "Said.")
			for _, row := range []struct {
				user, run, session string
				chat               int64
				word               string
			}{{"ann", "r1", "s1", 17, "PLANTED"}, {"bob", "r2", "s2", 18, "KEPT"}} {
				h.exec(`INSERT INTO pairing_codes VALUES (?, 'home', ?, 'telegram', 1)`, []byte(row.user), row.user)
				h.exec(`INSERT INTO telegram_updates VALUES (4242, ?, ?, 5, 'home', ?, ?, 1)`, row.chat, row.chat, row.user, row.session)
				h.exec(`INSERT INTO telegram_talks VALUES (?, ?, '', 'home', ?, 1)`, row.chat, row.run, row.user)
				h.exec(`INSERT INTO hooks VALUES (?, 'home', ?, ?, '', 0, 1)`, row.word+row.user, row.user, row.word+" label")
				h.exec(`INSERT INTO hook_requests VALUES (?, ?, x'00', 'home', ?, ?, ?, '', '', 0, 0, 1)`, row.word+row.user, row.word, row.user, row.session, row.run)
				for key, run := range map[string]string{" end " + row.run: row.run, " help": ""} {
					h.exec(`INSERT INTO telegram_posts VALUES (4242, ?, ?, 'home', ?, ?, '', '', '', 0, 0, 1, 1, 1)`, row.chat, row.word+key, row.user, run)
				}
			}
			var got []string
			for _, name := range names(h.erases(owner, c.target)) {
				if rest, ok := strings.CutPrefix(name, "chat record "); ok {
					got = append(got, rest)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.goes) {
				t.Errorf("erased are %q, want %q", got, c.goes)
			}
			if found := h.everywhere("PLANTED"); c.target.User != "" && len(found) > 0 {
				t.Errorf("%q hold it", found)
			}
			if found := h.everywhere("KEPT"); len(found) == 0 {
				t.Error("bob's are gone too")
			}
		})
	}
}
