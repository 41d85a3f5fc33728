package deliver_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/household/channels"
	"rein/household/post"
)

// A message reaches each address of its reader once, and nobody else's; none that is not verified, muted or gone.
//
// Covers: NEU-57
func TestDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.channel("ann", channels.Mail, "ann@example.org")
		h.channel("ann", channels.Telegram, "1")
		h.channel("bob", channels.Mail, "bob@example.org")
		_, err := h.book.Put(t.Context(), channels.Channel{Household: "home", User: "ann", Kind: channels.Mail, Address: "typo@example.org"})
		check(t, err)
		quiet := h.channel("ann", channels.Mail, "muted@example.org")
		check(t, h.book.Mute(t.Context(), "home", "ann", quiet.ID, []post.Kind{post.Reminder}))
		h.channel("ann", channels.Push, "https://push.example/1") // nothing here sends pushes
		h.serve()
		h.put("m1", "ann", "Dentist at nine.", false)
		time.Sleep(3 * time.Second)
		same(t, "mail", h.mail.take(), "ann@example.org: Dentist at nine.")
		same(t, "chat", h.chat.take(), "1: Dentist at nine.")
		h.put("m1", "ann", "Dentist at nine.", false) // the same again
		time.Sleep(time.Hour)
		same(t, "later", h.mail.take()+h.chat.take(), "")
		same(t, "states", h.states("ann"), "m1 delivered 1; m1 delivered 1")
		h.stop()
		time.Sleep(31 * 24 * time.Hour)
		h.serve()
		same(t, "pruned", h.states("ann"), "")
	})
}

// A try that fails is made again, later each time, with the same ID, for a day; the other channel does not wait for it.
func TestTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.channel("ann", channels.Mail, "ann@example.org")
		h.channel("ann", channels.Telegram, "1")
		h.mail.fails(func(deliver.Message) error { return errDown })
		h.serve()
		h.put("m1", "ann", "Dentist.", false)
		time.Sleep(10 * time.Minute)
		same(t, "chat", h.chat.take(), "1: Dentist.")
		h.mail.mu.Lock()
		tries, first, last := len(h.mail.got), h.mail.got[0].ID, h.mail.got[len(h.mail.got)-1].ID
		h.mail.mu.Unlock()
		h.mail.fails(nil)
		if tries < 4 || tries > 9 || first != last {
			t.Errorf("%d tries, %s %s", tries, first, last)
		}
		time.Sleep(time.Hour)
		if got := h.states("ann"); !strings.HasPrefix(got, "m1 delivered 1; m1 delivered ") {
			t.Error(got)
		}
		h.mail.take()
		h.mail.fails(func(deliver.Message) error { return deliver.Again(30*time.Minute, errDown) })
		h.put("m2", "ann", "Bread.", false)
		time.Sleep(29 * time.Minute)
		same(t, "it asked for half an hour", h.mail.take(), "ann@example.org: Bread.")
		time.Sleep(26 * time.Hour)
		if got := h.states("ann"); !strings.Contains(got, "m2 given up") {
			t.Error(got)
		}
	})
}

// An address that is gone gets nothing more; a message that it never takes is given up alone.
func TestGoneAndNever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		mail := h.channel("ann", channels.Mail, "ann@example.org")
		h.serve()
		h.mail.fails(func(deliver.Message) error { return deliver.Never(errDown) })
		h.put("m1", "ann", "Too large.", false)
		time.Sleep(time.Hour)
		same(t, "tried", h.mail.take(), "ann@example.org: Too large.")
		h.mail.fails(func(deliver.Message) error { return deliver.Gone(errDown) })
		h.put("m2", "ann", "Dentist.", false)
		time.Sleep(3 * time.Second)
		h.mail.fails(nil)
		h.put("m3", "ann", "Bread.", false)
		time.Sleep(time.Hour)
		same(t, "tried", h.mail.take(), "ann@example.org: Dentist.")
		same(t, "states", h.states("ann"), "m1 given up 1; m2 given up 1")
		c, err := h.book.Get(t.Context(), "home", "ann", mail.ID)
		if err != nil || c.Works() || c.Why != errDown.Error() {
			t.Errorf("%+v %v", c, err)
		}
		h.channel("ann", channels.Mail, "ann@example.org") // verified again
		h.put("m4", "ann", "Milk.", false)
		time.Sleep(3 * time.Second)
		same(t, "again", h.mail.take(), "ann@example.org: Milk.")
	})
}

