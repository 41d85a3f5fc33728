package engine

import (
	"crypto/sha256"
	"encoding/json"
	"testing"
	"time"

	"rein"
)

// Older programs wrote the digest of what json.Marshal writes into the rows of runs. A task that is sent
// again after an upgrade is recognised by it.
func TestTaskDigestStays(t *testing.T) {
	budget := rein.DefaultBudget()
	for _, task := range []rein.Task{
		{},
		{Flow: "answer", Start: time.Now(), Messages: []rein.Message{{Role: rein.User, Text: "plain"}}},
		{Flow: "a<b>&c", User: "\u2028\u2029\xff", Budget: &budget, Policy: rein.Policy{Ask: []string{"<x>"}, Timeout: time.Hour}},
		{Settings: json.RawMessage(" { \"a\" : \"<&>\u2028\" } "), Metadata: json.RawMessage(`{"b":"\u003c"}`), Texts: map[string]string{"b": "&", "a": ">"}},
		{Messages: []rein.Message{{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: "1", Name: "x", Args: json.RawMessage(`{"q": "a & b"}`)}}}}},
		{Messages: []rein.Message{{Images: []rein.Image{{Data: []byte("png")}}, Raw: &rein.Raw{API: "x", Data: json.RawMessage(`{"t": "<"}`)}}}},
		{Fork: &rein.Fork{Run: "r", Step: "7", Edit: json.RawMessage(`{"text": "<"}`)}, Tools: []string{}, Notices: []string{""}},
	} {
		given := task
		given.Start = time.Time{}
		data, err := json.Marshal(given)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := taskDigest(task); err != nil || got != sha256.Sum256(data) {
			t.Errorf("the digest of %s is another one (%v)", data, err)
		}
	}
	if _, err := taskDigest(rein.Task{Settings: json.RawMessage("{")}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("settings that are no JSON: %v", err)
	}
}

// The first drive of a run sees what a replay sees, whether its start was copied or written and read.
func TestRecordedStart(t *testing.T) {
	for _, task := range []rein.Task{
		{Tools: []string{}, Settings: json.RawMessage(`{ "a": 1 }`)},
		{Tools: []string{}, Settings: json.RawMessage(`{ "a": "<" }`), User: "\xff"},
	} {
		start := rein.RunStart{Task: task}
		var want rein.RunStart
		data, _ := json.Marshal(start)
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		got, err := recorded(start)
		if err != nil || got.Task.Tools != nil || got.Task.User != want.Task.User || string(got.Task.Settings) != string(want.Task.Settings) {
			t.Errorf("%+v (%v), want %+v", got, err, want)
		}
	}
}
