package args

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rein"
	"rein/engine/work/args/argstest"
)

// TestMutatedCalls damages valid calls in thousands of ways: whatever is accepted fits the schema,
// and nothing that had to be guessed is taken for what the model wrote.
//
// Covers: TAB-B9
func TestMutatedCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	total, understood, equal := 0, 0, 0
	for _, call := range argstest.Calls {
		tl := tool(call.Schema)
		if ready, err := Prepare(tl, json.RawMessage(call.Args), rein.Task{}); err != nil || ready.How != AsWritten || string(ready.Args) != call.Args {
			t.Fatalf("%s is not valid as it is: %s %q %v", call.Args, ready.Args, ready.How, err)
		}
		for i, m := range argstest.Mutations {
			for range 5 {
				text := argstest.Damage(r, i, call.Args)
				total++
				ready, err := Prepare(tl, json.RawMessage(text), rein.Task{})
				if err != nil {
					continue
				}
				understood++
				if string(ready.Args) == call.Args {
					equal++
				}
				if err := Check(tl.Schema, ready.Args); err != nil {
					t.Errorf("%s: %q gave %s: %v", m.Name, text, ready.Args, err)
				}
				if ready.How == AsWritten && !asWritten(text, ready.Args) {
					t.Errorf("%s: %q gave %s as if written so", m.Name, text, ready.Args)
				}
			}
		}
	}
	if total < 1000 {
		t.Fatalf("only %d mutations", total)
	}
	fmt.Printf("args: of %d damaged calls %.1f%% were understood and %.1f%% came out as they were meant\n",
		total, percent(understood, total), percent(equal, total))
	// A letter lost inside of a word cannot be brought back, so this is far from all of them.
	if percent(understood, total) < 80 || percent(equal, total) < 60 {
		t.Error("fewer calls are understood than there used to be")
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

// asWritten reports whether the arguments are what strict JSON says of the text, in a fence or not.
func asWritten(text string, args json.RawMessage) bool {
	body := strings.TrimSpace(text)
	if strings.HasPrefix(body, "```") {
		body = strings.Trim(strings.TrimPrefix(strings.Trim(body, "`"), "json"), "` \n")
	}
	if body == "" {
		return string(args) == "{}"
	}
	value, err := decodeStrict([]byte(body))
	if err != nil {
		return false
	}
	same, err := encode(value)
	return err == nil && string(same) == string(args)
}
