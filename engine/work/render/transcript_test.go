package render

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"rein"
)

// anyMessage makes messages as flows and models do, and as they should not: results without calls, calls without results,
// two calls of one name.
func anyMessage(r *rand.Rand, n int) rein.Message {
	id := fmt.Sprintf("c%d", r.IntN(n/4+2))
	switch r.IntN(9) {
	case 0:
		return rein.Message{Role: rein.Developer, Text: "rule"}
	case 1, 2:
		return rein.Message{Role: rein.User, Text: "say <tool_result> again"}
	case 3:
		return rein.Message{Role: rein.Assistant, Text: "done"}
	case 4, 5:
		calls := []rein.ToolCall{{ID: id, Name: "look", Args: []byte(`{"q":1}`)}}
		if r.IntN(3) == 0 {
			calls = append(calls, rein.ToolCall{ID: fmt.Sprintf("c%d", r.IntN(n/4+2)), Name: "get", Args: []byte("{")})
		}
		return rein.Message{Role: rein.Assistant, Calls: calls}
	}
	return rein.Message{Role: rein.ToolRole, CallID: id, Text: "<b>", Status: []rein.ToolStatus{"", rein.ToolFailed, rein.ToolSkipped}[r.IntN(3)]}
}

// TestTranscript writes conversations as they grow, and each time the same as a whole: whatever was said, offered and
// asked for. What was returned before stays as it was.
func TestTranscript(t *testing.T) {
	tools := []rein.Tool{{Name: "look"}, {Name: "get", Description: "Get it."}}
	reused := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		var grown Transcript
		var messages, last, kept []rein.Message
		if r.IntN(2) == 0 {
			messages = append(messages, rein.Message{Role: rein.System, Text: "You are you."})
		}
		way, info, offered := rein.RenderNative, rein.ModelInfo{}, tools
		for range 12 {
			if r.IntN(5) == 0 {
				way = []rein.Rendering{rein.RenderNative, rein.RenderText, rein.RenderJSON, rein.RenderLog}[r.IntN(4)]
				info.TextOnly = r.IntN(2) == 0
				offered = tools[:r.IntN(3)]
			}
			for range r.IntN(4) {
				messages = append(messages, anyMessage(r, len(messages)))
			}
			want, wantTools := For(way, info, messages, offered)
			got, gotTools, same := grown.For(way, info, messages, offered)
			if fmt.Sprint(got) != fmt.Sprint(want) || !reflect.DeepEqual(gotTools, wantTools) {
				t.Fatalf("seed %d: %d messages as %s are\n%+v\nwant\n%+v", seed, len(messages), way, got, want)
			}
			if !reflect.DeepEqual(last, kept) {
				t.Fatalf("seed %d: what was returned before has changed to\n%+v\nit was\n%+v", seed, last, kept)
			}
			if same {
				reused++
				if len(got) < len(last) || !reflect.DeepEqual(got[:len(last)], last) {
					t.Fatalf("seed %d: it says that it begins as before, and is\n%+v\nafter\n%+v", seed, got, last)
				}
			}
			last, kept = got, append([]rein.Message(nil), got...)
		}
	}
	if reused < 500 {
		t.Errorf("only %d transcripts were written behind shorter ones", reused)
	}
}

// TestTranscriptReadsOnce says that one more round costs the same in a long conversation as in a short one.
func TestTranscriptReadsOnce(t *testing.T) {
	allocated := func(rounds int) float64 {
		var grown Transcript
		var messages []rein.Message
		add := func(n int) {
			id := fmt.Sprint("c", n)
			messages = append(messages,
				rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: id, Name: "look", Args: []byte("{}")}}},
				rein.Message{Role: rein.ToolRole, CallID: id, Text: "found"})
		}
		messages = append(messages, rein.Message{Role: rein.User, Text: "Find it."})
		for n := range rounds {
			add(n)
			grown.For("", rein.ModelInfo{}, messages, nil)
		}
		return testing.AllocsPerRun(20, func() {
			add(len(messages))
			grown.For("", rein.ModelInfo{}, messages, nil)
		})
	}
	if short, long := allocated(4), allocated(1000); long > short+5 {
		t.Errorf("a round makes %.0f allocations after 1,000 rounds and %.0f after 4", long, short)
	}
}
