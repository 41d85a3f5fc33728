package rein_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// Covers: ENG-38
func TestRunID(t *testing.T) {
	for _, id := range []rein.RunID{"a", "r1", "r1.2", "A-b_9.7-2-3.x"} {
		if err := id.Check(); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []rein.RunID{
		"", ".", "a.", ".a", "a..b", "a b", "a:b", "a/b", "é", "a\n", "a\x00", rein.RunID(strings.Repeat("x", 65)), rein.RunID(strings.Repeat("x.", 300)) + "x",
	} {
		if err := id.Check(); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%q: %v, want code %s", id, err, rein.CodeInvalid)
		}
	}
	child := rein.RunID("r1").Child("7.2.3")
	if child != "r1.7-2-3" || child.Check() != nil || child.Parent() != "r1" || child.Root() != "r1" || child.Depth() != 1 {
		t.Errorf("child %q: parent %q root %q depth %d", child, child.Parent(), child.Root(), child.Depth())
	}
	if rein.RunID("r1").Parent() != "" || rein.RunID("r1").Depth() != 0 {
		t.Error("a root has a parent")
	}
}

func TestStepKey(t *testing.T) {
	if a, b := rein.StepKey("7").Sub("ask", 1), rein.StepKey("7").Sub("ask", 2); a != "7.ask" || b != "7.ask2" {
		t.Errorf("got %q and %q", a, b)
	}
}

// A log can hold whatever a model writes as arguments.
func FuzzToolCallRoundTrip(f *testing.F) {
	for _, args := range []string{"", "{}", `{"a":1}`, `{"a": oops`, "null", `"text"`, "\xff", "[1,2"} {
		f.Add("c1", "tool", args)
	}
	f.Fuzz(func(t *testing.T, id, name, args string) {
		call := rein.ToolCall{ID: strings.ToValidUTF8(id, "?"), Name: strings.ToValidUTF8(name, "?"), Args: json.RawMessage(strings.ToValidUTF8(args, "?"))}
		data, err := json.Marshal(call)
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		var got rein.ToolCall
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		again, err := json.Marshal(got)
		if err != nil || string(again) != string(data) {
			t.Errorf("%s became %s (%v)", data, again, err)
		}
		if !json.Valid(call.Args) && len(call.Args) > 0 && string(got.Args) != string(call.Args) {
			t.Errorf("arguments %q became %q", call.Args, got.Args)
		}
	})
}

func TestAmounts(t *testing.T) {
	a := rein.Amount{Rounds: 1, ToolCalls: 2, Tokens: 3, Micros: 4, DrivenMS: 5, Runs: 6}
	if got := rein.AmountOf(a.Parts()); got != a {
		t.Errorf("AmountOf(Parts) is %+v", got)
	}
	if got := a.Plus(a).Minus(a); got != a {
		t.Errorf("a+a-a is %+v", got)
	}
	if got := a.Minus(rein.Amount{Tokens: 10}).Positive(); got.Tokens != 0 || got.Rounds != 1 {
		t.Errorf("Positive is %+v", got)
	}
	limit := rein.Amount{Rounds: 1, ToolCalls: 2, Tokens: 2, Micros: 4, DrivenMS: 5, Runs: 6}
	if dim := a.Over(limit, rein.Amount{Tokens: 1}); dim != "tokens" {
		t.Errorf("over in %q", dim)
	}
	if dim := a.Over(limit, rein.Amount{Rounds: 1}); dim != "" {
		t.Errorf("over in %q, which does not grow", dim)
	}
}

// Covers: ENG-60 LAW-8
func TestBudgetCheck(t *testing.T) {
	if err := rein.DefaultBudget().Check(rein.MaxBudget()); err != nil {
		t.Error(err)
	}
	for i, dim := range rein.Dimensions {
		for _, bad := range []int64{0, -1, 1 << 62} {
			b := rein.DefaultBudget()
			parts := b.Parts()
			parts[i] = bad
			b.Amount = rein.AmountOf(parts)
			err := b.Check(rein.MaxBudget())
			if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), dim) {
				t.Errorf("%s = %d: %v", dim, bad, err)
			}
		}
	}
	for _, depth := range []int{-1, 17} {
		b := rein.DefaultBudget()
		b.Depth = depth
		if rein.CodeOf(b.Check(rein.MaxBudget())) != rein.CodeInvalid {
			t.Errorf("depth %d is accepted", depth)
		}
	}
}

