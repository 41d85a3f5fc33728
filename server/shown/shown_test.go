package shown

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
)

func ask(id, digest string) rein.Ask {
	return rein.Ask{ID: rein.AskID("r1:" + id), Run: "r1", Shown: digest}
}

// An ID is of one book, one ask and one digest, says nothing about them, and stays the same.
func TestIDs(t *testing.T) {
	var one, other Book
	seen := map[string]bool{}
	for _, id := range []string{one.Issue(ask("1.ask", "x")), one.Issue(ask("1.ask", "y")), one.Issue(ask("2.ask", "x")), other.Issue(ask("1.ask", "x"))} {
		if seen[id] || !strings.HasPrefix(id, Prefix) || len(id) != 30 || strings.Contains(id, "r1") {
			t.Errorf("an ID is %q, among %v", id, seen)
		}
		seen[id] = true
	}
	id := one.Issue(ask("1.ask", "x"))
	if again := one.Name(ask("1.ask", "x")); again != id {
		t.Errorf("the same ask is %q and %q", id, again)
	}
	if s, ok := one.Find(id); !ok || s != (Slip{ID: id, Ask: "r1:1.ask", Run: "r1", Shown: "x"}) {
		t.Errorf("it stands for %+v", s)
	}
	if _, ok := other.Find(id); ok {
		t.Error("another book knows it")
	}
	if _, ok := one.Find(one.Name(ask("9.ask", "x"))); ok {
		t.Error("an ID counts that was never issued")
	}
}

// The last thing is what was sent last about a topic, not what was issued last.
func TestLast(t *testing.T) {
	var b Book
	first, second := b.Issue(ask("1.ask", "x")), b.Issue(ask("2.ask", "x"))
	if _, ok, known := b.Last("a"); ok || known {
		t.Error("nothing was sent")
	}
	sent := func() bool { return true }
	b.Send("a", first, sent)
	b.Send("b", second, sent)
	if b.Send("a", second, func() bool { return false }) {
		t.Error("what was not sent was sent")
	}
	if s, ok, known := b.Last("a"); s.ID != first || !ok || !known {
		t.Errorf("the last is %+v", s)
	}
	b.Send("a", "", sent)
	if _, ok, known := b.Last("a"); ok || !known {
		t.Error("something else was sent since")
	}
}

// An answer that comes while what it answers is being sent waits for that; one that has to wait for long
// was written before.
func TestSending(t *testing.T) {
	for _, slow := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var b Book
			id := b.Issue(ask("1.ask", "x"))
			begun := make(chan struct{})
			go b.Send("a", id, func() bool {
				close(begun)
				if slow {
					time.Sleep(2 * moment)
				}
				return true
			})
			<-begun
			if _, ok, known := b.Last("a"); ok == slow || !known {
				t.Errorf("slow %v: it is shown %v", slow, ok)
			}
			time.Sleep(2 * moment)
			if _, ok, _ := b.Last("a"); !ok {
				t.Errorf("slow %v: it is not shown", slow)
			}
		})
	}
}

// Each credential has a book of its own; the one that is not seen for long is forgotten first.
func TestClients(t *testing.T) {
	var c Clients
	who := func(user, via string) rein.Identity {
		return rein.Identity{Household: "home", User: user, Via: via}
	}
	first := c.Of(who("ann", "token:1"))
	if c.Of(who("ann", "token:1")) != first || c.Of(who("ann", "token:2")) == first || c.Of(who("bob", "token:1")) == first {
		t.Error("books are mixed up")
	}
	for i := range maxClients {
		c.Of(who("ann", fmt.Sprint("token:", i)))
		c.Of(who("ann", "token:1"))
	}
	if c.Of(who("ann", "token:1")) != first || len(c.books) != maxClients {
		t.Errorf("%d books are kept", len(c.books))
	}
}

// A book stays small: what is oldest is forgotten, and then unknown.
func TestFull(t *testing.T) {
	var b Book
	first := b.Issue(ask("0", "x"))
	last := ""
	for i := range maxSlips {
		last = b.Issue(ask(fmt.Sprint(i+1), "x"))
		b.Send(fmt.Sprint(i), last, func() bool { return true })
	}
	if _, ok := b.Find(first); ok || len(b.slips) != maxSlips || len(b.last) > maxSlips {
		t.Errorf("%d slips and %d topics are kept", len(b.slips), len(b.last))
	}
	if s, ok, _ := b.Last(fmt.Sprint(maxSlips - 1)); !ok || s.ID != last {
		t.Errorf("the newest is %+v", s)
	}
}
