package engine_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/engine"
	"rein/internal/rig"
)

// A reply that begins with a line by which it hands over is not shown. One in which it comes later is withdrawn: its step
// begins its text again, and nothing of the line is ever shown.
//
// Covers: NEU-21
func TestHandOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply     string
		shown     string
		withdrawn bool
	}{
		"an answer":         {"Good morning!\nHow are you?", "Good morning!\nHow are you?", false},
		"the line first":    {"[NEED_TASK]\nI will do it.", "", false},
		"the line later":    {"I will do it.\n[NEED_TASK]\nSoon.", "I will do it.\n", true},
		"a reply in JSON":   {`{"message": "Good morning!"}`, "", false},
		"the line in fence": {"So:\n```\n[NEED_TASK]\n```", "So:\n```\n[NEED_TASK]\n```", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rig.Open(t, rig.Options{})
			var mu sync.Mutex
			var attempts []int
			shown := ""
			speak := func(run rein.Run, task rein.Task) (rein.Outcome, error) {
				reply, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "chat"}, Messages: task.Messages, Prose: true, HandOver: []string{"[NEED_TASK]"}})
				return rein.Outcome{Text: reply.Text}, err
			}
			script := "when\nsay <<END\n" + c.reply + "\nEND"
			r.Begin(engine.Options{
				Flows: map[string]rein.Flow{"f": {Do: speak}}, Worker: rig.Worker(rig.Script(t, script), nil),
				OnDelta: func(d rein.Delta) {
					mu.Lock()
					defer mu.Unlock()
					attempts = append(attempts, d.Attempt)
					shown += d.Text
					if strings.Contains(shown, "[NEED_TASK]\nSoon") {
						t.Errorf("shown was %q", shown)
					}
				},
			})
			_, err := r.Engine.Start(t.Context(), "r1", rein.Task{Flow: "f", Messages: []rein.Message{{Role: rein.User, Text: "Hi"}}})
			rig.Check(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
			defer cancel()
			end, err := r.Engine.Wait(ctx, "r1")
			if err != nil || strings.TrimSpace(end.Text) != c.reply {
				t.Errorf("ended as %+v, %v", end, err)
			}
			mu.Lock()
			defer mu.Unlock()
			withdrawn := len(attempts) > 0 && attempts[len(attempts)-1] == attempts[0]+1
			if strings.TrimRight(shown, "\n") != strings.TrimRight(c.shown, "\n") || withdrawn != c.withdrawn {
				t.Errorf("shown was %q in attempts %v", shown, attempts)
			}
		})
	}
}