func TestLedgerReserve(t *testing.T) {
	l := rein.Ledger{Root: "r1", Cap: rein.DefaultBudget()}
	if err := l.Reserve(l.Cap.Amount); err != nil {
		t.Error(err)
	}
	err := l.Reserve(rein.Amount{Tokens: l.Cap.Tokens + 1})
	if !errors.Is(err, rein.ErrBudget) || rein.FailureOf(err).Dim != "tokens" || !strings.Contains(err.Error(), "r1") {
		t.Errorf("got %v", err)
	}
}

// Covers: ENG-41 ENG-42
func TestAskAccepts(t *testing.T) {
	ask := func(kind rein.AskKind, who string) rein.Ask {
		return rein.Ask{ID: "r1:1.ask", Kind: kind, For: who, Choices: []string{rein.ItHappened, rein.RunAgain, rein.SkipIt}}
	}
	for _, c := range []struct {
		ask    rein.Ask
		answer rein.Answer
		want   rein.Code
	}{
		{ask(rein.AskQuestion, ""), rein.Answer{State: rein.AskAnswered, Text: "blue"}, ""},
		{ask(rein.AskQuestion, ""), rein.Answer{State: rein.AskDeclined}, ""},
		{ask(rein.AskQuestion, ""), rein.Answer{State: rein.AskApproved}, rein.CodeInvalid},
		{ask(rein.AskQuestion, ""), rein.Answer{State: rein.AskPending}, rein.CodeInvalid},
		{ask(rein.AskQuestion, ""), rein.Answer{State: rein.AskExpired}, rein.CodeInvalid},
		{ask(rein.AskQuestion, ""), rein.Answer{State: rein.AskWithdrawn}, rein.CodeInvalid},
		{ask(rein.AskQuestion, ""), rein.Answer{}, rein.CodeInvalid},
		{ask(rein.AskQuestion, "ann"), rein.Answer{State: rein.AskAnswered, By: "ann"}, ""},
		{ask(rein.AskQuestion, "ann"), rein.Answer{State: rein.AskAnswered, By: "bob"}, rein.CodeForbidden},
		{ask(rein.AskQuestion, "ann"), rein.Answer{State: rein.AskAnswered}, rein.CodeForbidden},
		{ask(rein.AskApproval, ""), rein.Answer{State: rein.AskApproved}, ""},
		{ask(rein.AskApproval, ""), rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{}`)}, ""},
		{ask(rein.AskApproval, ""), rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{`)}, rein.CodeInvalid},
		{ask(rein.AskApproval, ""), rein.Answer{State: rein.AskEdited}, rein.CodeInvalid},
		{ask(rein.AskApproval, ""), rein.Answer{State: rein.AskApproved, Args: json.RawMessage(`{}`)}, rein.CodeInvalid},
		{ask(rein.AskApproval, ""), rein.Answer{State: rein.AskAnswered}, rein.CodeInvalid},
		{ask(rein.AskConfirmation, ""), rein.Answer{State: rein.AskRejected}, ""},
		{ask(rein.AskConfirmation, ""), rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{}`)}, rein.CodeInvalid},
		{ask(rein.AskUnknown, ""), rein.Answer{State: rein.AskAnswered, Text: rein.RunAgain}, ""},
		{ask(rein.AskUnknown, ""), rein.Answer{State: rein.AskAnswered, Text: "maybe"}, rein.CodeInvalid},
		{ask("riddle", ""), rein.Answer{State: rein.AskAnswered}, rein.CodeInvalid},
	} {
		if got := rein.CodeOf(c.ask.Accepts(c.answer)); got != c.want {
			t.Errorf("%s for %q, answer %+v: got %q, want %q", c.ask.Kind, c.ask.For, c.answer, got, c.want)
		}
	}
}

func TestFailuresSurviveTheLog(t *testing.T) {
	err := rein.Errorf(rein.CodeProvider, "call %s: %w", "x", errors.New("503"))
	data, e := json.Marshal(rein.FailureOf(err))
	if e != nil {
		t.Fatal(e)
	}
	var f rein.Failure
	if e := json.Unmarshal(data, &f); e != nil {
		t.Fatal(e)
	}
	if got := f.Err(); rein.CodeOf(got) != rein.CodeProvider || got.Error() != "call x: 503" {
		t.Errorf("got %v", got)
	}
	if rein.FailureOf(nil) != nil || (*rein.Failure)(nil).Err() != nil {
		t.Error("nil is not kept")
	}
	if errors.Unwrap(err) == nil || rein.CodeOf(fmt.Errorf("wrapped: %w", err)) != rein.CodeProvider || rein.CodeOf(errors.New("x")) != rein.CodeInternal {
		t.Error("codes get lost")
	}
	if !errors.Is(fmt.Errorf("wrapped: %w", &rein.Error{Code: rein.CodeStopped}), rein.ErrStopped) || errors.Is(rein.ErrStopped, rein.ErrDeleted) {
		t.Error("sentinels do not match by code")
	}
}

// Every part of an event is covered by its hash.
//
// Covers: ENG-36
func TestChainHashCoversEverything(t *testing.T) {
	event := rein.Event{Run: "r1", Seq: 3, At: time.UnixMicro(1234567), Kind: rein.StepDone, Step: "2", By: "ann", Spend: rein.Amount{Tokens: 5}}
	payload := rein.PayloadDigest([]byte("salt"), []byte(`{"a":1}`))
	seen := map[rein.Hash]string{rein.ChainHash(rein.Hash{}, event, payload): "the event"}
	check := func(what string, prev rein.Hash, change func(*rein.Event), payload rein.Hash) {
		e := event
		change(&e)
		h := rein.ChainHash(prev, e, payload)
		if other, ok := seen[h]; ok {
			t.Errorf("%s has the same hash as %s", what, other)
		}
		seen[h] = what
	}
	same := func(*rein.Event) {}
	check("another run", rein.Hash{}, func(e *rein.Event) { e.Run = "r2" }, payload)
	check("another place", rein.Hash{}, func(e *rein.Event) { e.Seq++ }, payload)
	check("another time", rein.Hash{}, func(e *rein.Event) { e.At = e.At.Add(time.Microsecond) }, payload)
	check("another kind", rein.Hash{}, func(e *rein.Event) { e.Kind = rein.StepStarted }, payload)
	check("another step", rein.Hash{}, func(e *rein.Event) { e.Step = "3" }, payload)
	check("another person", rein.Hash{}, func(e *rein.Event) { e.By = "bob" }, payload)
	check("a moved boundary", rein.Hash{}, func(e *rein.Event) { e.Step, e.By = "2a", "nn" }, payload)
	check("another spend", rein.Hash{}, func(e *rein.Event) { e.Spend.Micros++ }, payload)
	check("another past", rein.Hash{1}, same, payload)
	check("another payload", rein.Hash{}, same, rein.PayloadDigest([]byte("salt"), []byte(`{"a":2}`)))
	check("another salt", rein.Hash{}, same, rein.PayloadDigest([]byte("pepper"), []byte(`{"a":1}`)))
}

func TestHashText(t *testing.T) {
	h := rein.PayloadDigest(nil, nil)
	text, err := h.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var got rein.Hash
	if err := got.UnmarshalText(text); err != nil || got != h {
		t.Errorf("got %s %v", got, err)
	}
	for _, bad := range []string{"", "00", strings.Repeat("g", 64), strings.Repeat("0", 66)} {
		if err := got.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestKindsAndEnds(t *testing.T) {
	got := map[string]string{}
	for _, k := range []rein.CommandKind{rein.CommandAnswer, rein.CommandStop, rein.CommandCancel, rein.CommandDelete, rein.CommandChild} {
		if k.EventKind().Command() != k {
			t.Errorf("%s comes back as %s", k, k.EventKind().Command())
		}
		got[string(k)] = fmt.Sprintf("%s %d", k.Ends(), k.Force())
	}
	want := map[string]string{"answer": " 0", "stop": "stopped 1", "cancel": "cancelled 2", "delete": "deleted 3", "child": " 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if rein.StepDone.Command() != "" || rein.StepDone.Ends() || !rein.RunFailed.Ends() {
		t.Error("kinds are mixed up")
	}
	for end, kind := range map[rein.End]rein.Kind{
		rein.EndDone: rein.RunCompleted, rein.EndLimit: rein.RunCompleted, rein.EndDeclined: rein.RunCompleted, rein.EndFailed: rein.RunFailed,
		rein.EndStopped: rein.RunStopped, rein.EndCancelled: rein.RunStopped, rein.EndDeleted: rein.RunStopped,
	} {
		if end.EndKind() != kind {
			t.Errorf("%s is recorded as %s", end, end.EndKind())
		}
	}
	if id := rein.NewCommandID("r1.2", 17); id != "r1.2:17" || id.Seq() != 17 || rein.CommandID("x").Seq() != 0 {
		t.Errorf("command ID %s", id)
	}
}
