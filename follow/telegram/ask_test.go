package telegram_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/telegram"
	"rein/household/channels"
	"rein/household/post"
	"rein/internal/rig"
	"rein/store"
)

// A button answers exactly the ask that it was shown with, once, and for the person who was asked. After that the message says
// what was decided.
//
// Covers: NEU-5
func TestButtons(t *testing.T) {
	t.Parallel()
	h := paired(t)
	h.cloud.write(8, h.code("bob"))
	h.cloud.says("Hallo bob")
	h.cloud.write(7, "koop brood")
	ask := h.cloud.says("Zal ik brood kopen?")
	if !strings.Contains(ask.text, "what: brood") {
		t.Errorf("it does not show what exactly: %s", ask.text)
	}
	yes := ask.data(t, "Ja")
	forged := ask
	forged.chat = 8 // bob's
	for i, press := range []struct {
		by   int64
		m    said
		data string
		want string
	}{
		{8, ask, yes, "Alleen degene aan wie ik het vroeg"},
		{8, forged, yes, "Deze knop ken ik niet"},
		{7, ask, "AAAAAAAAAAAAAAAAAAAAAAAAAA:0", "Deze knop ken ik niet"},
		{7, ask, yes + "7", "Ik ken geen vraag met die naam"},
		{7, ask, "", "Deze knop ken ik niet"},
		{66, said{id: ask.id, chat: 66}, yes, "I do not know this button"},
	} {
		h.cloud.press(press.by, press.m, press.data)
		if note := h.cloud.noted(i + 1); !strings.Contains(note, press.want) {
			t.Errorf("%+v: %s", press, note)
		}
	}
	if h.bought.Load() != 0 {
		t.Fatal("it was bought")
	}
	h.cloud.press(7, ask, yes)
	h.cloud.press(7, ask, yes)
	h.cloud.press(7, ask, ask.data(t, "Nee"))
	h.cloud.says("kopen: ok")
	if done := h.cloud.says("✔ Ja, zei ann."); done.id != ask.id || len(done.buttons) != 0 || !strings.Contains(done.text, "Zal ik brood kopen?") {
		t.Errorf("%+v", done)
	}
	h.cloud.noted(9)
	for i, want := range []string{"Dank je, ik doe het", "al beantwoord", "al beantwoord"} {
		if note := h.cloud.notes[6+i]; !strings.Contains(note, want) {
			t.Errorf("press %d: %s", i, note)
		}
	}
	if h.bought.Load() != 1 {
		t.Errorf("bought %d times", h.bought.Load())
	}
	h.cloud.write(7, "koop melk")
	old := h.cloud.says("Zal ik melk kopen?")
	h.clock.Store(int64(8 * 24 * time.Hour))
	h.cloud.press(7, old, old.data(t, "Ja"))
	if note := h.cloud.noted(10); !strings.Contains(note, "Deze knop is te oud") || h.bought.Load() != 1 {
		t.Error(note)
	}
}

// A yes in words counts if the question is the last thing that the chat shows, and it came after it. Another message is a new
// one; then the question is shown again, below the reply.
//
// Covers: NEU-62
func TestWords(t *testing.T) {
	t.Parallel()
	h := paired(t)
	h.cloud.write(7, "koop brood")
	first := h.cloud.says("Zal ik brood kopen?")
	h.cloud.write(7, "hoe gaat het")
	h.cloud.says("gehoord: hoe gaat het")
	again := h.cloud.await("the question again", func(m said) bool { return m.id > first.id && strings.Contains(m.text, "Zal ik brood kopen?") })
	h.cloud.write(7, "ja, maar morgen")
	h.cloud.says("gehoord: ja, maar morgen")
	h.cloud.await("the question again", func(m said) bool { return m.id > again.id && strings.Contains(m.text, "Zal ik brood kopen?") })
	h.cloud.write(7, "ja, graag!")
	h.cloud.says("kopen: ok")
	h.cloud.until("all three to say so", func() bool {
		n := 0
		for _, m := range h.cloud.said {
			if strings.Contains(m.text, "✔ Ja, zei ann.") && len(m.buttons) == 0 {
				n++
			}
		}
		return n == 3
	})
	if h.bought.Load() != 1 {
		t.Errorf("bought %d times", h.bought.Load())
	}
	h.cloud.write(7, "vraag")
	h.cloud.says("Hoe laat?")
	h.cloud.write(7, "15:00")
	h.cloud.says("om 15:00")
	h.cloud.write(7, "koop melk")
	milk := h.cloud.says("Zal ik melk kopen?")
	h.cloud.write(7, "koop kaas")
	cheese := h.cloud.says("Zal ik kaas kopen?")
	h.cloud.write(7, "/help") // now neither is the last thing
	h.cloud.says("Schrijf me zoals je praat")
	h.cloud.write(7, "nee")
	h.cloud.says("Welke bedoel je?")
	h.cloud.press(7, milk, milk.data(t, "Nee"))
	h.cloud.press(7, cheese, cheese.data(t, "Nee"))
	h.cloud.until("both refusals", func() bool {
		n := 0
		for _, m := range h.cloud.said {
			if m.text == "kopen: refused" || m.text == "kopen: rejected" || m.text == "kopen: denied" {
				n++
			}
		}
		return n == 2
	})
	if h.bought.Load() != 1 {
		t.Errorf("bought %d times", h.bought.Load())
	}
}

