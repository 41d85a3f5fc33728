package offline_test

import (
	"context"
	"fmt"

	"rein"
	"rein/model/offline"
)

func ExampleModel() {
	reply, err := offline.Model{}.Generate(context.Background(), rein.ModelRequest{
		Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "Who are you?"}}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Message.Text)
	// Output:
	// I am rein's built-in offline model: a set of rules, not an LLM. I do not understand text and know nothing on my own; I can only use the tools offered here and quote what they return.
	//
	// No tools are offered for this reply. When there are, I can read a file that you name, list a folder, tell the time or search.
	//
	// To use an LLM, connect one with `rein init`, or set the key of a provider.
}
