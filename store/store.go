// Package store defines the port to where logs are kept: one append-only log per run, and the views
// that follow from it. Package store/sqlite implements it; package storetest is the contract that
// every implementation must pass.
//
// The port has parts, so that the types of a package say what it can do:
//
//   - [Reader] (Logs, Views and Watcher) is for everything that shows, follows, counts or replays runs:
//     journal, replay, the server, the followers, and the tools that read earlier runs. None of them
//     can write a log.
//   - [Writer] and [DriverViews] are for the engine. Everybody else sends the engine a command.
//   - [Eraser] is for household/erase, which knows which runs quote each other.
//   - [Tables] are for data that is not a log. [Snapshots] is the half that reads.
//   - [Auditor], [Checkpoints] and [Accounts] are for whoever runs a data folder.
//
// A test in internal/archtest holds which packages may name the parts that write.
package store

import (
	"context"
	"errors"
	"time"

	"rein"
)

// A Writer is where runs are written: the engine's side of the port. Every method is one transaction:
// it happens whole and durably, or not at all, and then the error says why with one of rein's codes.
type Writer interface {
	// Start creates a run with its RunStarted event and makes it due at once, or claims it. Starting the same ID
	// with the same digest again returns the run as it is (started false); with another digest it is
	// CodeConflict. A child is refused if an ancestor is ending (that ancestor's code: CodeStopped,
	// CodeCancelled or CodeDeleted) or has ended (CodeFinished), if its parent is paused (CodePaused) or
	// unknown (CodeNotFound), if it is deeper than the tree's budget allows or one run too many (CodeLimit), or
	// if its reserve does not fit (CodeBudget). A root with Exclusive is refused with CodeBusy while
	// its session has an unfinished root, one with Begins with CodeConflict if its session exists. A run beyond a limit of its user or household is CodeQuota.
	//
	// A root brings its budget, and makes its session if it is the first; what it does not name is
	// household "home", user "owner" and a session with the run's ID. A session of another user, or a
	// child that names another household, user or session than its parent's, is CodeForbidden.
	Start(context.Context, Start) (info rein.RunInfo, started bool, err error)

	// Claim makes the caller the run's driver: it takes the next epoch, and whoever held an earlier
	// one can append no more. claimed is false, and nothing changes, if the run has ended or if it
	// waits and nothing is due.
	Claim(context.Context, rein.RunID, time.Time) (info rein.RunInfo, claimed bool, err error)

	// Append writes a driver's events. It is refused with CodeStale if the epoch is not the newest
	// (or nobody has claimed the run yet) and with CodeFinished if the run has ended. If a draft has a
	// Status, which only the last may have, or opens an ask, it is also refused, with CodeUnseen, if
	// the log holds a command after Seen. But an ask may open in a run which is already ending: it
	// opens withdrawn.
	Append(context.Context, Batch) ([]rein.Event, error)

	// Command records what someone sent to a run and carries out what follows at once: it closes the
	// ask an answer is for, withdraws open asks on stop, cancel, delete and modify, repeats a command
	// that ends a run to all unfinished descendants, and makes a waiting run due.
	//
	// Keys are those of one run. The same key and content again returns the first receipt with Again
	// set; the same key with other content is CodeConflict. An unknown run or ask is CodeNotFound; a run that has ended is
	// CodeFinished; an ask that is not pending is CodeClosed, also when its run has ended, and the
	// error says who closed it. A
	// command that ends a run is a harmless no-op (receipt applied, no event) if the run already
	// obeys one of at least the same force; the receipt names that one.
	//
	// Pause and resume reach all unfinished descendants that are not ending. Asks stay open. If nothing
	// changes they are such a no-op too. A run that is ending cannot be paused (CodeStopped,
	// CodeCancelled or CodeDeleted); a command that ends a paused run takes the pause away.
	//
	// A mode reaches all unfinished runs of the session that are not ending, and a child that starts later has its
	// parent's. It is sent to a root (CodeInvalid for a child), and is such a no-op too. Accepting a plan sends one.
	Command(context.Context, rein.Command, time.Time) (rein.Receipt, error)

	// Resume makes a blocked or waiting run due, and records RunResumed if it was blocked and not
	// resumed yet. A run that has ended is CodeFinished.
	Resume(ctx context.Context, run rein.RunID, by string, at time.Time) error
}

