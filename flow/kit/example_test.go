package kit_test

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
	"rein/flow/kit"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/tool/session"
)

// A flow that knows its session, hears what people say, uses tools, and still answers at a limit.
func proofread(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk, err := kit.Open(run, &task, "You are a proofreader.")
	if err != nil {
		return rein.Outcome{}, err
	}
	return kit.Loop(run, task, talk, 10, kit.ActPrompt(task))
}

// Open begins the conversation, and Loop lets the model speak and call tools until it is done.
func ExampleOpen() {
	ctx, stop := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "rein")
	check(err)
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{})
	check(err)
	model, err := script.Parse("editor", []byte("when system~\"proofreader\"\nsay The barn is red."))
	check(err)
	tools := map[string]rein.Tool{}
	for _, t := range session.Tools(store) { // how the flow reads what was said before
		tools[t.Name] = t
	}
	e, err := engine.New(engine.Options{
		Store: store, Dispatch: &local.Dispatcher{},
		Flows:  map[string]rein.Flow{"proofread": kit.Kind{Name: "proofread", Do: proofread}.Flow()},
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}, Tools: tools},
	})
	check(err)
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()

	_, err = e.Start(ctx, "r1", rein.Task{Flow: "proofread", Messages: []rein.Message{{Role: rein.User, Text: "Teh barn is red."}}})
	check(err)
	end, err := e.Wait(ctx, "r1")
	fmt.Println(end.End, end.Text, err)

	stop()
	check(<-served)
	check(store.Close())
	// Output: done The barn is red. <nil>
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
