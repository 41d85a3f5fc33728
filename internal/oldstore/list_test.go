package oldstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/household/memory"
	"rein/household/people"
	"rein/household/shelf"
	"rein/store"
	"rein/vault/stage"
)

// list writes down what is in the store, by way of what the program reads it with: runs with their
// logs' heads and kinds of events, asks, sessions, people, files, memories, staged changes, usage.
func (h *house) list() string {
	h.Helper()
	var b strings.Builder
	for _, part := range []func(*strings.Builder){
		h.listRuns, h.listAsks, h.listSessions, h.listPeople, h.listFiles, h.listMemories, h.listStaged, h.listRows,
	} {
		part(&b)
		b.WriteString("\n")
	}
	return b.String()
}

// runs returns all runs, oldest first.
func (h *house) runs() (all []rein.RunInfo) {
	h.Helper()
	for info, err := range h.store.Runs(context.Background(), store.Filter{}) {
		h.check(err)
		all = append(all, info)
	}
	return all
}

func (h *house) log(run rein.RunID) (log []rein.Event) {
	h.Helper()
	for e, err := range h.store.Events(context.Background(), run, 0) {
		h.check(err)
		log = append(log, e)
	}
	return log
}

// pending lists the asks of a tree that are open; of all if it names none.
func (h *house) pending(tree rein.RunID) []rein.Ask {
	h.Helper()
	asks, err := h.store.Asks(context.Background(), store.AskFilter{Tree: tree, Pending: true})
	h.check(err)
	return asks
}

func (h *house) listRuns(b *strings.Builder) {
	for _, r := range h.runs() {
		verdict, err := h.store.Verify(context.Background(), r.ID)
		h.check(err)
		fmt.Fprintf(b, "run %s: %s %s, %s of %s, session %s, epoch %d, title %q, ending %q, erased %v\n",
			r.ID, r.Flow, r.Status, r.User, r.Household, r.Session, r.Epoch, r.Title, r.Ending, r.Erased)
		fmt.Fprintf(b, "  %d events, %d erased, head %s, wrong %q\n ", verdict.Events, verdict.Erased, verdict.Head, verdict.Wrong)
		if r.ID.Depth() == 0 {
			ledger, err := h.store.Ledger(context.Background(), r.ID)
			h.check(err)
			used, err := json.Marshal(ledger)
			h.check(err)
			fmt.Fprintf(b, " ledger %s\n ", used)
		}
		for _, e := range h.log(r.ID) {
			fmt.Fprintf(b, " %s", strings.TrimPrefix(string(e.Kind)+":"+string(e.Step), "step."))
		}
		if r.Outcome != nil {
			fmt.Fprintf(b, "\n  outcome %s %q", r.Outcome.End, r.Outcome.Text)
		}
		b.WriteString("\n")
	}
}

func (h *house) listAsks(b *strings.Builder) {
	asks, err := h.store.Asks(context.Background(), store.AskFilter{})
	h.check(err)
	for _, a := range asks {
		fmt.Fprintf(b, "ask %s: %s %s %q, choices %q, shown %s, answer %s %q by %q, deadline %v\n",
			a.ID, a.Kind, a.State, a.Text, a.Choices, a.Shown, a.Answer.State, a.Answer.Text, a.Answer.By, !a.Deadline.IsZero())
	}
}

func (h *house) listSessions(b *strings.Builder) {
	for s, err := range h.store.Sessions(context.Background(), store.SessionFilter{}) {
		h.check(err)
		fmt.Fprintf(b, "session %s: %s of %s, %d runs, active %q\n", s.ID, s.User, s.Household, s.Runs, s.Active)
	}
}

// identities are those who see everything of their household.
func identities() []rein.Identity {
	zoe := rein.Host()
	zoe.Household, zoe.User = "lake", "zoe"
	return []rein.Identity{rein.Host(), zoe}
}

// then is the people of the store on the day of the record: credentials do not last.
func (h *house) then() *people.People {
	recorded := h.runs()[0].Started.Add(time.Minute)
	return &people.People{Tables: h.store, Now: func() time.Time { return recorded }}
}

func (h *house) listPeople(b *strings.Builder) {
	ctx, people := context.Background(), h.then()
	for _, who := range identities() {
		list, err := people.ListUsers(ctx, who)
		h.check(err)
		for _, u := range list {
			fmt.Fprintf(b, "user %s of %s: %s since %s, disabled %v\n", u.Name, u.Household, u.Role, at(u.Created), !u.Disabled.IsZero())
		}
		tokens, err := people.ListTokens(ctx, who)
		h.check(err)
		for _, t := range tokens {
			fmt.Fprintf(b, "token %s of %s: %q %v until %s, revoked %v\n", t.ID, t.User, t.Label, t.Scopes, at(t.Expires), !t.Revoked.IsZero())
		}
		changes, err := people.Changes(ctx, who, 0, 100)
		h.check(err)
		for _, c := range changes {
			fmt.Fprintf(b, "change %d: %s by %s on %s: %q\n", c.N, c.What, c.By, c.On, c.Detail)
		}
	}
}

