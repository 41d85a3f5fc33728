package telegram_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds every wait; it is waited for only if something is wrong.
const patience = 20 * time.Second

const token = "4242:the-token-of-the-bot"

// A cloud is Telegram as far as a bot sees it: as strict about updates, and about changes of messages, as its documentation.
type cloud struct {
	testing.TB
	web *httptest.Server

	mu      sync.Mutex
	changed chan struct{} // closed when something happens
	updates []map[string]any
	update  int64
	message int64
	said    []*said
	notes   []string // answers to buttons
	actions int
	log     fmt.Stringer // of the bot
	files   map[string][]byte
	wrong   func(method string, params map[string]any) (status int, body string) // 0: nothing is wrong
	cut     func(method string, params map[string]any) bool                      // done, but not answered
}

// said is a message of the bot.
type said struct {
	id, chat int64
	text     string
	buttons  []string // label and data
	edits    int
}

func newCloud(t testing.TB) *cloud {
	c := &cloud{TB: t, changed: make(chan struct{}), update: 100, message: 10, files: map[string][]byte{}}
	c.web = httptest.NewServer(c)
	t.Cleanup(func() { c.web.CloseClientConnections(); c.web.Close() })
	return c
}

// happened wakes whoever waits. The lock is held.
func (c *cloud) happened() {
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path, ok := strings.CutPrefix(r.URL.Path, "/file/bot"+token+"/"); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		w.Write(c.files[path])
		return
	}
	method, ok := strings.CutPrefix(r.URL.Path, "/bot"+token+"/")
	params := map[string]any{}
	if err := json.NewDecoder(r.Body).Decode(&params); err != nil || !ok {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"ok":false,"error_code":401,"description":"Unauthorized"}`)
		return
	}
	c.mu.Lock()
	wrong, cut := c.wrong, c.cut
	c.mu.Unlock()
	if wrong != nil {
		if status, body := wrong(method, params); status != 0 {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return
		}
	}
	result, refusal := c.do(r, method, params)
	if cut != nil && cut(method, params) {
		panic(http.ErrAbortHandler)
	}
	if refusal != "" {
		w.WriteHeader(http.StatusBadRequest)
		json.NewEncoder(w).Encode(map[string]any{"ok": false, "error_code": 400, "description": "Bad Request: " + refusal})
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
}

func number(v any) int64 { n, _ := v.(float64); return int64(n) }

func (c *cloud) do(r *http.Request, method string, params map[string]any) (result any, refusal string) {
	if method == "getUpdates" {
		return c.poll(r, number(params["offset"])), ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.happened()
	switch method {
	case "getMe":
		return map[string]any{"id": 4242, "username": "ReinBot", "is_bot": true}, ""
	case "sendMessage":
		c.message++
		m := &said{id: c.message, chat: number(params["chat_id"]), text: params["text"].(string), buttons: labels(params)}
		c.said = append(c.said, m)
		return map[string]any{"message_id": m.id}, ""
	case "editMessageText":
		for _, m := range c.said {
			if m.id != number(params["message_id"]) || m.chat != number(params["chat_id"]) {
				continue
			}
			if m.text == params["text"] && reflect.DeepEqual(m.buttons, labels(params)) {
				return nil, "message is not modified: specified new message content and reply markup are exactly the same as a current content"
			}
			m.text, m.buttons = params["text"].(string), labels(params)
			m.edits++
			return map[string]any{"message_id": m.id}, ""
		}
		return nil, "message to edit not found"
	case "answerCallbackQuery":
		c.notes = append(c.notes, params["text"].(string))
		return true, ""
	case "sendChatAction":
		c.actions++
		return true, ""
	case "getFile":
		id := params["file_id"].(string)
		return map[string]any{"file_path": id, "file_size": len(c.files[id])}, ""
	}
	return nil, "no such method"
}

func labels(params map[string]any) (list []string) {
	markup, _ := params["reply_markup"].(map[string]any)
	rows, _ := markup["inline_keyboard"].([]any)
	for _, row := range rows {
		for _, one := range row.([]any) {
			b := one.(map[string]any)
			list = append(list, b["text"].(string)+"|"+b["callback_data"].(string))
		}
	}
	return list
}

// poll returns what is new. What is before the offset is forgotten, and not before.
func (c *cloud) poll(r *http.Request, offset int64) []map[string]any {
	for {
		c.mu.Lock()
		for len(c.updates) > 0 && c.updates[0]["update_id"].(int64) < offset {
			c.updates = c.updates[1:]
		}
		found, changed := append([]map[string]any{}, c.updates...), c.changed
		c.mu.Unlock()
		if len(found) > 0 {
			return found
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return found
		}
	}
}

// send brings updates of people, at once.
func (c *cloud) send(updates ...map[string]any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, u := range updates {
		c.update++
		u["update_id"] = c.update
		if m, ok := u["message"].(map[string]any); ok {
			c.message++
			m["message_id"] = c.message
		}
		c.updates = append(c.updates, u)
	}
	c.happened()
}

// write is what a person writes to the bot alone; more changes the message.
func (c *cloud) write(person int64, text string, more ...func(m map[string]any)) {
	c.send(c.message1(person, text, more...))
}

func (c *cloud) message1(person int64, text string, more ...func(m map[string]any)) map[string]any {
	m := map[string]any{
		"from": map[string]any{"id": person, "language_code": "nl"}, "chat": map[string]any{"id": person, "type": "private"}, "text": text,
	}
	for _, change := range more {
		change(m)
	}
	return map[string]any{"message": m}
}

// press presses a button of a message.
func (c *cloud) press(person int64, m said, data string) {
	c.send(map[string]any{"callback_query": map[string]any{
		"id": strconv.FormatInt(m.id, 10), "from": map[string]any{"id": person}, "data": data,
		"message": map[string]any{"message_id": m.id, "chat": map[string]any{"id": m.chat, "type": "private"}},
	}})
}

// data returns what the button with a label sends.
func (m said) data(t testing.TB, label string) string {
	t.Helper()
	for _, b := range m.buttons {
		if name, data, _ := strings.Cut(b, "|"); name == label {
			return data
		}
	}
	t.Fatalf("%q has no button %q: %q", m.text, label, m.buttons)
	return ""
}

// await waits until a message of the bot fits, and returns the newest that does.
func (c *cloud) await(what string, fits func(said) bool) (found said) {
	c.Helper()
	c.until(what, func() bool {
		for _, m := range c.said {
			if fits(*m) {
				found = *m
			}
		}
		return found.id != 0
	})
	return found
}

// says waits for a message with a text in it.
func (c *cloud) says(text string) said {
	c.Helper()
	return c.await(text, func(m said) bool { return strings.Contains(m.text, text) })
}

func (c *cloud) until(what string, is func() bool) {
	c.Helper()
	deadline := time.After(patience)
	for {
		c.mu.Lock()
		ok, changed := is(), c.changed
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			c.mu.Lock()
			defer c.mu.Unlock()
			for _, m := range c.said {
				c.Logf("%d to %d: %s %q", m.id, m.chat, m.text, m.buttons)
			}
			c.Fatalf("waited for %s; notes: %q, log: %s", what, c.notes, c.log)
		}
	}
}

// count is how many messages have a text in them.
func (c *cloud) count(text string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.said {
		if strings.Contains(m.text, text) {
			n++
		}
	}
	return n
}

// noted waits for the answer to a button.
func (c *cloud) noted(n int) string {
	c.Helper()
	c.until("an answer to a button", func() bool { return len(c.notes) >= n })
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.notes[n-1]
}