// In quiet hours messages wait until their end, and urgent ones do not.
func TestQuietHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it begins at midnight UTC, 1 January 2000
		h := newHouse(t)
		defer h.close()
		h.channel("ann", channels.Mail, "ann@example.org")
		check(t, h.book.SetPreferences(t.Context(), channels.Preferences{
			Household: "home", User: "ann", Zone: "Europe/Amsterdam", Quiet: []channels.Quiet{{From: "22:00", To: "07:00"}},
		}))
		h.serve()
		h.put("m1", "ann", "Dentist.", false)
		h.put("m2", "ann", "Fire!", true)
		time.Sleep(time.Hour)
		same(t, "at night", h.mail.take(), "ann@example.org: Fire!")
		time.Sleep(4*time.Hour + 59*time.Minute) // 05:59 UTC
		same(t, "just before", h.mail.take(), "")
		time.Sleep(time.Minute + 2*time.Second)
		same(t, "at seven", h.mail.take(), "ann@example.org: Dentist.")
		same(t, "states", h.states("ann"), "m1 delivered 1; m2 delivered 1")
	})
}

// An ask reaches the person whom it is for, with what an answer must repeat. One that is answered before it was sent is
// sent nowhere, and is read.
func TestAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.channel("ann", channels.Mail, "ann@example.org")
		h.channel("bob", channels.Telegram, "2")
		h.serve()
		fast := h.ask("r1", "ann", "")
		slow := h.ask("r2", "ann", "bob")
		time.Sleep(10 * time.Second)
		h.answer(fast, "ann")
		time.Sleep(time.Hour)
		same(t, "mail", h.mail.take(), "")
		same(t, "states", h.states("ann"), "ask:r1:1.ask dropped 0")
		h.chat.mu.Lock()
		if got := h.chat.got; len(got) != 1 || got[0].Ask == nil || got[0].Ask.ID != slow.ID || got[0].Ask.Shown != slow.Shown || got[0].Kind != post.Asking {
			t.Errorf("%+v", got)
		}
		h.chat.mu.Unlock()
		unread, err := post.Book{Tables: h.store}.List(t.Context(), post.Filter{Household: "home", User: "ann", Unread: true})
		if err != nil || len(unread) != 0 {
			t.Errorf("%+v %v", unread, err)
		}
	})
}

// What a child may not approve reaches every adult of the household, and nobody else. Once one of them has answered, the
// others have nothing to read.
func TestAskOfAChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.channel("kid", channels.Mail, "kid@example.org")
		h.channel("ann", channels.Mail, "ann@example.org")
		h.channel("bob", channels.Telegram, "2")
		h.serve()
		ask := h.ask("r1", "kid", rein.ForAdults)
		time.Sleep(time.Hour)
		mails := strings.Split(h.mail.take(), "; ")
		slices.Sort(mails)
		same(t, "mail", strings.Join(mails, "|"), "ann@example.org: kid asked for this:\n\n"+ask.Text+"|kid@example.org: I asked an adult about this: ann, bob.\n\n"+ask.Text)
		same(t, "chat", h.chat.take(), "2: kid asked for this:\n\n"+ask.Text)
		h.answer(ask, "ann")
		time.Sleep(time.Hour)
		for _, user := range []string{"ann", "bob"} {
			unread, err := post.Book{Tables: h.store}.List(t.Context(), post.Filter{Household: "home", User: user, Unread: true})
			if err != nil || len(unread) != 0 {
				t.Errorf("%s: %+v %v", user, unread, err)
			}
		}
	})
}

