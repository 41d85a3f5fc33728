package explore_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/server/dialect/explore"
)

// halfway is a tree whose first child is done and whose second waits for the test.
func halfway(t *testing.T) (r *rig, root, done, waiting string) {
	t.Helper()
	r = scripted(t, `
when phase=split
say {"questions": ["Quick?", "Slow?"]}

when phase=summary
say Both.

when user~"Slow" any!~"Enough"
hang

when
say Yes.
`, nil, `{"clarify": false, "questions": 0, "child_questions": 0, "depth": 1}`)
	s := r.ask("Well?")
	children := map[string]bool{}
	for len(children) < 2 || done == "" {
		f, ok := s.next()
		if !ok {
			t.Fatal("it has ended")
		}
		id := string(f.chunk.AgentID)
		if !strings.Contains(id, ".") {
			root = id
			continue
		}
		if children[id] = true; status(f.chunk) == rein.AgentCompleted {
			done = id
		}
	}
	for id := range children {
		if id != done {
			waiting = id
		}
	}
	return r, root, done, waiting
}

// TestTree looks at a tree while it works: who is active, with which fields, without messages; and at one
// agent, active or ended, with them. Nobody else sees anything.
//
// Covers: TREE-8/server TREE-9/server TREE-10/server TREE-61 TREE-63
func TestTree(t *testing.T) {
	r, root, done, waiting := halfway(t)
	status, tree := r.send("GET", "/agent/tree", "")
	if status != 200 || len(tree) != 2 {
		t.Fatalf("the tree is %d %v", status, tree)
	}
	top, below := tree[root].(map[string]any), tree[waiting].(map[string]any)
	for name, want := range map[string]any{
		"agentId": root, "parentId": nil, "userContent": "Well?", "userComment": "unchanged", "status": "running", "result": nil,
	} {
		if got, has := top[name]; !has || got != want {
			t.Errorf("%s of the root is %v, want %v", name, got, want)
		}
	}
	if subs := top["subagents"].([]any); len(subs) != 1 || subs[0] != waiting {
		t.Errorf("the root has %v, want %s alone", subs, waiting)
	}
	if below["parentId"] != root || !strings.HasPrefix(below["userContent"].(string), "Slow?") {
		t.Errorf("the child is %v", below)
	}
	if _, has := top["messages"]; has {
		t.Error("the tree has messages")
	}
	if at, err := time.Parse(time.RFC3339, top["createdAt"].(string)); err != nil || time.Since(at) > time.Hour {
		t.Errorf("createdAt is %v", top["createdAt"])
	}

	_, one := r.send("GET", "/agent/"+done, "")
	messages, _ := one["messages"].([]any)
	if one["status"] != "completed" || one["result"] != "Yes." || len(messages) != 4 ||
		messages[0].(map[string]any)["content"] != "Well?" || messages[2].(map[string]any)["content"] != "Quick?" || messages[3].(map[string]any)["content"] != "Yes." {
		t.Errorf("the ended child is %v", one)
	}
	_, one = r.send("GET", "/agent/"+root, "")
	if subs := one["subagents"].([]any); len(subs) != 2 {
		t.Errorf("the root itself has %v", subs)
	}
	for _, user := range []string{"bob", "stranger"} {
		if _, tree := r.send("GET", "/agent/tree", "", "X-User", user); len(tree) != 0 {
			t.Errorf("%s sees %v", user, tree)
		}
	}
	for path, user := range map[string]string{
		"/agent/" + root: "bob", "/agent/" + waiting: "stranger", "/agent/nobody": "", "/agent/..bad": "", "/agent/" + strings.Repeat("a", 600): "",
	} {
		if status, reply := r.send("GET", path, "", "X-User", user); status != 404 || reply["error"] != "Not found" {
			t.Errorf("%s as %q is answered with %d %v", path, user, status, reply)
		}
	}
}

