package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/app"
)

// A section has what a call takes, what it can change, when a person is asked, and how long it may take.
func TestPage(t *testing.T) {
	made, err := page(map[string]rein.Tool{
		"a.run": {
			Name: "a.run", Description: "Runs it.", Effect: rein.Unsafe, Approval: true, Undoable: true, Like: "b", Timeout: 90 * time.Second,
			Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":3,"description":"how|many"},"words":{"type":"array","items":{"enum":["x","y"]},"description":"which"}},"required":["words"]}`),
		},
		"b": {Name: "b", Description: "Rules.", Effect: rein.Pure, Rules: true, Schema: json.RawMessage(`{}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| [`a.run`](#arun) | unsafe | each call | 90 s |\n| [`b`](#b) | pure | by its rules | `tools.timeout` |\n",
		"\n## a.run\n\nRuns it.\n\nA policy that asks for `b`, or denies it, means this tool too.\n\nrein can undo it.\n",
		"| `words` | list of `x`, `y` | required; which |\n| `n` | integer | how\\|many (default `3`) |\n",
	} {
		if !strings.Contains(string(made), want) {
			t.Errorf("no %q in\n%s", want, made)
		}
	}
	if _, err := page(map[string]rein.Tool{"a": {Name: "a", Schema: json.RawMessage("[")}}); err == nil {
		t.Error("a schema that cannot be read is not reported")
	}
}

// Every tool that models can call has a section.
func TestEveryToolHasASection(t *testing.T) {
	tools, err := app.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	made, err := page(tools)
	if err != nil {
		t.Fatal(err)
	}
	for name := range tools {
		if !strings.Contains(string(made), "\n## "+name+"\n") {
			t.Errorf("%s has no section", name)
		}
	}
}
