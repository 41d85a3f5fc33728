package hook_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/follow/deliver"
	"rein/follow/hook"
	"rein/follow/keeper"
	"rein/follow/notify"
	"rein/follow/talk"
	"rein/household/channels"
	"rein/household/people"
	"rein/household/secrets"
	"rein/internal/rig"
	"rein/server/port"
	"rein/store"
)

// patience bounds every wait; it is waited for only if something is wrong.
const patience = 20 * time.Second

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// A house has hooks, and an assistant that repeats what it hears or buys it.
type house struct {
	*rig.Rig
	hooks  *hook.Hooks
	people *people.People
	book   channels.Book
	bought atomic.Int64
	clock  atomic.Int64
}

func (h *house) assistant(run rein.Run, task rein.Task) (rein.Outcome, error) {
	text := task.Messages[len(task.Messages)-1].Text
	name, what, _ := strings.Cut(text, " ")
	if name == "buy" || name == "order" {
		args, _ := json.Marshal(map[string]string{"what": what})
		result, err := run.CallTool(rein.ToolCall{ID: "1", Name: name, Args: args})
		return rein.Outcome{Text: string(result.Status)}, err
	}
	return rein.Outcome{Text: "heard: " + text}, nil
}

func newHouse(t *testing.T, networks []netip.Prefix) *house {
	t.Helper()
	h := &house{Rig: rig.Open(t, rig.Options{})}
	h.people, h.book = &people.People{Tables: h.Store}, channels.Book{Tables: h.Store}
	rig.Check(t, h.people.Begin(t.Context()))
	for name, role := range map[string]rein.UserRole{"ann": rein.Member, "bob": rein.Member, "kid": rein.Child} {
		_, err := h.people.AddUser(t.Context(), rein.Host(), name, role)
		rig.Check(t, err)
	}
	h.Begin(engine.Options{
		Roles: h.people,
		Flows: map[string]rein.Flow{talk.Flow: {Do: h.assistant}}, Grace: engine.NoGrace,
		Worker: rig.Worker(rig.Script(t, "when\nsay x"), map[string]rein.Tool{"buy": {
			Name: "buy", Description: "Buys.", Effect: rein.Unsafe, Approval: true, Schema: json.RawMessage(`{"type":"object"}`),
			Do: func(context.Context, rein.Invocation) (rein.Done, error) {
				h.bought.Add(1)
				return rein.Done{Text: "bought"}, nil
			},
		}, "order": {
			Name: "order", Description: "Orders.", Family: "lists", Effect: rein.Unsafe, Approval: true, Schema: json.RawMessage(`{"type":"object"}`),
			Do: func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "ordered"}, nil },
		}}),
	})
	names := keeper.NewNames()
	h.hooks = hook.New(hook.Options{
		Store: h.Store, Secrets: &secrets.Store{Tables: h.Store, Keys: secrets.NewKeys(t.TempDir(), ""), People: h.people}, Book: h.book, Who: h.people.Reached,
		Language: func(context.Context, string, string) string { return "en" }, Networks: networks,
		Now: func() time.Time { return time.Now().Add(time.Duration(h.clock.Load())) },
		Talk: &talk.Desk{
			Engine: h.Engine, Store: h.Store,
			Answer: func(ctx context.Context, who rein.Identity, ask rein.AskID, answer rein.Answer) (rein.Receipt, error) {
				return port.AnswerAsk(ctx, h.Store, h.Engine, who, ask, answer)
			},
			SessionFor: func(ctx context.Context, who rein.Identity) (string, error) {
				return names.SessionFor(ctx, h.Store, who.Household, who.User, time.Now(), 0)
			},
			Task: func(context.Context, rein.Identity, string) (rein.Task, error) {
				return rein.Task{Tools: []string{"buy", "order"}}, nil
			},
		},
	})
	h.Serve(h.hooks.Serve)
	return h
}

