package tree_test

import (
	"context"
	"encoding/json"
	"testing"

	"rein"
	"rein/tool/tree"
)

// A fake tree does what it is asked for.
type fake struct{ rein.Tree }

func (fake) Fork(_ context.Context, prompt string) (rein.Forked, error) {
	if prompt == "too many" {
		return rein.Forked{}, rein.Errorf(rein.CodeLimit, "one run too many")
	}
	return rein.Forked{Handle: 2, Run: "r1.3-fork2"}, nil
}

func (fake) Wait(_ context.Context, handle int) (rein.Outcome, error) {
	return map[int]rein.Outcome{
		1: {End: rein.EndDone, Text: "found"}, 2: {End: rein.EndDeleted}, 3: {End: rein.EndLimit, Text: "half of it"},
	}[handle], nil
}

func (fake) Send(_ context.Context, to rein.RunID, _ string) (rein.Receipt, error) {
	return rein.Receipt{Command: rein.NewCommandID(to, 4), State: rein.ReceiptPending}, nil
}

// TestTools is what models get from the tools.
//
// Covers: TREE-40
func TestTools(t *testing.T) {
	t.Parallel()
	all, err := tree.Tools()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]rein.Tool{}
	for _, made := range all {
		byName[made.Name] = made
	}
	for _, c := range []struct {
		tool, args, text, data string
		code                   rein.Code
		alone                  bool
	}{
		{tool: tree.Fork, args: `{"prompt":"go"}`, text: `Handle 2: run r1.3-fork2 works on it. wait {"handle": 2} returns its result.`, data: `{"handle":2,"run":"r1.3-fork2"}`},
		{tool: tree.Fork, args: `{"prompt":"too many"}`, code: rein.CodeLimit},
		{tool: tree.Wait, args: `{"handle":1}`, text: "found", data: `{"end":"done","text":"found"}`},
		{tool: tree.Wait, args: `{"handle":2}`, text: "[the agent ended as deleted, without a word]", data: `{"end":"deleted","text":""}`},
		{tool: tree.Wait, args: `{"handle":3}`, text: "[the agent ended as limit]\nhalf of it", data: `{"end":"limit","text":"half of it"}`},
		{tool: tree.Send, args: `{"run":"r1.2","text":"hi"}`, text: "Sent to run r1.2 (receipt r1.2:4: pending).", data: `{"command":"r1.2:4","kind":"","state":"pending"}`},
		{tool: tree.Send, args: `{"run":"r1.2","text":"hi"}`, code: rein.CodeUnavailable, alone: true},
	} {
		inv := rein.Invocation{Args: json.RawMessage(c.args), Tree: fake{}}
		if c.alone {
			inv.Tree = nil
		}
		done, err := byName[c.tool].Do(t.Context(), inv)
		if rein.CodeOf(err) != c.code || done.Text != c.text || string(done.Data) != c.data {
			t.Errorf("%s %s gave %q, %s, %v", c.tool, c.args, done.Text, done.Data, err)
		}
	}
}
