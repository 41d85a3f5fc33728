package replay_test

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
	"rein/model/script"
	"rein/replay"
	"rein/store/sqlite"
)

// A run is recorded, then played again with today's flows. No model and no tool is called; a
// difference names the step.
func ExamplePlay() {
	ctx, stop := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "rein")
	check(err)
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{})
	check(err)
	model, err := script.Parse("poet", []byte("when\nsay Roses are red."))
	check(err)
	worker := &work.Worker{Models: map[string]rein.Model{"": model}}
	e, err := engine.New(engine.Options{Store: store, Dispatch: &local.Dispatcher{}, Flows: flow.All(), Worker: worker})
	check(err)
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	_, err = e.Start(ctx, "poem", rein.Task{Flow: "chat", Messages: []rein.Message{{Role: rein.User, Text: "A poem, please."}}})
	check(err)
	_, err = e.Wait(ctx, "poem")
	check(err)

	tape, err := replay.Record(ctx, store, "poem", worker, rein.Policy{})
	check(err)
	difference, err := replay.Play(ctx, tape, replay.Options{Flows: flow.All()})
	fmt.Println(difference == nil, err)

	// A stage plays many tapes, one after the other.
	stage, err := replay.NewStage(ctx, replay.Options{Flows: flow.All()})
	check(err)
	difference, err = stage.Play(ctx, tape)
	fmt.Println(difference == nil, err)
	check(stage.Close())

	stop()
	check(<-served)
	check(store.Close())
	// Output:
	// true <nil>
	// true <nil>
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
