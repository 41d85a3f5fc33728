package assist_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/model/script"
	"rein/store"
)

// pair asks for an approval of one letter and then of another, to everyone.
const pair = `
when phase=plan
say {"goal": "write", "plan_steps": ["write"], "tool_calls": [{"name": "mail", "arguments": {"to": "bob"}}], "next_action": "tool"}

when phase=reflect any~"everyone"
say {"reflection": "done", "next_action": "respond", "response_outline": "done"}

when phase=reflect
say {"reflection": "more", "next_action": "tool", "tool_calls": [{"name": "mail", "arguments": {"to": "everyone"}}]}

when phase=write
say De brieven zijn weg.

when phase=chat user!~"Schrijf"
say Ik wacht op je.

when
say [NEED_RESEARCH]
`

// A post sends letters that a person must allow.
type post struct {
	mu      sync.Mutex
	letters []string
	gate    chan struct{} // if it is not nil, a letter waits for it
	began   chan struct{}
}

func newPost(held bool) *post {
	p := &post{began: make(chan struct{}, 10)}
	if held {
		p.gate = make(chan struct{})
	}
	return p
}

func (p *post) tools() map[string]rein.Tool {
	return map[string]rein.Tool{"mail": {
		Name: "mail", Description: "Sends a letter.", Effect: rein.Unsafe, Approval: true,
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			p.mu.Lock()
			p.letters = append(p.letters, string(inv.Args))
			p.mu.Unlock()
			p.began <- struct{}{}
			if p.gate != nil {
				select {
				case <-p.gate:
				case <-ctx.Done():
				}
			}
			return rein.Done{Text: "verstuurd"}, nil
		},
	}}
}

func (p *post) sent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.letters, " ")
}

// open returns what is open.
func (r *rig) openAsks() []rein.Ask {
	r.Helper()
	asks, err := r.Store.Asks(context.Background(), store.AskFilter{Pending: true})
	check(r, err)
	return asks
}

func posting(t *testing.T, held bool) (*rig, *post) {
	t.Helper()
	m, err := script.Parse("model", []byte(pair))
	check(t, err)
	p := newPost(held)
	return newRig(t, m, p.tools(), patience), p
}

const (
	toBob      = `{"to":"bob"}`
	toEveryone = `{"to":"everyone"}`
)

// asks fails unless the reply shows a letter to someone.
func (r *rig) shows(reply map[string]any, letter string) {
	r.Helper()
	actions, _ := reply["actions"].([]any)
	if text, _ := reply["message"].(string); !strings.Contains(text, letter) || len(actions) != 1 {
		r.Fatalf("the reply is %v, want the action %s", reply, letter)
	}
}

// The same yes twice sends the letter that was shown and no other: not while the turn goes on, and not
// after its reply was lost on the way. The next letter is shown first, and takes its own yes.
//
// Attack: 49
func TestYesTwice(t *testing.T) {
	r, p := posting(t, true)
	r.shows(r.chat("Schrijf ze."), toBob)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for range r.stream(ctx, "ja") {
		}
	}()
	r.wait(p.began)
	status, reply := r.send("POST", "/chat", message("ja"))
	if detail, _ := reply["detail"].(string); status != http.StatusConflict || !strings.Contains(detail, "already answered") {
		t.Errorf("a second yes while the first is carried out: %d %v", status, reply)
	}
	cancel() // its client never learns what is asked next
	<-gone
	close(p.gate)
	r.untilOpen("everyone")
	if status, reply := r.send("POST", "/chat", message("ja")); status != http.StatusConflict {
		t.Errorf("the same yes again: %d %v", status, reply)
	}
	if p.sent() != toBob || len(r.openAsks()) != 1 {
		t.Fatalf("sent was %s", p.sent())
	}
	r.shows(r.chat("Hoe staat het ermee?"), toEveryone)
	if reply := r.chat("ja"); reply["message"] != "De brieven zijn weg." || p.sent() != toBob+" "+toEveryone {
		t.Errorf("after it was shown: %v, sent %s", reply, p.sent())
	}
}

// untilOpen waits until something is asked that holds the word.
func (r *rig) untilOpen(word string) {
	r.Helper()
	for deadline := time.Now().Add(patience); ; {
		for _, ask := range r.openAsks() {
			if strings.Contains(ask.Text, word) {
				return
			}
		}
		if time.Now().After(deadline) {
			r.Fatalf("nothing is asked about %s", word)
		}
	}
}

// Words count from the client that was shown what they are an answer to. Another of the same person is
// shown it first.
//
// Attack: 49
func TestYesOfAnotherClient(t *testing.T) {
	r, p := posting(t, false)
	r.shows(r.chat("Schrijf ze."), toBob)
	for range 2 {
		if p.sent() != "" {
			t.Fatalf("a client that was shown nothing sent %s", p.sent())
		}
		if n := len(r.openAsks()); n != 1 {
			t.Fatalf("%d are open", n)
		}
		reply := r.chat("ok?", "X-Via", "token:phone")
		r.shows(reply, toBob)
	}
	r.shows(r.chat("ja", "X-Via", "token:tablet"), toBob)
	if p.sent() != "" {
		t.Fatalf("a client that was shown nothing sent %s", p.sent())
	}
	r.shows(r.chat("ja", "X-Via", "token:tablet"), toEveryone)
	if p.sent() != toBob {
		t.Errorf("sent was %s", p.sent())
	}
	status, reply := r.send("POST", "/chat", message("ja"), "X-Via", "token:phone") // it was shown the first
	if detail, _ := reply["detail"].(string); status != http.StatusConflict || !strings.Contains(detail, "already answered") {
		t.Errorf("the yes to the letter before: %d %v", status, reply)
	}
	if p.sent() != toBob || len(r.openAsks()) != 1 {
		t.Errorf("sent was %s", p.sent())
	}
}

