package engine

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/render"
)

func anyTalk(r *rand.Rand, n int) rein.Message {
	id := fmt.Sprint("c", n/3)
	switch r.IntN(5) {
	case 0:
		return rein.Message{Role: rein.User, Text: fmt.Sprint("go on ", r.IntN(3))}
	case 1:
		return rein.Message{Role: rein.Developer, Text: "rule", Past: &rein.Past{Run: "r0"}}
	case 2:
		return rein.Message{Role: rein.Assistant, Text: "yes", Raw: &rein.Raw{API: "x", Data: []byte(`{"a":1}`)}}
	case 3:
		return rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: id, Name: "look", Args: []byte("{}")}}}
	}
	return rein.Message{Role: rein.ToolRole, CallID: id, Text: fmt.Sprint("result ", n)}
}

// change does to a transcript what flows do: they add to it, shorten it, begin another, copy it, and put other messages in
// the place of those that they sent.
func change(r *rand.Rand, messages []rein.Message) []rein.Message {
	switch r.IntN(12) {
	case 0:
		return append([]rein.Message(nil), messages...)
	case 1:
		return messages[:r.IntN(len(messages)+1)]
	case 2:
		return []rein.Message{{Role: rein.System, Text: "Another."}, anyTalk(r, 0)}
	case 3: // over what was there
		messages = messages[:len(messages)*2/3]
		for i := len(messages); i < cap(messages); i++ {
			messages = append(messages, rein.Message{Role: rein.User, Text: fmt.Sprint("instead ", r.Int())})
		}
		return messages
	}
	for range 1 + r.IntN(3) {
		messages = append(messages, anyTalk(r, len(messages)))
	}
	return messages
}

func alike(a, b rein.Message) bool { return same(&a, &b) }

// TestConversation takes what flows send, and knows of it at each step what somebody would who reads it for the first
// time.
func TestConversation(t *testing.T) {
	tools := []rein.Tool{{Name: "look"}}
	weigh := func(more []rein.Message) int64 { return int64(len(more)) }
	task := rein.Task{Messages: []rein.Message{{Role: rein.User, Text: "go on 1"}, {Role: rein.User, Text: "go on 2"}}}
	grown := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 4))
		c, d := &conversation{}, &drive{task: task}
		messages := []rein.Message{{Role: rein.System, Text: "You are you."}, {Role: rein.User, Text: "go on 2"}}
		var talk *rein.Talk
		var sent []rein.Message
		for range 15 {
			messages = change(r, messages)
			c.take(messages)
			if got, want := c.bound, guard.InputBound(messages, nil, nil); got != want {
				t.Fatalf("seed %d: the bound is %d, want %d", seed, got, want)
			}
			if got, want := d.pinned(c), pinsIn(messages, task, nil); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: pinned are %v, want %v", seed, got, want)
			}
			p := rein.Prompt{Messages: messages}
			out, _, bound := c.write(p, rein.ModelInfo{}, tools)
			want, _ := render.For("", rein.ModelInfo{}, messages, tools)
			if !slices.EqualFunc(out, want, alike) || bound != guard.InputBound(want, nil, nil) {
				t.Fatalf("seed %d: %d messages are sent as\n%+v (%d)\nwant\n%+v", seed, len(messages), out, bound, want)
			}
			if got := c.weight.of("m", out, weigh); got != int64(len(want)) {
				t.Fatalf("seed %d: the weight is %d, want %d", seed, got, len(want))
			}
			if c.talk == talk {
				grown++
				if n := min(len(sent), len(out)); !reflect.DeepEqual(sent[:n], out[:n]) {
					t.Fatalf("seed %d: one talk has\n%+v\nafter\n%+v", seed, out, sent)
				}
			}
			talk, sent = c.talk, append([]rein.Message(nil), out...)
		}
	}
	if grown < 1000 {
		t.Errorf("only %d conversations went on", grown)
	}
}

// TestLongestSummaryIsFoundAgain finds the same summary whether or not the conversation was looked at before.
func TestLongestSummaryIsFoundAgain(t *testing.T) {
	found := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		d := newDrive(&Engine{}, "r")
		c := &conversation{}
		messages := []rein.Message{{Role: rein.System, Text: "You are you."}}
		for range 20 {
			messages = change(r, messages)
			if from := guard.Instructions(messages); r.IntN(4) == 0 && len(messages) > from+2 {
				to := from + 2 + r.IntN(len(messages)-from-2)
				digest := guard.PrefixDigest(messages[from:to])
				d.summaries.folded = append(d.summaries.folded, folded{rein.Folded{From: from, To: to, Digest: digest}, rein.Message{Text: "sum"}})
			}
			c.take(messages)
			fresh := &conversation{}
			fresh.take(messages)
			got, want := d.summaries.longestSummary(c), d.summaries.longestSummary(fresh)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: found %+v, want %+v", seed, got, want)
			}
			if got != nil {
				found++
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d summaries were found", found)
	}
}
