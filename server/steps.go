package server

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"net/http"

	"rein"
	"rein/api"
	"rein/journal"
)

// stepOperations are those of the steps of a run.
func (s *server) stepOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/runs/{id}/steps", name: "listSteps", tag: "runs", summary: "List the steps of a run in the order in which they began, without their texts",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Steps{}), do: s.listSteps,
			query: []parameter{
				{name: "after", about: "only steps after the one with this key: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/runs/{id}/steps/{key}", name: "showStep", tag: "runs", summary: "Get a step of a run with its texts: the prompt as it was sent and the reply, or the call and its result",
			needs: rein.ScopeRead, wide: true, answers: ok(api.StepDetail{}), do: s.showStep,
		},
	}
}

func (s *server) listSteps(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	after := rein.StepKey(r.URL.Query().Get("after"))
	steps, more, err := s.log(r.Context(), info).Page(after, number(r, "limit", api.DefaultLimit))
	if err != nil {
		return err
	}
	page := api.Steps{Steps: each(steps, apiStep)}
	if more {
		page.Next = steps[len(steps)-1].Key
	}
	return answer(w, http.StatusOK, page)
}

func (s *server) showStep(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	log := s.log(r.Context(), info)
	step, err := log.Find(rein.StepKey(r.PathValue("key")))
	if err != nil {
		return err
	}
	detail := api.StepDetail{Step: apiStep(step)}
	if prompt, err := log.Prompt(step); err != nil {
		return err
	} else if prompt != nil {
		detail.Prompt = apiPrompt(prompt)
	}
	withTexts(&detail, step)
	return answer(w, http.StatusOK, detail)
}

// log is the log of a run up to its newest event, without secrets.
func (s *server) log(ctx context.Context, info rein.RunInfo) journal.Log {
	return journal.Log{
		Run: info.ID, Length: info.Seq,
		From: func(after int64) iter.Seq2[rein.Event, error] { return s.Store.Events(ctx, info.ID, after) },
		At:   func(seq int64) (rein.Event, error) { return s.Store.Event(ctx, info.ID, seq) },
	}
}

// withTexts adds what was said in a step.
func withTexts(d *api.StepDetail, step *journal.Course) {
	if call := step.Wrote(); call != nil {
		d.Call = call
		if args := step.Args(); !bytes.Equal(args, d.Call.Args) {
			d.Args = args
		}
	}
	if end := step.End; end != nil {
		d.Reply, d.Partial, d.Result, d.Whole = end.Message, end.Partial, end.Result, end.Whole
		d.Answer, d.Items, d.Outcome = end.Answer, end.Items, end.Outcome
	}
}

func apiPrompt(p *journal.Sent) *api.SentPrompt {
	sent := &api.SentPrompt{Prompt: p.Prompt, Messages: append([]rein.Message{}, p.Messages...)}
	if p.Folds != nil {
		sent.Folded = &api.FoldedPart{From: p.Folds.From, To: p.Folds.To, Summary: p.Summary}
	}
	return sent
}

func apiStep(c *journal.Course) api.Step {
	step := api.Step{
		Key: c.Key, Of: c.Inside, Verb: c.Verb, About: c.About, Tool: c.Tool, Model: c.Model, Child: c.Child, State: stateOf(c),
		Started: c.Began, Ended: c.Ended, Mended: c.Mend.Mended, Seq: c.First, Last: c.Last, Erased: c.Erased,
		Attempts: some(c.Tries, apiAttempt), Waits: some(c.Waits, apiWait), Asks: some(c.Questions, apiStepAsk),
	}
	if c.Start != nil && c.Start.Call != nil {
		step.Internal = c.Start.Call.Internal
	}
	if c.Usage != (rein.Usage{}) {
		usage := c.Usage
		step.Usage = &usage
	}
	if c.Intent != nil {
		step.Effect, step.Allowed, step.Mode = c.Intent.Effect, c.Intent.Allowed, c.Intent.Mode
	}
	if end := c.End; end != nil {
		step.Failure, step.Model = end.Failure, cmp.Or(end.Model, step.Model)
		step.Duration = cmp.Or(end.Duration, c.Ended.Sub(c.Began))
	}
	return step
}

func apiAttempt(t journal.Try) api.StepAttempt { return api.StepAttempt(t) }

func apiWait(w journal.Wait) api.StepWait { return api.StepWait(w) }

func apiStepAsk(a rein.Ask) api.StepAsk {
	return api.StepAsk{ID: a.ID, Kind: a.Kind, State: a.State, Opened: a.Opened, Closed: a.Closed}
}

// stateOf says where a step stands.
func stateOf(c *journal.Course) api.StepState {
	switch {
	case c.Erased:
		return api.StepErased
	case c.End == nil && c.Cut:
		return api.StepCut
	case c.End == nil && (c.Waiting != nil || asks(c)):
		return api.StepWaiting
	case c.End == nil:
		return api.StepRunning
	case c.End.Result != nil:
		return api.StepState(c.End.Result.Status)
	case c.End.Failure != nil:
		return failureState(c.End.Failure.Code)
	}
	return api.StepOK
}

// failureState tells a step that was cut off from one that failed.
func failureState(code rein.Code) api.StepState {
	if code.Interrupts() {
		return api.StepCut
	}
	return api.StepFailed
}

// asks reports whether a step waits for a person.
func asks(c *journal.Course) bool {
	for _, ask := range c.Questions {
		if ask.State == rein.AskPending {
			return true
		}
	}
	return false
}
