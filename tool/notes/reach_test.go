package notes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
	"rein/tool/notes"
	"rein/tool/reach"
)

// argumentsOf makes arguments that a tool takes.
func argumentsOf(t *testing.T, tool rein.Tool) json.RawMessage {
	t.Helper()
	const given = `{"queries":["beans"],"path":"Garden/Beans.md","text":"x","content":"x","from":"Garden/Beans.md","to":"a.md","set":{"a":1},"outline":"x","id":"x"}`
	var args map[string]json.RawMessage
	check(t, json.Unmarshal([]byte(given), &args))
	var schema struct{ Properties map[string]any }
	check(t, json.Unmarshal(tool.Schema, &schema))
	for name := range args {
		if _, ok := schema.Properties[name]; !ok {
			delete(args, name)
		}
	}
	raw, err := json.Marshal(args)
	check(t, err)
	return raw
}

// The policy of the call decides, not only the vault's own filter: another household has no notes
// here, and neither has a call without a policy.
//
// Covers: HUM-41/notes
func TestNotesNeedAPolicy(t *testing.T) {
	v, r := openVault(t, garden), newRig(t)
	reading, err := notes.Reading(v, nil)
	check(t, err)
	for _, tool := range reading {
		r.tools[tool.Name] = tool
	}
	home := &rein.Task{Household: "home", User: "ann", Session: "s1"}
	away := &rein.Task{Household: "away", User: "eve", Session: "s1"}
	for name, tool := range r.tools {
		for why, inv := range map[string]rein.Invocation{
			"another household": {Task: away, Reach: reachOf(t, v.Locate("."))(away)},
			"no policy":         {Task: home},
			"another vault":     {Task: home, Reach: reachOf(t, t.TempDir())(home)},
		} {
			inv.Run, inv.Step, inv.Key, inv.Args = "r1", "1", "k", argumentsOf(t, tool)
			if done, err := tool.Do(t.Context(), inv); rein.CodeOf(err) != rein.CodeForbidden || !strings.Contains(err.Error(), "these notes may not be used") {
				t.Errorf("%s with %s: %v %s", name, why, err, done.Text)
			}
		}
	}
}

// What is hidden from a call is neither found, read nor written by it.
func TestNotesHiddenFromACall(t *testing.T) {
	v, r := openVault(t, garden), newRig(t)
	r.write("Garden/Beans.md", "Beans.\n")
	task := &rein.Task{Household: "home", User: "ann", Session: "s1"}
	without := func(vault string) rein.Reach {
		policy, err := reach.New(reach.Options{Household: "home", Vault: vault, Exclude: []string{"Garden"}})
		check(t, err)
		return policy.For(task)
	}
	reading, err := notes.Reading(v, nil)
	check(t, err)
	for _, tool := range reading {
		done, err := tool.Do(t.Context(), rein.Invocation{Args: argumentsOf(t, tool), Task: task, Reach: without(v.Locate("."))})
		found := tool.Name == "find_similar" && err != nil || tool.Name == "read_note" && rein.CodeOf(err) != rein.CodeForbidden
		if found || strings.Contains(done.Text, "Garden/") {
			t.Errorf("%s: %s %v", tool.Name, done.Text, err)
		}
	}
	inv := r.invocation(`{"path":"Garden/Beans.md","text":"x"}`)
	inv.Reach = without(r.dir)
	if _, err := r.tools["append_note"].Do(t.Context(), inv); rein.CodeOf(err) != rein.CodeForbidden || !strings.Contains(err.Error(), "may not be used") {
		t.Error(err)
	}
}
