package tool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"rein"
	"rein/tool"
)

// A tool is a struct of arguments and a function over it.
func ExampleNew() {
	type args struct {
		Text  string `json:"text" jsonschema:"what to repeat" min:"1"`
		Times int    `json:"times,omitempty" jsonschema:"how often" min:"1" max:"3" default:"2"`
		User  string `json:"user" trusted:"user"`
	}
	echo, err := tool.New(tool.Spec{Name: "echo", Text: "Repeats a text.", Effect: rein.Pure},
		func(_ context.Context, _ rein.Invocation, a args) (rein.Done, error) {
			return rein.Done{Text: fmt.Sprintf("%s heard %q %d times", a.User, a.Text, a.Times)}, nil
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	done, err := echo.Do(context.Background(), rein.Invocation{Args: json.RawMessage(`{"text":"hello","user":"ann"}`)})
	fmt.Println(done.Text, err)
	fmt.Println(string(echo.Schema))
	// Output:
	// ann heard "hello" 2 times <nil>
	// {"type":"object","properties":{"text":{"type":"string","description":"what to repeat","minLength":1},"times":{"type":"integer","description":"how often","default":2,"minimum":1,"maximum":3}},"required":["text"],"additionalProperties":false}
}

// The call of a question is an ask, and the person's answer is its result.
func ExampleQuestion() {
	type args struct {
		Colours []string `json:"colours" jsonschema:"what to choose from"`
	}
	choose, err := tool.Question(tool.Spec{Name: "choose_colour", Text: "Asks the user for a colour."},
		func(a args) (rein.Question, error) {
			return rein.Question{Text: "Which colour?", Choices: a.Colours}, nil
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	question, err := choose.Ask(json.RawMessage(`{"colours":["red","blue"]}`))
	fmt.Println(question.Text, question.Choices, err)
	// Output: Which colour? [red blue] <nil>
}
