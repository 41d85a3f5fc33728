package offline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

func TestInfo(t *testing.T) {
	info := model.Info()
	if info.Name != "offline" || info.InputMicros != 0 || info.OutputMicros != 0 || info.TextOnly || info.Window <= info.MaxOutput || info.MaxOutput <= 0 {
		t.Errorf("Info() = %+v", info)
	}
}

// TestShow wants the text word by word, and all of it.
func TestShow(t *testing.T) {
	var words []string
	reply, err := model.Generate(t.Context(), rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("hi")}}}, func(s string) { words = append(words, s) })
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(words, ""); got != reply.Message.Text {
		t.Errorf("shown %q\n text %q", got, reply.Message.Text)
	}
	for _, w := range words {
		if len(strings.Fields(w)) != 1 {
			t.Errorf("shown at once: %q", w)
		}
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	shown := 0
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("hi")}}}
	_, err := model.Generate(ctx, r, func(string) {
		if shown++; shown == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || shown != 3 {
		t.Errorf("cancelled after 3 words: %v after %d", err, shown)
	}
	if _, err := model.Generate(ctx, r, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
}

// TestMaxTokens wants every reply to keep within its bound, and JSON to stay JSON while it can.
func TestMaxTokens(t *testing.T) {
	for limit := range int64(300) {
		limit++
		for name, p := range map[string]rein.Prompt{
			"text":   {},
			"schema": {Schema: []byte(`{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}`)},
		} {
			p.Messages, p.MaxTokens = []rein.Message{user("What is the height of the tower?")}, limit
			reply, err := model.Generate(t.Context(), rein.ModelRequest{Prompt: p}, nil)
			if err != nil {
				t.Fatal(err)
			}
			text := reply.Message.Text
			if text == "" || reply.Usage.Output > limit || int64(len(text)) > limit*4 {
				t.Fatalf("%s with %d tokens: %d bytes, usage %+v", name, limit, len(text), reply.Usage)
			}
			if name == "schema" && limit >= 8 && !validFor(t, p.Schema, text) {
				t.Fatalf("%d tokens: %s", limit, text)
			}
		}
	}
}

func TestUsageIsEstimated(t *testing.T) {
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user(strings.Repeat("abcd", 100))}}}
	reply, err := model.Generate(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &rein.Usage{Input: 100, Output: int64(len(reply.Message.Text)+3) / 4}
	if diff := cmp.Diff(want, reply.Usage); diff != "" || reply.Model != "offline" {
		t.Errorf("model %q, usage (-want +got):\n%s", reply.Model, diff)
	}
}

// TestCallIDs wants IDs that no call of the transcript has, also after a compaction.
func TestCallIDs(t *testing.T) {
	old := rein.ToolCall{ID: "offline-2", Name: "read_file", Args: []byte(`{"path":"old.md"}`)}
	r := rein.ModelRequest{
		Prompt: rein.Prompt{Messages: []rein.Message{
			user("x"), {Role: rein.Assistant, Calls: []rein.ToolCall{old}}, old.Answer(rein.ToolResult{Status: rein.ToolOK}), user("Read a.md, b.md and c.md"),
		}},
		Offered: offered(t, "read_file"),
	}
	var ids []string
	for _, c := range generate(t, r).Calls {
		ids = append(ids, c.ID)
	}
	if want := []string{"offline-1", "offline-3", "offline-4"}; !slices.Equal(ids, want) {
		t.Errorf("IDs %v, want %v", ids, want)
	}
}

// TestSteering wants the newest message of a person to count, and a person's answer to a call too.
func TestSteering(t *testing.T) {
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{user("Read a.md"), user("No, read b.md")}}, Offered: offered(t, "read_file")}
	if got := render(generate(t, r)); got != `call read_file {"path":"b.md"}` {
		t.Error(got)
	}
}
