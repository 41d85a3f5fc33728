package server_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/flow"
	"rein/follow/deliver/desk"
	"rein/follow/deliver/push"
	"rein/follow/hook"
	"rein/follow/telemetry"
	"rein/household/agenda"
	"rein/household/channels"
	"rein/household/erase"
	"rein/household/feedback"
	"rein/household/lists"
	"rein/household/memory"
	"rein/household/page"
	"rein/household/people"
	"rein/household/post"
	"rein/household/recall"
	"rein/household/schedule"
	"rein/household/secrets"
	"rein/household/shelf"
	"rein/server"
	"rein/server/access"
	"rein/server/dialect/assist"
	"rein/server/dialect/explore"
	"rein/server/dialect/strict"
	"rein/store"
	"rein/web"
)

// A house is a rig behind the checks of a network, with everything that rein serve mounts and people
// of two households.
type house struct {
	*rig
	access  *access.Access
	sealed  *secrets.Store
	hooks   *hook.Hooks
	outside http.Handler
	log     *logged
	made    int
}

// logged keeps what the server logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// plenty never refuses anyone for sending too much.
var plenty = access.Rate{PerSecond: 1e6, Burst: 1e6}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{rig: newRig(t), log: &logged{}}
	log := slog.New(slog.NewTextHandler(h.log, nil))
	var err error
	h.access, err = access.New(access.Options{
		People: h.people, Listen: "127.0.0.1:7717", Log: log,
		Limits: access.Limits{User: plenty, Credential: plenty, Stranger: plenty, Failure: plenty, Open: 1 << 20},
	})
	check(t, err)
	t.Cleanup(h.access.Close)
	kept, book := &shelf.Shelf{Tables: h.store}, h.book()
	h.sealed = &secrets.Store{Tables: h.store, Keys: secrets.NewKeys(h.dir, ""), People: h.people}
	h.hooks = hook.New(hook.Options{Store: h.store, Secrets: h.sealed, Book: book, Who: h.people.Reached})
	h.outside = h.access.Wrap(server.New(server.Options{
		Agenda: agendaOf(h.store),
		Memory: &recall.Book{Tables: h.store, Find: &recall.Finder{}},
		Page:   &page.Book{Tables: h.store}, Feedback: &feedback.Book{Tables: h.store}, Lists: &lists.Book{Tables: h.store}, Jobs: &schedule.Desk{Tables: h.store}, Live: h.hints, Tables: h.store, Again: again{h.forks, h.rig},
		Engine: h.engine, Store: h.store, Feed: h.feed, Who: h.access.Who, CSRF: h.access.CSRF, People: h.people, Shelf: kept, Secrets: h.sealed, Log: log, Accounts: h.store, Checkpoints: h.store, Verifier: h.store, Eraser: &erase.Eraser{Store: h.store, People: h.people, Background: flow.Kinds().IsBackground}, Ceiling: rein.MaxBudget(),
		Health:   func() api.Health { return api.Health{Version: "test", Data: h.dir, PID: 1234567} },
		Messages: &post.Book{Tables: h.store}, Channels: &book, Desk: h.desk(), Pairing: codes{}, Hooks: h.hooks,
		Mounts: h.mounts(log),
	}))
	t.Cleanup(func() {
		if text := h.log.String(); strings.Contains(text, "panic") || strings.Contains(text, "level=ERROR") {
			t.Errorf("the log has\n%s", text)
		}
	})
	for name, role := range map[string]rein.UserRole{"ann": rein.Member, "bob": rein.Member, "vic": rein.Viewer, "bot": rein.Service, "dan": rein.Member, "kim": rein.Child, "gus": rein.Guest} {
		_, err := h.people.AddUser(t.Context(), rein.Host(), name, role)
		check(t, err)
	}
	_, err = h.people.AddHousehold(t.Context(), rein.Host(), "away", "eve")
	check(t, err)
	return h
}

