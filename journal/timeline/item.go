package timeline

import (
	"encoding/json"
	"time"

	"rein"
	"rein/journal"
)

// An Item is one thing that people see of a run: *Person, *Plan, *Model, *Phase, *Tool, *Ask, *Child, *Wait, *Rein or
// *End. Only the Timeline changes it.
type Item interface{ Common() *Base }

// Base is what all items have.
type Base struct {
	ID   string // stays the same while the item changes; no two items of a tree share one
	Run  rein.RunID
	Step rein.StepKey // empty: it belongs to no step
	At   time.Time
	// Version grows with every change. Whoever keeps what was drawn keeps it by ID and Version, for one Timeline.
	Version int
}

// Common returns what the item has in common with all others.
func (b *Base) Common() *Base { return b }

func (b *Base) changed() { b.Version++ }

// Said is how a person came to say something.
type Said string

const (
	SaidTask    Said = "task"
	SaidMessage Said = "message"
	SaidModify  Said = "modify"
	SaidComment Said = "comment"
)

// A Person is what a person said. With From, another run said it: a parent to its child.
type Person struct {
	Base
	Sub     Said
	Text    string
	Images  []rein.Image
	By      string
	From    rein.RunID
	Receipt rein.ReceiptState // what became of a message or a modify; empty: it needs none
	Applied rein.StepKey      // where the run read it
	Started rein.RunID        // the run that it started, because it came too late for this one
}

// A Plan is what a flow says in a line that it is going to do.
type Plan struct {
	Base
	Text string
}

// A Model is text that a model wrote for people. While it is live the text may be empty: show nothing then.
type Model struct {
	Base
	Said     *journal.Step // the model call; nil: the text came with the task
	Text     string
	Live     bool
	Final    bool // it leads to no calls: it is an answer, or a part of one
	Stopped  string
	Failure  *rein.Failure
	Replaced bool // the text of the End is shown in its place: the draft was checked
}

// A Phase is what a model said to itself in a phase that people may follow.
type Phase struct {
	Base
	Said    *journal.Step
	Text    string
	Live    bool
	Failure *rein.Failure
}

// ToolState is how far the call of a tool is.
type ToolState string

const (
	ToolRunning   ToolState = "running"
	ToolWaiting   ToolState = "waiting" // for a person
	ToolOK        ToolState = "ok"
	ToolFailed    ToolState = "failed"
	ToolRefused   ToolState = "refused"
	ToolUnknown   ToolState = "unknown"
	ToolCancelled ToolState = "cancelled"
)

// Over reports whether the call has ended.
func (s ToolState) Over() bool { return s != ToolRunning && s != ToolWaiting }

// A Tool is a call of a tool.
type Tool struct {
	Base
	Call   *journal.Step // its arguments, its result, why it was made
	State  ToolState
	Output string     // what it writes while it runs, the last 64 kB; not recorded, so empty when the call is over
	Ask    rein.AskID // the ask that it waits for, or waited for last
}

// An Ask is something that waits, or waited, for a person: its state says which.
type Ask struct {
	Base
	Ask rein.Ask
}

// A Child is a run that this one started.
type Child struct {
	Base
	Child    rein.RunID
	Question string // empty if the tree is not followed and the log of this run does not say it
	Status   rein.Status
}

// A Wait is a model call that waits: for its turn, or before it is tried again.
type Wait struct {
	Base
	Why   string
	Until time.Time
	Model string // the model that is asked instead
	Live  bool   // it still waits
}

// Remark is what rein says something about.
type Remark string

const (
	RemarkNotice     Remark = "notice"
	RemarkMode       Remark = "mode"
	RemarkPaused     Remark = "paused"
	RemarkResumed    Remark = "resumed"
	RemarkStopped    Remark = "stopped"
	RemarkBlocked    Remark = "blocked"
	RemarkLimit      Remark = "limit"
	RemarkCompaction Remark = "compaction"
	RemarkAttempt    Remark = "attempt"
	RemarkMessage    Remark = "message" // another run of the tree said something
)

// A Rein is what rein itself says.
type Rein struct {
	Base
	Sub  Remark
	Text string // in rein's words; Why and By are not in it
	By   string
	Why  string // in the words of a person, a model or a provider
}

// An End is how the run ended.
type End struct {
	Base
	End       rein.End
	Text      string // the text of the outcome, if it is not on the timeline yet
	Replaces  string // the ID of the Model whose draft the text replaces
	Data      json.RawMessage
	Failure   *rein.Failure
	Usage     rein.Usage
	Citations []Citation
	Doubtful  []Claim // sentences that their source hardly supports
}

// A Citation names a place in a note that an answer cites.
type Citation struct {
	Path    string `json:"path"`
	Section string `json:"section"`
	OK      *bool  `json:"ok"`    // whether the place was read; nil: the flow does not say
	Quote   string `json:"quote"` // how the passage that was read begins
}

// A Claim is a sentence with the source that it cites.
type Claim struct {
	Text    string   `json:"text"`
	Source  string   `json:"source"`
	Missing []string `json:"missing"`
}
