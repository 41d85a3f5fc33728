package assist_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/server/dialect/assist"
)

// letters asks for an approval of each letter.
const letters = `
when phase=observe any~"refused this call"
say {"type": "final", "message": "Dan niet."}

when phase=observe
say {"type": "tool_call", "tool": "mail", "args": {"to": "bob"}}

when phase=write
say De brief is weg.
`

func mail(do func()) map[string]rein.Tool {
	return map[string]rein.Tool{"mail": {
		Name: "mail", Description: "Sends a letter.", Effect: rein.Unsafe, Approval: true,
		Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			do()
			return rein.Done{Text: "verstuurd"}, nil
		},
	}}
}

// TestForeignActions is E8: nobody but the person who was asked can execute an action, or learns that it
// exists; and nobody sees another's conversation.
//
// Covers: NEU-2 NEU-5
func TestForeignActions(t *testing.T) {
	r := scripted(t, letters, mail(func() { t.Error("a letter was sent") }))
	id := r.action(r.chat("Schrijf Bob.", assist.TaskHeader, "1"))
	for _, user := range []string{"bob", "stranger", "owner"} {
		status, reply := r.send("POST", "/chat/actions/execute", `{"action_id":"`+id+`"}`, "X-User", user)
		if status != http.StatusNotFound || reply["success"] != false || reply["result"] != nil {
			t.Errorf("%s is answered with %d %v", user, status, reply)
		}
		if _, seen := r.send("GET", "/chat/history", "", "X-User", user); len(seen["messages"].([]any)) != 0 {
			t.Errorf("%s sees %v", user, seen)
		}
	}
	if n := len(r.openAsks()); n != 1 {
		t.Errorf("%d asks are open", n)
	}
	// A yes of someone else is a message of their own.
	r.send("POST", "/chat", message("ja"), "X-User", "bob")
}

// TestExecuteOnce has many confirm one action at the same time: one of them executes it, and the log has
// the states that it went through.
//
// Covers: NEU-5
func TestExecuteOnce(t *testing.T) {
	var mu sync.Mutex
	sent := 0
	r := scripted(t, letters, mail(func() { mu.Lock(); sent++; mu.Unlock() }))
	id := r.action(r.chat("Schrijf Bob.", assist.TaskHeader, "1"))
	if state := r.state(id); state != "pending" {
		t.Errorf("before, it is %s", state)
	}
	var wait sync.WaitGroup
	good := 0
	for range 8 {
		wait.Go(func() {
			status, reply := r.send("POST", "/chat/actions/execute", `{"action_id":"`+id+`"}`)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case status == http.StatusOK && reply["success"] == true && reply["result"] == "verstuurd":
				good++
			case status != http.StatusConflict || reply["success"] != false || reply["error"] == nil:
				t.Errorf("answered with %d %v", status, reply)
			}
		})
	}
	wait.Wait()
	if good != 1 || sent != 1 {
		t.Errorf("%d were told that it is executed, and %d letters were sent", good, sent)
	}
	if state := r.state(id); state != "executed" {
		t.Errorf("after, it is %s", state)
	}
}

// state is where the history says that an action stands.
func (r *rig) state(id string) string {
	r.Helper()
	_, seen := r.send("GET", "/chat/history", "")
	for _, entry := range seen["messages"].([]any) {
		for _, a := range entry.(map[string]any)["actions"].([]any) {
			if action := a.(map[string]any); action["id"] == id {
				return action["state"].(string)
			}
		}
	}
	r.Fatalf("action %s is not in %v", id, seen)
	return ""
}

// TestFailingAction executes an action whose tool fails.
//
// Covers: NEU-5
func TestFailingAction(t *testing.T) {
	tools := mail(func() {})
	tool := tools["mail"]
	tool.Effect = rein.Idempotent
	tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "no such address")
	}
	tools["mail"] = tool
	r := scripted(t, letters, tools)
	id := r.action(r.chat("Schrijf Bob.", assist.TaskHeader, "1"))
	status, reply := r.send("POST", "/chat/actions/execute", `{"action_id":"`+id+`"}`)
	if text, _ := reply["error"].(string); status != http.StatusOK || reply["success"] != false || !strings.Contains(text, "no such address") {
		t.Errorf("answered with %d %v", status, reply)
	}
	if state := r.state(id); state != "failed" {
		t.Errorf("it is %s", state)
	}
}

// TestRejectedAction says no to an action: it cannot be executed any more.
//
// Covers: NEU-5
func TestRejectedAction(t *testing.T) {
	r := scripted(t, letters, mail(func() { t.Error("a letter was sent") }))
	second := r.action(r.chat("Schrijf Bob.", assist.TaskHeader, "1"))
	if reply := r.chat("nee"); reply["message"] != "Dan niet." {
		t.Errorf("answered with %v", reply)
	}
	if state := r.state(second); state != "rejected" {
		t.Errorf("it is %s", state)
	}
	if status, _ := r.send("POST", "/chat/actions/execute", `{"action_id":"`+second+`"}`); status != http.StatusConflict {
		t.Errorf("a rejected action is answered with %d", status)
	}
}

// Tools with dots in their names keep them, beside those that look like them.
func TestDottedTools(t *testing.T) {
	tools := map[string]rein.Tool{}
	for _, name := range []string{"a.b", "a_b"} {
		tools[name] = rein.Tool{Name: name, Description: "Looks.", Effect: rein.Pure, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: "did " + name}, nil
		}}
	}
	for name := range tools {
		r := scripted(t, fmt.Sprintf("when phase=observe any~\"did %[1]s\"\nsay {\"type\": \"final\", \"message\": \"Klaar.\"}\n\n"+
			"when phase=observe\nsay {\"type\": \"tool_call\", \"tool\": %[1]q, \"args\": {}}\n\nwhen phase=write\nsay Klaar.\n", name), tools)
		var done []string
		for _, c := range r.streamed("Kijk.", assist.TaskHeader, "1") {
			if c.Type == assist.ToolDone {
				done = append(done, c.Tool)
			}
		}
		if len(done) != 1 || done[0] != name {
			t.Errorf("done: %q, want %q", done, name)
		}
	}
}
