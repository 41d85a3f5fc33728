package app_test

import (
	"context"
	"fmt"
	"os"

	"rein"
	"rein/api"
	"rein/app"
	"rein/flow/kit"
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
		Flows: []kit.Kind{{Name: "shout", Do: shout}},
	})
	if err != nil {
		panic(err)
	}
	defer a.Close()
	end, err := a.Do(ctx, rein.Task{Flow: "shout", Messages: []rein.Message{{Role: rein.User, Text: "Hello"}}})
	fmt.Println(end.End, end.Text, err)
	// Output: done Hello! <nil>
}

// Settings can be read, and a folder examined, without opening it.
func ExampleNew() {
	setup := app.New(app.Options{Data: "no/such/folder", Env: []string{}})
	settings, err := setup.Settings()
	if err != nil {
		panic(err)
	}
	fmt.Println(settings.Model, settings.Flow)
	// Output: offline answer
}

// A second process reaches the folder through its owner.
func ExampleDial() {
	folder, err := os.MkdirTemp("", "rein-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	owner, err := app.Open(ctx, app.Options{Data: folder, Env: []string{}})
	if err != nil {
		panic(err)
	}
	defer owner.Close()

	if second := app.Dial(ctx, app.Place{Folder: folder}); second != nil {
		defer second.Close()
		page, err := second.Runs(ctx, api.RunQuery{})
		fmt.Println("owns it:", second.Owns(), "runs:", len(page.Runs), err)
	}
	// Output: owns it: false runs: 0 <nil>
}
