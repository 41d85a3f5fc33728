package keeper_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/follow/keeper"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// formerly is the name that an earlier program gave to a session: anyone could compute it.
func formerly(prefix string, words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return prefix + hex.EncodeToString(sum[:12])
}

// Background runs of a user whose session someone took before them go to another; those of a user who has
// one from an earlier program go there, also after a restart.
//
// Attack: 8
func TestBackgroundNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.stop()
		taken, old := formerly("background-", "home", "ann"), formerly("background-", "home", "cleo")
		h.say("b1", "chat", "bob", taken, "I was here first.")
		h.say("c1", "chat", "cleo", old, "This is an old one.")
		sessions := map[string]map[string]bool{"ann": {}, "cleo": {}}
		for i := range 2 { // the second is after a restart
			k := &keeper.Keeper{Store: h.store, Start: h.engine.Start, Log: loud(t), Flows: []string{"assist"}}
			stop := h.serve(k.Serve)
			for user := range sessions {
				h.say(rein.RunID(fmt.Sprint(user, i)), "assist", user, user+"s", "I like tea.")
			}
			stop()
		}
		for info, err := range h.store.Runs(context.Background(), store.Filter{}) {
			check(t, err)
			if info.Flow == "remember" {
				sessions[info.User][info.Session] = true
			}
		}
		if ann := sessions["ann"]; len(ann) != 1 || ann[taken] {
			t.Errorf("ann's are in %v", ann)
		}
		if cleo := sessions["cleo"]; len(cleo) != 1 || !cleo[old] {
			t.Errorf("cleo's are in %v", cleo)
		}
	})
}

// Nobody can compute what the next session of a chat is called, from whatever they know of it.
//
// Attack: 8
func TestChatNames(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	defer s.Close()
	seen := map[string]bool{formerly("chat-", "home", "ann", "", "-62135596800000000"): true}
	for range 3 {
		names := keeper.NewNames()
		for range 2 {
			id, err := names.SessionFor(t.Context(), s, "home", "ann", time.Now(), 0)
			check(t, err)
			seen[id] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("three processes name the session %v", seen)
	}
}