func who(user string) rein.Identity {
	return rein.Identity{Household: "home", User: user, Role: rein.Member, Scopes: []rein.Scope{rein.ScopeRead, rein.ScopeAct, rein.ScopeAnswer}, Via: "test"}
}

func (h *house) add(t *testing.T, user, url string, answers bool) (hook.Hook, string) {
	t.Helper()
	k, secret, err := h.hooks.Add(t.Context(), who(user), "home", url, answers)
	rig.Check(t, err)
	return k, secret
}

// call sends a request as a program does.
func (h *house) call(t *testing.T, k hook.Hook, secret, body string) (hook.Receipt, error) {
	t.Helper()
	return h.hooks.Receive(t.Context(), k.ID, notify.Sign(secret, time.Now(), []byte(body)), []byte(body))
}

// A request counts if it is signed, new, and for a hook that there is; the same one again is no second one.
//
// Covers: NEU-2
// Attack: 33
func TestReceive(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	k, secret := h.add(t, "ann", "", false)
	const body = `{"id":"1","text":"hello"}`
	now := time.Now()
	for name, c := range map[string]struct{ hook, signature, body string }{
		"another secret":   {k.ID, notify.Sign("hook_something else", now, []byte(body)), body},
		"another body":     {k.ID, notify.Sign(secret, now, []byte(body)), body + " "},
		"too old":          {k.ID, notify.Sign(secret, now.Add(-6*time.Minute), []byte(body)), body},
		"from the future":  {k.ID, notify.Sign(secret, now.Add(6*time.Minute), []byte(body)), body},
		"no signature":     {k.ID, "", body},
		"no such hook":     {"aaaaaaaaaaaaaaaa", notify.Sign(secret, now, []byte(body)), body},
		"an empty hook ID": {"", notify.Sign("", now, []byte(body)), body},
	} {
		_, err := h.hooks.Receive(t.Context(), c.hook, c.signature, []byte(c.body))
		if rein.CodeOf(err) != rein.CodeUnauthenticated || !strings.Contains(err.Error(), "there is no such hook, or") {
			t.Errorf("%s: %v", name, err)
		}
	}
	first, err := h.call(t, k, secret, body)
	rig.Check(t, err)
	again, err := h.call(t, k, secret, body)
	if err != nil || first.Run == "" || again.Run != first.Run || first.Again || !again.Again {
		t.Errorf("%+v, then %+v %v", first, again, err)
	}
	end, err := h.Engine.Wait(t.Context(), first.Run)
	if err != nil || end.Text != "heard: hello" {
		t.Errorf("%+v %v", end, err)
	}
	info, err := h.Store.Run(t.Context(), first.Run)
	if err != nil || info.User != "ann" || !strings.HasPrefix(info.Session, "chat-") {
		t.Errorf("%+v %v", info, err)
	}
	for body, code := range map[string]rein.Code{
		`{"id":"1","text":"another"}`: rein.CodeConflict, `{"id":"","text":"x"}`: rein.CodeInvalid, `{"id":"2"}`: rein.CodeInvalid,
		`{"id":"2","text":"x","user":"bob"}`: rein.CodeInvalid, `{"id":"2","text":"x"} {}`: rein.CodeInvalid, `[]`: rein.CodeInvalid,
		`{"id":"2","text":"x","ask":"r:1"}`: rein.CodeInvalid, `{"id":"2","ask":"r:1","answer":"yes"}`: rein.CodeInvalid,
		`{"id":"2","ask":"r:1","shown":"v2-","answer":"yes"}`: rein.CodeForbidden,
	} {
		if _, err := h.call(t, k, secret, body); rein.CodeOf(err) != code {
			t.Errorf("%s: %v", body, err)
		}
	}
	for i := 0; ; i++ {
		_, err := h.call(t, k, secret, body)
		if rein.CodeOf(err) == rein.CodeRateLimited {
			break
		}
		if rig.Check(t, err); i > 60 {
			t.Fatal("a hook may have as many requests as it likes")
		}
	}
	h.clock.Store(int64(time.Minute + time.Second))
	rig.Check(t, h.people.DisableUser(t.Context(), rein.Host(), "ann"))
	if _, err := h.call(t, k, secret, `{"id":"3","text":"x"}`); rein.CodeOf(err) != rein.CodeUnauthenticated {
		t.Errorf("ann is disabled: %v", err)
	}
}

