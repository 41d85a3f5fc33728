// Package schedule has the jobs of people: what rein does later for them, once or again and again. It has the rules, the
// SQL of its tables, and the words for people. Each instant of a job is a slot: a row that is written once, so that it fires
// once, over restarts, beside a second process, and when the clock jumps.
package schedule

import (
	"time"

	"rein"
)

// An Owner is whose jobs are read or written.
type Owner struct{ Household, User string }

// OwnerOf returns whose jobs a run may see and change.
func OwnerOf(task *rein.Task) (Owner, error) {
	if task == nil || task.Household == "" || task.User == "" {
		return Owner{}, rein.Errorf(rein.CodeInvalid, "the task names no household or no user: there is nobody whose jobs it could be")
	}
	return Owner{task.Household, task.User}, nil
}

// A Job is something that rein does later for a user.
type Job struct {
	ID string
	Owner
	Session string     // in which it was made; empty: in none
	Run     rein.RunID // that made it; empty: a person did
	Label   string
	Schedule
	Target   Target
	Payload  Payload
	Language string // of the user, for what they read
	CatchUp  CatchUp
	Overlap  Overlap
	Spend    int64 // the most money that its runs may cost in thirty days, in millionths; 0: no limit of its own
	Failures int   // in a row
	Disabled time.Time
	Why      string // it is disabled
	Version  int64
	Created  time.Time
	Until    time.Time // what is due is decided up to here
	Next     time.Time // the next slot; zero: there is none
}

// Active reports whether slots of the job are still to come.
func (j Job) Active() bool { return j.Disabled.IsZero() && !j.Next.IsZero() }

// A Schedule says when.
type Schedule struct {
	Kind       Kind
	At         time.Time // of at: when. Of every: what the intervals count from
	Every      time.Duration
	Expression string // of cron: five fields, in wall time of the zone
	Zone       string // an IANA name
}

// Kind is the kind of a schedule.
type Kind string

const (
	At    Kind = "at"    // once
	Every Kind = "every" // at an interval that clocks on the wall do not change
	Cron  Kind = "cron"  // when the clock on the wall says so
)

// Target is where a job does its work.
type Target string

const (
	Main     Target = "main"     // a message into the session of the user
	Isolated Target = "isolated" // a run in a session of its own
)

// A Payload says what a job does.
type Payload struct {
	Kind   PayloadKind
	Text   string       // of the message, or what the run is asked to do
	Flow   string       // of the run; empty: the default
	Budget *rein.Budget // of the run; nil: the default
}

// PayloadKind is the kind of a payload. It goes with one Target.
type PayloadKind string

const (
	SystemEvent PayloadKind = "systemEvent" // with main
	AgentTurn   PayloadKind = "agentTurn"   // with isolated
)

// CatchUp says what becomes of slots that passed while nobody looked at the clock.
type CatchUp string

const (
	CatchSkip CatchUp = "skip" // they do not fire
	CatchOnce CatchUp = "once" // the newest fires, for all of them
	CatchAll  CatchUp = "all"  // each fires
)

// Overlap says what becomes of a slot while the run of an earlier one has not ended.
type Overlap string

const (
	OverlapSkip  Overlap = "skip"  // it does not fire
	OverlapQueue Overlap = "queue" // it fires when the earlier one has ended
	OverlapAllow Overlap = "allow" // it fires beside the earlier one
)

// A Slot is one instant of a job.
type Slot struct {
	Job     string
	Instant time.Time
	State   State
	Run     rein.RunID
	Fired   time.Time // when it was claimed
	Ended   time.Time // zero: it has not
	Error   string    // why it failed or was skipped
	Missed  int       // how many earlier slots it stands for
	Micros  int64     // what its run cost
}

// State is how far a slot is.
type State string

const (
	Due     State = "due"     // claimed, and its run is to be started
	Started State = "started" // its run has been started
	Done    State = "done"
	Failed  State = "failed"
	Skipped State = "skipped" // it did not fire
)

// What there is at most.
const (
	MaxJobs      = 100 // of a user, with slots to come or disabled
	MaxNew       = 20  // of a user and day
	MaxLabel     = 100 // bytes
	MaxText      = 4000
	MinEvery     = time.Minute
	MaxEvery     = 366 * 24 * time.Hour
	maxAhead     = 100 // years
	maxHourly    = 30  // slots in an hour of a cron expression: every other minute
	maxCatch     = 1000
	maxKept      = 1000 // ended slots of a job
	keptFinished = 30 * 24 * time.Hour
	spendWindow  = 30 * 24 * time.Hour
)

// late is how old a slot may be when it is found and still be on time. Beyond that, it was missed.
const late = time.Minute
