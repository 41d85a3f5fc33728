package server

import (
	"cmp"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/household/schedule"
	"rein/server/wire"
)

func (s *server) scheduleOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/schedules", name: "listJobs", tag: "schedules", summary: "List your jobs: reminders, and work that is done later",
			needs: rein.ScopeRead, answers: ok(api.Schedules{}), do: s.withJobs(s.listJobs),
			query: []parameter{{name: "all", about: "list jobs whose last time has passed too", flag: true}},
		},
		{
			method: "POST", path: "/v1/schedules", name: "addJob", tag: "schedules", summary: "Make a job. At most 20 can be made a day. A role that may not approve calls of the family cron may not make jobs either (403)",
			needs: rein.ScopeAct, once: true, body: api.NewJob{}, answers: []reply{{status: http.StatusCreated, value: api.Job{}}}, do: s.withJobs(s.addJob),
		},
		{
			method: "GET", path: "/v1/schedules/{job}", name: "showJob", tag: "schedules", summary: "Get a job, with the next times at which it fires",
			needs: rein.ScopeRead, answers: ok(api.Job{}), do: s.withJobs(s.showJob),
		},
		{
			method: "PATCH", path: "/v1/schedules/{job}", name: "changeJob", tag: "schedules", summary: "Change a job, or enable or disable it",
			needs: rein.ScopeAct, body: api.ChangedJob{}, answers: ok(api.Job{}), do: s.withJobs(s.changeJob),
		},
		{
			method: "DELETE", path: "/v1/schedules/{job}", name: "removeJob", tag: "schedules", summary: "Remove a job. The runs that it started stay",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withJobs(s.removeJob),
		},
		{
			method: "POST", path: "/v1/schedules/{job}/run", name: "fireJob", tag: "schedules", summary: "Fire a job now, once more than its schedule says. If its run before has not ended, it waits for that",
			needs: rein.ScopeAct, answers: ok(api.JobRun{}), do: s.withJobs(s.fireJob),
		},
		{
			method: "GET", path: "/v1/schedules/{job}/runs", name: "listJobRuns", tag: "schedules", summary: "List when a job fired, or was to, the newest first",
			needs: rein.ScopeRead, answers: ok(api.JobRuns{}), do: s.withJobs(s.listJobRuns),
			query: []parameter{{name: "limit", about: "how many at most; default: 1000", most: api.MaxLimit}},
		},
	}
}

func (s *server) withJobs(do handler) handler {
	if s.Jobs != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process keeps no jobs: send the request to the process that owns the data")
	}
}

func whoseJobs(who rein.Identity) schedule.Owner {
	return schedule.Owner{Household: who.Household, User: who.User}
}

