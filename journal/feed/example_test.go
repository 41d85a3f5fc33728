package feed_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/journal/feed"
	"rein/model/script"
	"rein/store/sqlite"
)

// Follow yields the events of a run from its beginning, and ends when the run has ended.
func ExampleNew() {
	ctx, stop := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "rein")
	check(err)
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{})
	check(err)
	model, err := script.Parse("poet", []byte("when\nsay Roses are red."))
	check(err)

	live := feed.New(store)
	e, err := engine.New(engine.Options{
		Store: store, Dispatch: &local.Dispatcher{}, Flows: flow.All(),
		Worker:  &work.Worker{Models: map[string]rein.Model{"": model}},
		OnDelta: live.OnDelta, // the text that models are writing
	})
	check(err)
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	_, err = e.Start(ctx, "poem", rein.Task{Flow: "chat", Messages: []rein.Message{{Role: rein.User, Text: "A poem, please."}}})
	check(err)

	for line, err := range live.Follow(ctx, "poem", feed.Options{}) {
		check(err)
		if line.Event != nil && line.Event.Kind.Ends() {
			end, err := rein.Payload[rein.RunEnd](*line.Event)
			fmt.Println(end.End, end.Text, err)
		}
	}

	live.Close()
	stop()
	check(<-served)
	check(store.Close())
	// Output: done Roses are red. <nil>
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
