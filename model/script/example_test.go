package script_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rein"
	"rein/model/script"
)

func Example() {
	m, err := script.Parse("demo", []byte(`
turn 1
say I will look it up.
call search {"q":"rein"}

turn 2 tool~"horse"
say A rein guides a horse.
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rein.ModelRequest{Prompt: rein.Prompt{
		Tools:    []string{"search"},
		Messages: []rein.Message{{Role: rein.User, Text: "What is a rein?"}},
	}}
	for range 2 {
		reply, err := m.Generate(context.Background(), r, func(text string) { fmt.Print(text) })
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println()
		r.Messages = append(r.Messages, reply.Message)
		for _, c := range reply.Message.Calls {
			fmt.Printf("(%s: %s %s)\n", c.ID, c.Name, c.Args)
			r.Messages = append(r.Messages, rein.Message{Role: rein.ToolRole, CallID: c.ID, Text: "a strap for a horse"})
		}
	}
	fmt.Println("unused:", len(m.Unused()))
	// Output:
	// I will look it up.
	// (c1-1: search {"q":"rein"})
	// A rein guides a horse.
	// unused: 0
}

// A script can be a file, which errors name together with the line.
func ExampleReadFile() {
	dir, err := os.MkdirTemp("", "rein")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "demo.txt")
	if err := os.WriteFile(file, []byte("model tiny\n\nwhen\nsay Hello.\n"), 0o600); err != nil {
		panic(err)
	}

	m, err := script.ReadFile(file)
	if err != nil {
		panic(err)
	}
	reply, err := m.Generate(context.Background(), rein.ModelRequest{}, nil)
	fmt.Println(m.Info().Name, reply.Message.Text, err)
	// Output: tiny Hello. <nil>
}
