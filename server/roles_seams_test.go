package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/engine"
	"rein/household/people"
	rigs "rein/internal/rig"
	"rein/server/dialect/assist"
	"rein/store"
	"rein/store/sqlite"
)

// Two adults who agree at the same moment carry a child's wish out once, and one of them learns who was first. A child who
// agrees at that moment too gets nowhere.
func TestAdultsRaceForOneAsk(t *testing.T) {
	t.Parallel()
	f := newKin(t, teller404{})
	for range 10 {
		run := f.start("kim", "cron.idempotent", `{}`)
		ask, _ := f.settled(run)
		codes := map[string]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for _, user := range []string{"mum", "dad", "kim"} {
			all.Go(func() {
				w := f.answer(user, ask, agreed)
				mu.Lock()
				defer mu.Unlock()
				codes[user] = w.Code
			})
		}
		all.Wait()
		f.settled(run, ask.ID)
		if one := codes["mum"] == http.StatusOK; one == (codes["dad"] == http.StatusOK) || codes["mum"]+codes["dad"] != http.StatusOK+http.StatusConflict || codes["kim"] == http.StatusOK {
			t.Fatalf("answers %v", codes)
		}
	}
	if n := f.called("cron.idempotent"); n != 10 {
		t.Errorf("carried out %d times for 10 wishes", n)
	}
}

// Whoever gets another role between the question and the answer answers by the new one: a demoted user cannot agree, and a
// promoted one can.
//
// Attack: 88
func TestRoleChangesBetweenAskAndAnswer(t *testing.T) {
	t.Parallel()
	f := newKin(t, teller404{})
	run := f.start("mum", "cron.idempotent", `{}`)
	ask, _ := f.settled(run)
	check(t, f.people.SetRole(t.Context(), rein.Host(), "mum", rein.Child))
	if w := f.answer("mum", ask, agreed); w.Code != http.StatusForbidden {
		t.Errorf("a demoted user agrees: %d %s", w.Code, w.Body)
	}
	if err := f.direct("mum", ask, agreed); rein.CodeOf(err) != rein.CodeForbidden || !strings.Contains(err.Error(), "child") {
		t.Errorf("a demoted user agrees past the API: %v", err)
	}
	if w := f.answer("mum", ask, rein.Answer{State: rein.AskRejected}); w.Code != http.StatusOK {
		t.Errorf("a demoted user cannot say no: %d %s", w.Code, w.Body)
	}
	f.settled(run, ask.ID)

	wish := f.start("kim", "cron.pure", `{}`)
	ask, _ = f.settled(wish)
	check(t, f.people.SetRole(t.Context(), rein.Host(), "kim", rein.Member))
	if w := f.answer("kim", ask, agreed); w.Code != http.StatusOK {
		t.Errorf("a promoted user cannot agree: %d %s", w.Code, w.Body)
	}
	f.settled(wish, ask.ID)

	other := f.start("gus", "web.pure", `{}`)
	ask, _ = f.settled(other)
	check(t, f.people.DisableUser(t.Context(), rein.Host(), "dad"))
	if err := f.direct("dad", ask, agreed); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("an adult who is disabled agrees: %v", err)
	}
	if n := f.called("cron.idempotent") + f.called("web.pure"); n != 0 {
		t.Errorf("%d calls were carried out that nobody may approve", n)
	}
}