// A hook answers what its user may answer, as it was shown, and only if it may. In words nothing is agreed to.
//
// Covers: NEU-5
func TestAnswers(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	talks, talking := h.add(t, "ann", "", false)
	may, secret := h.add(t, "ann", "", true)
	bobs, bobsSecret := h.add(t, "bob", "", true)
	_, err := h.call(t, talks, talking, `{"id":"1","text":"buy bread"}`)
	rig.Check(t, err)
	ask := h.asked(t)
	if _, err := h.call(t, may, secret, `{"id":"w","text":"yes"}`); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a yes in words: %v", err)
	}
	answer := func(id, shown, text string) string {
		data, err := json.Marshal(hook.Request{ID: id, Ask: ask.ID, Shown: shown, Answer: text})
		rig.Check(t, err)
		return string(data)
	}
	for name, c := range map[string]struct {
		k    hook.Hook
		with string
		body string
		code rein.Code
	}{
		"a hook that may only talk": {talks, talking, answer("a", ask.Shown, "yes"), rein.CodeForbidden},
		"somebody else's":           {bobs, bobsSecret, answer("a", ask.Shown, "yes"), rein.CodeNotFound},
		"not what was shown":        {may, secret, answer("b", "v2-else", "yes"), rein.CodeConflict},
		"neither yes nor no":        {may, secret, answer("c", ask.Shown, "perhaps"), rein.CodeInvalid},
	} {
		if _, err := h.call(t, c.k, c.with, c.body); rein.CodeOf(err) != c.code || h.bought.Load() != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range 2 {
		done, err := h.call(t, may, secret, answer("d", ask.Shown, "yes"))
		if err != nil || done.Answered != rein.AskApproved || done.Again != (i > 0) {
			t.Errorf("%+v %v", done, err)
		}
	}
	if _, err := h.call(t, may, secret, answer("e", ask.Shown, "yes")); rein.CodeOf(err) != rein.CodeClosed {
		t.Errorf("it was answered: %v", err)
	}
	end, err := h.Engine.Wait(t.Context(), ask.Run)
	if err != nil || end.Text != "ok" || h.bought.Load() != 1 {
		t.Errorf("%+v %v, bought %d times", end, err, h.bought.Load())
	}
}

// What a child may not approve is answered by the hook of an adult, and not by the child's own.
//
// Covers: NEU-5
func TestAnswerForAChild(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	kids, kidsSecret := h.add(t, "kid", "", true)
	anns, annsSecret := h.add(t, "ann", "", true)
	_, err := h.call(t, kids, kidsSecret, `{"id":"1","text":"order sweets"}`)
	rig.Check(t, err)
	ask := h.asked(t)
	if ask.For != rein.ForAdults {
		t.Fatalf("it is for %q", ask.For)
	}
	data, err := json.Marshal(hook.Request{ID: "2", Ask: ask.ID, Shown: ask.Shown, Answer: "yes"})
	rig.Check(t, err)
	if _, err := h.call(t, kids, kidsSecret, string(data)); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("by the child: %v", err)
	}
	if done, err := h.call(t, anns, annsSecret, string(data)); err != nil || done.Answered != rein.AskApproved {
		t.Errorf("by an adult: %+v %v", done, err)
	}
}

func (h *house) asked(t *testing.T) rein.Ask {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-time.After(time.Millisecond) {
		asks, err := h.Store.Asks(t.Context(), store.AskFilter{Pending: true})
		rig.Check(t, err)
		if len(asks) > 0 {
			return asks[0]
		}
	}
	t.Fatal("nothing is asked")
	return rein.Ask{}
}