// mounts are what rein serve has beside the API.
func (h *house) mounts(log *slog.Logger) []server.Mount {
	assistant := assist.New(assist.Options{
		Engine: h.engine, Store: h.store, Feed: h.feed, Log: log,
		SessionFor: func(_ context.Context, who rein.Identity) (string, error) {
			return "chat-" + who.Household + "-" + who.User, nil
		},
	})
	var all []server.Mount
	for _, at := range web.Paths() {
		all = append(all, server.Mount{Pattern: at, Handler: web.Handler()})
	}
	return append(all, []server.Mount{
		{Pattern: "/login", Handler: h.access.Login()},
		{Pattern: "/join", Handler: h.access.Join()},
		{Pattern: "/pair", Handler: h.access.Pair()},
		{Pattern: "/logout", Handler: h.access.Logout()},
		{Pattern: "/ws", Needs: rein.ScopeRead, Handler: strict.New(strict.Options{Engine: h.engine, Store: h.store, Watcher: h.store, Feed: h.feed})},
		{Pattern: "/agent/", Needs: rein.ScopeRead, Handler: explore.New(explore.Options{Engine: h.engine, Store: h.store, Feed: h.feed, Log: log})},
		{Pattern: "/chat", Needs: rein.ScopeRead, Handler: assistant},
		{Pattern: "/chat/", Needs: rein.ScopeRead, Handler: assistant},
		{Pattern: "/metrics", Needs: rein.ScopeAdmin, Operators: true, Handler: telemetry.NewMetrics(telemetry.MetricsOptions{Views: h.store, Followers: h.feed.Followers, Version: "test"}).Handler()},
	}...)
}

// A visitor is someone who sends requests.
type visitor struct {
	name    string
	who     rein.Identity // nobody, if they are not recognised
	headers []string      // by which they are recognised, name and value in turn
}

func (v visitor) known() bool { return v.who.User != "" }

func (v visitor) browser() bool { return strings.HasPrefix(v.who.Via, "browser:") }

// token is the visitor with a new token of a user.
func (h *house) token(household, user string, scopes ...rein.Scope) visitor {
	h.Helper()
	text, _, err := h.people.NewToken(h.Context(), ownerOf(household), people.TokenRequest{User: user, Label: "matrix", Scopes: scopes})
	check(h, err)
	who, err := h.people.Identify(h.Context(), text)
	check(h, err)
	v := visitor{who: who, headers: []string{"Authorization", "Bearer " + text}}
	v.name = fmt.Sprintf("%s as %s with %v", user, who.Role, who.Scopes)
	return v
}

func ownerOf(household string) rein.Identity {
	owner := rein.Host()
	if household != owner.Household {
		owner.Household, owner.User = household, "eve"
	}
	return owner
}

// browser is the visitor with a browser that was logged in just now.
func (h *house) browser(user string) visitor {
	h.Helper()
	link, err := h.people.NewLoginLink(h.Context(), rein.Host(), user)
	check(h, err)
	cookie, who, err := h.people.UseLoginLink(h.Context(), link, "")
	check(h, err)
	return visitor{name: user + "'s browser", who: who, headers: []string{
		"Cookie", "rein_session=" + cookie, "X-CSRF-Token", people.CSRF(cookie), "Origin", "http://localhost:7717",
	}}
}

// strangers are those whom nobody should recognise.
func (h *house) strangers() []visitor {
	h.Helper()
	bearer := func(name, text string) visitor {
		return visitor{name: name, headers: []string{"Authorization", "Bearer " + text}}
	}
	past := &people.People{Tables: h.store, Now: func() time.Time { return time.Now().Add(-2 * time.Hour) }}
	expired, _, err := past.NewToken(h.Context(), rein.Host(), people.TokenRequest{User: "ann", Label: "old", Life: time.Minute})
	check(h, err)
	revoked, token, err := h.people.NewToken(h.Context(), rein.Host(), people.TokenRequest{User: "ann", Label: "gone"})
	check(h, err)
	check(h, h.people.RevokeToken(h.Context(), rein.Host(), token.ID))
	disabled, _, err := h.people.NewToken(h.Context(), rein.Host(), people.TokenRequest{User: "dan", Label: "dan's"})
	check(h, err)
	check(h, h.people.DisableUser(h.Context(), rein.Host(), "dan"))
	ann := h.browser("ann")
	return []visitor{
		{name: "nobody"},
		bearer("a bad token", "rein_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbb"),
		bearer("no token at all", "'; DROP TABLE tokens; --"),
		bearer("an expired token", expired),
		bearer("a revoked token", revoked),
		bearer("a disabled user", disabled),
		{name: "two tokens", headers: []string{"Authorization", "Bearer " + revoked, "Authorization", "Bearer " + expired}},
		{name: "two cookies", headers: append([]string{"Cookie", "rein_session=x"}, ann.headers...)},
	}
}