// An adult finds what a child wants among their own asks, with who wants it; another child does not see it at all.
func TestAdultsSeeWhatAChildWants(t *testing.T) {
	t.Parallel()
	f := newKin(t, teller404{})
	run := f.start("kim", "cron.pure", `{}`)
	ask, _ := f.settled(run)
	for user, want := range map[string]int{"owner": 1, "mum": 1, "dad": 1, "kim": 1, "gus": 0, "bot": 0, "vic": 1} {
		for _, query := range []string{"", "&state=pending", "&for=" + user} {
			var list api.Asks
			w := f.send(user, "GET", "/v1/asks?limit=10"+query, nil)
			check(t, json.Unmarshal(w.Body.Bytes(), &list))
			if n := want; len(list.Asks) != n && !(strings.Contains(query, "for=") && (user == "kim" || user == "vic") && len(list.Asks) == 0) {
				t.Errorf("%s sees %d asks with %q", user, len(list.Asks), query)
			}
			if len(list.Asks) > 0 && (list.Asks[0].Asker != "kim" || list.Asks[0].Family != "cron") {
				t.Errorf("%s sees %+v", user, list.Asks[0])
			}
		}
	}
	if w := f.answer("gus", ask, agreed); w.Code != http.StatusNotFound {
		t.Errorf("a guest answers another's ask: %d %s", w.Code, w.Body)
	}
	if w := f.answer("kim", ask, rein.Answer{State: rein.AskRejected, Text: "never mind"}); w.Code != http.StatusOK {
		t.Errorf("a child cannot take a wish back: %d %s", w.Code, w.Body)
	}
	// The terminal of the server's machine is an owner's, who is an adult.
	second, _ := f.settled(f.start("kim", "cron.pure", `{}`))
	if err := f.direct(rein.Host().User, second, agreed); err != nil {
		t.Errorf("the terminal cannot answer: %v", err)
	}
}

