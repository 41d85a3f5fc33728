package server_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"rein"
	"rein/api/client"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/journal/feed"
	"rein/model/script"
	"rein/server"
	"rein/store/sqlite"
)

// The owner of a data folder listens on a socket; any other process of the same user starts runs
// there and follows them.
func Example() {
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "rein")
	must(err)
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{})
	must(err)
	model, err := script.Parse("poet", []byte("when\nsay Roses are red."))
	must(err)
	live := feed.New(store)
	e, err := engine.New(engine.Options{
		Store: store, Dispatch: &local.Dispatcher{}, Flows: flow.All(), OnDelta: live.OnDelta,
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}},
	})
	must(err)
	listener, err := client.Listen(filepath.Join(dir, "rein.sock"))
	must(err)
	handler := server.New(server.Options{Engine: e, Store: store, Feed: live, Who: server.Host})
	driven, served := make(chan error, 1), make(chan error, 1)
	go func() { driven <- e.Serve(ctx) }()
	go func() { served <- server.Serve(ctx, listener, handler, nil) }()

	c := client.Unix(filepath.Join(dir, "rein.sock"))
	run, err := c.Start(ctx, "poem", rein.Task{Flow: "chat", Messages: []rein.Message{{Role: rein.User, Text: "A poem, please."}}})
	must(err)
	for line, err := range c.Follow(ctx, run.ID, client.FollowOptions{}) {
		must(err)
		if line.Event != nil {
			fmt.Println(line.Cursor, line.Event.Kind)
		}
	}

	live.Close() // first: then those who still follow are told why it ends
	stop()
	must(<-driven)
	must(<-served)
	must(store.Close())
	// Output:
	// 1 run.started
	// 2 step.started
	// 3 step.done
	// 4 step.started
	// 5 step.done
	// 6 run.completed
}
