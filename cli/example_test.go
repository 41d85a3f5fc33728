package cli_test

import (
	"context"
	"strconv"
	"strings"

	"rein"
	"rein/app"
	"rein/cli"
	"rein/tool"
)

// Your own binary: everything that rein does, and a tool that counts words.
func ExampleMain() {
	type args struct {
		Text string `json:"text" jsonschema:"the text to count in"`
	}
	count := tool.Must(tool.New(tool.Spec{Name: "count_words", Text: "Counts the words of a text.", Effect: rein.Pure},
		func(_ context.Context, _ rein.Invocation, a args) (rein.Done, error) {
			return rein.Done{Text: strconv.Itoa(len(strings.Fields(a.Text)))}, nil
		}))

	cli.Main(app.Options{Tools: []rein.Tool{count}})
}
