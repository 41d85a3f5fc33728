package erase_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/household/erase"
	"rein/store"
)

// Rows that grow are moved between pages, and a page keeps what was moved from it until it is written over.
// Of a store that is full of such rows nothing stays either.
//
// Covers: ENG-36
func TestMovedRowsLeaveNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	random := rand.New(rand.NewPCG(1, 2))
	text := func(secret bool) string {
		word := "KEPT "
		if secret {
			word = "PLANTED "
		}
		return strings.Repeat(word, 1+random.IntN(200))
	}
	var runs []rein.RunID
	for i := range 60 {
		secret, session, user := i%3 == 0, fmt.Sprint("s", i), "bob"
		if secret {
			user = "ann"
		}
		run := rein.RunID(fmt.Sprintf("%c%d", 'a'+random.IntN(26), i))
		h.start(run, user, session, task(text(secret)))
		ask := &rein.Ask{ID: rein.NewAskID(run, "1"), Run: run, Step: "1", Kind: rein.AskQuestion, Text: text(secret), State: rein.AskPending, Opened: h.clock}
		h.append(run, store.Draft{Kind: rein.AskOpened, Step: "1", At: h.tick(), Data: ask, Opens: ask})
		h.puts(user, session, "f", text(secret))
		runs = append(runs, run)
	}
	random.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	for _, run := range runs {
		info, err := h.store.Run(t.Context(), run)
		h.check(err)
		h.end(run, text(info.User == "ann"))
		if info.User == "ann" || random.IntN(2) == 0 {
			h.remembers("m-"+run, run, info.User, text(info.User == "ann"), text(info.User == "ann"))
		}
	}
	backup := filepath.Join(t.TempDir(), "rein.db")
	h.check(h.store.Backup(t.Context(), backup))
	for _, dir := range []string{h.dir, filepath.Dir(backup)} {
		h.check(h.store.Close())
		h.dir = dir
		h.open()
		h.erases(owner, erase.Target{User: "ann"})
		if got := h.everywhere("PLANTED"); len(got) > 0 {
			t.Errorf("%q of %s hold what was erased", got, dir)
		}
		h.sound(rein.Hash{})
	}
}
