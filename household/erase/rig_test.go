package erase_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/erase"
	"rein/household/memory"
	"rein/household/past"
	"rein/household/people"
	"rein/household/shelf"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/reach"
	"rein/vault/stage"
)

// A house is a real store with people, a vault and an eraser.
type house struct {
	*testing.T
	dir    string
	vault  string
	store  *sqlite.Store
	people *people.People
	desk   *stage.Desk
	eraser *erase.Eraser
	clock  time.Time
	epochs map[rein.RunID]int64
	steps  map[rein.RunID]int
}

var owner = rein.Host()

func member(name string) rein.Identity {
	return rein.Identity{Household: "home", User: name, Role: rein.Member, Scopes: rein.Member.Scopes(), Via: "token:t"}
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{T: t, dir: t.TempDir(), vault: t.TempDir(), clock: time.Now().Add(-time.Hour), epochs: map[rein.RunID]int64{}, steps: map[rein.RunID]int{}}
	h.open()
	h.check(h.people.Begin(t.Context()))
	for _, name := range []string{"ann", "bob"} {
		_, err := h.people.AddUser(t.Context(), owner, name, rein.Member)
		h.check(err)
	}
	return h
}

func (h *house) open() {
	h.Helper()
	s, err := sqlitetest.Open(h, filepath.Join(h.dir, "rein.db"), sqlite.Options{})
	h.check(err)
	h.store = s
	h.Cleanup(func() { s.Close() })
	root, err := os.OpenRoot(h.vault)
	h.check(err)
	h.Cleanup(func() { root.Close() })
	h.desk = stage.New(s, root, stage.Options{Now: func() time.Time { return h.clock }})
	h.people = &people.People{Tables: s}
	h.eraser = &erase.Eraser{Store: s, People: h.people, Background: func(flow string) bool { return flow == "remember" || flow == "summarise" }}
}

func (h *house) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *house) tick() time.Time {
	h.clock = h.clock.Add(time.Second)
	return h.clock
}

// start starts a run of a user in a session, and claims it.
func (h *house) start(id rein.RunID, user, session string, task rein.Task) {
	h.Helper()
	budget := rein.DefaultBudget()
	task.Household, task.User, task.Session = "home", user, session
	if task.Flow == "" {
		task.Flow = "assist"
	}
	if id.Depth() == 0 {
		task.Budget = &budget
	}
	_, _, err := h.store.Start(h.Context(), store.Start{Run: id, At: h.tick(), Claim: true, Digest: rein.Hash{1}, Start: rein.RunStart{Task: task}})
	h.check(err)
	h.epochs[id] = 1
}

// step records a call of a tool and its result, with what it commits.
func (h *house) step(id rein.RunID, name string, args, data any, commit func(context.Context, rein.Tx) error) {
	h.Helper()
	h.steps[id]++
	step := rein.StepKey(fmt.Sprint(h.steps[id]))
	call := rein.ToolCall{ID: name, Name: name, Args: h.json(args)}
	h.append(id,
		store.Draft{Kind: rein.StepStarted, Step: step, At: h.tick(), Data: rein.StepStart{Call: &call}},
		store.Draft{Kind: rein.StepDone, Step: step, At: h.tick(), Data: rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Data: h.json(data)}}, Commit: commit},
	)
}

func (h *house) append(id rein.RunID, drafts ...store.Draft) {
	h.Helper()
	_, err := h.store.Append(h.Context(), store.Batch{Run: id, Epoch: h.epochs[id], Seen: 1 << 40, Drafts: drafts})
	h.check(err)
}

func (h *house) json(v any) json.RawMessage {
	h.Helper()
	if v == nil {
		return nil
	}
	data, err := json.Marshal(v)
	h.check(err)
	return data
}

// end ends a run with a text.
func (h *house) end(id rein.RunID, text string) {
	h.Helper()
	outcome := rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: text}}
	h.append(id, store.Draft{Kind: rein.RunCompleted, At: h.tick(), Data: outcome, Status: rein.Status(rein.EndDone), Outcome: &outcome})
}

// said starts and ends a run in which something was said.
func (h *house) said(id rein.RunID, user, session, text string) {
	h.Helper()
	h.start(id, user, session, task(text))
	h.end(id, text)
}

func task(text string) rein.Task {
	return rein.Task{Messages: []rein.Message{{Role: rein.User, Text: text}}}
}

// items is what a read of what is known returns.
func items(texts ...string) map[string]any {
	list := []map[string]string{}
	for _, text := range texts {
		list = append(list, map[string]string{"text": text})
	}
	return map[string]any{"items": list}
}