// What a child may not approve reaches every adult, with who wants it, and the child learns who was asked. Once one of them has
// answered, it waits for nobody.
func TestAskForAdults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.serve()
		ask := h.ask("r1", "kim", rein.ForAdults)
		time.Sleep(time.Minute)
		read := func(user string) (texts []string) {
			found, err := post.Book{Tables: h.store}.List(t.Context(), post.Filter{Household: "home", User: user, Unread: true})
			check(t, err)
			for _, m := range found {
				texts = append(texts, string(m.Kind)+": "+m.Text)
			}
			return texts
		}
		for _, adult := range []string{"ann", "bob"} {
			if got := read(adult); len(got) != 1 || got[0] != "ask: kim asked for this:\n\nShall I add 'dentist'?" {
				t.Errorf("%s reads %q", adult, got)
			}
		}
		if got := read("kim"); len(got) != 1 || got[0] != "notice: I asked an adult about this: ann, bob.\n\nShall I add 'dentist'?" {
			t.Errorf("the child reads %q", got)
		}
		h.answer(ask, "bob")
		time.Sleep(time.Minute)
		if got := append(read("ann"), read("bob")...); len(got) != 0 {
			t.Errorf("afterwards waits %q", got)
		}
	})
}

// Two processes that deliver from one store send each message once; so does one that begins after another was stopped in
// the middle of a try.
func TestTwoOffices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.channel("ann", channels.Mail, "ann@example.org")
		h.mail.slow = 5 * time.Second
		h.serve()
		other := deliver.New(deliver.Options{Store: h.store, Channels: []deliver.Channel{h.mail}})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- other.Serve(ctx) }()
		for _, id := range []string{"m1", "m2", "m3"} {
			h.put(id, "ann", id, false)
			time.Sleep(time.Minute)
		}
		same(t, "mail", h.mail.take(), "ann@example.org: m1; ann@example.org: m2; ann@example.org: m3")
		cancel()
		check(t, <-done)
		h.put("m4", "ann", "m4", false)
		time.Sleep(3 * time.Second) // it is being sent
		h.stop()
		same(t, "cut off", h.mail.take(), "")
		h.serve()
		time.Sleep(2 * time.Minute) // the claim of the one that stopped is over
		same(t, "again", h.mail.take(), "ann@example.org: m4")
	})
}

// A question that its reader has seen in rein and then answered there is sent nowhere either.
func TestAskSeenAndAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		h.channel("ann", channels.Mail, "ann@example.org")
		h.serve()
		ask := h.ask("r1", "ann", "")
		time.Sleep(2 * time.Second)
		check(t, post.Book{Tables: h.store}.See(t.Context(), "home", "ann", nil, time.Now()))
		h.answer(ask, "ann")
		time.Sleep(time.Hour)
		same(t, "mail", h.mail.take(), "")
		same(t, "states", h.states("ann"), "ask:r1:1.ask dropped 0")
	})
}

// An answer from a channel is that of the person who has it, goes the way of every answer, and is refused if the ask is
// somebody else's or shows something else. It never allows more than one call.
func TestAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		defer h.close()
		chat := h.channel("ann", channels.Telegram, "1")
		var asked rein.Identity
		a := deliver.Answers{
			Book: h.book,
			Who: func(_ context.Context, household, user, channel string) (rein.Identity, error) {
				return rein.Identity{Household: household, User: user, Via: "channel:" + channel}, nil
			},
			Do: func(_ context.Context, who rein.Identity, _ rein.AskID, _ rein.Answer) (rein.Receipt, error) {
				asked = who
				return rein.Receipt{}, nil
			},
		}
		yes := rein.Answer{State: rein.AskApproved, Shown: "v2-1"}
		if _, err := a.Answer(t.Context(), chat.ID, "r1:1.ask", yes); err != nil || asked.User != "ann" || asked.Via != "channel:"+chat.ID {
			t.Errorf("%+v %v", asked, err)
		}
		if _, err := a.Answer(t.Context(), "nobody", "r1:1.ask", yes); rein.CodeOf(err) != rein.CodeNotFound {
			t.Error(err)
		}
		yes.Scope = rein.ScopeAlways
		if _, err := a.Answer(t.Context(), chat.ID, "r1:1.ask", yes); rein.CodeOf(err) != rein.CodeForbidden {
			t.Error(err)
		}
		check(t, h.book.Remove(t.Context(), "home", "ann", chat.ID))
		if _, err := a.Identity(t.Context(), chat.ID); rein.CodeOf(err) != rein.CodeNotFound {
			t.Error(err)
		}
		same(t, "Dutch", deliver.Outcome("nl-NL", rein.Answer{State: rein.AskApproved}, nil), "Dank je, ik doe het.")
		same(t, "closed", deliver.Outcome("", yes, rein.Errorf(rein.CodeClosed, "x")), "This question was answered or withdrawn before. Nothing has changed.")
	})
}
