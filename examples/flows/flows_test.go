package flows_test

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
	"rein/examples/flows"
	"rein/follow/ask"
	"rein/model/script"
	"rein/store/sqlite"
)

// The model plays a script: a draft, then a better one.
const lines = `
turn 1
say Dear Marie, the roof is done.

turn 2
say Dear Marie, the roof is done. Thank you!
`

// A person asks for a change, then agrees.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	dir := must(os.MkdirTemp("", "rein"))
	defer os.RemoveAll(dir)
	store := must(sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{}))
	defer store.Close()
	e := must(engine.New(engine.Options{
		Store: store, Flows: flows.All(), Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{Models: map[string]rein.Model{"": must(script.Parse("writer", []byte(lines)))}},
	}))
	over := make(chan error, 2)
	go func() { over <- e.Serve(ctx) }()
	go func() { over <- ask.Serve(ctx, store, e, answer(), ask.Options{By: "owner"}) }()

	must(e.Start(ctx, "letter", rein.Task{Flow: "letter", Messages: []rein.Message{{Role: rein.User, Text: "Tell Marie that the roof is done."}}}))
	end := must(e.Wait(ctx, "letter"))
	fmt.Println(end.End+":", end.Text)
	stop()
	must(0, <-over)
	must(0, <-over)
	// Output:
	// Dear Marie, the roof is done.
	//
	// Send this? If not, what should change?
	// > Say thank you.
	// Dear Marie, the roof is done. Thank you!
	//
	// Send this? If not, what should change?
	// > yes
	// done: Dear Marie, the roof is done. Thank you!
}

// answer says what to change, once.
func answer() ask.Handler {
	said := []string{"Say thank you.", "yes"}
	return func(_ context.Context, _ rein.RunID, question rein.Ask) (string, bool) {
		text := said[0]
		said = said[1:]
		fmt.Println(question.Text)
		fmt.Println(">", text)
		return text, true
	}
}

func must[T any](t T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return t
}
