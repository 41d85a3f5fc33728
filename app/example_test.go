package app_test

import (
	"context"
	"fmt"
	"os"

	"rein"
	"rein/app"
)

// A data folder is opened, asked, and closed again. What the run did is kept there.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "rein-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	shout := func(_ rein.Run, task rein.Task) (rein.Outcome, error) {
		return rein.Outcome{End: rein.EndDone, Text: task.Messages[0].Text + "!"}, nil
	}
	a, err := app.Open(ctx, app.Options{
		Data: folder, Env: []string{},
		Flows: map[string]rein.Flow{"shout": {Do: shout}},
	})
	if err != nil {
		panic(err)
	}
	defer a.Close()
	end, err := a.Do(ctx, rein.Task{Flow: "shout", Messages: []rein.Message{{Role: rein.User, Text: "Hello"}}})
	fmt.Println(end.End, end.Text, err)
	// Output: done Hello! <nil>
}
