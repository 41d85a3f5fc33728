package chat_test

import (
	"errors"
	"testing"

	"rein"
	"rein/flow/chat"
	"rein/internal/flowtest"
)

// oneCall is a Run of which only CallModel may be used.
type oneCall struct {
	rein.Run
	prompts []rein.Prompt
	reply   rein.Message
	err     error
}

func (r *oneCall) CallModel(p rein.Prompt) (rein.Message, error) {
	r.prompts = append(r.prompts, p)
	return r.reply, r.err
}

var hello = rein.Task{Model: "m", Messages: []rein.Message{{Role: rein.User, Text: "Hello?"}}}

func TestChat(t *testing.T) {
	run := &oneCall{reply: rein.Message{Role: rein.Assistant, Text: "Hello."}}
	out, err := chat.Do(run, hello)
	if err != nil || out.End != rein.EndDone || out.Text != "Hello." {
		t.Errorf("chat = %+v, %v", out, err)
	}
	if len(run.prompts) != 1 {
		t.Fatalf("chat made %d model calls, want 1", len(run.prompts))
	}
	p := run.prompts[0]
	if p.Model != "m" || len(p.Messages) != 1 || p.Messages[0].Text != "Hello?" || len(p.Tools) != 0 || !p.Stream {
		t.Errorf("the prompt is %+v", p)
	}
}

func TestChatFails(t *testing.T) {
	for name, c := range map[string]struct {
		run  *oneCall
		want error
	}{
		"empty reply":    {&oneCall{reply: rein.Message{Text: " \n"}}, &rein.Error{Code: rein.CodeProvider}},
		"provider error": {&oneCall{err: rein.ErrStopped}, rein.ErrStopped},
	} {
		if _, err := chat.Do(c.run, hello); !errors.Is(err, c.want) {
			t.Errorf("%s: chat failed with %v, want %v", name, err, c.want)
		}
	}
}

// A modify and a spent budget are not the end of a chat.
//
// Covers: LAW-8
func TestChatGoesOn(t *testing.T) { flowtest.Files(t, "testdata/*.txtar") }