// An Eraser removes what runs have said and leaves that they were.
type Eraser interface {
	// Erase removes the payloads of ended runs and of all runs below them, what the views show of
	// them, and the texts that nothing else refers to. The chain stays and still verifies. The digests
	// of tasks and commands go too, since a short text could be guessed from one: starting the ID, or
	// sending a key, again then returns what there was. An unfinished run is CodeBusy.
	//
	// choose says which runs, inside the transaction, and may take away what quotes them in other
	// tables: all of it goes, or nothing. Its error is that of Erase.
	Erase(ctx context.Context, choose func(context.Context, Moment) ([]rein.RunID, error)) error
}

// A Moment is the store as a transaction sees it: nothing else is written meanwhile. It is good for as
// long as the function runs that it was given to.
type Moment interface {
	rein.Tx
	Logs
}

// An Auditor proves that what is kept is what was written.
type Auditor interface {
	// Verify checks one run: the chain of its log, its payloads and texts, that the log's end is where
	// the run's row says it is, that what the views show of it is what its log makes of it (of an erased
	// run: what is left of that) and, for a root, that the ledger is the sum of its tree's events. What
	// it finds wrong is in the Verdict; the error is for not being able to look.
	Verify(context.Context, rein.RunID) (Verdict, error)

	// Audit verifies every run, the oldest first, and then what is no single run's: sessions, and
	// that nothing was taken out. Its verdict comes last and names no run. An error of each ends it.
	Audit(ctx context.Context, each func(Verdict) error) error
}

// A Verdict is what an audit of one run found.
type Verdict struct {
	Run    rein.RunID `json:"run"`
	Events int64      `json:"events"`
	Erased int64      `json:"erased,omitempty"` // events whose payload was erased
	Head   rein.Hash  `json:"head"`
	Wrong  []string   `json:"wrong,omitempty"` // empty: nothing is wrong
}

// A Store is all of the port: what an implementation is, and what whoever opens one hands out in parts.
type Store interface {
	Reader
	Writer
	DriverViews
	Eraser
	Tables
	Auditor
	Checkpoints
	Accounts
}

// ErrCommit is wrapped by the error of an append whose Commit function failed.
var ErrCommit = errors.New("commit of the tool's own tables failed")

// A Start is a request to create a run. The ID says who its parent is.
type Start struct {
	Run       rein.RunID
	Digest    rein.Hash // of the task as the caller gave it
	Start     rein.RunStart
	At        time.Time
	Exclusive bool // only if the session of this root has no unfinished root
	Begins    bool // only if the session of this root is a new one
	Claim     bool // the caller drives it: if it is new it is claimed at once, with epoch 1
	// Drafts are the first events of a run that is claimed: as if appended with epoch 1, but in the
	// transaction that starts it. If they are refused so is the start; of a run that is not new they
	// are left out. Only Writer.Start takes them.
	Drafts []Draft
	// Keep are contents that the task names by their hashes, such as images; see Draft.
	Keep []Text
	// Commit, of a root, runs inside the transaction if the run is new. If it fails so does the start, with an error
	// that wraps ErrCommit and the function's own.
	Commit func(context.Context, rein.Tx) error
}

// A Batch is what a driver appends at once.
type Batch struct {
	Run    rein.RunID
	Epoch  int64
	Seen   int64 // the newest command that the driver has read
	Drafts []Draft
}

// A Draft is an event that a driver wants to append, with the changes to the views that go with it.
type Draft struct {
	Kind  rein.Kind
	Step  rein.StepKey
	At    time.Time
	Data  any // the payload, marshalled as JSON
	Spend rein.Amount

	// Reserve makes the append fail with CodeBudget unless the growing parts of Spend still fit the
	// tree's budget. Without it, growth is recorded as an overrun.
	Reserve bool
	Opens   *rein.Ask        // an ask that opens with the event
	Starts  *Start           // a run that starts with the event
	Applied []rein.CommandID // messages that the event is the reading of
	Status  rein.Status      // what the run becomes; only Waiting, Blocked and an End
	Until   time.Time        // of Waiting: when it is due by itself; zero: never
	Outcome *rein.RunEnd     // of an end
	// Next, of a completed root, is the run that its unread messages start. If a limit of the user or
	// household does not allow it (CodeQuota), the run completes without it, the Next of Outcome is left
	// out of the log, and the receipts of the messages say why. A batch with Next has no Commit.
	Next *NextRun
	// Commit runs inside the transaction. If it fails so does the append, with an error that wraps
	// ErrCommit and the function's own.
	Commit func(context.Context, rein.Tx) error
	// Keep are contents that the event names by their hashes, such as images. Each is kept once per household, and
	// goes when the last run that has it is erased. Logs.Kept returns them.
	Keep []Text
}

// NextRun is the run of the session that starts as another completes.
type NextRun struct {
	Start    Start
	Messages []rein.CommandID // whose receipts say so
}
