package telegram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/follow/deliver"
	"rein/follow/keeper"
	"rein/follow/talk"
	"rein/follow/telegram"
	"rein/household/channels"
	"rein/household/people"
	"rein/internal/rig"
	"rein/server/port"
)

// A house has an engine with an assistant that does as it is asked, and a bot in a cloud.
type house struct {
	*rig.Rig
	cloud  *cloud
	people *people.People
	bot    *telegram.Bot
	book   channels.Book
	bought atomic.Int64 // how often the unsafe tool was executed
	hold   chan struct{}
	log    locked
	clock  atomic.Int64 // what is added to the time

	stop func()
}

// A locked is a log that a test may read.
type locked struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// assistant buys what it is told to buy, asks when it is told to ask, waits when it is told to wait, and repeats the rest.
func (h *house) assistant(run rein.Run, task rein.Task) (rein.Outcome, error) {
	last := task.Messages[len(task.Messages)-1]
	word, rest, _ := strings.Cut(last.Text, " ")
	switch word {
	case "koop":
		args, _ := json.Marshal(map[string]string{"what": rest})
		result, err := run.CallTool(rein.ToolCall{ID: "1", Name: "buy", Args: args})
		return rein.Outcome{Text: "kopen: " + string(result.Status)}, err
	case "vraag":
		answer, err := run.AskUser(rein.Question{Text: "Hoe laat?"})
		return rein.Outcome{Text: "om " + answer.Text}, err
	case "wacht":
		result, err := run.CallTool(rein.ToolCall{ID: "1", Name: "wait", Args: json.RawMessage(`{}`)})
		if err != nil {
			return rein.Outcome{}, err
		}
		items, err := run.Inbox()
		text := "gewacht: " + string(result.Status)
		for _, i := range items {
			text += " en " + i.Text
		}
		return rein.Outcome{Text: text}, err
	case "lang":
		return rein.Outcome{Text: strings.Repeat("Een alinea met woorden.\n\n", 400)}, nil
	}
	text := "gehoord: " + last.Text
	for _, i := range last.Images {
		text += " " + i.String()
	}
	return rein.Outcome{Text: text}, nil
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{Rig: rig.Open(t, rig.Options{}), cloud: newCloud(t), hold: make(chan struct{}, 10)}
	h.people = &people.People{Tables: h.Store}
	rig.Check(t, h.people.Begin(t.Context()))
	for _, name := range []string{"ann", "bob"} {
		_, err := h.people.AddUser(t.Context(), rein.Host(), name, rein.Member)
		rig.Check(t, err)
	}
	h.cloud.log = &h.log
	h.begin()
	return h
}

// begin starts the engine and the bot, as a process does.
func (h *house) begin() {
	h.Helper()
	schema := json.RawMessage(`{"type":"object"}`)
	h.Begin(engine.Options{
		Flows: map[string]rein.Flow{talk.Flow: {Do: h.assistant}}, Grace: engine.NoGrace,
		Worker: rig.Worker(rig.Script(h, "when\nsay x"), map[string]rein.Tool{
			"buy": {
				Name: "buy", Description: "Buys.", Effect: rein.Unsafe, Approval: true, Schema: schema,
				Do: func(context.Context, rein.Invocation) (rein.Done, error) {
					h.bought.Add(1)
					return rein.Done{Text: "bought"}, nil
				},
				Show: func(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
					var args struct{ What string }
					err := json.Unmarshal(inv.Args, &args)
					return rein.Shown{Say: "Zal ik " + args.What + " kopen?"}, err
				},
			},
			"wait": {
				Name: "wait", Description: "Waits.", Effect: rein.Pure, Schema: schema, Timeout: time.Minute,
				Do: func(ctx context.Context, _ rein.Invocation) (rein.Done, error) {
					select {
					case <-h.hold:
						return rein.Done{Text: "waited"}, nil
					case <-ctx.Done():
						return rein.Done{}, ctx.Err()
					}
				},
			},
		}),
	})
	h.book = channels.Book{Tables: h.Store}
	names := keeper.NewNames()
	answer := func(ctx context.Context, who rein.Identity, ask rein.AskID, answer rein.Answer) (rein.Receipt, error) {
		return port.AnswerAsk(ctx, h.Store, h.Engine, who, ask, answer)
	}
	h.people = &people.People{Tables: h.Store}
	h.bot = telegram.New(telegram.Options{
		Store: h.Store, BaseURL: h.cloud.web.URL, Token: func() string { return token },
		Answers:  deliver.Answers{Book: h.book, Who: h.people.Reached, Do: answer},
		Language: func(context.Context, string, string) string { return "nl" },
		Log:      slog.New(slog.NewTextHandler(&h.log, nil)),
		Now:      func() time.Time { return time.Now().Add(time.Duration(h.clock.Load())) },
		Desk: &talk.Desk{
			Engine: h.Engine, Store: h.Store, Answer: answer,
			SessionFor: func(ctx context.Context, who rein.Identity) (string, error) {
				return names.SessionFor(ctx, h.Store, who.Household, who.User, time.Now(), 0)
			},
			Task: func(context.Context, rein.Identity, string) (rein.Task, error) {
				return rein.Task{Tools: []string{"buy", "wait"}}, nil
			},
		},
	})
	h.bot.OnPause(func(ctx context.Context, _ time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Millisecond):
		}
	})
}

// serve lets the bot work until stop, or until the rig is left.
func (h *house) serve() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.bot.Serve(ctx) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			h.Errorf("serve: %v", err)
		}
	})
	h.Cleanup(h.stop)
}

func (h *house) who(user string) rein.Identity {
	return rein.Identity{Household: "home", User: user, Role: rein.Member, Scopes: []rein.Scope{rein.ScopeRead, rein.ScopeAct, rein.ScopeAnswer}, Via: "test"}
}

// code returns a code for a user.
func (h *house) code(user string) string {
	h.Helper()
	code, err := h.bot.NewCode(h.Context(), h.who(user))
	rig.Check(h, err)
	return code.Code
}

// paired is a house in which ann talks in chat 7.
func paired(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	h.serve()
	h.cloud.write(7, h.code("ann"))
	h.cloud.says("Vanaf nu is deze chat van jou")
	return h
}
