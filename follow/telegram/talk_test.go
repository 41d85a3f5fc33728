package telegram_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/internal/rig"
	"rein/store"
)

// Strangers get one line that says nothing. A code makes a chat its user's, once, and for ten minutes.
//
// Covers: NEU-2
func TestPairing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.serve()
	for _, scopes := range [][]rein.Scope{{rein.ScopeAct}, {rein.ScopeRead, rein.ScopeAct}, {rein.ScopeAct, rein.ScopeAnswer}} {
		weak := h.who("ann")
		weak.Scopes = scopes
		if _, err := h.bot.NewCode(t.Context(), weak); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("a code for %v: %v", scopes, err)
		}
	}
	code := h.code("ann")
	for _, text := range []string{"hallo", "/start", "ABCD-2345", "koop brood"} {
		h.cloud.write(66, text)
	}
	h.cloud.write(7, "/start "+strings.ToLower(code))
	h.cloud.says("Hallo ann. Vanaf nu is deze chat van jou")
	if n := h.cloud.count("Ik praat alleen met mensen die ik ken"); n != 1 {
		t.Errorf("a stranger was answered %d times", n)
	}
	h.cloud.write(7, "goedemorgen")
	h.cloud.says("gehoord: goedemorgen")
	late := h.code("bob")
	h.cloud.write(67, code) // which was used
	h.cloud.await("a stranger", func(m said) bool { return m.chat == 67 })
	h.clock.Store(int64(11 * time.Minute))
	h.cloud.write(68, late)
	h.cloud.until("two strangers more", func() bool { return len(h.cloud.said) == 5 })
	if found, err := h.book.Of(t.Context(), "home", "bob"); err != nil || len(found) != 0 {
		t.Errorf("%+v %v", found, err)
	}
	if n := h.cloud.count("gehoord"); n != 1 || h.bought.Load() != 0 {
		t.Errorf("%d messages were heard", n)
	}
	found, err := h.book.Of(t.Context(), "home", "ann")
	if err != nil || len(found) != 1 || found[0].Address != "7" || !found[0].Works() {
		t.Errorf("%+v %v", found, err)
	}
	if log := h.log.String(); strings.Contains(log, "the-token") || strings.Contains(log, "goedemorgen") {
		t.Errorf("the log says too much: %s", log)
	}
}

// Codes cannot be guessed: after some wrong ones a chat is not listened to, even if it has a right one.
//
// Attack: 18
func TestGuessing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.serve()
	for range 5 {
		h.cloud.write(66, "ABCDEFGH")
	}
	h.cloud.write(66, h.code("ann"))
	h.cloud.write(67, "hallo")
	h.cloud.await("the stranger who came after", func(m said) bool { return m.chat == 67 })
	if found, err := h.book.Of(t.Context(), "home", "ann"); err != nil || len(found) != 0 {
		t.Errorf("%+v %v", found, err)
	}
}

// A person talks to their assistant: a message begins a run or reaches the one that works, and its end comes as a message,
// however long it is.
func TestTalk(t *testing.T) {
	t.Parallel()
	h := paired(t)
	h.cloud.write(7, "wacht even")
	h.cloud.until("typing", func() bool { return h.cloud.actions > 0 })
	h.cloud.write(7, "nog iets")
	run := h.active(t)
	h.until(t, "the message to arrive", func() bool {
		receipts, err := h.Store.Receipts(t.Context(), run)
		rig.Check(t, err)
		return len(receipts) == 1
	})
	h.hold <- struct{}{}
	h.cloud.says("nog iets") // of this run, or of the next one if it came too late for this
	before := len(h.cloud.said)
	h.cloud.write(7, "lang")
	h.cloud.until("a long answer", func() bool { return len(h.cloud.said) == before+3 })
	for _, m := range h.cloud.said[before:] {
		if len(m.text) > 4096 || !strings.HasPrefix(m.text, "Een alinea") || !strings.HasSuffix(m.text, "woorden.") {
			t.Errorf("a part of %d bytes: %.30q … %q", len(m.text), m.text, m.text[max(0, len(m.text)-30):])
		}
	}
	h.cloud.write(7, "/help")
	h.cloud.says("/stop stopt wat ik aan het doen ben")
	h.cloud.write(7, "/stop")
	h.cloud.says("Er is niets te stoppen")
	h.cloud.write(7, "wacht weer")
	h.active(t)
	h.cloud.write(7, "/stop")
	h.cloud.says("Ik stop.")
	h.cloud.says("Gestopt.")
}