// Messages and replies go to the URL, signed; a reply that fails comes again, with the same ID. Nothing goes to addresses of
// this machine unless whoever runs rein allows them.
//
// Attack: 33
func TestSend(t *testing.T) {
	t.Parallel()
	var secret atomic.Value
	secret.Store("")
	type got struct {
		hook.Message
		event string
	}
	received := make(chan got, 10)
	var failing atomic.Int64
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var m hook.Message
		if err != nil || json.Unmarshal(body, &m) != nil || notify.Verify(secret.Load().(string), r.Header.Get(notify.SignatureHeader), body, time.Now()) != nil || m.ID != r.Header.Get(notify.DeliveryHeader) {
			t.Errorf("%s", body)
		}
		received <- got{m, r.Header.Get(notify.EventHeader)}
		if failing.Add(-1) >= 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer target.Close()
	h := newHouse(t, loopback)
	k, with := h.add(t, "ann", target.URL+"/secret-path", false)
	secret.Store(with)
	mine, err := h.book.Of(t.Context(), "home", "ann")
	if err != nil || len(mine) != 1 || !mine[0].Works() {
		t.Fatalf("%+v %v", mine, err)
	}
	to := deliver.To{Channel: mine[0].ID, Household: "home", User: "ann", Address: mine[0].Address, Data: mine[0].Data}
	_, err = h.hooks.Send(t.Context(), to, deliver.Message{ID: "m1", Kind: "ask", Text: "Shall I?", Ask: &deliver.Question{ID: "r:1.ask", Shown: "v2-x"}})
	rig.Check(t, err)
	if m := <-received; m.ID != "m1" || m.event != "message.ask" || m.Ask.Shown != "v2-x" || m.Text != "Shall I?" {
		t.Errorf("%+v", m)
	}
	failing.Store(1)
	h.hooks.PauseFor(time.Millisecond)
	_, err = h.call(t, k, with, `{"id":"1","text":"hello"}`)
	rig.Check(t, err)
	first, second := <-received, <-received
	if first.Kind != "reply" || first.Text != "heard: hello" || first.InReplyTo != "1" || first.End != rein.EndDone || first.ID != second.ID {
		t.Errorf("%+v, then %+v", first, second)
	}
	failing.Store(1)
	if _, err := h.hooks.Send(t.Context(), to, deliver.Message{ID: "m2", Text: "x"}); err == nil || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("it failed: %v", err)
	}
	blind := who("ann")
	blind.Scopes = []rein.Scope{rein.ScopeAct, rein.ScopeAnswer}
	if _, _, err := h.hooks.Add(t.Context(), blind, "", target.URL, false); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("a URL for messages, by somebody who may not read: %v", err)
	}
	strict := newHouse(t, nil)
	if _, _, err := strict.hooks.Add(t.Context(), who("ann"), "", target.URL, false); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("without TLS: %v", err)
	}
	inside, _ := strict.add(t, "ann", "https://127.0.0.1:9/secret-path", false)
	to.Data = json.RawMessage(`{"hook":"` + inside.ID + `"}`)
	_, err = strict.hooks.Send(t.Context(), to, deliver.Message{ID: "m3", Text: "x"})
	if err == nil || !strings.Contains(err.Error(), "not an address of the internet") || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("an address of this machine: %v", err)
	}
}

// A hook is its user's: others neither see nor remove it. With it goes its channel, its secret and what came through it.
func TestRemove(t *testing.T) {
	t.Parallel()
	h := newHouse(t, loopback)
	k, secret := h.add(t, "ann", "https://example.org/x", false)
	if list, err := h.hooks.List(t.Context(), who("bob")); err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	if err := h.hooks.Remove(t.Context(), who("bob"), k.ID); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
	rig.Check(t, h.hooks.Remove(t.Context(), who("ann"), k.ID))
	if _, err := h.call(t, k, secret, `{"id":"1","text":"hello"}`); rein.CodeOf(err) != rein.CodeUnauthenticated {
		t.Error(err)
	}
	if left, err := h.book.Of(t.Context(), "home", "ann"); err != nil || len(left) != 0 {
		t.Errorf("%+v %v", left, err)
	}
	for range 10 {
		h.add(t, "ann", "", false)
	}
	if _, _, err := h.hooks.Add(t.Context(), who("ann"), "", "", false); rein.CodeOf(err) != rein.CodeLimit {
		t.Error(err)
	}
}

