package journal_test

import (
	"fmt"
	"time"

	"rein"
	"rein/journal"
)

// A log is read event by event, from a store, a feed or a file.
func ExampleRun() {
	noon := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	log := []rein.Event{
		{Kind: rein.RunStarted, Data: []byte(`{"task":{"flow":"operate","messages":[{"role":"user","text":"Tidy up."}]}}`)},
		{Kind: rein.StepStarted, Step: "1", Data: []byte(`{"sig":"model decide ","verb":"model","phase":"decide","prompt":{}}`)},
		{Kind: rein.StepDone, Step: "1", Data: []byte(`{"message":{"role":"assistant","calls":[{"id":"a","name":"rm"}]},"usage":{"input":90,"output":12}}`)},
		{Kind: rein.StepStarted, Step: "2", Data: []byte(`{"sig":"tool  rm 00","verb":"tool","call":{"id":"a","name":"rm"}}`)},
		{Kind: rein.AskOpened, Step: "2.ask", Data: []byte(`{"id":"r1:2.ask","run":"r1","step":"2","kind":"approval","text":"May it run rm?"}`)},
	}
	var run journal.Run
	for i, e := range log {
		e.Run, e.Seq, e.At = "r1", int64(i+1), noon
		run.See(e)
	}
	for _, step := range run.Steps {
		fmt.Println("step", step.Key, step.Verb, step.Tool, step.Phase, "over:", step.End != nil)
	}
	for _, ask := range run.Asks {
		fmt.Println(ask.State, ask.Kind, ask.Text)
	}
	fmt.Println(run.Status(), "after", run.Usage().Input+run.Usage().Output, "tokens")
	// Output:
	// step 1 model  decide over: true
	// step 2 tool rm  over: false
	// pending approval May it run rm?
	// awaiting_user after 102 tokens
}
