package args_test

import (
	"encoding/json"
	"fmt"

	"rein"
	"rein/engine/work/args"
)

func ExamplePrepare() {
	tool := rein.Tool{
		Name:    "remind",
		Schema:  json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"minutes":{"type":"integer"}},"required":["text"]}`),
		Trusted: []string{"user"},
	}
	task := rein.Task{User: "ann"}
	for _, written := range []string{
		`{"text": "tea", "minutes": 5}`,
		`{text: 'tea', user: 'eve',}`,
		`{"Text": "tea", "minutes": "5"}`,
		`{"minutes": 5}`,
	} {
		ready, err := args.Prepare(tool, json.RawMessage(written), task)
		fmt.Printf("%q %s %v\n", ready.How, ready.Args, err)
	}
	// Output:
	// "" {"minutes":5,"text":"tea","user":"ann"} <nil>
	// "tolerant" {"text":"tea","user":"ann"} <nil>
	// "coerced" {"minutes":5,"text":"tea","user":"ann"} <nil>
	// ""  the arguments of "remind" are wrong: "text" is missing; it must be a string
}