// active waits for the run that works.
func (h *house) active(t *testing.T) (found rein.RunID) {
	t.Helper()
	h.until(t, "a run", func() bool {
		found = ""
		for info, err := range h.Store.Runs(t.Context(), unfinished) {
			rig.Check(t, err)
			found = info.ID
		}
		return found != ""
	})
	return found
}

func (h *house) until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited for %s", what)
		}
		select {
		case <-time.After(time.Millisecond):
		case <-t.Context().Done():
		}
	}
}

// Photos are images of the task, an album is one message, and what cannot be read is said.
func TestPhotos(t *testing.T) {
	t.Parallel()
	h := paired(t)
	var picture bytes.Buffer
	rig.Check(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	h.cloud.files["photos/1"], h.cloud.files["photos/2"] = picture.Bytes(), []byte("no picture")
	photo := func(file, caption, album string) func(map[string]any) {
		return func(m map[string]any) {
			delete(m, "text")
			m["caption"], m["media_group_id"] = caption, album
			m["photo"] = []any{map[string]any{"file_id": "small", "width": 1, "height": 1, "file_size": 1}, map[string]any{"file_id": file, "width": 3, "height": 2, "file_size": 100}, map[string]any{"file_id": "huge", "width": 9000, "height": 9000, "file_size": 50 << 20}}
		}
	}
	h.cloud.write(7, "", photo("photos/1", "wat is dit", ""))
	h.cloud.says("gehoord: wat is dit [image image/png 3×2")
	h.cloud.send(h.cloud.message1(7, "", photo("photos/1", "een album", "a1")), h.cloud.message1(7, "", photo("photos/1", "", "a1")))
	if album := h.cloud.says("een album"); strings.Count(album.text, "[image") != 2 {
		t.Error(album.text)
	}
	h.cloud.write(7, "", photo("photos/2", "", ""))
	h.cloud.says("Ik kan die foto niet lezen")
	h.cloud.write(7, "", func(m map[string]any) { delete(m, "text"); m["voice"] = map[string]any{"file_id": "v"} })
	h.cloud.says("Ik kan hier tekst en foto's lezen")
	h.cloud.write(7, "", func(m map[string]any) {
		delete(m, "text")
		m["document"] = map[string]any{"file_id": "d", "mime_type": "image/png", "file_size": 50 << 20}
	})
	h.cloud.says("Die foto is te groot")
}

// In a group nothing is heard before somebody pairs it, and then only what they say to the bot.
func TestGroups(t *testing.T) {
	t.Parallel()
	h := paired(t)
	in := func(m map[string]any) { m["chat"] = map[string]any{"id": -5, "type": "supergroup", "title": "Thuis"} }
	replying := func(m map[string]any) {
		in(m)
		m["reply_to_message"] = map[string]any{"message_id": 1, "from": map[string]any{"id": 4242}, "chat": m["chat"]}
	}
	h.cloud.write(7, "@ReinBot hallo", in)
	h.cloud.write(7, h.code("ann"), in) // not to the bot
	h.cloud.write(7, "/pair@ReinBot "+h.code("ann"), in)
	h.cloud.says("Deze groep hoort nu bij ann")
	h.cloud.write(7, "niet voor jou", in)
	h.cloud.write(8, "@ReinBot koop niets", in)
	h.cloud.write(8, "/stop", in)
	h.cloud.write(7, "/help@OtherBot", in)
	h.cloud.write(7, "zeg eens @reinbot iets", in)
	h.cloud.write(7, "en dit", replying)
	h.cloud.says("gehoord: en dit")
	h.cloud.says("gehoord: zeg eens  iets")
	if n := len(h.cloud.said); n != 4 {
		t.Errorf("%d messages in all", n)
	}
	h.cloud.write(7, "koop brood", replying)
	ask := h.cloud.says("Zal ik brood kopen?")
	h.cloud.press(8, ask, ask.data(t, "Ja"))
	if note := h.cloud.noted(1); !strings.Contains(note, "Alleen degene aan wie ik het vroeg") || h.bought.Load() != 0 {
		t.Error(note)
	}
	h.cloud.press(7, ask, ask.data(t, "Ja"))
	h.cloud.says("kopen: ok")
}

var unfinished = store.Filter{Unfinished: true}

var pending = store.AskFilter{Pending: true}
