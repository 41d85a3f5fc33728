package journal_test

import (
	"fmt"
	"iter"
	"time"

	"rein"
	"rein/journal"
)

// tidying is the log of a run that waits for a person: a model called rm, which needs approval.
var tidying = []rein.Event{
	{Kind: rein.RunStarted, Data: []byte(`{"task":{"flow":"operate","messages":[{"role":"user","text":"Tidy up."}]}}`)},
	{Kind: rein.StepStarted, Step: "1", Data: []byte(`{"sig":"model decide ","verb":"model","phase":"decide","prompt":{}}`)},
	{Kind: rein.StepDone, Step: "1", Data: []byte(`{"message":{"role":"assistant","calls":[{"id":"a","name":"rm"}]},"usage":{"input":90,"output":12}}`)},
	{Kind: rein.StepStarted, Step: "2", Data: []byte(`{"sig":"tool  rm 00","verb":"tool","call":{"id":"a","name":"rm"}}`)},
	{Kind: rein.AskOpened, Step: "2.ask", Data: []byte(`{"id":"r1:2.ask","run":"r1","step":"2","kind":"approval","text":"May it run rm?"}`)},
}

// logOf yields events as store.Reader.Events does.
func logOf(events []rein.Event) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		for i, e := range events {
			e.Run, e.Seq, e.At = "r1", int64(i+1), time.Date(2026, 11, 15, 12, 0, i, 0, time.UTC)
			if !yield(e, nil) {
				return
			}
		}
	}
}

// A Run keeps everything about one run. See takes an event as soon as it is written.
func ExampleRun() {
	var run journal.Run
	for e := range logOf(tidying) {
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

// Read folds a whole log.
func ExampleRead() {
	run, err := journal.Read(logOf(tidying))
	fmt.Println(run.Start.Task.Flow, run.Seq, len(run.Steps), err)
	// Output: operate 5 2 <nil>
}

// Steps shows a step whenever something happens to it.
func ExampleSteps() {
	var steps journal.Steps
	for e := range logOf(tidying) {
		if step := steps.See(e); step != nil {
			fmt.Println(e.Kind, step.Key, step.Verb, "over:", step.Over())
		}
	}
	fmt.Println(len(steps.Open()), "running")
	// Output:
	// step.started 1 model over: false
	// step.done 1 model over: true
	// step.started 2 tool over: false
	// ask.opened 2 tool over: false
	// 1 running
}

// Asks shows which asks an event opened or closed.
func ExampleAsks() {
	var asks journal.Asks
	for e := range logOf(tidying) {
		for _, ask := range asks.See(e) {
			fmt.Println(ask.ID, ask.State)
		}
	}
	fmt.Println(len(asks.Open()), "open")
	// Output:
	// r1:2.ask pending
	// 1 open
}

// A Transcript is what was said and done, in order.
func ExampleTranscript() {
	var transcript journal.Transcript
	for e := range logOf(tidying) {
		for _, said := range transcript.See(e) {
			fmt.Println(said.Role, said.Text, len(said.Calls))
		}
	}
	// Output:
	// user Tidy up. 0
	// assistant  1
	// assistant May it run rm? 0
}

// An Agent is the status of a run, in one word.
func ExampleAgent() {
	var agent journal.Agent
	for e := range logOf(tidying) {
		for _, status := range agent.See(e) {
			fmt.Println(e.Seq, status)
		}
	}
	// Output:
	// 1 running
	// 5 awaiting_user
}

// Held is what an unfinished run has reserved and not spent.
func ExampleHeld() {
	var held journal.Held
	for e := range logOf([]rein.Event{
		{Kind: rein.RunStarted, Data: []byte(`{"task":{"flow":"chat"}}`)},
		{Kind: rein.StepStarted, Step: "1", Spend: rein.Amount{Tokens: 500}, Data: []byte(`{"verb":"model","prompt":{},"bound":{"tokens":500}}`)},
	}) {
		held.See(e)
	}
	fmt.Println(held.Sum().Tokens, "tokens")
	// Output: 500 tokens
}
