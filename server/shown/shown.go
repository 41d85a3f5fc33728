// Package shown remembers what a client was shown, so that its answer applies to exactly that. The
// clients of the documents' contracts echo one ID; this package makes it, new and opaque for each
// ask that a client is shown. The ID stands for the ask and for the digest of what was shown.
package shown

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"sync"
	"time"

	"rein"
)

// A Slip is one ask that a client was shown.
type Slip struct {
	ID    string // what the client echoes
	Ask   rein.AskID
	Run   rein.RunID
	Shown string // Ask.Shown as it was when it was shown
}

// Prefix begins every ID of a slip.
const Prefix = "ask_"

// maxSlips is how many slips a book keeps. An answer to one that is forgotten is refused like one to
// something that was never shown; the ask stays open.
const maxSlips = 1000

// A Book is what one client was shown: a connection or, where there is none, a credential. The zero value
// is empty and ready.
type Book struct {
	mu    sync.Mutex
	turn  chan struct{}       // has something in it while something is sent
	key   []byte              // of the IDs: nobody can tell from one ask the ID of another, or of another book
	slips []Slip              // the oldest first
	last  map[string][]string // by topic: the IDs of what was shown last, in order
}

// Name returns the ID under which the client knows the ask, or would. Only an ID that was issued counts.
func (b *Book) Name(ask rein.Ask) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.name(ask)
}

func (b *Book) name(ask rein.Ask) string {
	if b.key == nil {
		b.key = []byte(rand.Text())
	}
	h := hmac.New(sha256.New, b.key)
	h.Write([]byte(string(ask.ID) + "\x00" + ask.Shown))
	return Prefix + base32.StdEncoding.EncodeToString(h.Sum(nil))[:26]
}

// Issue returns the ID of an ask that the client is about to be shown.
func (b *Book) Issue(ask rein.Ask) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.name(ask)
	if b.find(id) >= 0 {
		return id
	}
	if len(b.slips) >= maxSlips {
		b.slips = slices.Delete(b.slips, 0, 1)
	}
	b.slips = append(b.slips, Slip{ID: id, Ask: ask.ID, Run: ask.Run, Shown: ask.Shown})
	return id
}

func (b *Book) find(id string) int {
	return slices.IndexFunc(b.slips, func(s Slip) bool { return s.ID == id })
}

// Find returns what an ID stands for.
func (b *Book) Find(id string) (Slip, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.find(id); i >= 0 {
		return b.slips[i], true
	}
	return Slip{}, false
}

// Send sends something about a topic. If it was sent it is the last thing that the client was shown of it:
// the slip of the ID or, if that is empty, no ask. It reports what send does.
func (b *Book) Send(topic, id string, send func() bool) bool {
	if id == "" {
		return b.SendAll(topic, nil, send)
	}
	return b.SendAll(topic, []string{id}, send)
}

// SendAll is Send for something that shows any number of asks.
func (b *Book) SendAll(topic string, ids []string, send func() bool) bool {
	turn := b.sending()
	turn <- struct{}{} // a client may answer before send returns
	defer func() { <-turn }()
	if !send() {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last == nil || len(b.last) >= maxSlips {
		b.last = map[string][]string{}
	}
	b.last[topic] = ids
	return true
}

func (b *Book) sending() chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.turn == nil {
		b.turn = make(chan struct{}, 1)
	}
	return b.turn
}

// moment is how long an answer may wait for the end of a sending that it is an answer to. One that waits
// longer is of a client that was not reading: it was written before.
const moment = time.Second

// Last returns the ask that the client was shown last about a topic; ok is false if the last thing was no
// ask, or several. Known says whether it was shown anything about it.
func (b *Book) Last(topic string) (s Slip, ok, known bool) {
	slips, known := b.LastAll(topic)
	if len(slips) != 1 {
		return Slip{}, false, known
	}
	return slips[0], true, known
}

// LastAll returns the asks that the client was shown last about a topic, in the order in which it saw them. Known says
// whether it was shown anything about it.
func (b *Book) LastAll(topic string) (slips []Slip, known bool) {
	turn := b.sending()
	select {
	case turn <- struct{}{}:
		<-turn
	case <-time.After(moment):
		return nil, true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	ids, known := b.last[topic]
	for _, id := range ids {
		i := b.find(id)
		if i < 0 {
			return nil, known // it was forgotten: the others would be counted wrong
		}
		slips = append(slips, b.slips[i])
	}
	return slips, known
}
