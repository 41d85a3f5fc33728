package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api"
	"rein/engine"
	"rein/flow"
	"rein/household/people"
	rigs "rein/internal/rig"
	"rein/server"
	"rein/server/access"
	"rein/server/dialect/assist"
	"rein/store"
	"rein/store/sqlite"
	"rein/tool/session"
)

// A kin is a household behind its whole server: roles are those of the users table, in the store, the engine and the API,
// and everybody comes with a token of their own.
type kin struct {
	*rigs.Rig
	people *people.People
	api    http.Handler
	tokens map[string]string
	marks  chan struct{}

	mu    sync.Mutex
	calls map[string]int // how often each tool was carried out
	runs  atomic.Int64
}

// families are some of those that tools belong to; all tools of MCP servers belong to mcp.
var families = []string{"agenda", "lists", "cron", "memory", "web", "notes", "files", "shell", "python", rein.ServerFamily}

func newKin(t *testing.T, model rein.Model) *kin {
	t.Helper()
	f := &kin{tokens: map[string]string{}, marks: make(chan struct{}, 1), calls: map[string]int{}}
	f.Rig = rigs.Open(t, rigs.Options{Store: sqlite.Options{Roles: people.Judge{}}})
	f.people = &people.People{Tables: f.Store}
	check(t, f.people.Begin(t.Context()))
	t.Cleanup(f.Store.Watch(func([]store.Mark) {
		select {
		case f.marks <- struct{}{}:
		default:
		}
	}))
	tools := map[string]rein.Tool{}
	for _, tool := range session.Tools(f.Store) {
		tools[tool.Name] = tool
	}
	var names []string
	for _, tool := range f.tools() {
		tools[tool.Name] = tool
		names = append(names, tool.Name)
	}
	flows := flow.All()
	flows["call"] = rein.Flow{Do: call}
	f.Begin(engine.Options{Flows: flows, Grace: engine.NoGrace, DrainGrace: engine.NoGrace, Worker: rigs.Worker(model, tools), Roles: f.people})
	guard, err := access.New(access.Options{
		People: f.people, Listen: "127.0.0.1:7717",
		Limits: access.Limits{User: plenty, Credential: plenty, Stranger: plenty, Failure: plenty},
	})
	check(t, err)
	t.Cleanup(guard.Close)
	chat := assist.New(assist.Options{
		Engine: f.Engine, Store: f.Store, Feed: f.Feed, Deadline: patience,
		SessionFor: func(_ context.Context, who rein.Identity) (string, error) { return "chat-" + who.User, nil },
		Task:       func(context.Context, rein.Identity, string) (rein.Task, error) { return rein.Task{Tools: names}, nil },
	})
	f.api = guard.Wrap(server.New(server.Options{
		Engine: f.Engine, Store: f.Store, Feed: f.Feed, Who: guard.Who, People: f.people, Tables: f.Store, Accounts: f.Store, Ceiling: rein.MaxBudget(),
		Health: func() api.Health { return api.Health{} },
		Mounts: []server.Mount{{Pattern: "/chat", Needs: rein.ScopeRead, Handler: chat}, {Pattern: "/chat/", Needs: rein.ScopeRead, Handler: chat}},
	}))
	for name, role := range map[string]rein.UserRole{"mum": rein.Member, "dad": rein.Member, "kim": rein.Child, "gus": rein.Guest, "vic": rein.Viewer, "bot": rein.Service} {
		_, err := f.people.AddUser(t.Context(), rein.Host(), name, role)
		check(t, err)
	}
	for _, name := range []string{"owner", "mum", "dad", "kim", "gus", "vic", "bot"} {
		f.tokens[name], _, err = f.people.NewToken(t.Context(), rein.Host(), people.TokenRequest{User: name, Label: "test"})
		check(t, err)
	}
	return f
}