// An action's ID is opaque, of one client and one action. Whatever else is sent executes nothing.
//
// Attack: 49
func TestActionIDs(t *testing.T) {
	r, p := posting(t, false)
	id := r.action(r.chat("Schrijf ze."))
	other := r.action(r.chat("Wat?", "X-Via", "token:phone"))
	ask := r.openAsks()[0]
	if id == other || strings.Contains(id, string(ask.Run)) || strings.Contains(id, ask.Call.ID) {
		t.Errorf("the IDs are %s and %s", id, other)
	}
	for _, wrong := range []string{other, string(ask.ID), ask.Call.ID, string(ask.Run), "", "ask_AAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		status, reply := r.execute(wrong)
		if status != http.StatusNotFound || reply["success"] != false {
			t.Errorf("%q is answered with %d %v", wrong, status, reply)
		}
	}
	if p.sent() != "" {
		t.Fatalf("sent was %s", p.sent())
	}
	if state := r.state(id); state != "pending" {
		t.Errorf("it is %s", state)
	}
	if status, reply := r.execute(id); status != http.StatusOK || p.sent() != toBob {
		t.Fatalf("executed with %d %v, sent %s", status, reply, p.sent())
	}
	r.untilOpen("everyone")
	for _, again := range []string{id, other} {
		headers := []string{}
		if again == other {
			headers = []string{"X-Via", "token:phone"}
		}
		if status, reply := r.execute(again, headers...); status != http.StatusConflict || reply["success"] != false {
			t.Errorf("the same action again is answered with %d %v", status, reply)
		}
	}
	r.shows(r.chat("ja"), toEveryone) // the last thing shown was a history that ended with another's message
	if p.sent() != toBob || len(r.openAsks()) != 1 {
		t.Errorf("sent was %s", p.sent())
	}
	// What the history shows can be executed, and answered in words if it is the last thing there.
	_, seen := r.send("GET", "/chat/history", "")
	all := seen["messages"].([]any)
	if last := all[len(all)-1].(map[string]any); !strings.Contains(last["content"].(string), "everyone") {
		t.Errorf("the last of the history is %v", last)
	}
	if reply := r.chat("ja"); reply["message"] != "De brieven zijn weg." {
		t.Errorf("a yes to what the history shows: %v", reply)
	}
}

func (r *rig) execute(id string, headers ...string) (int, map[string]any) {
	r.Helper()
	return r.send("POST", "/chat/actions/execute", `{"action_id":"`+id+`"}`, headers...)
}

// Two clicks at once are one yes.
//
// Attack: 49
func TestDoubleClick(t *testing.T) {
	r, p := posting(t, true)
	r.shows(r.chat("Schrijf ze."), toBob)
	codes := make(chan int, 4)
	for range 4 {
		go func() {
			status, _ := r.send("POST", "/chat", message("ja"))
			codes <- status
		}()
	}
	for range 3 {
		if code := <-codes; code != http.StatusConflict {
			t.Errorf("a click too many is answered with %d", code)
		}
	}
	close(p.gate)
	if code := <-codes; code != http.StatusOK || p.sent() != toBob {
		t.Errorf("the click is answered with %d, sent %s", code, p.sent())
	}
}

// Who sends something is never taken from the body.
//
// Attack: 57
func TestByIsRefused(t *testing.T) {
	r := scripted(t, hello, nil)
	for path, body := range map[string]string{
		"/chat":                 `{"message":"ja","by":"bob"}`,
		"/chat/stream":          `{"message":"ja","By":"bob"}`,
		"/chat/actions/execute": `{"action_id":"x","by":"bob"}`,
	} {
		if status, reply := r.send("POST", path, body); status != http.StatusBadRequest {
			t.Errorf("%s %s is answered with %d %v", path, body, status, reply)
		}
	}
}

// A text answers a question that its client was shown last, or, of a client that this process has shown
// nothing yet, the one that is open: it may have been asked before a restart. Of one that was shown
// something else it is a message, and the question is shown.
func TestQuestionOfAnotherClient(t *testing.T) {
	r := scripted(t, `
when phase=plan any~"Welke dag"
say {"goal": "ask", "plan_steps": [], "tool_calls": [], "next_action": "ask_user", "question_to_user": "Hoe laat?"}

when phase=write
say Goed.

when phase=reflect
say {"reflection": "clear", "next_action": "respond"}

when last~"Welke dag"
say [NEED_RESEARCH]

when
say Hallo.
`, nil)
	r.chat("Hoi", "X-Via", "token:known")
	if reply := r.chat("Welke dag?", "X-Via", "token:asked"); reply["message"] != "Hoe laat?" {
		t.Fatalf("it is answered with %v", reply)
	}
	if reply := r.chat("15:00", "X-Via", "token:known"); reply["message"] != "Hallo.\n\nDit staat nog open:\n\nHoe laat?" || len(r.openAsks()) != 1 {
		t.Errorf("a client that was shown something else: %v", reply)
	}
	if reply := r.chat("16:00", "X-Via", "token:new"); reply["message"] == "Hoe laat?" || len(r.openAsks()) != 0 {
		t.Errorf("a client that was shown nothing: %v", reply)
	}
}
