package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/examples/tools"
	"rein/flow"
	"rein/journal/feed"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/tool"
)

// The model plays a script: it orders a card, then reports.
const lines = `
turn 1
call send_postcard {"to": "Marie, 12 Mill Lane", "text": "The roof is done."}

turn 2
say The card is on its way.
`

// A printer that keeps its orders by key.
type printer map[string]string

func (p printer) Order(_ context.Context, key, to, text string) (string, error) {
	fmt.Println("printing for", to+":", text)
	p[key] = text
	return fmt.Sprint(len(p)), nil
}

// Give the tool to a worker, name it in a task, and answer what it asks.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	dir := must(os.MkdirTemp("", "rein"))
	defer os.RemoveAll(dir)
	store := must(sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{}))
	defer store.Close()
	e := must(engine.New(engine.Options{
		Store: store, Flows: flow.All(), Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{
			Models: map[string]rein.Model{"": must(script.Parse("demo", []byte(lines)))},
			Tools:  must(tool.Set(must(tools.SendPostcard(printer{})), must(tools.CountWords()))),
		},
	}))
	over := make(chan error, 1)
	go func() { over <- e.Serve(ctx) }()

	must(e.Start(ctx, "card", rein.Task{
		Flow: "operate", Tools: []string{"send_postcard"}, Messages: []rein.Message{{Role: rein.User, Text: "Tell Marie that the roof is done."}},
	}))
	events := feed.New(store)
	defer events.Close()
	for line, err := range events.Follow(ctx, "card", feed.Options{}) {
		must(line, err)
		if line.Event != nil && line.Event.Kind == rein.AskOpened {
			ask := must(store.Ask(ctx, rein.NewAskID(line.Event.Run, line.Event.Step)))
			fmt.Println("approve", ask.Call.Name, string(ask.Call.Args))
			must(e.Command(ctx, ask.Reply(rein.Answer{State: rein.AskApproved, By: "owner"})))
		}
	}
	end := must(e.Wait(ctx, "card"))
	fmt.Println(end.End+":", end.Text)
	stop()
	must(0, <-over)
	// Output:
	// approve send_postcard {"text":"The roof is done.","to":"Marie, 12 Mill Lane"}
	// printing for Marie, 12 Mill Lane: The roof is done.
	// done: The card is on its way.
}

// Every tool fits a registry, states its effect and does what it says.
func TestTools(t *testing.T) {
	t.Parallel()
	rings := 0
	all, err := tool.Set(
		must(tools.CountWords()), must(tools.SendPostcard(printer{})), must(tools.BookTable(restaurant{})),
		must(tools.RingBell(func(context.Context) error { rings++; return nil })),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		effect     rein.Effect
		args, text string
	}{
		"count_words":   {rein.Pure, `{"text": "one two three"}`, "3 words"},
		"send_postcard": {rein.Idempotent, `{"to": "Otto", "text": "Hello."}`, "ordered, number 1"},
		"book_table":    {rein.Checkable, `{"people": 2, "at": "2026-05-03 19:00"}`, "booked"},
		"ring_bell":     {rein.Unsafe, `{}`, "it rang"},
	} {
		got := all[name]
		if got.Effect != want.effect {
			t.Errorf("%s is %s, want %s", name, got.Effect, want.effect)
		}
		done, err := got.Do(t.Context(), rein.Invocation{Key: "k1", Args: json.RawMessage(want.args)})
		if err != nil || done.Text != want.text {
			t.Errorf("%s: %q, %v", name, done.Text, err)
		}
	}
	if rings != 1 {
		t.Errorf("the bell rang %d times", rings)
	}
}

// Check says what the restaurant knows.
func TestCheck(t *testing.T) {
	t.Parallel()
	r := restaurant{}
	book := must(tools.BookTable(r))
	call := rein.Invocation{Key: "k1", Args: json.RawMessage(`{"people": 2, "at": "2026-05-03 19:00"}`)}
	if state, _, err := book.Check(t.Context(), call); state != rein.CheckNot || err != nil {
		t.Fatalf("before the call: %s, %v", state, err)
	}
	if _, err := book.Do(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	if state, done, err := book.Check(t.Context(), call); state != rein.CheckHappened || done.Text != "booked" || err != nil {
		t.Fatalf("after the call: %s, %q, %v", state, done.Text, err)
	}
}

type restaurant map[string]bool

func (r restaurant) Book(_ context.Context, reference string, _ int, _ string) error {
	r[reference] = true
	return nil
}

func (r restaurant) Find(_ context.Context, reference string) (bool, error) {
	return r[reference], nil
}

func must[T any](t T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return t
}