// A chat that becomes somebody else's shows them nothing of what its person before was asked.
func TestAnothersQuestion(t *testing.T) {
	t.Parallel()
	h := paired(t)
	h.cloud.write(7, "koop een verrassing")
	first := h.cloud.says("Zal ik een verrassing kopen?")
	h.cloud.write(7, h.code("bob"))
	h.cloud.says("Hallo bob")
	h.cloud.write(7, "hoi")
	h.cloud.says("gehoord: hoi")
	h.cloud.write(7, "ja")
	h.cloud.says("gehoord: ja")
	h.cloud.press(7, first, first.data(t, "Ja"))
	if note := h.cloud.noted(1); !strings.Contains(note, "Alleen degene aan wie ik het vroeg") {
		t.Error(note)
	}
	if n := h.cloud.count("een verrassing"); n != 1 || h.bought.Load() != 0 {
		t.Errorf("it was shown %d times, and bought %d times", n, h.bought.Load())
	}
	asks, err := h.Store.Asks(t.Context(), store.AskFilter{Pending: true})
	if err != nil || len(asks) != 1 {
		t.Fatalf("%+v %v", asks, err)
	}
	_, err = h.Engine.Command(t.Context(), asks[0].Reply(rein.Answer{State: rein.AskApproved, By: "ann"}))
	rig.Check(t, err)
	_, err = h.Engine.Wait(t.Context(), asks[0].Run)
	rig.Check(t, err)
	h.cloud.write(7, "klaar?")
	h.cloud.says("gehoord: klaar?")
	if n := h.cloud.count("zei ann"); n != 0 {
		t.Error("bob reads what ann answered")
	}
}

// A yes that was written before the question was shown is not an answer to it, however late it is read.
//
// Attack: 1
func TestTypeAhead(t *testing.T) {
	t.Parallel()
	h := paired(t)
	h.cloud.write(7, "koop brood")
	h.cloud.says("Zal ik brood kopen?")
	h.stop()
	h.cloud.mu.Lock()
	h.cloud.said[len(h.cloud.said)-1].id += 100 // it was shown later than it seems
	h.cloud.mu.Unlock()
	rig.Check(t, h.Store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE telegram_posts SET message = message + 100 WHERE ask <> ''`)
		return err
	}))
	h.cloud.write(7, "ja")
	h.serve()
	h.cloud.says("Welke bedoel je?")
	if h.bought.Load() != 0 {
		t.Error("it was bought")
	}
}

// What was decided elsewhere is said in the chat, and its buttons do nothing any more.
func TestDecidedElsewhere(t *testing.T) {
	t.Parallel()
	h := paired(t)
	h.cloud.write(7, "koop brood")
	shown := h.cloud.says("Zal ik brood kopen?")
	asks, err := h.Store.Asks(t.Context(), pending)
	rig.Check(t, err)
	_, err = h.Engine.Command(t.Context(), asks[0].Reply(rein.Answer{State: rein.AskRejected, By: "ann"}))
	rig.Check(t, err)
	if done := h.cloud.says("✘ Nee, zei ann."); done.id != shown.id {
		t.Errorf("%+v", done)
	}
}

// Messages of others come through the port, once, also if nobody heard that they were sent. What waits for a person is the
// same question there and in the talk.
//
// Covers: NEU-57
func TestSend(t *testing.T) {
	t.Parallel()
	h := paired(t)
	c, err := h.book.At(t.Context(), channels.Telegram, "7")
	rig.Check(t, err)
	to := deliver.To{Channel: c.ID, Household: "home", User: "ann", Address: "7", Language: "nl"}
	reminder := deliver.Message{ID: "m1", Kind: post.Reminder, Text: "Tandarts om negen uur", Link: "https://rein.example/x"}
	var cuts atomic.Int64
	h.cloud.mu.Lock()
	h.cloud.cut = func(method string, params map[string]any) bool { return method == "sendMessage" && cuts.Add(1) == 1 }
	h.cloud.mu.Unlock()
	if _, err := h.bot.Send(t.Context(), to, reminder); err == nil || strings.Contains(err.Error(), "the-token") {
		t.Errorf("it was not answered: %v", err)
	}
	first, err := h.bot.Send(t.Context(), to, reminder)
	rig.Check(t, err)
	second, err := h.bot.Send(t.Context(), to, reminder)
	rig.Check(t, err)
	if n := h.cloud.count("Tandarts om negen uur\n\nhttps://rein.example/x"); n != 1 || first != second || first == "" {
		t.Errorf("it is shown %d times, as %q and %q", n, first, second)
	}
	h.cloud.write(7, "koop brood")
	h.cloud.says("Zal ik brood kopen?")
	asks, err := h.Store.Asks(t.Context(), pending)
	rig.Check(t, err)
	_, err = h.bot.Send(t.Context(), to, deliver.Message{ID: "m2", Kind: post.Asking, Text: "anders", Ask: &deliver.Question{ID: asks[0].ID, Shown: asks[0].Shown}})
	rig.Check(t, err)
	if n := h.cloud.count("Zal ik brood kopen?"); n != 1 {
		t.Errorf("it is asked %d times", n)
	}
}

// What Telegram refuses says what to do: wait, give the address up, or give the message up.
func TestRefusals(t *testing.T) {
	t.Parallel()
	h := paired(t)
	to := deliver.To{Household: "home", User: "ann", Address: "7"}
	for i, c := range []struct {
		status int
		body   string
		want   string
	}{
		{429, `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 7","parameters":{"retry_after":7}}`, "againError"},
		{403, `{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}`, "goneError"},
		{400, `{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}`, "goneError"},
		{400, `{"ok":false,"error_code":400,"description":"Bad Request: something else"}`, "neverError"},
		{502, `<html>4242:the-token-of-the-bot</html>`, "*telegram.refusal"},
	} {
		h.cloud.mu.Lock()
		h.cloud.wrong = func(method string, _ map[string]any) (int, string) {
			if method == "sendMessage" {
				return c.status, c.body
			}
			return 0, ""
		}
		h.cloud.mu.Unlock()
		_, err := h.bot.Send(t.Context(), to, deliver.Message{ID: fmt.Sprint("r", i), Text: "hallo"})
		got := strings.TrimPrefix(fmt.Sprintf("%T", err), "deliver.") // what the port does with it is tested there
		if err == nil || got != c.want || strings.Contains(err.Error(), "the-token") {
			t.Errorf("%s: %s (%v)", c.body, got, err)
		}
	}
}