// What a child writes in place of the arguments is judged again: a call that would change somebody else's thing is put to
// an adult, though the child may approve the family.
//
// Attack: 89
func TestEditedArgumentsDoNotEscape(t *testing.T) {
	t.Parallel()
	f := newKin(t, teller404{})
	run := f.start("kim", "agenda.pure", `{"of":"kim"}`)
	ask, _ := f.settled(run)
	if ask.For != "" || ask.Family != "agenda" || ask.Foreign {
		t.Fatalf("asked %+v", ask)
	}
	if w := f.answer("kim", ask, rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{"of":"mum"}`)}); w.Code != http.StatusOK {
		t.Fatalf("an edit: %d %s", w.Code, w.Body)
	}
	again, info := f.settled(run, ask.ID)
	if again == nil || again.For != rein.ForAdults || !again.Foreign {
		t.Fatalf("the edited call was not put to an adult: %+v %+v", again, info.End())
	}
	if w := f.answer("kim", again, agreed); w.Code != http.StatusForbidden || f.called("agenda.pure") != 0 {
		t.Errorf("a child changes another's thing: %d, %d calls", w.Code, f.called("agenda.pure"))
	}
	if w := f.answer("mum", again, agreed); w.Code != http.StatusOK {
		t.Errorf("an adult: %d %s", w.Code, w.Body)
	}
	if _, info := f.settled(run, ask.ID, again.ID); f.called("agenda.pure") != 1 {
		t.Errorf("then it was carried out %d times: %+v", f.called("agenda.pure"), info.End())
	}
	if ask, _ := f.settled(f.start("kim", "agenda.pure", `{"of":"mum"}`)); ask == nil || ask.For != rein.ForAdults {
		t.Errorf("a call that changes another's thing is put to %+v", ask)
	}
}

// A child and a guest approve nothing in advance: not by the task, the mode, the scope of an answer, or a plan.
//
// Attack: 90
func TestChildApprovesNothingInAdvance(t *testing.T) {
	t.Parallel()
	f := newKin(t, teller404{})
	for name, body := range map[string]string{
		"policy.allow": `{"task":{"flow":"call","tools":["agenda.pure"],"policy":{"allow":["agenda.pure"]}}}`,
		"mode edits":   `{"task":{"flow":"call","mode":"edits"}}`,
		"mode sandbox": `{"task":{"flow":"call","mode":"sandbox"}}`,
		"fork.allow":   `{"task":{"flow":"call","fork":{"run":"r","step":"1","allow":["agenda.pure"]}}}`,
	} {
		for _, user := range []string{"kim", "gus"} {
			if w := f.send(user, "POST", "/v1/runs", json.RawMessage(body)); w.Code != http.StatusForbidden {
				t.Errorf("%s as %s: %d %s", name, user, w.Code, w.Body)
			}
		}
	}
	for name, task := range map[string]rein.Task{ // as a part of the program does that has no request
		"policy.allow": {Flow: "call", Household: "home", User: "kim", Tools: []string{"agenda.pure"}, Policy: rein.Policy{Allow: []string{"agenda.pure"}}},
		"mode":         {Flow: "call", Household: "home", User: "kim", Mode: rein.ModeSandbox},
	} {
		if _, err := f.Engine.Start(t.Context(), rein.RunID("direct-"+strings.ReplaceAll(name, ".", "-")), task); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%s, past the API: %v", name, err)
		}
	}
	run := f.start("kim", "agenda.pure", `{}`)
	ask, _ := f.settled(run)
	for what, answer := range map[string]rein.Answer{
		"always":  {State: rein.AskApproved, Scope: rein.ScopeAlways},
		"session": {State: rein.AskApproved, Scope: rein.ScopeSession},
	} {
		if w := f.answer("kim", ask, answer); w.Code < 400 {
			t.Errorf("scope %s: %d", what, w.Code)
		}
	}
	if w := f.send("kim", "POST", "/v1/commands", rein.Command{Run: run, Kind: rein.CommandMode, Mode: rein.ModeSandbox}); w.Code != http.StatusForbidden {
		t.Errorf("a mode command: %d %s", w.Code, w.Body)
	}
	// What others send past the API holds for nothing either: the mode is judged by the role at each call.
	if _, err := f.Engine.Command(t.Context(), rein.Command{Kind: rein.CommandMode, Run: run, Mode: rein.ModeSandbox, By: "kim"}); err != nil {
		t.Fatal(err)
	}
	if w := f.answer("kim", ask, agreed); w.Code != http.StatusOK {
		t.Errorf("one call: %d %s", w.Code, w.Body)
	}
	f.settled(run, ask.ID)
	if next, _ := f.settled(f.start("kim", "agenda.pure", `{}`, func(task *rein.Task) { task.Session = string(run) })); next == nil || next.Mode.IsLooser(rein.ModeAsk) {
		t.Errorf("in a session whose mode is loose, a child is not asked: %+v", next)
	}
}

// A purse is a model whose every call costs 0.40.
type purse struct{}

func (purse) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "purse", Window: 100_000, MaxOutput: 4000, OutputMicros: 100_000_000}
}

func (purse) Generate(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error) {
	return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: "more"}, Usage: &rein.Usage{Input: 10, Output: 4000}}, nil
}

// A run of a child ends when the money of the child's day is spent, and says so; the next one is refused with the same
// sentence, and another role's is not. Giving the child another role lifts the limit at once.
//
// Attack: 91
func TestDayMoneyOfARole(t *testing.T) {
	t.Parallel()
	r := rigs.Open(t, rigs.Options{Store: sqlite.Options{Roles: people.Judge{}}})
	who := &people.People{Tables: r.Store}
	check(t, who.Begin(t.Context()))
	for name, role := range map[string]rein.UserRole{"kim": rein.Child, "mum": rein.Member} {
		_, err := who.AddUser(t.Context(), rein.Host(), name, role)
		check(t, err)
	}
	spend := func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
		for range 20 {
			if _, err := run.CallModel(rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "go on"}}}); err != nil {
				return rein.Outcome{}, err
			}
		}
		return rein.Outcome{Text: "spent"}, nil
	}
	r.Begin(engine.Options{Flows: map[string]rein.Flow{"spend": {Do: spend}}, Grace: engine.NoGrace, DrainGrace: engine.NoGrace, Worker: rigs.Worker(purse{}, nil), Roles: who})
	budget := rein.DefaultBudget()
	budget.Micros = 50_000_000
	run := func(id rein.RunID, user string) (rein.RunEnd, error) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if _, err := r.Engine.Start(ctx, id, rein.Task{Flow: "spend", Household: "home", User: user, Budget: &budget}); err != nil {
			return rein.RunEnd{}, err
		}
		return r.Engine.Wait(ctx, id)
	}
	const sentence = "roles.child.day_money"
	end, err := run("first", "kim")
	if err != nil || end.End != rein.EndLimit || end.Failure == nil || !strings.Contains(end.Failure.Msg, sentence) || !strings.Contains(end.Failure.Msg, "5.00") {
		t.Errorf("a child's run ended with %+v %v: %+v", end.End, err, end.Failure)
	}
	accounts, err := r.Store.Accounts(t.Context(), "home", "kim", time.Now())
	check(t, err)
	if a := accounts[0]; a.Used.Micros > 5_000_000 || a.Used.Micros < 4_000_000 || a.Most.Micros != 5_000_000 || a.Role != rein.Child {
		t.Errorf("the account of the child: %+v", a)
	}
	if end, err := run("mum", "mum"); err != nil || end.End != rein.EndDone {
		t.Errorf("an adult's run: %+v %v", end, err)
	}
	err = r.Store.Spend(t.Context(), store.Spending{Household: "home", User: "kim", Micros: 2_000_000, At: time.Now(), Reserve: true})
	if rein.CodeOf(err) != rein.CodeQuota || !strings.Contains(err.Error(), sentence) {
		t.Errorf("spending outside of runs: %v", err)
	}
	check(t, who.SetRole(t.Context(), rein.Host(), "kim", rein.Member))
	if end, err := run("grown", "kim"); err != nil || end.End != rein.EndDone {
		t.Errorf("after the child became a member: %+v %v", end, err)
	}
}

// In a chat, a child's yes to what only an adult may approve carries nothing out. The child reads who was asked; what they say
// next is a message like any other. When an adult agrees, it is done.
//
// Attack: 87
func TestChildSaysYesInAChat(t *testing.T) {
	t.Parallel()
	f := newKin(t, rigs.Script(t, `
when phase=observe results=0
say {"type": "tool_call", "tool": "cron.idempotent", "args": {}}

when
say {"type": "final", "message": "Fine."}
`))
	chat := func(user, text string) string {
		w := httptest.NewRecorder()
		body, err := json.Marshal(map[string]string{"message": text})
		check(t, err)
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/chat", bytes.NewReader(body))
		r.Host = "localhost:7717"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+f.tokens[user])
		if text == "Remind me." {
			r.Header.Set(assist.TaskHeader, "1")
		}
		f.api.ServeHTTP(w, r)
		return w.Body.String()
	}
	said := chat("kim", "Remind me.")
	if !strings.Contains(said, "dad, mum, owner") || !strings.Contains(said, "adult") || strings.Contains(said, `"actions":[{`) {
		t.Errorf("the child reads %s", said)
	}
	chat("kim", "yes")
	asks, err := f.Store.Asks(t.Context(), store.AskFilter{Pending: true})
	check(t, err)
	if len(asks) != 1 || asks[0].For != rein.ForAdults || f.called("cron.idempotent") != 0 {
		t.Fatalf("after the child's yes: %+v, %d calls", asks, f.called("cron.idempotent"))
	}
	if said := chat("mum", "yes"); f.called("cron.idempotent") != 0 {
		t.Errorf("an adult's yes in another session is %s", said)
	}
	if w := f.answer("mum", &asks[0], agreed); w.Code != http.StatusOK {
		t.Fatalf("an adult agrees: %d %s", w.Code, w.Body)
	}
	f.settled(asks[0].Run, asks[0].ID)
	if n := f.called("cron.idempotent"); n != 1 {
		t.Errorf("carried out %d times", n)
	}
}
