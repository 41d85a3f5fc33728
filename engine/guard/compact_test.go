package guard_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/engine/guard"
)

// talk is a system prompt and n messages.
func talk(n int) []rein.Message {
	messages := []rein.Message{{Role: rein.System, Text: "Be kind."}, {Role: rein.Developer, Text: "Be short."}}
	for i := range n {
		messages = append(messages, rein.Message{Role: []rein.Role{rein.User, rein.Assistant}[i%2], Text: fmt.Sprintf("message %d", i)})
	}
	return messages
}

// group is a call with n results.
func group(n int) []rein.Message {
	m := rein.Message{Role: rein.Assistant}
	results := []rein.Message{}
	for i := range n {
		id := fmt.Sprintf("c%d", i)
		m.Calls = append(m.Calls, rein.ToolCall{ID: id, Name: "echo"})
		results = append(results, rein.Message{Role: rein.ToolRole, CallID: id})
	}
	return append([]rein.Message{m}, results...)
}

// Covers: ENG-9 SD-60 SD-61 SD-63 SD-64
func TestCut(t *testing.T) {
	summary := rein.Message{Role: rein.System, Text: guard.SummaryHeading + "\nOld."}
	folded := append(append(talk(0), summary), talk(31)[2:]...)
	big := talk(10)
	big[3].Text = strings.Repeat("x", 4000)
	type no struct{}
	for _, c := range []struct {
		name     string
		messages []rein.Message
		compact  rein.Compact
		info     rein.ModelInfo
		failedAt int
		want     any
	}{
		{"30 are not too many", talk(30), rein.Compact{}, rein.ModelInfo{}, 0, no{}},
		{"31 are", talk(31), rein.Compact{}, rein.ModelInfo{}, 0, guard.Cutting{From: 2, To: 28}},
		{"the pairs stay whole", append(talk(28), group(6)...), rein.Compact{}, rein.ModelInfo{}, 0, guard.Cutting{From: 2, To: 30}},
		{"one large group is left alone", append(talk(1), group(40)...), rein.Compact{}, rein.ModelInfo{}, 0, no{}},
		{"a summary is folded", folded, rein.Compact{}, rein.ModelInfo{}, 0, guard.Cutting{From: 2, To: 29}},
		{"a summary alone is not", append(append(talk(0), summary), talk(6)[2:]...), rein.Compact{Messages: 5}, rein.ModelInfo{}, 0, no{}},
		{"other numbers", talk(11), rein.Compact{Messages: 10, Keep: 2}, rein.ModelInfo{}, 0, guard.Cutting{From: 2, To: 11}},
		{"a share of the window", big, rein.Compact{}, rein.ModelInfo{Window: 1200}, 0, guard.Cutting{From: 2, To: 7}},
		{"the window is large enough", big, rein.Compact{}, rein.ModelInfo{Window: 1500}, 0, no{}},
		{"another share", big, rein.Compact{Share: 0.5}, rein.ModelInfo{Window: 1500}, 0, guard.Cutting{From: 2, To: 7}},
		{"not a share", big, rein.Compact{Share: math.NaN()}, rein.ModelInfo{Window: 1500}, 0, no{}},
		{"keep holds though it is too much", big[:6], rein.Compact{}, rein.ModelInfo{Window: 100}, 0, no{}},
		{"failed before", talk(40), rein.Compact{}, rein.ModelInfo{}, 33, no{}},
		{"failed long before", talk(56), rein.Compact{}, rein.ModelInfo{}, 33, guard.Cutting{From: 2, To: 53}},
		{"keep more than so many", talk(31), rein.Compact{Keep: 40}, rein.ModelInfo{}, 1, no{}},
		{"nothing", nil, rein.Compact{}, rein.ModelInfo{}, 0, no{}},
	} {
		var got any = no{}
		if cutting, ok := guard.Cut(c.messages, c.compact, c.info, c.failedAt); ok {
			got = cutting
		}
		if !cmp.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// Wherever it cuts, no call is parted from its result, the newest messages stay, and cutting again
// and again comes to an end.
//
// Covers: ENG-9 SD-60 SD-63 SD-64 SD-65 LAW-4/pipeline
func TestCuttingParts(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		messages := anyTranscript(r)
		for range r.IntN(4) {
			messages = append(messages, anyTranscript(r)[1:]...) // with call IDs that come again
		}
		c := rein.Compact{Messages: 1 + r.IntN(12), Keep: 1 + r.IntN(6)}
		info := rein.ModelInfo{Window: r.Int64N(2000)}
		for round := 0; ; round++ {
			cutting, ok := guard.Cut(messages, c, info, 0)
			if !ok {
				break
			}
			if round > len(messages) {
				t.Fatalf("cutting does not end: %+v", messages)
			}
			replaced, kept := messages[cutting.From:cutting.To], messages[cutting.To:]
			if cutting.From != 1 || len(kept) < c.Keep || len(replaced) < 2 {
				t.Fatalf("%+v of %d messages for %+v", cutting, len(messages), c)
			}
			whole(t, replaced)
			whole(t, kept)
			if kept[0].Role == rein.ToolRole {
				t.Fatalf("%+v begins with a result", kept)
			}
			next := append([]rein.Message{messages[0], {Role: rein.System, Text: guard.SummaryHeading}}, kept...)
			if diff := cmp.Diff(messages[len(messages)-c.Keep:], next[len(next)-c.Keep:]); diff != "" {
				t.Fatal(diff)
			}
			messages = next
		}
	}
}

func whole(t *testing.T, messages []rein.Message) {
	t.Helper()
	open := 0
	for _, m := range messages {
		open += len(m.Calls)
		if m.Role == rein.ToolRole {
			open--
		}
		if open < 0 {
			break
		}
	}
	if open != 0 {
		t.Fatalf("a call and its result are parted: %+v", messages)
	}
}

// The oldest runs are folded whole, the newest stay, and so does the task; if the run itself is too long
// the past goes with its older part.
//
// Covers: SD-94 ENG-9
func TestCutPast(t *testing.T) {
	run := func(n, bytes int) []rein.Message {
		past := &rein.Past{Run: rein.RunID(fmt.Sprint("r", n))}
		return []rein.Message{
			{Role: rein.User, Text: "q", Past: past},
			{Role: rein.Developer, Text: "did", Past: past},
			{Role: rein.Assistant, Text: strings.Repeat("a", bytes), Past: past},
		}
	}
	fold := rein.Message{Role: rein.System, Text: guard.SummaryHeading + "\nOld.", Past: &rein.Past{Fold: rein.Hash{7}}}
	of := func(runs, bytes int, own ...rein.Message) []rein.Message {
		all := append(talk(0), fold)
		for n := range runs {
			all = append(all, run(n, bytes)...)
		}
		return append(append(all, rein.Message{Role: rein.User, Text: "task", Pinned: true}), own...)
	}
	for _, c := range []struct {
		name     string
		messages []rein.Message
		compact  rein.Compact
		info     rein.ModelInfo
		want     guard.Cutting
	}{
		{"few", of(9, 10), rein.Compact{}, rein.ModelInfo{}, guard.Cutting{}},
		{"too many messages", of(10, 10), rein.Compact{Messages: 30, Keep: 8}, rein.ModelInfo{}, guard.Cutting{From: 2, To: 27}},
		{"too many bytes", of(7, 10_000), rein.Compact{Messages: 1000}, rein.ModelInfo{}, guard.Cutting{From: 2, To: 18}},
		{"too much for the window", of(4, 2000), rein.Compact{Messages: 1000}, rein.ModelInfo{Window: 2000}, guard.Cutting{From: 2, To: 12}},
		{"the run itself is too long", of(2, 10, talk(40)[2:]...), rein.Compact{}, rein.ModelInfo{}, guard.Cutting{From: 2, To: 45}},
	} {
		got, ok := guard.Cut(c.messages, c.compact, c.info, 0)
		if got.From != c.want.From || got.To != c.want.To || ok != (c.want.To > 0) {
			t.Errorf("%s: got %+v %v, want %+v", c.name, got, ok, c.want)
		}
		if inPast := got.To > 0 && c.messages[got.To-1].Past != nil; inPast != (len(got.Runs) > 0) || inPast && (got.Base != rein.Hash{7} || len(got.Runs) != (got.To-3)/3) {
			t.Errorf("%s: the fold is of %v on %v", c.name, got.Runs, got.Base)
		}
	}
	whole := of(2, 10, talk(3)[2:]...)
	var pins []int
	for i, m := range whole {
		if m.Pinned {
			pins = append(pins, i)
		}
	}
	folded := guard.Folded(whole, pins, 2, 11, rein.Message{Role: rein.System, Text: "Sum."})
	if len(folded) != 6 || folded[2].Text != "Sum." || folded[3].Text != "task" || folded[4].Text != "message 1" {
		t.Errorf("%+v", folded)
	}
}

// Covers: ENG-9
func TestPrefixDigest(t *testing.T) {
	prefix := func() []rein.Message {
		return []rein.Message{
			{Role: rein.Assistant, Text: "a", Calls: []rein.ToolCall{{ID: "1", Name: "echo", Args: json.RawMessage(`{}`)}}},
			{Role: rein.ToolRole, CallID: "1", Status: rein.ToolOK, Text: "b"},
		}
	}
	same := guard.PrefixDigest(prefix())
	named := prefix()
	named[0].Calls[0].Human = "shown to people only"
	if guard.PrefixDigest(prefix()) != same || guard.PrefixDigest(named) != same {
		t.Error("the same prefix has two digests")
	}
	for i, change := range []func([]rein.Message){
		func(m []rein.Message) { m[0].Role = rein.User },
		func(m []rein.Message) { m[0].Text = "" },
		func(m []rein.Message) { m[0].Calls[0].ID = "2" },
		func(m []rein.Message) { m[0].Calls[0].Args = nil },
		func(m []rein.Message) { m[1].CallID = "2" },
		func(m []rein.Message) { m[1].Status = rein.ToolFailed },
	} {
		other := prefix()
		change(other)
		if guard.PrefixDigest(other) == same {
			t.Errorf("change %d makes no difference", i)
		}
	}
}