// tools are one tool of each family and effect. Each wants approval, and says that a call which names somebody else's thing is
// foreign.
func (f *kin) tools() (all []rein.Tool) {
	for _, name := range families {
		for _, effect := range rein.Effects() {
			t := rein.Tool{
				Name: name + "." + string(effect), Description: "A tool.", Schema: json.RawMessage(`{"type":"object","properties":{"of":{"type":"string"}}}`),
				Effect: effect, Approval: true,
			}
			if name == rein.ServerFamily {
				t.Name, t.Server, t.Family = "agenda.lists_"+string(effect), "agenda", "agenda" // a server that would like to be one of the household's
			}
			t.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.calls[t.Name]++
				return rein.Done{Text: "done"}, nil
			}
			t.Show = func(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
				return rein.Shown{Say: "Shall I do it?", Foreign: strings.Contains(string(inv.Args), "mum")}, nil
			}
			if effect == rein.Checkable {
				t.Check = func(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
					return rein.CheckNot, rein.Done{}, nil
				}
			}
			all = append(all, t)
		}
	}
	return all
}

// call is a flow that makes the one call that its settings name.
func call(run rein.Run, task rein.Task) (rein.Outcome, error) {
	var c rein.ToolCall
	if err := json.Unmarshal(task.Settings, &c); err != nil {
		return rein.Outcome{}, err
	}
	c.ID = "c1"
	result, err := run.CallTool(c)
	return rein.Outcome{Text: string(result.Status) + ": " + result.Text}, err
}

// send sends a request as a user.
func (f *kin) send(user, method, path string, body any) *httptest.ResponseRecorder {
	f.Helper()
	data, err := json.Marshal(body)
	check(f, err)
	r := httptest.NewRequestWithContext(f.Context(), method, path, bytes.NewReader(data))
	r.Host = "localhost:7717"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+f.tokens[user])
	w := httptest.NewRecorder()
	f.api.ServeHTTP(w, r)
	return w
}

// start starts a run of a user that makes one call.
func (f *kin) start(user, tool, args string, change ...func(*rein.Task)) rein.RunID {
	f.Helper()
	id := rein.RunID(fmt.Sprintf("r%d", f.runs.Add(1)))
	settings, err := json.Marshal(rein.ToolCall{Name: tool, Args: json.RawMessage(args)})
	check(f, err)
	task := rein.Task{Flow: "call", Tools: []string{tool}, Settings: settings}
	for _, c := range change {
		c(&task)
	}
	if w := f.send(user, "POST", "/v1/runs", api.NewRun{ID: id, Task: task}); w.Code != http.StatusCreated {
		f.Fatalf("start %s as %s: %d %s", tool, user, w.Code, w.Body)
	}
	return id
}

// settled waits until a run asks something new or has ended.
func (f *kin) settled(run rein.RunID, answered ...rein.AskID) (*rein.Ask, rein.RunInfo) {
	f.Helper()
	late := time.After(patience)
	for {
		asks, err := f.Store.Asks(f.Context(), store.AskFilter{Tree: run, Pending: true})
		check(f, err)
		for _, ask := range asks {
			if !slices.Contains(answered, ask.ID) {
				return &ask, rein.RunInfo{}
			}
		}
		info, err := f.Store.Run(f.Context(), run)
		check(f, err)
		if info.Status.Ended() {
			return nil, info
		}
		select {
		case <-f.marks:
		case <-late:
			f.Fatalf("run %s neither asks nor ends", run)
		}
	}
}

// answer answers an ask over the API.
func (f *kin) answer(user string, ask *rein.Ask, answer rein.Answer) *httptest.ResponseRecorder {
	f.Helper()
	answer.Shown = ask.Shown
	return f.send(user, "POST", "/v1/asks/"+string(ask.ID)+"/answer", api.Answer{Answer: answer})
}

var agreed = rein.Answer{State: rein.AskApproved}

func (f *kin) called(tool string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[tool]
}

// written says by hand, a second time, what each role may do with calls that want approval, by family and by effect in the
// order pure, idempotent, checkable, unsafe: s: the user approves it; a: an adult does; -: runs do not get the tool.
const written = `
        agenda lists cron memory web  notes files shell python mcp
owner   ssss   ssss  ssss ssss   ssss ssss  ssss  ssss  ssss   ssss
member  ssss   ssss  ssss ssss   ssss ssss  ssss  ssss  ssss   ssss
child   sssa   sssa  aaaa aaaa   aaaa ----  ----  ----  ----   ----
guest   ----   saaa  ---- ----   aaaa ----  ----  ----  ----   ----
service ssss   ssss  ssss ssss   ssss ssss  ssss  ssss  ssss   ssss
`