// A bot that somebody else polls, or whose token is wrong, says so plainly, once, and works when it can.
func TestTrouble(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var calls atomic.Int64
	h.cloud.wrong = func(method string, _ map[string]any) (int, string) {
		switch n := calls.Add(1); {
		case method == "getMe" && n <= 2:
			return http.StatusUnauthorized, `{"ok":false,"error_code":401,"description":"Unauthorized"}`
		case method == "getUpdates" && n <= 6:
			return http.StatusConflict, `{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request"}`
		}
		return 0, ""
	}
	if _, err := h.bot.NewCode(t.Context(), h.who("ann")); rein.CodeOf(err) != rein.CodeUnavailable || !strings.Contains(err.Error(), "401 Unauthorized") {
		t.Error(err)
	}
	h.serve()
	h.cloud.write(66, "hallo")
	h.cloud.says("Ik praat alleen met mensen die ik ken")
	log := h.log.String()
	for _, want := range []string{"check what telegram.token names", "another program already asks for this bot's updates"} {
		if strings.Count(log, want) != 1 {
			t.Errorf("%q is not there once: %s", want, log)
		}
	}
	if trouble := h.bot.Trouble(); trouble != "" || strings.Contains(log, "the-token") {
		t.Errorf("%q %s", trouble, log)
	}
}

// A text is cut between paragraphs where it can be, never too long, and nothing is lost.
func TestSplit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "kort", strings.Repeat("a", 10_000), strings.Repeat("é👍", 5000), strings.Repeat("woord ", 3000),
		strings.Repeat("regel\n", 2000), strings.Repeat("a", 4000) + "\n\n" + strings.Repeat("b", 4000), "\xff" + strings.Repeat("x", 5000),
	} {
		parts := telegram.Split(text)
		all := strings.Join(parts, "")
		for _, p := range parts {
			if telegram.Units(p) > telegram.MaxText || p == "" {
				t.Errorf("a part has %d units", telegram.Units(p))
			}
		}
		same := func(s string) string { return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), "") }
		if same(all) != same(text) {
			t.Errorf("%.20q: something is lost", text)
		}
	}
	if parts := telegram.Split(strings.Repeat("a", 4000) + "\n\n" + strings.Repeat("b", 4000)); len(parts) != 2 || strings.ContainsRune(parts[0], 'b') {
		t.Errorf("%d parts", len(parts))
	}
}