// visitors are all kinds of people who are recognised.
func (h *house) visitors() []visitor {
	h.Helper()
	return []visitor{
		h.token("home", "ann"), h.token("home", "ann", rein.ScopeRead), h.token("home", "ann", rein.ScopeAct), h.token("home", "ann", rein.ScopeAnswer),
		h.browser("ann"), h.token("home", "bob"), h.browser("bob"), h.token("home", "vic"), h.browser("vic"), h.token("home", "bot"),
		h.token("home", "kim"), h.token("home", "gus"),
		h.token("home", "owner"), h.token("home", "owner", rein.ScopeRead), h.token("home", "owner", rein.ScopeAct), h.token("home", "owner", rein.ScopeAnswer),
		h.token("home", "owner", rein.ScopeAdmin), h.token("home", "owner", rein.ScopeRead, rein.ScopeAnswer), h.browser("owner"), h.token("away", "eve"),
	}
}

// send sends a request as it is; one that is not answered soon is cut off.
func (h *house) send(v visitor, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	h.Helper()
	ctx, cancel := context.WithTimeout(h.Context(), patience)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	r.Host = "localhost:7717"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	all := slices.Concat(v.headers, headers)
	for i := 0; i+1 < len(all); i += 2 {
		r.Header.Add(all[i], all[i+1])
	}
	w := httptest.NewRecorder()
	h.outside.ServeHTTP(w, r)
	return w
}

// secret is in everything of ann's that only some may read, and mark in the names of it.
const (
	secret = "xyzzy"
	mark   = "zebra"
)

// Things are what ann has.
type things struct {
	run, child, done rein.RunID
	ask              rein.AskID
	shown            string // by the ask
	session, file    string
	token            string // its ID
	rule             string // its ID
	job              string // its ID
	list, own        string // the IDs of lists: one that the household shares, and one of ann's alone
	memory, told     string // the IDs of memories of ann's: one that is hers alone, and one for everyone at home
	channel, message string // their IDs
	event, secretly  string // the IDs of events: one that the household sees, and one of ann's alone
	hook             string
}

// things makes new ones of ann's.
func (h *house) things() things {
	h.Helper()
	h.made++
	name := fmt.Sprintf("%s%d", mark, h.made)
	a := things{run: rein.RunID(name), child: rein.RunID(name + ".1"), done: rein.RunID(name + "d"), session: name + "s", file: name + ".txt"}
	a.ask = rein.NewAskID(a.child, "1.ask")
	child := task("ask", secret)
	child.Settings = []byte(`{"question":{"text":"` + secret + ` which colour?"}}`)
	parent := family(h.T, child)
	parent.Messages[0].Text = secret + " title"
	chat := task("chat", secret+" said")
	start := func(id rein.RunID, task rein.Task) {
		task.Household, task.User, task.Session = "home", "ann", a.session
		_, err := h.engine.Start(h.Context(), id, task)
		check(h, err)
	}
	start(a.run, parent)
	start(a.done, chat) // the last of its session, so that it can be erased alone
	follow(h.T, h.Client, a.done, followAll).wantEnd()
	f := follow(h.T, h.Client, a.run, client.FollowOptions{Tree: true})
	parked := map[rein.RunID]bool{}
	for !parked[a.run] || !parked[a.child] {
		e := f.until("park", func(l api.Line) bool { return l.Event != nil && l.Event.Kind == rein.RunParked }).Event
		parked[e.Run] = true
	}
	f.cancel()
	_, err := (&shelf.Shelf{Tables: h.store}).Put(h.Context(), rein.Place{Household: "home", User: "ann", Session: a.session}, a.file, "text/plain", strings.NewReader(secret+" file"))
	check(h, err)
	_, token, err := h.people.NewToken(h.Context(), rein.Host(), people.TokenRequest{User: "ann", Label: secret + " label"})
	check(h, err)
	a.token = token.ID
	ask, err := h.store.Ask(h.Context(), a.ask)
	check(h, err)
	a.shown = ask.Shown
	a.rule = h.allows(a)
	a.job = h.newJob(name + " job")
	a.memory, a.told = h.remembers(name, memory.ForUser), h.remembers(name, memory.ForHousehold)
	a.list, a.own = h.newList(name+" list", false), h.newList(name+" own list", true)
	a.channel, a.message = h.reached(name)
	a.event, a.secretly = h.newEvent(name+"-shared", true), h.newEvent(name+"-secretly", false)
	made, _, err := h.hooks.Add(h.Context(), rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes()}, secret, "https://example.org/"+name, true)
	check(h, err)
	a.hook = made.ID
	check(h, h.sealed.Put(h.Context(), secrets.Owner{Household: "home", User: "ann"}, mark+"key", []byte(secret)))
	return a
}

