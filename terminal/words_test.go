package terminal

import (
	"encoding/json"
	"testing"
	"time"

	"rein"
)

// What the stories do not bring about, or not always in the same order.
//
// Covers: ENG-56
func TestWords(t *testing.T) {
	sec := time.Second
	for _, c := range []struct {
		kind    rein.Kind
		step    rein.StepKey
		payload any
		want    string
	}{
		{rein.RunStarted, "", rein.RunStart{After: "r0"}, "started by ann after r0"},
		{rein.RunResumed, "", nil, "tried again by ann"},
		{rein.RunParked, "", rein.Parked{For: []string{"run r1.1", "run r1.2"}}, "parked, waits for run r1.1, run r1.2"},
		{rein.StepStarted, "1", rein.StepStart{About: rein.About{Human: "Sending…"}, Call: &rein.ToolCall{Name: "send", Args: []byte(`{}`)}}, "tool send {}: begins — Sending…"},
		{rein.StepAttempt, "1", rein.Attempt{N: 2, Why: "overloaded"}, "attempt 2: overloaded"},
		{rein.StepIntent, "1.intent", rein.Intent{Effect: rein.Checkable}, "about to be sent (checkable)"},
		{rein.StepChecked, "1.check", rein.Checked{State: rein.CheckNot}, "did it happen? not"},
		{rein.StepDone, "1", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolUnknown, Text: "cut"}, Duration: sec}, "tool send {} → unknown 1.0 s: cut"},
		{rein.StepDone, "2", rein.StepEnd{Sig: "tool  rm 1234", Result: &rein.ToolResult{Status: rein.ToolRefused}}, "tool rm → refused"},
		{rein.StepStarted, "3", rein.StepStart{About: rein.About{Phase: "decide"}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Model: "tiny"}, Keep: 2}}, "model tiny decide: asked with 2 messages"},
		{rein.StepDone, "3", rein.StepEnd{Failure: &rein.Failure{Code: rein.CodeStopped}, Partial: "I was", Duration: sec}, "model tiny decide → stopped 1.0 s; it had said: I was"},
		{rein.StepDone, "4", rein.StepEnd{Sig: "model decide tiny", Message: &rein.Message{Text: "Hi"}, Overrun: true, Duration: sec}, "model → Hi (1.0 s, over its limit)"},
		{rein.StepDone, "5", rein.StepEnd{Sig: "spawn once", Child: "r1.5"}, "spawned run r1.5"},
		{rein.StepDone, "6", rein.StepEnd{Sig: "spawn once", Failure: &rein.Failure{Code: rein.CodeLimit, Msg: "too deep"}}, "spawn → failed: too deep (limit)"},
		{rein.StepDone, "7", rein.StepEnd{Sig: "wait r1.5", Outcome: &rein.Outcome{End: rein.EndDone, Text: "Hello."}}, "wait for run r1.5 → done: Hello."},
		{rein.StepDone, "8", rein.StepEnd{Sig: "inbox"}, "inbox: nothing new"},
		{rein.CommandChild.EventKind(), "", rein.Command{Child: "r1.5", End: rein.EndFailed}, "run r1.5 ended: failed"},
		{rein.CommandExpire.EventKind(), "", rein.Command{Ask: "r1:3.ask"}, "nobody answered r1:3.ask in time"},
		{rein.CommandCancel.EventKind(), "", rein.Command{Cause: "r0:7"}, "cancel by ann (because of r0:7)"},
		{rein.CommandModify.EventKind(), "", rein.Command{Text: "in blue"}, "modify by ann: in blue — not applied"},
		{
			rein.CommandAnswer.EventKind(), "",
			rein.Command{Ask: "r1:3.ask", Answer: rein.Answer{State: rein.AskEdited, Args: []byte(`{"to":"cleo"}`)}},
			`answer by ann to r1:3.ask: edited: {"to":"cleo"}`,
		},
		{rein.StepStarted, "10", rein.StepStart{Call: &rein.ToolCall{Name: "send", Args: []byte(`{"a":"1"}`)}, Mend: rein.Mend{Args: []byte(`{"a":1}`), Mended: "coerced"}}, `tool send {"a":"1"}: begins, repaired (coerced), called with {"a":1}`},
		{rein.StepAttempt, "10", rein.Attempt{N: 1, Mend: rein.Mend{Args: []byte(`{"a":2}`)}}, `goes ahead, called with {"a":2}`},
		{rein.SubStarted, "10.repair", rein.StepStart{Prompt: &rein.PromptRecord{}}, "asking the model to repair the arguments"},
		{rein.SubDone, "10.repair", rein.StepEnd{Message: &rein.Message{Text: `{"a":2}`}, Duration: sec}, `repaired arguments → {"a":2} (1.0 s)`},
		{rein.SubStarted, "11.summary", rein.StepStart{Prompt: &rein.PromptRecord{}, Folds: &rein.Folded{From: 1, To: 26}}, "summarising messages 2 to 26"},
		{rein.SubDone, "11.summary", rein.StepEnd{Failure: &rein.Failure{Code: rein.CodeProvider, Msg: "503"}}, "summary → failed: 503 (provider); the run continues with the whole history"},
		{rein.StepStarted, "11", rein.StepStart{Prompt: &rein.PromptRecord{Keep: 31, Folds: &rein.Folded{From: 1, To: 26}}}, "model: asked with 31 messages, messages 2 to 26 as a summary"},
		{
			rein.StepDone, "12",
			rein.StepEnd{Sig: "tool  cat 1234", Result: &rein.ToolResult{Status: rein.ToolOK, Text: "ab…yz", Handle: "r1:12", Mended: "tolerant"}, Whole: "abcdefghijklmnopqrstuvwxyz", Redacted: []string{"api key"}},
			"tool cat → ok (arguments repaired (tolerant); clipped: 7 bytes of 26 bytes, handle r1:12; secrets removed: api key): ab…yz",
		},
		{"run.dreamt", "", nil, "run.dreamt"},
		{rein.RunFailed, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndFailed}, Failure: &rein.Failure{Code: "x", Msg: "\x1b"}}, `ended: failed: \x1b (x)`},
	} {
		data, err := json.Marshal(c.payload)
		if err != nil {
			t.Fatal(err)
		}
		if got := telling.Tell(rein.Event{Kind: c.kind, Step: c.step, By: "ann", Seq: 9, Data: data}); got != c.want {
			t.Errorf("%s: %q, want %q", c.kind, got, c.want)
		}
	}
	if got := telling.Tell(rein.Event{Kind: rein.StepDone, Data: []byte("{")}); got != "step.done: its payload cannot be read" {
		t.Errorf("%q", got)
	}
}

// telling tells the events of one log.
var telling = &Teller{Receipts: map[int64]rein.Receipt{9: {State: rein.ReceiptNotApplied}}}
