package api

import (
	"time"

	"rein"
)

// Schedules is the answer to GET /v1/schedules: your jobs, those that fire next first.
type Schedules struct {
	Jobs []Job `json:"jobs"`
}

// A Job is something that rein does later for you: once, at an interval, or by a cron expression.
type Job struct {
	ID       string      `json:"id"`
	Label    string      `json:"label"`
	Schedule JobSchedule `json:"schedule"`
	Target   JobTarget   `json:"target"`
	Payload  JobPayload  `json:"payload"`
	// CatchUp is what happens to times that were missed while rein did not run.
	CatchUp JobCatchUp `json:"catch_up"`
	// Overlap is what happens when the run before has not ended.
	Overlap JobOverlap `json:"overlap"`
	// Spend is the most money that its runs may cost in 30 days, in millionths of the currency unit; missing: no limit of its own.
	Spend  int64       `json:"spend,omitempty"`
	When   string      `json:"when"`             // in words of your language
	Next   time.Time   `json:"next,omitzero"`    // when it fires next; missing: never again
	Coming []time.Time `json:"coming,omitempty"` // the next times, of one job alone
	// WaitsFor names what may make its run wait for you, of one job alone.
	WaitsFor []string   `json:"waits_for,omitempty"`
	Failures int        `json:"failures,omitempty"` // in a row
	Disabled time.Time  `json:"disabled,omitzero"`  // missing: it is not
	Why      string     `json:"why,omitempty"`      // it is disabled
	Session  string     `json:"session,omitempty"`  // in which it was made
	Run      rein.RunID `json:"run,omitempty"`      // that made it; missing: a person did
	Created  time.Time  `json:"created"`
	Version  int64      `json:"version"` // grows with each change
}

// A JobSchedule says when a job fires. Exactly one of at, every and expression is set.
type JobSchedule struct {
	// Kind is at, every or cron; missing in a request: what the other fields mean.
	Kind JobKind `json:"kind,omitempty"`
	// At is a time on the clock of the zone, such as 2026-11-21T09:00, or one with an offset.
	At string `json:"at,omitempty"`
	// Every is an interval: seconds, or a number with a unit, such as 90s, 15m, 2h or 1d; at least 60 seconds.
	Every string `json:"every,omitempty"`
	// Expression has five fields: minute, hour, day of the month, month, day of the week.
	Expression string `json:"expression,omitempty"`
	TZ         string `json:"tz,omitempty"` // an IANA name; missing in a request: the zone of the settings
}

// A JobPayload says what a job does.
type JobPayload struct {
	Kind JobPayloadKind `json:"kind,omitempty"` // missing in a request: what the target means
	Text string         `json:"text,omitempty"` // the message, or what the run is to do
	// Flow and Budget are those of the run of an agentTurn; missing: the default ones.
	Flow   string       `json:"flow,omitempty"`
	Budget *rein.Budget `json:"budget,omitempty"`
}

// JobKind is the kind of a schedule.
type JobKind string

// The kinds of schedules.
const (
	JobAt    JobKind = "at"    // once
	JobEvery JobKind = "every" // at an interval
	JobCron  JobKind = "cron"  // when the clock says so
)

// JobTarget is where a job does its work.
type JobTarget string

// The targets of jobs.
const (
	JobMain     JobTarget = "main"     // a message into your session
	JobIsolated JobTarget = "isolated" // a run in a session of its own, whose result you get
)

// JobPayloadKind is the kind of a payload.
type JobPayloadKind string

// The kinds of payloads.
const (
	JobSystemEvent JobPayloadKind = "systemEvent" // a message; goes with main
	JobAgentTurn   JobPayloadKind = "agentTurn"   // a run; goes with isolated
)

// JobCatchUp is what happens to times that were missed.
type JobCatchUp string

// What happens to times that were missed.
const (
	JobCatchSkip JobCatchUp = "skip" // they do not fire
	JobCatchOnce JobCatchUp = "once" // the newest fires, for all of them
	JobCatchAll  JobCatchUp = "all"  // each fires
)

// JobOverlap is what happens when the run before has not ended.
type JobOverlap string

// What happens when the run before has not ended.
const (
	JobOverlapSkip  JobOverlap = "skip"  // the job does not fire
	JobOverlapQueue JobOverlap = "queue" // it fires when that run has ended
	JobOverlapAllow JobOverlap = "allow" // it fires anyway
)

// NewJob is the body of POST /v1/schedules.
type NewJob struct {
	Label    string      `json:"label,omitempty"` // missing: the text
	Schedule JobSchedule `json:"schedule"`
	Target   JobTarget   `json:"target,omitempty"` // missing: what the payload means
	Payload  JobPayload  `json:"payload"`
	CatchUp  JobCatchUp  `json:"catch_up,omitempty"` // missing: once
	Overlap  JobOverlap  `json:"overlap,omitempty"`  // missing: queue for a systemEvent, skip for an agentTurn
	Spend    int64       `json:"spend,omitempty"`
	// Key makes the request safe to repeat: the same key makes one job. The header Idempotency-Key does the same.
	Key string `json:"key,omitempty"`
}

// ChangedJob is the body of PATCH /v1/schedules/{job}. What is missing stays as it is.
type ChangedJob struct {
	Label    string       `json:"label,omitempty"`
	Schedule *JobSchedule `json:"schedule,omitempty"`
	Target   JobTarget    `json:"target,omitempty"`
	Payload  *JobPayload  `json:"payload,omitempty"`
	CatchUp  JobCatchUp   `json:"catch_up,omitempty"`
	Overlap  JobOverlap   `json:"overlap,omitempty"`
	Spend    int64        `json:"spend,omitempty"`
	Enabled  *bool        `json:"enabled,omitempty"`
	Version  int64        `json:"version,omitempty"` // if it is set and the job has another one, the answer is 409
}

// JobRuns is the answer to GET /v1/schedules/{job}/runs: when a job fired, or was to, the newest first.
type JobRuns struct {
	Runs []JobRun `json:"runs"`
}

// A JobRun is one time of a job.
type JobRun struct {
	At     time.Time   `json:"at"` // when it was due
	State  JobRunState `json:"state"`
	Run    rein.RunID  `json:"run,omitempty"`
	Fired  time.Time   `json:"fired"`            // when rein came to it
	Ended  time.Time   `json:"ended,omitzero"`   // missing: it has not
	Error  string      `json:"error,omitempty"`  // why it failed or was skipped
	Missed int         `json:"missed,omitempty"` // how many earlier times it stands for
	Micros int64       `json:"micros,omitempty"` // what its run cost
}

// JobRunState is how far one time of a job is.
type JobRunState string

// How far one time of a job is.
const (
	JobRunDue     JobRunState = "due"     // its run is about to be started, or waits for the one before
	JobRunStarted JobRunState = "started" // its run goes on, or waits for you
	JobRunDone    JobRunState = "done"
	JobRunFailed  JobRunState = "failed"
	JobRunSkipped JobRunState = "skipped" // it did not fire
)
