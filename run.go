package rein

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A Flow is a way of working.
type Flow struct {
	Do FlowFunc
	// Revision counts the changes of its verbs, phases, tool names and arguments. A run keeps the
	// revision it started with in [Task.Revision], and the flow does for it what it did then: a run
	// that waited while the program was upgraded goes on.
	Revision int
	// Aside says that its runs do one thing beside a conversation and read no messages. What people say meanwhile starts
	// a run of the flow that the session had before.
	Aside bool
}

// A FlowFunc turns a Task into an Outcome using nothing but its Run. It must be deterministic (no
// clock, randomness, goroutines, I/O or map order), so that it can be replayed to the same place.
type FlowFunc func(Run, Task) (Outcome, error)

// Run is all that a Flow may touch. A verb's result, good or bad, is recorded once and answered
// from the log on replay.
//
// Failures (a provider's error, a tool that failed, a person who declined) are results for the
// flow to weigh. Three errors are sticky: once a run is stopped, cancelled or deleted every verb
// returns that error, and once its budget is spent, or its model keeps making the same call
// ([DimRepeats]), every verb returns [ErrBudget], except one CallModel that is marked
// [Prompt.Closing]. [ErrInterrupted] lasts until the next Inbox.
type Run interface {
	CallModel(Prompt) (Message, error)
	CallTool(ToolCall) (ToolResult, error)

	// AskUser waits for a person, for days if need be. Declining, or letting the deadline pass, is
	// an Answer, not an error.
	AskUser(Question) (Answer, error)

	// Inbox returns what people said since it was last called, and never waits. Inside a Parallel
	// branch it is always empty: a message is for the run, not for whichever branch asks first.
	Inbox() ([]Item, error)

	// Spawn starts a child run. It has at most its parent's tools and shares its budget.
	Spawn(Task) (RunID, error)

	// Wait waits for a child of this run. However the child ended is an Outcome; waiting twice gives
	// the same one.
	Wait(RunID) (Outcome, error)

	// Parallel runs the branches side by side, each on a Run of its own. A branch must use only that
	// Run and write only to places of its own.
	Parallel(branches ...func(Run) error) error
}

// RunID names a run. It is a path: a child's ID is its parent's, [Separator], and one more segment
// of letters, digits, '_' and '-'. So a tree of runs is everything with one prefix.
type RunID string

// Separator stands between the segments of a RunID.
const Separator = "."

const (
	maxSegment = 64
	maxRunID   = 512
)

// Check says what is wrong with the ID, if anything.
func (id RunID) Check() error {
	if id == "" {
		return Errorf(CodeInvalid, "run ID is empty: give it letters, digits, '_' or '-'")
	}
	if len(id) > maxRunID {
		return Errorf(CodeInvalid, "run ID %.20q… has %d bytes; at most %d", string(id), len(id), maxRunID)
	}
	for segment := range strings.SplitSeq(string(id), Separator) {
		if segment == "" || len(segment) > maxSegment || strings.Trim(segment, segmentAlphabet) != "" {
			return Errorf(CodeInvalid, "run ID %q: each part between %q must be 1 to %d letters, digits, '_' or '-'", string(id), Separator, maxSegment)
		}
	}
	return nil
}

const segmentAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// Child returns the ID of the child that the given step spawns.
func (id RunID) Child(step StepKey) RunID {
	return id + Separator + RunID(strings.ReplaceAll(string(step), ".", "-"))
}

// Parent returns the ID of the run's parent, or "" for the root of a tree.
func (id RunID) Parent() RunID {
	if i := strings.LastIndex(string(id), Separator); i >= 0 {
		return id[:i]
	}
	return ""
}

// Root returns the ID of the root of the run's tree.
func (id RunID) Root() RunID {
	root, _, _ := strings.Cut(string(id), Separator)
	return RunID(root)
}

// Depth is 0 for a root, 1 for its children, and so on.
func (id RunID) Depth() int { return strings.Count(string(id), Separator) }

// StepKey names a step of a run by its place in program order: "3" is the third verb of the flow,
// "7.2.3" the third verb of branch 2 of the Parallel that was verb 7. Sub-events of a step have a
// word after the key ("7.ask").
type StepKey string

// Sub returns the key of a sub-event of the step; the second and later ones of a name are numbered.
func (k StepKey) Sub(name string, n int) StepKey {
	if n > 1 {
		return StepKey(fmt.Sprintf("%s.%s%d", k, name, n))
	}
	return k + "." + StepKey(name)
}

// Step returns the step that the key of a sub-event belongs to: "7.2.3.ask" is of step "7.2.3". The key
// of a step is its own.
func (k StepKey) Step() StepKey {
	for {
		i := strings.LastIndexByte(string(k), '.')
		if i < 0 || i+1 < len(k) && k[i+1] <= '9' {
			return k
		}
		k = k[:i]
	}
}