func at(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func (h *house) listFiles(b *strings.Builder) {
	ctx := context.Background()
	kept := shelf.Shelf{Tables: h.store}
	for s, err := range h.store.Sessions(ctx, store.SessionFilter{}) {
		h.check(err)
		place := rein.Place{Household: s.Household, User: s.User, Session: s.ID}
		files, err := kept.List(ctx, place)
		h.check(err)
		for _, f := range files {
			_, data, err := kept.Get(ctx, place, f.Name, 0, 1<<20)
			h.check(err)
			whole := fmt.Sprintf("%x", sha256.Sum256(data)) == f.SHA256
			fmt.Fprintf(b, "file %s of %s: %s, text %v, %d bytes, version %d, whole %v\n", f.Name, s.ID, f.Type, f.Text, f.Size, f.Version, whole)
		}
	}
}

// listMemories looks from the day of the record, since snapshots do not last.
func (h *house) listMemories(b *strings.Builder) {
	recorded := h.runs()[0].Started
	for _, o := range []memory.Owner{{Household: "home", User: "ann"}, {Household: "home", User: "bob"}, {Household: "lake", User: "zoe"}} {
		h.check(h.store.Read(context.Background(), func(ctx context.Context, q store.Query) error {
			memories, err := memory.Memories(ctx, q, o)
			h.check(err)
			for _, m := range memories {
				fmt.Fprintf(b, "memory of %s: %s %q from %s\n", o.User, m.Kind, m.Text, m.Source)
			}
			snapshots, err := memory.Snapshots(ctx, q, o, recorded)
			h.check(err)
			for _, s := range snapshots {
				fmt.Fprintf(b, "snapshot for %s: %s %q from %s\n", o.User, s.Scope, s.Text, s.Source)
			}
			preferences, err := memory.Preferences(ctx, q, o)
			h.check(err)
			for _, p := range preferences {
				fmt.Fprintf(b, "preference of %s: %s %q\n", o.User, p.Name, p.Value)
			}
			summaries, err := memory.SummariesBetween(ctx, q, o, recorded.AddDate(0, 0, -1), recorded.AddDate(0, 0, 1))
			h.check(err)
			for _, s := range summaries {
				fmt.Fprintf(b, "summary of %s: %s %s %q\n", o.User, s.Kind, s.About, s.Text)
			}
			return nil
		}))
	}
}

func (h *house) listStaged(b *strings.Builder) {
	ctx := context.Background()
	desk := stage.New(h.store, h.root, stage.Options{Allow: h.library.Allows})
	for s, err := range h.store.Sessions(ctx, store.SessionFilter{}) {
		h.check(err)
		staged, err := desk.List(ctx, rein.Place{Household: s.Household, User: s.User, Session: s.ID})
		h.check(err)
		if len(staged) > 0 {
			fmt.Fprintf(b, "staged in %s: %s\n%s", s.ID, stage.ID(staged), stage.Diff(staged, 10_000))
		}
	}
}

// listRows counts what no part of the program lists.
func (h *house) listRows(b *strings.Builder) {
	for _, query := range []string{
		`SELECT 'login link of ' || user_name || ', used ' || (used > 0), COUNT(*) FROM login_links GROUP BY 1 ORDER BY 1`,
		`SELECT 'browser of ' || user_name || ', revoked ' || (revoked > 0), COUNT(*) FROM browsers GROUP BY 1 ORDER BY 1`,
		`SELECT 'delivery to ' || target || ' of ' || kind, COUNT(*) FROM notify_deliveries GROUP BY 1 ORDER BY 1`,
		`SELECT 'commit of notes ' || id || ', ' || state, COUNT(*) FROM note_commits GROUP BY 1 ORDER BY 1`,
		`SELECT 'act ' || kind, COUNT(*) FROM events WHERE kind LIKE 'command.%' OR kind LIKE 'run.%' GROUP BY 1 ORDER BY 1`,
	} {
		h.check(h.store.Read(context.Background(), func(ctx context.Context, q store.Query) error {
			rows, err := q.QueryContext(ctx, query)
			if err != nil {
				return err
			}
			defer rows.Close()
			return writeRows(b, rows)
		}))
	}
}

func writeRows(b *strings.Builder, rows *sql.Rows) error {
	for rows.Next() {
		var what string
		var count int
		if err := rows.Scan(&what, &count); err != nil {
			return err
		}
		fmt.Fprintf(b, "%s: %d\n", what, count)
	}
	return rows.Err()
}
