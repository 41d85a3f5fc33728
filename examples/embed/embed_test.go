package embed_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/follow/ask"
	"rein/journal/feed"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/tool"
	"rein/tool/basics"
)

// The model plays a script here; a real one takes its place under the same name.
const lines = `
turn 1
call ask_user {"question": "Which colour?", "choices": ["red", "blue"]}

turn 2
say The barn will be blue.
`

// A store, an engine, a function that answers, and a loop over the events.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	dir := must(os.MkdirTemp("", "rein"))
	defer os.RemoveAll(dir)
	store := must(sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{}))
	defer store.Close()
	e := must(engine.New(engine.Options{
		Store: store, Flows: flow.All(), Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{
			Models: map[string]rein.Model{"": must(script.Parse("painter", []byte(lines)))},
			Tools:  must(tool.Set(must(basics.AskUser()))),
		},
	}))
	over := make(chan error, 2)
	go func() { over <- e.Serve(ctx) }()
	go func() { over <- ask.Serve(ctx, store, e, answer, ask.Options{By: "owner"}) }()

	must(e.Start(ctx, "barn", rein.Task{
		Flow: "operate", Tools: []string{"ask_user"}, Messages: []rein.Message{{Role: rein.User, Text: "Paint the barn."}},
	}))
	events := feed.New(store)
	defer events.Close()
	for line, err := range events.Follow(ctx, "barn", feed.Options{}) {
		must(line, err)
		show(line.Event)
	}
	stop()
	must(0, errors.Join(<-over, <-over))
	// Output:
	// barn asks: Which colour?
	// owner answers: blue
	// barn is done: The barn will be blue.
}

// answer is the program's own: it could open a window, or look into a file.
func answer(_ context.Context, _ rein.RunID, question rein.Ask) (string, bool) {
	return question.Choices[1], true
}

// show prints some of the events. Each kind says what its data is.
func show(e *rein.Event) {
	switch {
	case e == nil: // a piece of text, or nothing for a while
	case e.Kind == rein.AskOpened:
		fmt.Println(e.Run, "asks:", data[rein.Ask](e).Text)
	case e.Kind == rein.CommandAnswer.EventKind():
		fmt.Println(e.By, "answers:", data[rein.Command](e).Answer.Text)
	case e.Kind.Ends():
		fmt.Println(e.Run, "is "+data[rein.RunEnd](e).End+":", data[rein.RunEnd](e).Text)
	}
}

func data[T any](e *rein.Event) T { return must(rein.Payload[T](*e)) }

func must[T any](t T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return t
}
