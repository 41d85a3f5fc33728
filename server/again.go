package server

import (
	"cmp"
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// Again does recorded runs again: whole, or up to a step and then another way.
type Again interface {
	// Fork returns the task of a run that repeats another one up to a step; text, if not nil, is what that step says
	// instead. What cannot be forked so is CodeInvalid.
	Fork(ctx context.Context, run rein.RunID, step rein.StepKey, text *string, allow []string) (rein.Task, error)
	// Replay plays a run again, without effects, and compares.
	Replay(ctx context.Context, run rein.RunID) (api.Replayed, error)
}

// againOperations are about runs that are done again.
func (s *server) againOperations() []operation {
	return []operation{
		{
			method: "POST", path: "/v1/runs/{id}/forks", name: "forkRun", tag: "runs",
			summary: "Fork a run: start a new one that repeats it up to a step, and then goes its own way without effects, with another model or an edited text. With `Accept: text/event-stream`, the answer is the stream of the new run",
			needs:   rein.ScopeAct, once: true, body: api.NewFork{}, answers: startReplies(), query: startQuery(), do: s.forkRun,
		},
		{
			method: "POST", path: "/v1/runs/{id}/replay", name: "replayRun", tag: "runs", summary: "Play a run again from its log, without effects, and compare: flows and engine are those of this server, and what models, tools and people returned comes from the log",
			needs: rein.ScopeRead, answers: ok(api.Replayed{}), do: s.replayRun,
		},
	}
}

func (s *server) noAgain() error {
	if s.Again != nil {
		return nil
	}
	return rein.Errorf(rein.CodeUnavailable, "this process does not run recorded runs again: send the request to the process that owns the data")
}

func (s *server) forkRun(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewFork
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if !who.May(rein.ScopeRead) {
		return lacks(who, rein.ScopeRead) // the answer says what the run was asked
	}
	run := rein.RunID(r.PathValue("id"))
	if err := cmp.Or(run.Check(), s.mayFork(r.Context(), &rein.Fork{Run: run}, who), s.noAgain()); err != nil {
		return err
	}
	task, err := s.forkOf(r.Context(), run, body, who)
	if err != nil {
		return err
	}
	allowed := task.Policy.Allow
	task.Policy.Allow = nil // whoever may fork the run need not agree to what it does not do, or did with their consent
	return s.starts(w, r, api.NewRun{ID: body.ID, Task: task}, who, func(task *rein.Task) { task.Policy.Allow = allowed })
}

// forkOf makes the task of a fork, when it is the sender's turn.
func (s *server) forkOf(ctx context.Context, run rein.RunID, body api.NewFork, who rein.Identity) (rein.Task, error) {
	done, err := s.turns.take(ctx, who)
	if err != nil {
		return rein.Task{}, err
	}
	defer done()
	task, err := s.Again.Fork(ctx, run, body.Step, body.Text, body.Allow)
	task.User, task.Household = "", ""
	if body.Model != "" {
		task.Model = body.Model
	}
	return task, err
}

// checkFork refuses a fork at a step that the run does not have, before anything starts.
func (s *server) checkFork(ctx context.Context, f *rein.Fork, who rein.Identity) error {
	if f == nil || s.Again == nil {
		return nil
	}
	_, err := s.forkOf(ctx, f.Run, api.NewFork{Step: f.Step, Allow: f.Allow}, who)
	return err
}

func (s *server) replayRun(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	if err := s.noAgain(); err != nil {
		return err
	}
	done, err := s.replays.take(r.Context(), who)
	if err != nil {
		return err
	}
	defer done()
	report, err := s.Again.Replay(r.Context(), info.ID)
	if err != nil {
		return err
	}
	report.Differences = append([]api.Difference{}, report.Differences...)
	return answer(w, http.StatusOK, report)
}
