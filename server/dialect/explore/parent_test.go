package explore_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rein"
	"rein/server/dialect/explore"
)

// TestParent starts an agent under another one, with metadata of its own: it knows what was said there, the
// parent lists it, both before and after its end, and it is deleted with its parent. Another's agent cannot
// be a parent, nor one that has ended.
//
// Covers: TREE-20/wire TREE-90 TREE-91 TREE-92
func TestParent(t *testing.T) {
	r, root, done, _ := halfway(t)
	child := r.open(url.Values{"prompt": {"Slow too?"}, "parentId": {root}, "metadata": {`{"label": "mine", "flow": "forged"}`}}, "")
	first := child.until(explore.AgentState)
	if s := first.State; s == nil || s.ParentID == nil || string(*s.ParentID) != root || s.Metadata["label"] != "mine" || s.Metadata["flow"] != "explore" {
		t.Fatalf("the child is %+v", first)
	}
	id := string(first.AgentID)
	_, shown := r.send("GET", "/agent/"+id, "")
	if talk := shown["messages"].([]any); len(talk) < 2 || talk[0].(map[string]any)["content"] != "Well?" {
		t.Errorf("the child begins with %v", talk)
	}
	_, active := r.send("GET", "/agent/tree", "")
	if subs := active[root].(map[string]any)["subagents"].([]any); subs[len(subs)-1] != id {
		t.Errorf("the parent has %v, want %s last", subs, id)
	}
	_, all := r.send("GET", "/agent/tree?agentId="+root, "")
	if ended, _ := all[done].(map[string]any); ended == nil || ended["status"] != "completed" || all[id] == nil {
		t.Errorf("the whole tree is %v", all)
	}
	for query, want := range map[string]int{
		"prompt=a&parentId=none": 400, "prompt=a&parentId=" + done: http.StatusConflict, "prompt=a&metadata=3": 400,
		"prompt=a&metadata=" + url.QueryEscape(`{"a": "`+strings.Repeat("x", 20_000)+`"}`): 400,
	} {
		if status, reply := r.send("GET", "/agent/stream?"+query, ""); status != want {
			t.Errorf("%.60s: %d %v, want %d", query, status, reply, want)
		}
	}
	if status, _ := r.send("GET", "/agent/stream?prompt=a&parentId="+root, "", "X-User", "bob"); status != 400 {
		t.Errorf("another's parent: %d", status)
	}
	if status, reply := r.send("POST", "/agent/"+root+"/intervene", `{"userComment": "delete"}`); status != 200 {
		t.Errorf("delete: %d %v", status, reply)
	}
	for {
		f, ok := child.next()
		if !ok {
			t.Fatal("the child was not deleted")
		}
		if status(f.chunk) == rein.AgentDeleted {
			break
		}
	}
}