// parts reads a table.
func parts(table string) (rows map[string]map[string]string) {
	rows = map[string]map[string]string{}
	lines := strings.Split(strings.TrimSpace(table), "\n")
	head := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		cells := strings.Fields(line)
		rows[cells[0]] = map[string]string{}
		for i, name := range head {
			rows[cells[0]][name] = cells[i+1]
		}
	}
	return rows
}

// What each role may approve is what is declared, what is written down here by hand, and what the server does: for every
// role, family and effect.
// A server of MCP that is called as a family of the household, and its tools too, is of the family mcp.
//
// Covers: NEU-2 NEU-5
// Attack: 92
func TestRolesTable(t *testing.T) {
	t.Parallel()
	f := newKin(t, teller404{})
	want := parts(written)
	users := map[string]string{"owner": "owner", "member": "mum", "child": "kim", "guest": "gus", "service": "bot"}
	declared, real := map[string]map[string]string{}, map[string]map[string]string{}
	for role, user := range users {
		declared[role], real[role] = map[string]string{}, map[string]string{}
		for _, name := range families {
			for _, effect := range rein.Effects() {
				declared[role][name] += declaredCell(rein.UserRole(role), name, effect)
				real[role][name] += f.cell(user, name, effect)
			}
		}
	}
	if diff := cmp.Diff(want, declared); diff != "" {
		t.Errorf("the declared table is not what is written here (-written +declared)\n%s", diff)
	}
	if diff := cmp.Diff(want, real); diff != "" {
		t.Errorf("the server does not do what is written here (-written +real)\n%s", diff)
	}
	if w := f.send("vic", "POST", "/v1/runs", api.NewRun{Task: rein.Task{Flow: "call"}}); w.Code != http.StatusForbidden {
		t.Errorf("a viewer starts a run: %d", w.Code)
	}
}

func declaredCell(role rein.UserRole, family string, effect rein.Effect) string {
	switch rights := rein.DefaultRoles().Of(role); {
	case !rights.Offer(family):
		return "-"
	case rights.Approves.Has(family, effect):
		return "s"
	}
	return "a"
}

// cell finds out what becomes of a call: it tries to approve it as its user, and then as an adult.
func (f *kin) cell(user, name string, effect rein.Effect) string {
	f.Helper()
	tool := name + "." + string(effect)
	if name == rein.ServerFamily {
		tool = "agenda.lists_" + string(effect)
	}
	before := f.called(tool)
	run := f.start(user, tool, `{}`)
	ask, info := f.settled(run)
	if ask == nil {
		if f.called(tool) != before || !strings.HasPrefix(info.End().Outcome.Text, "refused") && !strings.Contains(info.End().Outcome.Text, "denied") {
			f.Errorf("%s as %s ended without an ask: %q", tool, user, info.End().Outcome.Text)
		}
		return "-"
	}
	cell := "s"
	if w := f.answer(user, ask, agreed); w.Code != http.StatusOK {
		cell = "a"
		if w.Code != http.StatusForbidden || ask.For != rein.ForAdults || ask.Asker != user || fmt.Sprint(ask.Asked) != "[dad mum owner]" {
			f.Errorf("%s as %s: %d %s for %q by %q of %v", tool, user, w.Code, w.Body, ask.For, ask.Asker, ask.Asked)
		}
		if err := f.direct(user, ask, agreed); rein.CodeOf(err) != rein.CodeForbidden { // as every channel does, past the API
			f.Errorf("%s as %s, past the API: %v", tool, user, err)
		}
		if w := f.answer("dad", ask, agreed); w.Code != http.StatusOK {
			f.Errorf("%s of %s, approved by an adult: %d %s", tool, user, w.Code, w.Body)
		}
	}
	if again, _ := f.settled(run, ask.ID); again != nil || f.called(tool) != before+1 {
		f.Errorf("%s as %s was carried out %d times after the approval", tool, user, f.called(tool)-before)
	}
	return cell
}

// direct answers as a channel does that has no request.
func (f *kin) direct(user string, ask *rein.Ask, answer rein.Answer) error {
	answer.By = user
	_, err := f.Engine.Command(f.Context(), ask.Reply(answer))
	return err
}

// teller404 is a model that nobody calls.
type teller404 struct{}

func (teller404) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "none", Window: 10_000, MaxOutput: 100}
}

func (teller404) Generate(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error) {
	return rein.ModelReply{}, rein.Errorf(rein.CodeUnavailable, "nobody should call this model")
}
