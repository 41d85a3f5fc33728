// Command ownbinary is all of rein with a tool, a model and a flow added.
package main

import (
	"context"
	"rein"
	"rein/app"
	"rein/cli"
	"rein/flow/kit"
	"rein/tool"
	"strconv"
	"strings"
)

func main() {
	cli.Main(app.Options{
		Tools:  []rein.Tool{count()},
		Models: map[string]rein.Model{"parrot": parrot{}},
		Flows:  []kit.Kind{{Name: "twice", About: "asks the model two times", Do: twice}},
	})
}

// count is a tool: it counts the words of a text.
func count() rein.Tool {
	type args struct {
		Text string `json:"text" jsonschema:"the text to count in"`
	}
	return tool.Must(tool.New(tool.Spec{Name: "count_words", Text: "Counts the words of a text.", Effect: rein.Pure},
		func(_ context.Context, _ rein.Invocation, a args) (rein.Done, error) {
			return rein.Done{Text: strconv.Itoa(len(strings.Fields(a.Text)))}, nil
		}))
}

// parrot is a model: it says again what it heard last.
type parrot struct{}

func (parrot) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "parrot", Window: 8000, MaxOutput: 1000}
}

func (parrot) Generate(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	last := r.Messages[len(r.Messages)-1]
	return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: last.Text}}, nil
}

// twice is a flow: it asks the model two times and returns both answers.
func twice(run rein.Run, task rein.Task) (rein.Outcome, error) {
	prompt := rein.Prompt{About: rein.About{Phase: "final"}, Model: task.Model, Messages: task.Messages}
	first, err := run.CallModel(prompt)
	if err != nil {
		return rein.Outcome{}, err
	}
	second, err := run.CallModel(prompt)
	if err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: first.Text + " " + second.Text}, nil
}
