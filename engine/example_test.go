package engine_test

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
	"rein/model/script"
	"rein/store/sqlite"
)

// A flow is a plain function. It may be cut off at any verb, for days, by a crash or by a restart,
// and goes on where it was.
func paint(run rein.Run, task rein.Task) (rein.Outcome, error) {
	colour, err := run.AskUser(rein.Question{Text: "Which colour?", Choices: []string{"red", "blue"}})
	if err != nil {
		return rein.Outcome{}, err
	}
	reply, err := run.CallModel(rein.Prompt{Messages: append(task.Messages, rein.Message{Role: rein.User, Text: colour.Text})})
	return rein.Outcome{Text: reply.Text}, err
}

// Open a store, make an engine, start a run, answer what it asks, and wait for its end.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "rein")
	check(err)
	defer os.RemoveAll(dir)

	asked := make(chan rein.AskID, 1)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{OnCommit: func(events []rein.Event) {
		for _, e := range events {
			if e.Kind == rein.AskOpened {
				asked <- rein.NewAskID(e.Run, e.Step)
			}
		}
	}})
	check(err)
	model, err := script.Parse("painter", []byte("when\nsay The barn is blue now."))
	check(err)
	e, err := engine.New(engine.Options{
		Store: store, Dispatch: &local.Dispatcher{},
		Flows:  map[string]rein.Flow{"paint": {Do: paint}},
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}},
	})
	check(err)
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()

	_, err = e.Start(ctx, "barn", rein.Task{Flow: "paint", Messages: []rein.Message{{Role: rein.User, Text: "Paint the barn."}}})
	check(err)
	ask, err := store.Ask(ctx, <-asked)
	check(err)
	fmt.Println("asked:", ask.ID, ask.Text)
	_, err = e.Command(ctx, ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"}))
	check(err)
	end, err := e.Wait(ctx, "barn")
	check(err)
	fmt.Println(end.End+":", end.Text)

	stop()
	check(<-served)
	check(store.Close())
	// Output:
	// asked: barn:1.ask Which colour?
	// done: The barn is blue now.
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
