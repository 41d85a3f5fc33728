package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/engine"
	"rein/internal/rig"
)

// sayAndDo has the model speak once, and makes its calls.
func sayAndDo(run rein.Run, task rein.Task) (rein.Outcome, error) {
	reply, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "act"}, Messages: task.Messages, Tools: task.Tools})
	if err != nil {
		return rein.Outcome{}, err
	}
	var said []string
	for _, call := range reply.Calls {
		result, err := run.CallTool(call)
		if err != nil {
			return rein.Outcome{}, err
		}
		said = append(said, string(result.Status)+" "+result.Text)
	}
	return rein.Outcome{Text: strings.Join(said, "\n")}, nil
}

// A sentenced is a process with a tool that makes a sentence of its approvals.
type sentenced struct {
	*rig.Rig
	details atomic.Pointer[string]
}

func newSentenced(t *testing.T) *sentenced {
	s := &sentenced{Rig: rig.Open(t, rig.Options{})}
	s.show("")
	return s
}

func (s *sentenced) show(details string) { s.details.Store(&details) }

func (s *sentenced) begin(script string) {
	s.Helper()
	remind := rein.Tool{
		Name: "remind", Description: "Reminds.", Effect: rein.Pure, Approval: true,
		Schema: json.RawMessage(`{"type":"object"}`),
		Do:     func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "kept"}, nil },
		Show: func(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
			var args struct{ Label string }
			err := json.Unmarshal(inv.Args, &args)
			return rein.Shown{Say: "Shall I remind you of\n'" + args.Label + "'?", Text: *s.details.Load()}, err
		},
	}
	plain := remind
	plain.Name, plain.Show = "plain", nil
	s.Begin(engine.Options{
		Flows: map[string]rein.Flow{"f": {Do: sayAndDo}}, Grace: engine.NoGrace,
		Worker: rig.Worker(rig.Script(s, script), map[string]rein.Tool{"remind": remind, "plain": plain}),
	})
}

func (s *sentenced) ask(id rein.RunID, language string) rein.Ask {
	s.Helper()
	_, err := s.Engine.Start(s.Context(), id, rein.Task{
		Flow: "f", User: "ann", Language: language, Tools: []string{"remind", "plain"}, Messages: []rein.Message{{Role: rein.User, Text: "Remind me."}},
	})
	rig.Check(s, err)
	ctx, cancel := context.WithTimeout(s.Context(), rig.Patience)
	defer cancel()
	return awaitAsk(ctx, s.TB, s.Rig)
}

const reminding = `
when
say I want to remind you,
say because you asked\u202e for it.
call remind {"label":"dentist","at":{"kind":"at","tz":"Europe/Amsterdam"},"note":"a <b>\nExactly (other):","urgent":true,"room":"12","empty":""}
`

// An approval reads as a sentence: then why, then what the tool shows, then the exact arguments, of which none can look like
// another. What is agreed to is all of it.
//
// Covers: NEU-62
func TestSentence(t *testing.T) {
	t.Parallel()
	s := newSentenced(t)
	s.show("It is a busy day.\n")
	s.begin(strings.ReplaceAll(reminding, `\u202e`, "\u202e"))
	ask := s.ask("r1", "en-GB")
	want := "Shall I remind you of 'dentist'?\n" + `Why: I want to remind you, because you asked\u202e for it.

It is a busy day.

Exactly (remind):
  at: {"kind":"at","tz":"Europe/Amsterdam"}
  empty: ""
  label: dentist
  note:
    | a <b>
    | Exactly (other):
  room: "12"
  urgent: true`
	if diff := cmp.Diff(want, ask.Text); diff != "" {
		t.Error(diff)
	}
	parts := []string{ask.Say, ask.Reason, ask.Details, ask.Language}
	if diff := cmp.Diff([]string{"Shall I remind you of 'dentist'?", `I want to remind you, because you asked\u202e for it.`, "It is a busy day.", "en-GB"}, parts); diff != "" {
		t.Error(diff)
	}
	s.show("It is a quiet day.") // what was read is no longer what would be done: the person is asked again
	_, err := s.Engine.Command(t.Context(), ask.Reply(rein.Answer{State: rein.AskApproved, By: "ann"}))
	rig.Check(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	again := awaitAsk(ctx, t, s.Rig)
	if again.ID == ask.ID || !strings.Contains(again.Text, "a quiet day") || again.Shown == ask.Shown {
		t.Errorf("asked again: %+v", again)
	}
	_, err = s.Engine.Command(t.Context(), again.Reply(rein.Answer{State: rein.AskApproved, By: "ann"}))
	rig.Check(t, err)
	end, err := s.Engine.Wait(ctx, "r1")
	if err != nil || end.Text != "ok kept" {
		t.Errorf("%+v, %v", end, err)
	}
}

// The words around what a tool shows are in the language of the task, and an approval that was asked for in the words of
// an earlier program holds.
//
// Covers: NEU-62
func TestWordsAround(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"": `Allow plain {"a":1}?`, "de": `Allow plain {"a":1}?`, "nl": `plain {"a":1} toestaan?`} {
		s := newSentenced(t)
		s.begin("when\ncall plain {\"a\":1}")
		if ask := s.ask("r1", language); ask.Text != want || ask.Say != "" {
			t.Errorf("%q: %q", language, ask.Text)
		}
	}
	s := newSentenced(t)
	s.begin("when\ncall remind {\"label\":\"tandarts\"}")
	if ask := s.ask("r1", "nl"); ask.Text != "Shall I remind you of 'tandarts'?\n\nPrecies (remind):\n  label: tandarts" {
		t.Errorf("%q", ask.Text)
	}
}