// TestInterventions changes agents: each override by itself and together, right and wrong.
//
// Covers: TREE-50/server TREE-62
func TestInterventions(t *testing.T) {
	r, root, done, waiting := halfway(t)
	for _, c := range []struct {
		id, body, user string
		status         int
		says           string
	}{
		{"nobody", `{"userComment":"delete"}`, "", 404, "Not found"},
		{"..", `{}`, "", 404, ""},
		{waiting, `{"userComment":"delete"}`, "bob", 404, "Not found"},
		{waiting, `{"userComment":"delete"}`, "stranger", 404, "Not found"},
		{waiting, `{"userComment":"delete"}`, "viewer", 403, ""},
		{waiting, `{"userComment":""}`, "", 400, "userComment"},
		{waiting, `{"userContent":" "}`, "", 400, "userContent"},
		{waiting, `{"userComment":"note","userContent":""}`, "", 400, "userContent"},
		{waiting, `{"status":"sleeping"}`, "", 400, "sleeping"},
		{waiting, `{"status":"completed"}`, "", 409, "cannot be set"},
		{waiting, `{"status":"awaiting_user"}`, "", 409, "cannot be set"},
		{waiting, `{"userStatus":"running"}`, "", 400, "userStatus"},
		{waiting, `[]`, "", 400, "JSON"},
		{done, `{"userComment":"too late"}`, "", 409, "ended"},
		{done, `{"status":"running"}`, "", 409, "cannot be set"},
		{done, `{"status":"completed"}`, "", 200, ""},
		{waiting, `{"status":"running"}`, "", 200, ""},
		{waiting, `{}`, "", 200, ""},
		{waiting, `{"userComment":"unchanged"}`, "", 200, ""},
	} {
		status, reply := r.send("POST", "/agent/"+c.id+"/intervene", c.body, "X-User", c.user)
		text, _ := reply["error"].(string)
		if status != c.status || !strings.Contains(text, c.says) || (status == 200) != (reply["success"] == true) {
			t.Errorf("%s %s as %q is answered with %d %v, want %d and %q", c.id, c.body, c.user, status, reply, c.status, c.says)
		}
	}
	if _, a := r.send("GET", "/agent/"+waiting, ""); a["userComment"] != "unchanged" || a["status"] != "running" {
		t.Fatalf("what was refused or is no change has changed it: %v", a)
	}

	intervene := func(id, body string, headers ...string) {
		t.Helper()
		if status, reply := r.send("POST", "/agent/"+id+"/intervene", body, headers...); status != 200 || reply["success"] != true {
			t.Fatalf("%s is answered with %d %v", body, status, reply)
		}
	}
	intervene(waiting, `{"userComment":"looks slow"}`)
	if _, a := r.send("GET", "/agent/"+waiting, ""); a["userComment"] != "looks slow" || a["status"] != "running" {
		t.Errorf("after a note it is %v", a)
	}
	intervene(waiting, `{"userComment":"modify"}`) // without a content it is a note too
	if _, a := r.send("GET", "/agent/"+waiting, ""); a["userComment"] != "modify" || a["status"] != "running" {
		t.Errorf("after a note to modify it is %v", a)
	}
	intervene(waiting, `{"userComment":"modify","userContent":"Enough.","status":"modified"}`, "Idempotency-Key", "k1")
	intervene(waiting, `{"userComment":"modify","userContent":"Enough."}`, "Idempotency-Key", "k1")
	end, err := r.Engine.Wait(context.Background(), rein.RunID(root))
	if err != nil || end.Text != "Both." {
		t.Errorf("the root ended as %+v (%v)", end, err)
	}
	_, a := r.send("GET", "/agent/"+waiting, "")
	if a["userContent"] != "Enough." || a["userComment"] != "unchanged" || a["status"] != "completed" || a["result"] != "Yes." {
		t.Errorf("after the change it is %v", a)
	}
	if n := count(r, waiting, rein.CommandModify.EventKind()); n != 1 {
		t.Errorf("it was changed %d times", n)
	}
	for e, err := range r.Store.Events(context.Background(), rein.RunID(waiting), 0) {
		if check(t, err); e.Kind.Command() == rein.CommandModify && e.By != "owner" {
			t.Errorf("the change is by %q", e.By)
		}
	}
}

func count(r *rig, run string, kind rein.Kind) (n int) {
	for e, err := range r.Store.Events(context.Background(), rein.RunID(run), 0) {
		if check(r, err); e.Kind == kind {
			n++
		}
	}
	return n
}

// TestDelete deletes a child: it leaves the tree and stays in history as deleted, its parent goes on, and
// deleting it again is no change.
//
// Covers: TREE-10/server TREE-35 TREE-50/server TREE-62
func TestDelete(t *testing.T) {
	r, root, _, waiting := halfway(t)
	for _, body := range []string{`{"userComment":"delete","userContent":"ignored"}`, `{"status":"deleted"}`} {
		if status, reply := r.send("POST", "/agent/"+waiting+"/intervene", body); status != 200 || reply["success"] != true {
			t.Fatalf("answered with %d %v", status, reply)
		}
		if _, err := r.Engine.Wait(context.Background(), rein.RunID(root)); err != nil {
			t.Fatal(err)
		}
	}
	if _, tree := r.send("GET", "/agent/tree", ""); len(tree) != 0 {
		t.Errorf("the tree is %v", tree)
	}
	_, a := r.send("GET", "/agent/"+waiting, "")
	if a["status"] != "deleted" || a["userComment"] != "delete" || a["result"] == "" {
		t.Errorf("the child is %v", a)
	}
	_, a = r.send("GET", "/agent/"+root, "")
	children, _ := json.Marshal(a["metadata"].(map[string]any)["children"])
	if a["status"] != "completed" || !strings.Contains(string(children), `"status":"deleted"`) {
		t.Errorf("the root is %v", a)
	}
}

// TestHistory reads what was said in an agent that asked, was answered and used a tool.
//
// Covers: TREE-9/server
func TestHistory(t *testing.T) {
	r := scripted(t, `
when phase=clarify
say {"ambiguous": true, "question": "Which one?"}

when phase=act results=0
say I look.
call echo {"n":1}

when phase=act
say Seen.
`, map[string]rein.Tool{"echo": {
		Name: "echo", Description: "Echoes.", Effect: rein.Pure,
		Do: func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "echo!"}, nil },
	}}, `{"questions": 0, "depth": 0}`)
	s := r.ask("Look.")
	r.person("answer The first.", s.until(explore.UserQuery))
	for _, ok := s.next(); ok; _, ok = s.next() {
	}
	_, a := r.send("GET", "/agent/"+string(s.run()), "")
	data, err := json.MarshalIndent(a["messages"], "", " ")
	check(t, err)
	at := 0
	for _, want := range []string{`"Look."`, `ambiguous`, `"Which one?"`, `"The first."`, `"I look."`, `"tool-call"`, `"tool-result"`, `"Seen."`} {
		next := strings.Index(string(data[at:]), want)
		if next < 0 {
			t.Fatalf("after byte %d there is no %s in %s", at, want, data)
		}
		at += next
	}
	if strings.Count(string(data), "Seen.") != 1 {
		t.Errorf("the answer is there twice: %s", data)
	}
}
