package store

import (
	"context"
	"iter"
	"time"

	"rein"
)

// A Reader is a store as everybody but the engine sees it: nothing that has one can write a log.
// Readers see what is durable, at once and in the order in which it was written, also beside a
// process that writes.
type Reader interface {
	Logs
	Views
	Watcher
}

// Logs are the runs that there are, and their logs. A transaction that erases reads them too.
type Logs interface {
	Runs(context.Context, Filter) iter.Seq2[rein.RunInfo, error]

	// Events yields a run's log in order, after the given sequence number. It checks the chain as it
	// goes: an event that is not what was written ends the sequence with CodeDamaged, and the error
	// names its sequence number.
	Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error]

	// Event returns one event of a run's log, checked as Events does. A log that has no such event, yet,
	// is CodeNotFound.
	Event(ctx context.Context, run rein.RunID, seq int64) (rein.Event, error)

	// Kept returns a content that an event of the run names by its hash; see Draft.Keep. One that the run does not
	// have is CodeNotFound, whoever else has it; one that is not what was written is CodeDamaged.
	Kept(ctx context.Context, run rein.RunID, hash rein.Hash) ([]byte, error)
}

// Views are read from the same transactions that write the log.
type Views interface {
	Run(context.Context, rein.RunID) (rein.RunInfo, error) // CodeNotFound
	// FindRuns returns a page of the runs that Logs.Runs yields, which knows how many asks are open in each of them and
	// below. next is the run to continue after; empty: there are no more. However many runs there are, it looks at some
	// thousands and no more: a page may have fewer runs than the limit, or none, and a next.
	FindRuns(context.Context, Filter) (runs []rein.RunInfo, next rein.RunID, err error)
	// LogSize returns about how many bytes the run's log has, without reading them. Of an unknown run
	// it is 0.
	LogSize(context.Context, rein.RunID) (int64, error)
	Asks(context.Context, AskFilter) ([]rein.Ask, error)
	Ask(context.Context, rein.AskID) (rein.Ask, error) // CodeNotFound
	Receipts(ctx context.Context, run rein.RunID) ([]rein.Receipt, error)
	Ledger(ctx context.Context, root rein.RunID) (rein.Ledger, error)
	Usage(context.Context, UsageFilter) (Usage, error)
	Sessions(context.Context, SessionFilter) iter.Seq2[rein.SessionInfo, error]
	// Acts returns what was done to and by runs, newest first: who started, commanded and answered,
	// what was sent out into the world, and how runs ended.
	Acts(context.Context, ActFilter) ([]rein.Act, error)
}

// DriverViews are read by whoever drives runs. They show what people are not shown: payloads as they
// were written, of all runs of a session.
type DriverViews interface {
	// Sent returns the intents and checks (rein.StepIntent, rein.StepChecked) of all runs of a session, in
	// the order in which they were written, without those that were erased. An unknown session has none.
	Sent(ctx context.Context, session string) ([]Sent, error)
	// SessionMode returns the mode of a session: the newest that one of its roots started with or that was set.
	// found is false if the session has no run.
	SessionMode(ctx context.Context, session string) (mode rein.Mode, found bool, err error)
	// Due returns runs that should be driven now, the longest due first, and when the next one after
	// them will be due (zero if none; not after now if the limit cut it off). A limit of 0 is none.
	Due(ctx context.Context, now time.Time, limit int) (due []rein.RunID, next time.Time, err error)
}

// A Watcher tells who follows the logs that they have grown.
type Watcher interface {
	// Watch calls f after each commit that wrote events, with a mark of every one of them: each event
	// once, in the order of its log, after it is durable and readable and before the one who wrote it
	// is told. f is called by who writes, and nothing is written meanwhile: it must only take note.
	// It is called for what this store writes, from the first commit after Watch returns until stop
	// has returned; stop may be called again, and must not be called by f.
	Watch(f func([]Mark)) (stop func())
}