// remembers is a background run that learns a memory and a snapshot for the household of another.
func (h *house) remembers(id, of rein.RunID, user, fact, news string) {
	h.Helper()
	h.start(id, user, "background-"+user, rein.Task{Flow: "remember", Settings: h.json(map[string]string{"run": string(of)})})
	args := map[string]any{
		"source": of, "memories": []any{map[string]string{"text": fact}},
		"snapshots": []any{map[string]string{"text": news, "scope": "household"}},
	}
	o, by := memory.Owner{Household: "home", User: user}, memory.Origin{Run: id, Step: "1"}
	h.step(id, "memory.save", args, nil, func(ctx context.Context, tx rein.Tx) error {
		err := memory.SaveMemories(ctx, tx, o, by, []memory.Memory{{Text: fact, Source: of, At: h.clock}})
		if err != nil {
			return err
		}
		return memory.SaveSnapshots(ctx, tx, o, by, []memory.Snapshot{{Text: news, Scope: memory.ForHousehold, Source: of, At: h.clock, Expires: h.clock.Add(24 * time.Hour)}})
	})
	h.end(id, "kept")
}

// sumsUp is a background run that keeps a summary of a session or a day.
func (h *house) sumsUp(id rein.RunID, user string, settings map[string]string, read any, s memory.Summary) {
	h.Helper()
	h.start(id, user, "background-"+user, rein.Task{Flow: "summarise", Settings: h.json(settings)})
	h.step(id, "session.runs", settings, read, nil)
	s.From, s.At = h.clock, h.clock
	h.step(id, "summary.save", s, nil, func(ctx context.Context, tx rein.Tx) error {
		return memory.SaveSummary(ctx, tx, memory.Owner{Household: "home", User: user}, memory.Origin{Run: id, Step: "2"}, s, h.clock)
	})
	h.end(id, "kept")
}

// folds keeps a fold of a session, made by a run.
func (h *house) folds(by rein.RunID, user, session, text string, runs ...rein.RunID) {
	h.Helper()
	f := past.Fold{Digest: rein.Hash{byte(len(runs)), 7}, Runs: runs, Text: text}
	h.step(by, "fold", nil, nil, func(ctx context.Context, tx rein.Tx) error {
		return past.Keep(ctx, tx, rein.Place{Household: "home", User: user, Session: session}, f, past.Origin{Run: by, Step: "9", At: h.clock})
	})
}

// reach is what calls of a session may use.
func (h *house) reach(user, session string) (*rein.Task, rein.Reach) {
	h.Helper()
	of := &rein.Task{Household: "home", User: user, Session: session}
	policy, err := reach.New(reach.Options{Vault: h.vault, Household: "home"})
	h.check(err)
	return of, policy.For(of)
}

// stages stages a note for a run.
func (h *house) stages(id rein.RunID, user, session, path, content string) {
	h.Helper()
	of, may := h.reach(user, session)
	inv := rein.Invocation{Run: id, Step: "1", Key: string(id) + ":1", Task: of, Reach: may}
	_, commit, err := h.desk.Stage(h.Context(), inv, path, func(stage.Note) ([]byte, error) { return []byte(content), nil })
	h.check(err)
	h.step(id, "write_note", map[string]string{"content": content}, nil, commit)
}

// commits writes to the vault what is staged in a session, as a call of a run.
func (h *house) commits(id rein.RunID, user, session string) {
	h.Helper()
	p := rein.Place{Household: "home", User: user, Session: session}
	staged, err := h.desk.List(h.Context(), p)
	h.check(err)
	_, err = h.desk.Commit(h.Context(), p, string(id)+":7", h.desk.Pin(staged))
	h.check(err)
}

// agrees commits what is staged in a session as its user does, without a run.
func (h *house) agrees(user, session string) {
	h.Helper()
	_, may := h.reach(user, session)
	p := stage.Person{Desk: h.desk, Household: "home", User: user, Reach: may}
	draft, err := p.Draft(h.Context(), session)
	h.check(err)
	_, err = p.Commit(h.Context(), session, "", draft.Shown)
	h.check(err)
}

func (h *house) puts(user, session, name, content string) {
	h.Helper()
	_, err := shelf.Shelf{Tables: h.store}.Put(h.Context(), rein.Place{Household: "home", User: user, Session: session}, name, "text/plain", strings.NewReader(content))
	h.check(err)
}

