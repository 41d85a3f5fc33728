package deliver_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/household/channels"
	"rein/household/post"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// A house is a store with people, and a post office that brings them messages. It is made inside of a bubble, whose clock
// only goes on when everyone waits.
type house struct {
	t     *testing.T
	path  string
	store *sqlite.Store
	book  channels.Book
	mail  *fake
	chat  *fake
	stop  func()
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, path: filepath.Join(t.TempDir(), "rein.db"), mail: &fake{name: "mail"}, chat: &fake{name: "telegram"}, stop: func() {}}
	h.open()
	return h
}

func (h *house) open() {
	h.t.Helper()
	s, err := sqlitetest.Open(h.t, h.path, sqlite.Options{})
	check(h.t, err)
	h.store, h.book = s, channels.Book{Tables: s}
}

func (h *house) close() {
	h.t.Helper()
	h.stop()
	check(h.t, h.store.Close())
}

// serve begins to deliver, to mail and to chats.
func (h *house) serve(own ...deliver.Channel) {
	h.t.Helper()
	if own == nil {
		own = []deliver.Channel{h.mail, h.chat}
	}
	p := deliver.New(deliver.Options{Store: h.store, Channels: own, Link: func(m post.Message) string { return "https://rein.example/" + m.Session }})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx) }()
	h.stop = func() {
		h.t.Helper()
		cancel()
		check(h.t, <-done)
		h.stop = func() {}
	}
	synctest.Wait()
}

// channel gives a user a channel that works.
func (h *house) channel(user string, kind channels.Kind, address string) channels.Channel {
	h.t.Helper()
	c, err := h.book.Put(context.Background(), channels.Channel{Household: "home", User: user, Kind: kind, Address: address, Verified: time.Now()})
	check(h.t, err)
	return c
}

// put writes a message, as whoever makes one does.
func (h *house) put(id, user, text string, urgent bool) {
	h.t.Helper()
	check(h.t, h.store.Write(context.Background(), func(ctx context.Context, tx rein.Tx) error {
		return post.Put(ctx, tx, post.Message{ID: id, Household: "home", User: user, Kind: post.Reminder, Text: text, Session: "s", Urgent: urgent, At: time.Now()})
	}))
}

// ask has a new run of a user ask something.
func (h *house) ask(run rein.RunID, user, whom string) rein.Ask {
	h.t.Helper()
	budget := rein.DefaultBudget()
	_, _, err := h.store.Start(context.Background(), store.Start{Run: run, At: time.Now(), Claim: true, Start: rein.RunStart{Task: rein.Task{
		Flow: "task", Household: "home", User: user, Session: "s-" + string(run), Budget: &budget,
		Messages: []rein.Message{{Role: rein.User, Text: "Remind me."}},
	}}})
	check(h.t, err)
	ask := rein.Ask{
		ID: rein.NewAskID(run, "1.ask"), Run: run, Step: "1", Kind: rein.AskApproval, Text: "Shall I add 'dentist'?",
		Call: &rein.ToolCall{ID: "c", Name: "cron.add"}, Shown: rein.ShownMark + "1", For: whom, State: rein.AskPending, Opened: time.Now().UTC(),
	}
	if whom == rein.ForAdults {
		ask.Asker, ask.Asked = user, []string{"ann", "bob"}
	}
	_, err = h.store.Append(context.Background(), store.Batch{Run: run, Epoch: 1, Drafts: []store.Draft{{Kind: rein.AskOpened, Step: "1.ask", At: time.Now(), Data: &ask, Opens: &ask}}})
	check(h.t, err)
	return ask
}

func (h *house) answer(ask rein.Ask, by string) {
	h.t.Helper()
	c := ask.Reply(rein.Answer{State: rein.AskApproved, By: by})
	c.Key = "k"
	_, err := h.store.Command(context.Background(), c, time.Now())
	check(h.t, err)
}

// states lists the deliveries of a user: message, state and tries.
func (h *house) states(user string) string {
	h.t.Helper()
	var all []string
	check(h.t, h.store.Read(context.Background(), func(ctx context.Context, q store.Query) error {
		found, err := deliver.Of(ctx, q, "home", user, 100)
		for _, d := range found {
			all = append(all, fmt.Sprintf("%s %s %d", d.Message, d.State, d.Tries))
		}
		return err
	}))
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// A fake is a channel that notes what it gets, and answers as it is told.
type fake struct {
	name string
	mu   sync.Mutex
	got  []deliver.Message
	to   []deliver.To
	fail func(deliver.Message) error
	slow time.Duration
}

func (f *fake) Name() string { return f.name }

func (f *fake) Send(ctx context.Context, to deliver.To, m deliver.Message) (string, error) {
	if f.slow > 0 {
		select {
		case <-time.After(f.slow):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got, f.to = append(f.got, m), append(f.to, to)
	if f.fail != nil {
		return "", f.fail(m)
	}
	return "receipt-" + m.ID[:4], nil
}

// fails has it answer so from now on.
func (f *fake) fails(how func(deliver.Message) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = how
}

// take returns what came since the last time: address and text of each.
func (f *fake) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for i, m := range f.got {
		all = append(all, f.to[i].Address+": "+m.Text)
	}
	f.got, f.to = nil, nil
	return strings.Join(all, "; ")
}

var errDown = errors.New("the other side is down")
