package rein_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

func event(kind rein.Kind, data string) rein.Event {
	return rein.Event{Run: "r", Seq: 3, Kind: kind, Data: json.RawMessage(data)}
}

// Older programs wrote neither verb nor tool: both are found in the signature and the call.
func TestDecodeOldSteps(t *testing.T) {
	for name, c := range map[string]struct {
		kind rein.Kind
		data string
		verb rein.Verb
		tool string
	}{
		"model":           {rein.StepStarted, `{"sig":"model decide fast"}`, rein.VerbModel, ""},
		"tool":            {rein.StepStarted, `{"sig":"tool act add 0a","call":{"id":"1","name":"add"}}`, rein.VerbTool, "add"},
		"misspelled":      {rein.StepStarted, `{"sig":"tool act ad 0a","call":{"id":"1","name":"ad"},"tool":"add"}`, rein.VerbTool, "add"},
		"repair":          {rein.SubStarted, `{"sig":"tool act add 0a"}`, rein.VerbModel, ""},
		"wait":            {rein.StepStarted, `{"sig":"wait r.1","child":"r.1"}`, rein.VerbWait, ""},
		"new":             {rein.StepStarted, `{"sig":"tool act add 0a","verb":"tool","tool":"add"}`, rein.VerbTool, "add"},
		"refused":         {rein.StepDone, `{"sig":"tool a phase of words rm 0a"}`, rein.VerbTool, "rm"},
		"read the inbox":  {rein.StepDone, `{"sig":"inbox"}`, rein.VerbInbox, ""},
		"end after start": {rein.StepDone, `{"message":{"role":"assistant"}}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := rein.Decode(event(c.kind, c.data))
			if err != nil {
				t.Fatal(err)
			}
			var verb rein.Verb
			var tool string
			switch p := p.(type) {
			case *rein.StepStart:
				verb, tool = p.Verb, p.Tool
			case *rein.StepEnd:
				verb, tool = p.Verb, p.Tool
			}
			if verb != c.verb || tool != c.tool {
				t.Errorf("got %q %q, want %q %q", verb, tool, c.verb, c.tool)
			}
		})
	}
}

func TestPayload(t *testing.T) {
	c, err := rein.Payload[rein.Command](event(rein.CommandMessage.EventKind(), `{"kind":"message","run":"r","text":"hm"}`))
	if want := (rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hm"}); err != nil || !cmp.Equal(c, want) {
		t.Errorf("got %v, %v", c, err)
	}
	erased := event(rein.StepDone, "")
	erased.Erased = true
	for _, c := range []struct {
		e    rein.Event
		code rein.Code
	}{
		{erased, rein.CodeNotFound},
		{event(rein.StepDone, `{"sig":`), rein.CodeDamaged},
		{event(rein.StepDone, ``), rein.CodeDamaged},
		{event(rein.StepStarted, `{}`), rein.CodeInvalid}, // that is a StepStart
		{event(rein.RunResumed, ``), rein.CodeInvalid},
		{event("step.tomorrow", `{}`), rein.CodeInvalid},
	} {
		if _, err := rein.Payload[rein.StepEnd](c.e); rein.CodeOf(err) != c.code {
			t.Errorf("%s %s: %v, want code %s", c.e.Kind, c.e.Data, err, c.code)
		}
	}
	if _, err := rein.Decode(event(rein.RunResumed, "")); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a kind without payload: %v", err)
	}
}

func TestStepOfKey(t *testing.T) {
	for key, want := range map[rein.StepKey]rein.StepKey{
		"": "", "7": "7", "7.2.3": "7.2.3", "7.ask": "7", "7.2.3.ask2": "7.2.3", "7.repair.ask": "7", "7.": "7", "ask": "ask",
	} {
		if got := key.Step(); got != want {
			t.Errorf("%q belongs to %q, want %q", key, got, want)
		}
	}
}

// A wait that was over as soon as it began names its child only in its signature.
func TestWaited(t *testing.T) {
	for sig, want := range map[string]rein.RunID{"wait r.7": "r.7", "spawn r.7": "", "": "", "inbox": ""} {
		if got := (rein.StepEnd{Sig: sig}).Waited(); got != want {
			t.Errorf("%q waited for %q, want %q", sig, got, want)
		}
	}
}