// newJob makes a job of ann's, and returns its ID.
func (h *house) newJob(name string) string {
	h.Helper()
	ann := schedule.Owner{Household: "home", User: "ann"}
	check(h, h.store.Write(h.Context(), func(ctx context.Context, tx rein.Tx) error { return schedule.EraseUser(ctx, tx, "home", "ann") })) // the day's limit
	desk := schedule.Desk{Tables: h.store}
	j, err := desk.Add(h.Context(), ann, schedule.IDOfKey(ann, name), schedule.Want{Every: "366d", Text: secret + " job", Label: name})
	check(h, err)
	return j.ID
}

// dropJob removes a job of ann's, if it is still there.
func (h *house) dropJob(id string) {
	h.Helper()
	desk := schedule.Desk{Tables: h.store}
	if err := desk.Remove(h.Context(), schedule.Owner{Household: "home", User: "ann"}, id); rein.CodeOf(err) != rein.CodeNotFound {
		check(h, err)
	}
}

// remembers makes a memory of ann's, and returns its ID.
func (h *house) remembers(name string, scope memory.Scope) string {
	h.Helper()
	book := recall.Book{Tables: h.store, Find: &recall.Finder{}}
	m, err := book.Add(h.Context(), memory.Owner{Household: "home", User: "ann"}, memory.Memory{Text: secret + " " + name, About: name, Scope: scope})
	check(h, err)
	return m.ID
}

// forgets forgets a memory of ann's, if it is still there: a user may have only so many.
func (h *house) forgets(id string) {
	h.Helper()
	book := recall.Book{Tables: h.store, Find: &recall.Finder{}}
	if _, err := book.Forget(h.Context(), memory.Owner{Household: "home", User: "ann"}, id, ""); rein.CodeOf(err) != rein.CodeNotFound {
		check(h, err)
	}
}

// newList makes a list of ann's with an item, and returns its ID.
func (h *house) newList(name string, private bool) string {
	h.Helper()
	ann := lists.Who{Household: "home", User: "ann"}
	l, err := lists.Book{Tables: h.store}.Write(h.Context(), func(ctx context.Context, tx rein.Tx, at time.Time) (lists.List, error) {
		l, err := lists.Create(ctx, tx, ann, lists.Origin{Step: name}, lists.New{Name: name, Private: private}, at)
		if err != nil {
			return l, err
		}
		return lists.Add(ctx, tx, ann, lists.Origin{Step: name}, l.ID, []lists.Addition{{Text: secret + " item"}}, at)
	})
	check(h, err)
	return l.ID
}

// newEvent puts an event into ann's agenda, and returns its ID.
func (h *house) newEvent(id string, shared bool) string {
	h.Helper()
	book := agenda.Book{Tables: h.store}
	e, err := agenda.Draft{Title: secret + " party", Start: "2026-11-24T09:00", Shared: shared}.Event(agenda.Owner{Household: "home", User: "ann"}, "UTC")
	check(h, err)
	e.ID, e.UID = id, id
	check(h, book.Write(h.Context(), func(ctx context.Context, tx rein.Tx) error { return book.Add(ctx, tx, e) }))
	return id
}

// dropList removes a list of ann's, if it is still there: a household may have only so many.
func (h *house) dropList(id string) {
	h.Helper()
	_, err := lists.Book{Tables: h.store}.Write(h.Context(), func(ctx context.Context, tx rein.Tx, _ time.Time) (lists.List, error) {
		return lists.Delete(ctx, tx, lists.Who{Household: "home", User: "ann"}, id, false)
	})
	if rein.CodeOf(err) != rein.CodeNotFound {
		check(h, err)
	}
}