var shown = regexp.MustCompile("(?s)<!-- testdata: receiver -->\n```python\n(.*?)```")

// The receiver that the page shows takes what a hook sends, drops what it has had, and refuses what is forged.
func TestReceiverOfThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/hooks.md")
	rig.Check(t, err)
	code := shown.FindSubmatch(page)
	if code == nil || strings.Count(strings.TrimSpace(string(code[1])), "\n")+1 > 19 {
		t.Fatal("the page shows no short receiver")
	}
	h := newHouse(t, loopback)
	free := httptest.NewServer(nil)
	address := free.Listener.Addr().String()
	free.Close()
	k, secret := h.add(t, "ann", "http://"+address+"/", false)
	file := filepath.Join(t.TempDir(), "receiver.py")
	rig.Check(t, os.WriteFile(file, code[1], 0o600))
	_, port, _ := strings.Cut(address, ":")
	cmd := exec.CommandContext(t.Context(), "python3", file)
	cmd.Env, cmd.WaitDelay = append(os.Environ(), "HOOK_SECRET="+secret, "PORT="+port), 5*time.Second
	out, err := cmd.StdoutPipe()
	rig.Check(t, err)
	rig.Check(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	to := deliver.To{Household: "home", User: "ann", Data: json.RawMessage(`{"hook":"` + k.ID + `"}`)}
	send := func(id string) error {
		_, err := h.hooks.Send(t.Context(), to, deliver.Message{ID: id, Kind: "reminder", Text: "about " + id})
		return err
	}
	for deadline := time.Now().Add(patience); send("m1") != nil; <-time.After(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not listen")
		}
	}
	rig.Check(t, send("m1"))
	forged, err := http.NewRequest(http.MethodPost, "http://"+address+"/", strings.NewReader(`{"id":"f"}`))
	rig.Check(t, err)
	forged.Header.Set(notify.SignatureHeader, notify.Sign("something else", time.Now(), []byte(`{"id":"f"}`)))
	response, err := http.DefaultClient.Do(forged)
	rig.Check(t, err)
	defer response.Body.Close()
	rig.Check(t, send("m2"))
	lines := bufio.NewScanner(out)
	for _, want := range []string{"reminder about m1", "reminder about m2"} {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("it prints %q, want %q", lines.Text(), want)
		}
	}
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("it answers %d to what is forged", response.StatusCode)
	}
}

// Requests whose runs wait for a person, however many, hold up the replies of nobody else.
func TestManyOwed(t *testing.T) {
	t.Parallel()
	replied := make(chan string, 10)
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m hook.Message
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		replied <- m.InReplyTo
	}))
	defer target.Close()
	h := newHouse(t, loopback)
	anns, annsSecret := h.add(t, "ann", target.URL, false)
	bobs, bobsSecret := h.add(t, "bob", target.URL, false)
	_, err := h.call(t, anns, annsSecret, `{"id":"waits","text":"buy bread"}`)
	rig.Check(t, err)
	rig.Check(t, h.Store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO hook_requests WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1150)
			SELECT hook, id || i, sha256, household, user_name, session, run, command, receipt, 1, tries, at FROM hook_requests, n WHERE id = 'waits'`)
		return err
	}))
	_, err = h.call(t, bobs, bobsSecret, `{"id":"bobs","text":"hello"}`)
	rig.Check(t, err)
	select {
	case got := <-replied:
		if got != "bobs" {
			t.Errorf("%q was replied to", got)
		}
	case <-time.After(patience):
		t.Error("bob got no reply")
	}
}