// A Mark says that a log has an event, without what is in it.
type Mark struct {
	Run  rein.RunID
	Seq  int64
	Kind rein.Kind
	Step rein.StepKey
	// Read, if it is set, returns the event as Events would, without reading the log; Size is how long its payload is.
	// Whoever holds on to it holds on to the event, and nobody may change what it returns.
	Read func() rein.Event
	Size int
}

// A Filter selects runs. Zero fields do not filter. Runs come oldest first, or newest first.
type Filter struct {
	Household  string
	User       string
	Tree       rein.RunID // this run and everything below it
	Session    string
	Unfinished bool
	Status     rein.Status
	Paused     bool // by a person
	Roots      bool
	// Text selects runs whose title has it, in upper or lower case, and roots in which people typed it.
	Text      string
	Flow      string
	Workspace string
	Since     time.Time // began then or later
	MinMicros int64     // roots whose trees have used so much money
	Newest    bool
	After     rein.RunID // for paging: only runs that come after this one, which must exist
	Limit     int
}

// A SessionFilter selects sessions. Zero fields do not filter. Sessions come oldest first, or, if Recent is set, the one
// whose newest root run began last comes first.
type SessionFilter struct {
	Household string
	User      string // with Household: whose
	// IDs are the only sessions that are looked at; nil: all are.
	IDs []string
	// Text selects sessions in which people typed it, in upper or lower case, and those of Found.
	Text  string
	Found []string
	// For is who asks: SessionInfo.Waiting counts what this user may answer. Empty: nothing is counted.
	For    string
	Adult  bool // that user is an adult of the household
	Recent bool
	After  string // for paging: only sessions that come after this one, which must exist
	Limit  int
}

// An AskFilter selects asks. Zero fields do not filter. Asks come oldest first.
type AskFilter struct {
	Tree      rein.RunID // of this run and everything below it
	Pending   bool
	State     rein.AskState
	Household string
	User      string     // with Household: of this user's runs, or put to this user
	Adult     bool       // the user is an adult of the household: what is put to all adults is put to them
	For       string     // put to this user, or to nobody
	After     rein.AskID // for paging: only asks that come after this one, which must exist
	Limit     int        // 0 is none
}

// What usage can be grouped by.
const (
	ByDay     = "day" // on which the root of a tree began
	BySession = "session"
	ByUser    = "user"
	ByFlow    = "flow"
)

// A UsageFilter selects trees of runs, and says how to group what they have used.
type UsageFilter struct {
	Household string // it must be given
	User      string // empty: of all users
	By        string
	Zone      *time.Location // of the days; nil: UTC
	After     string         // by session, for paging: only sessions that began after this one, which must exist
	Limit     int            // by session; 0 is none
}

// Usage is what trees of runs have used.
type Usage struct {
	Sums []rein.UsageSum // of trees that have ended, in the order of What; by session, in the order in which they began
	Open []OpenTree      // the trees that have not ended; the sums leave them out
	Next string          // by session: pass it as After to get the next page; empty: this is the last one
}

// An OpenTree is a tree of runs that has not ended.
type OpenTree struct {
	Root rein.RunInfo // without its outcome
	Used rein.Amount  // with what is only reserved
	Runs []OpenRun    // those that have not ended
}

// An OpenRun is a run that has not ended, with the number of its last event at the moment of the sums.
type OpenRun struct {
	ID  rein.RunID
	Seq int64
}

// Sent is an intent or a check of a call that is not pure.
type Sent struct {
	rein.Event
	Done int64 // the sequence number of the event that ended its step; 0: it has not ended
}

// An ActFilter selects acts. Zero fields do not filter.
type ActFilter struct {
	Household string
	User      string     // whose runs
	Tree      rein.RunID // this run and everything below it
	By        string
	Before    int64 // for paging: only acts before this one
	Limit     int   // 0 is none
}
