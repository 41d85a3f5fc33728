package ask_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/follow/ask"
	"rein/model/offline"
	"rein/store/sqlite"
)

// A function answers the questions of runs, next to everybody else who may.
func ExampleServe() {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "rein")
	check(err)
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{})
	check(err)
	paint := func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
		colour, err := run.AskUser(rein.Question{Text: "Which colour?", Choices: []string{"red", "blue"}})
		return rein.Outcome{End: rein.EndDone, Text: "It is " + colour.Text + "."}, err
	}
	e, err := engine.New(engine.Options{Store: store, Dispatch: &local.Dispatcher{}, Worker: &work.Worker{Models: map[string]rein.Model{"": offline.Model{}}}, Flows: map[string]rein.Flow{"paint": {Do: paint}}})
	check(err)
	over := make(chan error, 2)
	go func() { over <- e.Serve(ctx) }()

	answer := func(_ context.Context, _ rein.RunID, question rein.Ask) (string, bool) {
		return question.Choices[1], true
	}
	go func() { over <- ask.Serve(ctx, store, e, answer, ask.Options{By: "ann"}) }()

	_, err = e.Start(ctx, "barn", rein.Task{Flow: "paint"})
	check(err)
	end, err := e.Wait(ctx, "barn")
	fmt.Println(end.Text, err)

	stop()
	check(<-over)
	check(<-over)
	check(store.Close())
	// Output: It is blue. <nil>
}