// reached gives ann a channel and a message, and returns their IDs.
func (h *house) reached(name string) (channel, message string) {
	h.Helper()
	c, err := h.book().Put(h.Context(), channels.Channel{Household: "home", User: "ann", Kind: channels.Mail, Address: name + "@example.org", Label: secret})
	check(h, err)
	check(h, h.store.Write(h.Context(), func(ctx context.Context, tx rein.Tx) error {
		return post.Put(ctx, tx, post.Message{ID: name, Household: "home", User: "ann", Kind: post.Reminder, Text: secret + " said", At: time.Now()})
	}))
	return c.ID, name
}

// book is where channels are kept.
func (h *house) book() channels.Book { return channels.Book{Tables: h.store} }

// codes are those of a bot that makes the same one for everybody.
type codes struct{}

func (codes) NewCode(context.Context, rein.Identity) (api.PairingCode, error) {
	return api.PairingCode{Code: "ABCD-2345", Bot: "ReinBot"}, nil
}

// desk is where people arrange their channels. It has no mail server.
func (h *house) desk() *desk.Desk {
	return &desk.Desk{
		Book: h.book(), Home: func() (string, *time.Location) { return "en", time.UTC }, Push: push.New(push.Options{Keys: &memoryBox{}}),
	}
}

// A memoryBox keeps the key of web push.
type memoryBox struct {
	mu    sync.Mutex
	value []byte
}

func (b *memoryBox) Get(context.Context) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.value == nil {
		return nil, rein.Errorf(rein.CodeNotFound, "there is no key yet")
	}
	return b.value, nil
}

func (b *memoryBox) Put(_ context.Context, value []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.value = value
	return nil
}

// allows makes a rule of ann's, and returns its ID.
func (h *house) allows(a things) string {
	h.Helper()
	offer := rein.Ask{ID: a.ask, Offers: rein.Offers{Always: []string{secret + " " + string(a.run)}}}
	at := people.Ground{Household: "home", User: "ann", Workspace: mark + "place"}
	check(h, h.people.KeepRules(h.Context(), at, "command", offer, rein.Answer{Scope: rein.ScopeAlways, By: "ann"}))
	rules, _, err := h.people.ListRules(h.Context(), rein.Host(), people.RuleFilter{User: "ann"})
	check(h, err)
	return rules[len(rules)-1].ID
}

// quiet waits until no run is driven or is to be, so that nothing is written by itself.
func (h *house) quiet() {
	h.Helper()
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		due, _, err := h.store.Due(h.Context(), time.Now(), 1)
		check(h, err)
		for info, err := range h.store.Runs(h.Context(), store.Filter{Unfinished: true}) {
			check(h, err)
			if info.Status == rein.StatusReady || info.Status == rein.StatusRunning {
				due = append(due, info.ID)
			}
		}
		if len(due) == 0 && h.engine.Live() == 0 {
			return
		}
		if time.Now().After(deadline) {
			h.Fatalf("%d runs are still driven, %v are due", h.engine.Live(), due)
		}
	}
}

// unmark tells when credentials were last used, which is no change that anyone wants.
var unmark = []string{"last_used", "last_seen"}

// print is a digest of all that the store has, by table.
func (h *house) print() map[string][32]byte {
	h.Helper()
	all := map[string][32]byte{}
	err := h.store.Read(h.Context(), func(ctx context.Context, q store.Query) error {
		var tables []string
		if err := each(ctx, q, `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`, func(_ []string, row []any) {
			tables = append(tables, fmt.Sprint(row[0]))
		}); err != nil {
			return err
		}
		for _, table := range tables {
			sum := sha256.New()
			if err := each(ctx, q, `SELECT * FROM `+table, func(columns []string, row []any) {
				for i, column := range columns {
					if !slices.Contains(unmark, column) {
						fmt.Fprintf(sum, "%v|", row[i])
					}
				}
			}); err != nil {
				return err
			}
			all[table] = [32]byte(sum.Sum(nil))
		}
		return nil
	})
	check(h, err)
	if len(all) < 10 {
		h.Fatalf("the store has only the tables %v", all)
	}
	return all
}

func each(ctx context.Context, q store.Query, query string, see func(columns []string, row []any)) error {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range row {
			if raw, ok := v.(sql.RawBytes); ok {
				row[i] = string(raw)
			}
		}
		see(columns, row)
	}
	return rows.Err()
}

// form sends the form of the login page.
func (h *house) form(target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", target, strings.NewReader(body))
	r.Host = "localhost:7717"
	r.Header.Set("Origin", "http://localhost:7717")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.outside.ServeHTTP(w, r)
	return w
}