func (s *server) listJobs(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	found, err := s.Jobs.List(r.Context(), whoseJobs(who), flag(r, "all"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Schedules{Jobs: each(found, s.apiJob)})
}

func (s *server) showJob(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	j, err := s.Jobs.Find(r.Context(), whoseJobs(who), r.PathValue("job"))
	if err != nil {
		return err
	}
	return s.answerJob(w, r, http.StatusOK, j)
}

// coming is how many of the next times of a job are listed.
const coming = 5

// answerJob answers with all that is known of one job.
func (s *server) answerJob(w http.ResponseWriter, r *http.Request, status int, j schedule.Job) error {
	found := s.apiJob(j)
	if j.Active() {
		found.Coming = j.Coming(j.Next.Add(-time.Microsecond), coming)
	}
	if waits, err := s.Jobs.WaitsFor(r.Context(), j); err == nil { // a flow may be gone by now
		found.WaitsFor = waits
	}
	return answer(w, status, found)
}

// mayPlan refuses people who may not agree to a job of their assistant: they cannot make one by themselves either.
func (s *server) mayPlan(r *http.Request, who rein.Identity) error {
	return s.mayChange(r, who, "cron", "make or change jobs")
}

// mayChange refuses people who may not agree to calls of a family: they cannot do by themselves what these do, either.
func (s *server) mayChange(r *http.Request, who rein.Identity, family, what string) error {
	if err := readsToo(who); err != nil {
		return err
	}
	if s.People == nil {
		return nil
	}
	rights, err := s.People.Rights(r.Context(), who.Household, who.User)
	if err == nil && !rights.Approves.Has(family, rein.Pure) {
		err = rein.Errorf(rein.CodeForbidden, "as %s, %s may not %s: ask an adult of the household, or ask your assistant, which asks them", rights.Role, who.User, what)
	}
	return err
}

func (s *server) addJob(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewJob
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if err := s.mayPlan(r, who); err != nil {
		return err
	}
	id, err := newJobID(r, who, body.Key)
	if err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	want := schedule.Want{
		Label: body.Label, Target: string(body.Target), CatchUp: string(body.CatchUp), Overlap: string(body.Overlap), Spend: body.Spend,
	}
	want = withPayload(withTimes(want, &body.Schedule), &body.Payload)
	j, err := s.Jobs.Add(ctx, whoseJobs(who), id, want)
	if err != nil {
		return err
	}
	s.Live.Household(who.Household, who.User, api.TopicSchedules)
	return s.answerJob(w, r, http.StatusCreated, j)
}

// newJobID is the ID of the job that a request makes: the same one for the same idempotency key.
func newJobID(r *http.Request, who rein.Identity, key string) (string, error) {
	header, err := keyOf(r)
	switch {
	case err != nil:
		return "", err
	case len(key) > maxKey:
		return "", rein.Errorf(rein.CodeInvalid, "key has %d bytes; at most %d are read", len(key), maxKey)
	}
	if key = cmp.Or(header, key); key == "" {
		key = string(api.NewRunID(time.Now()))
	}
	return schedule.IDOfKey(whoseJobs(who), key), nil
}

func withTimes(w schedule.Want, t *api.JobSchedule) schedule.Want {
	if t != nil {
		w.Kind, w.At, w.Every, w.Cron, w.Zone = string(t.Kind), t.At, t.Every, t.Expression, t.TZ
	}
	return w
}

func withPayload(w schedule.Want, p *api.JobPayload) schedule.Want {
	if p != nil {
		w.Payload, w.Text, w.Flow, w.Budget = string(p.Kind), p.Text, p.Flow, p.Budget
	}
	return w
}

func (s *server) changeJob(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.ChangedJob
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if err := s.mayPlan(r, who); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	part := schedule.Want{
		Label: body.Label, Target: string(body.Target), CatchUp: string(body.CatchUp), Overlap: string(body.Overlap), Spend: body.Spend,
	}
	j, err := s.Jobs.Change(ctx, whoseJobs(who), r.PathValue("job"), withPayload(withTimes(part, body.Schedule), body.Payload), body.Enabled, body.Version)
	if err != nil {
		return err
	}
	s.Live.Household(who.Household, who.User, api.TopicSchedules)
	return s.answerJob(w, r, http.StatusOK, j)
}

func (s *server) removeJob(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Jobs.Remove(ctx, whoseJobs(who), r.PathValue("job")); err != nil {
		return err
	}
	s.Live.Household(who.Household, who.User, api.TopicSchedules)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) fireJob(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := s.mayPlan(r, who); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	slot, err := s.Jobs.Fire(ctx, whoseJobs(who), r.PathValue("job"))
	if err != nil {
		return err
	}
	s.Live.Household(who.Household, who.User, api.TopicSchedules)
	return answer(w, http.StatusOK, apiJobRun(slot))
}

func (s *server) listJobRuns(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	found, err := s.Jobs.Slots(r.Context(), whoseJobs(who), r.PathValue("job"), cmp.Or(number(r, "limit", api.MaxLimit), api.MaxLimit))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.JobRuns{Runs: each(found, apiJobRun)})
}

func (s *server) apiJob(j schedule.Job) api.Job {
	want := j.Wanted()
	return api.Job{
		ID: j.ID, Label: j.Label, Target: api.JobTarget(j.Target), CatchUp: api.JobCatchUp(j.CatchUp), Overlap: api.JobOverlap(j.Overlap), Spend: j.Spend,
		Schedule: api.JobSchedule{Kind: api.JobKind(j.Kind), At: want.At, Every: want.Every, Expression: want.Cron, TZ: j.Zone},
		Payload:  api.JobPayload{Kind: api.JobPayloadKind(j.Payload.Kind), Text: j.Payload.Text, Flow: j.Payload.Flow, Budget: j.Payload.Budget},
		When:     schedule.Describe(j.Schedule, j.Language, s.Jobs.At()), Next: j.Next, Failures: j.Failures, Disabled: j.Disabled, Why: j.Why,
		Session: j.Session, Run: j.Run, Created: j.Created, Version: j.Version,
	}
}

func apiJobRun(s schedule.Slot) api.JobRun {
	return api.JobRun{
		At: s.Instant, State: api.JobRunState(s.State), Run: s.Run, Fired: s.Fired, Ended: s.Ended, Error: s.Error, Missed: s.Missed, Micros: s.Micros,
	}
}