func (h *house) exec(query string, args ...any) {
	h.Helper()
	h.check(h.store.Write(h.Context(), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	}))
}

func (h *house) delivers(id, user string, run rein.RunID, last string) {
	h.Helper()
	h.exec(`INSERT INTO notify_deliveries VALUES (?, 'hook', 'run.ended', 'home', ?, ?, '', 'waiting', 1, 1, 1, 1, ?, 0)`, id, user, string(run), last)
}

// allows keeps a rule that an ask of a run made.
func (h *house) allows(user, session string, ask rein.AskID, scope rein.RuleScope, pattern string) {
	h.Helper()
	at := people.Ground{Household: "home", User: user, Workspace: "default", Session: session}
	asked := rein.Ask{ID: ask, Offers: rein.Offers{Session: []string{pattern}, Always: []string{pattern}}}
	h.check(h.people.KeepRules(h.Context(), at, "command", asked, rein.Answer{Scope: scope, By: user}))
}

// erases lists and erases.
func (h *house) erases(who rein.Identity, t erase.Target) erase.Erasure {
	h.Helper()
	plan, err := h.eraser.Plan(h.Context(), who, t)
	h.check(err)
	done, err := h.eraser.Erase(h.Context(), who, t, plan.Shown)
	h.check(err)
	if done.Shown != plan.Shown {
		h.Errorf("what was erased is not what was listed:\n%+v\n%+v", plan, done)
	}
	return done
}

// names returns the items of a plan, as kind and name.
func names(p erase.Erasure) (all []string) {
	for _, item := range p.Items {
		all = append(all, item.Kind+" "+item.Name)
	}
	return all
}

// runsOf returns the runs of a plan.
func runsOf(p erase.Erasure) (all []string) {
	for _, item := range p.Items {
		if item.Kind == "run" {
			all = append(all, item.Name)
		}
	}
	slices.Sort(all)
	return all
}

// everywhere returns the files of the store that hold a text, byte by byte. The write-ahead log and the
// pages that are not used any more are searched too.
func (h *house) everywhere(text string) (found []string) {
	h.Helper()
	files, err := os.ReadDir(h.dir)
	h.check(err)
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(h.dir, f.Name()))
		h.check(err)
		if bytes.Contains(data, []byte(text)) {
			found = append(found, f.Name())
		}
	}
	return found
}

// inTables returns the columns that hold a text, of all tables there are.
func (h *house) inTables(text string) (found []string) {
	h.Helper()
	h.check(h.store.Read(h.Context(), func(ctx context.Context, q store.Query) error {
		columns, err := strings2(ctx, q, `SELECT m.name, p.name FROM sqlite_schema m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`)
		for _, c := range columns {
			if err != nil {
				return err
			}
			var hits [][2]string
			hits, err = strings2(ctx, q, fmt.Sprintf(`SELECT '', '' FROM %s WHERE instr(CAST(%q AS BLOB), CAST(? AS BLOB)) > 0`, c[0], c[1]), text)
			if len(hits) > 0 {
				found = append(found, c[0]+"."+c[1])
			}
		}
		return err
	}))
	return found
}

func strings2(ctx context.Context, q store.Query, query string, args ...any) (all [][2]string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var pair [2]string
		if err := rows.Scan(&pair[0], &pair[1]); err != nil {
			return nil, err
		}
		all = append(all, pair)
	}
	return all, rows.Err()
}

// sound wants every chain and account to be what it should be, and a head from before to hold.
func (h *house) sound(head rein.Hash) {
	h.Helper()
	h.check(h.store.Audit(h.Context(), func(v store.Verdict) error {
		if len(v.Wrong) > 0 {
			h.Errorf("run %s: %q", v.Run, v.Wrong)
		}
		return nil
	}))
	wrong, err := h.store.VerifyAccounts(h.Context())
	if err != nil || len(wrong) > 0 {
		h.Errorf("accounts: %q %v", wrong, err)
	}
	verdict, err := people.Verify(h.Context(), h.store)
	if err != nil || len(verdict.Wrong) > 0 {
		h.Errorf("people: %q %v", verdict.Wrong, err)
	}
	if head != (rein.Hash{}) {
		if _, wrong, err := h.store.VerifyHead(h.Context(), head); err != nil || len(wrong) > 0 {
			h.Errorf("head: %q %v", wrong, err)
		}
	}
}

func (h *house) head() rein.Hash {
	h.Helper()
	made, err := h.store.Checkpoint(h.Context(), time.Now())
	h.check(err)
	return made.Head
}
