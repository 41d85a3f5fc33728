package engine

import (
	"encoding/json"
	"testing"

	"rein"
)

func shownExample() (rein.Ask, *order) {
	args := json.RawMessage(`{"to":"prod"}`)
	o := &order{tool: rein.Tool{Name: "deploy", Effect: rein.Unsafe, Schema: json.RawMessage(`{"type":"object"}`)}, plain: args, args: args}
	ask := rein.Ask{
		Kind: rein.AskApproval, Text: `Allow deploy {"to":"prod"}?`, Call: &rein.ToolCall{Name: "deploy", Args: args},
		Schema: o.tool.Schema, Effect: rein.Unsafe,
	}
	return ask, o
}

// The digest is of everything that is shown and of exactly what would be sent.
//
// Covers: ENG-41
// Attack: 47
func TestShownOf(t *testing.T) {
	ask, o := shownExample()
	seen := map[string]string{shownOf(ask, o, ask.Text): "as it is"}
	for name, change := range map[string]func(*rein.Ask, *order, *string){
		"kind":             func(a *rein.Ask, _ *order, _ *string) { a.Kind = rein.AskUnknown },
		"text":             func(a *rein.Ask, _ *order, _ *string) { a.Text += " " },
		"a choice":         func(a *rein.Ask, _ *order, _ *string) { a.Choices = []string{"a"} },
		"two choices":      func(a *rein.Ask, _ *order, _ *string) { a.Choices = []string{"a", "b"} },
		"one long choice":  func(a *rein.Ask, _ *order, _ *string) { a.Choices = []string{"a1:b"} },
		"shown name":       func(a *rein.Ask, _ *order, _ *string) { a.Call.Name = "destroy" },
		"shown arguments":  func(a *rein.Ask, _ *order, _ *string) { a.Call.Args = json.RawMessage(`{"to":"test"}`) },
		"a long number":    func(a *rein.Ask, _ *order, _ *string) { a.Call.Args = json.RawMessage(`{"to":9007199254740993}`) },
		"its neighbour":    func(a *rein.Ask, _ *order, _ *string) { a.Call.Args = json.RawMessage(`{"to":9007199254740992}`) },
		"shown schema":     func(a *rein.Ask, _ *order, _ *string) { a.Schema = json.RawMessage(`{}`) },
		"tool":             func(_ *rein.Ask, o *order, _ *string) { o.tool.Name = "destroy" },
		"effect":           func(_ *rein.Ask, o *order, _ *string) { o.tool.Effect = rein.Pure },
		"arguments":        func(_ *rein.Ask, o *order, _ *string) { o.args = json.RawMessage(`{"to":"prod","user":"eve"}`) },
		"schema":           func(_ *rein.Ask, o *order, _ *string) { o.tool.Schema = json.RawMessage(`{}`) },
		"what it would do": func(_ *rein.Ask, _ *order, would *string) { *would += " more" },
	} {
		ask, o := shownExample()
		would := ask.Text
		change(&ask, o, &would)
		digest := shownOf(ask, o, would)
		if other, ok := seen[digest]; ok {
			t.Errorf("%s has the same digest as %s", name, other)
		}
		seen[digest] = name
		if isOf(shownOf(shownParts()), ask, o, would) {
			t.Errorf("%s: what was shown still counts", name)
		}
	}
	ask, o = shownExample()
	o.args = json.RawMessage(` { "to" : "prod" } `)
	if !isOf(shownOf(shownParts()), ask, o, ask.Text) {
		t.Error("arguments that are written with spaces are not the same")
	}
}

func shownParts() (rein.Ask, *order, string) {
	ask, o := shownExample()
	return ask, o, ask.Text
}

// A call that was approved before asks had marked digests is not asked about again if nothing changed.
//
// Covers: ENG-17 ENG-41
func TestOldApprovalCounts(t *testing.T) {
	const then = "b9da4cca248e658d0a7bb14ffb82d854" // as the program made it then
	ask, o, would := shownParts()
	if !isOf(then, ask, o, would) {
		t.Error("the old approval is void though nothing changed")
	}
	if isOf(then, ask, o, would+" and more") || isOf("", ask, o, would) {
		t.Error("an approval of something else counts")
	}
	o.args = json.RawMessage(`{"to":"test"}`)
	if isOf(then, ask, o, would) {
		t.Error("the old approval counts though the arguments are others")
	}
}

// What an ask offers is part of what was shown: nobody grants what another list had.
func TestOffersAreShown(t *testing.T) {
	seen := map[string]bool{}
	for _, offers := range []rein.Offers{
		{},
		{Session: []string{"a", "b"}},
		{Session: []string{"a"}, Always: []string{"b"}},
		{Always: []string{"a", "b"}},
		{Always: []string{"a b"}},
		{Session: []string{"always", "a"}},
		{Session: []string{"a", "always"}, Always: []string{"b"}},
	} {
		shown := shownOf(rein.Ask{Kind: rein.AskApproval, Offers: offers}, nil, "")
		if seen[shown] {
			t.Errorf("%+v looks like another", offers)
		}
		seen[shown] = true
	}
}