// A Task is what a run is asked to do. It has only names: clients, keys and functions stay in the process.
// It is recorded in run.started and does not change after that.
type Task struct {
	Flow string `json:"flow"`
	// Preset names a prepared task, which fills the fields that this one leaves empty before the run starts.
	Preset string `json:"preset,omitempty"`
	// Revision is the flow's revision when the run started. The engine sets it; a fork keeps the revision of
	// the run that it leaves.
	Revision int       `json:"revision,omitempty"`
	Messages []Message `json:"messages,omitempty"`
	Model    string    `json:"model,omitempty"`
	Tools    []string  `json:"tools,omitempty"`
	// CodeTools lists those of the tools that can look into code. The engine sets it.
	CodeTools []string        `json:"code_tools,omitempty"`
	Settings  json.RawMessage `json:"settings,omitempty"` // the settings of the flow; fixed when the run starts
	Budget    *Budget         `json:"budget,omitempty"`   // the budget of the tree; null: the default; ignored in a child
	Policy    Policy          `json:"policy,omitzero"`    // which tools run without asking, which ask, and which are denied
	// Mode is how much of the work waits for a person; empty in older tasks: ask. If the caller leaves it empty, the
	// run starts in the mode of its session, or in the default one. A child has that of its parent.
	Mode      Mode   `json:"mode,omitempty"`
	Household string `json:"household,omitempty"`
	User      string `json:"user,omitempty"`
	Session   string `json:"session,omitempty"`
	// Workspace names the workspace that the run works in; empty: that of the session, or the default.
	Workspace string `json:"workspace,omitempty"`
	// Rules is the hash of what the run may see in the workspace, set when the run starts: later rules can
	// allow less, never more.
	Rules string `json:"rules,omitempty"`
	// Folder is where in the workspace the person works, with slashes; empty: in its root. The instructions (AGENTS.md) of
	// the folders down to it count, the nearest most.
	Folder   string `json:"folder,omitempty"`
	Zone     string `json:"zone,omitempty"`     // the time zone, as an IANA name
	Language string `json:"language,omitempty"` // as BCP 47
	// Texts has the prompts, rules and skills that this run uses instead of the built-in ones, by name. A
	// store keeps each of them once, however many runs use it.
	Texts map[string]string `json:"texts,omitempty"`
	// Notices says, for people, what was changed about the task before it started: a setting that was
	// clamped, a text that could not be used.
	Notices []string `json:"notices,omitempty"`
	// Parent is the run under which a person started this one. This run is still the root of its own tree;
	// only clients that show agents place it there.
	Parent RunID `json:"parent,omitempty"`
	// Metadata is an object of the caller. rein keeps and shows it, and does not read it.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	// Start is the time when the run was started. The engine sets it.
	Start time.Time `json:"start,omitzero"`
	// Fork is set if the run starts as a copy of another one.
	Fork *Fork `json:"fork,omitempty"`
	// Branch is set if the run begins a session that is a branch of another one.
	Branch *Branch `json:"branch,omitempty"`
}

// A Branch names the run at which a session leaves another one: what was said before that run is a part of both.
type Branch struct {
	Session string `json:"session"`
	Run     RunID  `json:"run"`
}

// A Fork names the step at which a run leaves the course of another run. Before that step, it gets the same
// results from models, tools and people.
type Fork struct {
	Run  RunID           `json:"run"`
	Step StepKey         `json:"step"`
	Edit json.RawMessage `json:"edit,omitempty"` // the result of the step, as a StepEnd; empty: the step runs again
	// Allow lists the tools that may change something after the step. Other tools that change something are
	// not run.
	Allow []string `json:"allow,omitempty"`
	// Mode is the loosest mode that the fork takes over from what people set in the other run before the step;
	// missing: ask.
	Mode Mode `json:"mode,omitempty"`
}

// An Outcome is how a run ended, with its text and data.
type Outcome struct {
	End  End             `json:"end"`
	Text string          `json:"text,omitempty"`
	Data json.RawMessage `json:"data,omitempty"` // what a flow adds for machines
}

// End says why a run ended.
type End string

const (
	EndDone      End = "done"
	EndLimit     End = "limit"     // a limit was reached; the text is the result so far
	EndDeclined  End = "declined"  // a person declined to continue
	EndStopped   End = "stopped"   // by a person, at the end of a step
	EndCancelled End = "cancelled" // by a person, at once
	EndDeleted   End = "deleted"   // by a person, with everything below it
	EndFailed    End = "failed"
)

// Completed reports whether the run came to an end of its own.
func (e End) Completed() bool { return e == EndDone || e == EndLimit || e == EndDeclined }
