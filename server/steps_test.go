package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/engine/guard"
	"rein/server"
	"rein/server/mask"
	"rein/store"
)

// ended starts a run and waits for its end.
func (r *rig) ended(id rein.RunID, task rein.Task) {
	r.Helper()
	r.start(id, task)
	follow(r.T, r.Client, id, followAll).wantEnd()
}

// TestSteps lists the steps of a run in pages, and shows what was sent to the model in each and what it said.
//
// Covers: LAW-1
func TestSteps(t *testing.T) {
	r := newRig(t)
	steer := task("steer", "hi")
	steer.Settings = json.RawMessage(`{"rounds":3}`)
	r.ended("r", steer)
	var keys []string
	var after rein.StepKey
	for pages := 0; ; pages++ {
		page, err := r.Steps(t.Context(), "r", after, 2)
		check(t, err)
		for _, step := range page.Steps {
			keys = append(keys, string(step.Key)+" "+string(step.Verb)+" "+string(step.State))
			if step.Seq == 0 || step.Last < step.Seq || step.Started.IsZero() || step.Ended.Before(step.Started) {
				t.Errorf("step %s: %+v", step.Key, step)
			}
		}
		if after = page.Next; after == "" {
			if pages != 2 {
				t.Errorf("%d pages", pages+1)
			}
			break
		}
	}
	if got, want := strings.Join(keys, ", "), "1 model ok, 2 inbox ok, 3 model ok, 4 inbox ok, 5 model ok, 6 inbox ok"; got != want {
		t.Errorf("the steps are %s, want %s", got, want)
	}
	d, err := r.Step(t.Context(), "r", "3")
	check(t, err)
	if d.Prompt == nil || len(d.Prompt.Messages) != 2 || d.Prompt.Messages[0].Text != "hi" || d.Prompt.Messages[1].Text != "echo: hi" || d.Reply == nil || d.Reply.Text != "echo: echo: hi" {
		t.Errorf("step 3: %+v, said %+v", d.Prompt, d.Reply)
	}
	if d.Step.Phase != "act" || d.Step.Round != 2 || d.Step.Usage == nil || d.Step.Usage.Input != 1 || len(d.Step.Attempts) != 1 || d.Prompt.Phase != "act" {
		t.Errorf("step 3: %+v", d.Step)
	}
	_, err = r.Step(t.Context(), "r", "99")
	wantCode(t, "a step that is not there", err, rein.CodeNotFound, `no step "99"`)
	_, err = r.Steps(t.Context(), "r", "x", 0)
	wantCode(t, "after no step", err, rein.CodeNotFound)
	_, err = r.Steps(t.Context(), "r", "", api.MaxLimit+1)
	wantCode(t, "too many", err, rein.CodeInvalid, "limit")
	for _, other := range []string{"bob", "stranger"} {
		_, err = r.as(other).Steps(t.Context(), "r", "", 0)
		wantCode(t, other+" lists", err, rein.CodeNotFound)
		_, err = r.as(other).Step(t.Context(), "r", "1")
		wantCode(t, other+" looks", err, rein.CodeNotFound)
	}
	check(t, r.store.Erase(t.Context(), func(context.Context, store.Moment) ([]rein.RunID, error) { return []rein.RunID{"r"}, nil }))
	page, err := r.Steps(t.Context(), "r", "", 0)
	check(t, err)
	if len(page.Steps) != 6 || page.Steps[0].State != api.StepErased {
		t.Errorf("after it was erased: %+v", page)
	}
	if d, err = r.Step(t.Context(), "r", "3"); err != nil || d.Prompt != nil || d.Reply != nil || !d.Step.Erased {
		t.Errorf("after it was erased: %+v, %v", d, err)
	}
}

// TestStepThatWaits shows a step that waits for a person, its ask, and the answer.
func TestStepThatWaits(t *testing.T) {
	r := newRig(t)
	r.start("r", task("ask", "hi"))
	f := follow(t, r.Client, "r", client.FollowOptions{})
	f.untilKind("r", rein.RunParked)
	d, err := r.Step(t.Context(), "r", "1")
	check(t, err)
	if d.Step.State != api.StepWaiting || len(d.Step.Asks) != 1 || d.Step.Asks[0].State != rein.AskPending || !d.Step.Ended.IsZero() {
		t.Fatalf("it waits: %+v", d.Step)
	}
	ask, err := r.Ask(t.Context(), d.Step.Asks[0].ID)
	check(t, err)
	_, err = r.Command(t.Context(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "red"}))
	check(t, err)
	f.wantEnd()
	page, err := r.Steps(t.Context(), "r", "", 0)
	check(t, err)
	if step := page.Steps[0]; step.State != api.StepOK || step.Asks[0].State != rein.AskAnswered || step.Asks[0].Closed.IsZero() || step.Duration <= 0 {
		t.Errorf("it was answered: %+v", step)
	}
	if d, err = r.Step(t.Context(), "r", "1"); err != nil || d.Answer == nil || d.Answer.Text != "red" {
		t.Errorf("it was answered: %+v, %v", d.Answer, err)
	}
}

// TestStepOfACutRun shows a step that the end of the run cut off, and a child's.
func TestStepOfACutRun(t *testing.T) {
	r := newRig(t)
	r.start("r", family(t, task("ask", "hi")))
	f := follow(t, r.Client, "r", client.FollowOptions{Tree: true})
	f.untilKind("r.1", rein.AskOpened)
	_, err := r.Command(t.Context(), rein.Command{Kind: rein.CommandCancel, Run: "r"})
	check(t, err)
	f.wantEnd()
	page, err := r.Steps(t.Context(), "r.1", "", 0)
	check(t, err)
	if len(page.Steps) != 1 || page.Steps[0].State != api.StepCut || page.Steps[0].Asks[0].State != rein.AskWithdrawn {
		t.Errorf("the child's steps: %+v", page.Steps)
	}
	if page, err = r.Steps(t.Context(), "r", "", 0); err != nil || page.Steps[0].Verb != rein.VerbSpawn || page.Steps[0].Child != "r.1" {
		t.Errorf("the parent's steps: %+v, %v", page.Steps, err)
	}
}

// TestStepsAreMasked shows labels in place of secrets, as all reads do.
//
// Covers: HUM-42
func TestStepsAreMasked(t *testing.T) {
	r := newRig(t)
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	r.ended("r", task("once", "my key is "+token))
	seen := server.New(server.Options{
		Engine: r.engine, Store: mask.New(r.store, (*guard.Redactor)(nil)), Feed: r.feed, Who: who,
		Health: func() api.Health { return api.Health{} },
	})
	d, err := client.Handler(http.HandlerFunc(seen.ServeHTTP)).Step(t.Context(), "r", "1")
	check(t, err)
	shown, err := json.Marshal(d)
	check(t, err)
	if strings.Contains(string(shown), token) || !strings.Contains(string(shown), rein.Mask) {
		t.Errorf("it shows %s", shown)
	}
}
