package api

import (
	"encoding/json"
	"time"

	"rein"
)

// Steps is the answer to GET /v1/runs/{id}/steps.
type Steps struct {
	Steps []Step       `json:"steps"`          // in the order in which they began
	Next  rein.StepKey `json:"next,omitempty"` // pass it as after to get the next page; empty: this is the last one
}

// A Step is one recorded act of a run, without its texts.
type Step struct {
	Key  rein.StepKey `json:"key"`
	Of   rein.StepKey `json:"of,omitempty"` // for a call inside a step (a repair, a summary, what a tool asks of the model or of its tree): that step
	Verb rein.Verb    `json:"verb,omitempty"`
	rein.About
	Tool     string        `json:"tool,omitempty"`     // for a tool call: the tool that is called
	Internal bool          `json:"internal,omitempty"` // for a tool call: the flow reads something for itself
	Model    string        `json:"model,omitempty"`    // for a model call: the model that answered, or that is asked now
	Child    rein.RunID    `json:"child,omitempty"`    // for a spawn or a wait
	State    StepState     `json:"state"`
	Started  time.Time     `json:"started"`
	Ended    time.Time     `json:"ended,omitzero"`
	Duration time.Duration `json:"duration,omitempty"` // how long it took, in nanoseconds
	Failure  *rein.Failure `json:"failure,omitempty"`
	Usage    *rein.Usage   `json:"usage,omitempty"` // what its model calls took, with those that failed
	Attempts []StepAttempt `json:"attempts,omitempty"`
	Waits    []StepWait    `json:"waits,omitempty"`
	Asks     []StepAsk     `json:"asks,omitempty"` // that it opened
	Effect   rein.Effect   `json:"effect,omitempty"`
	Allowed  string        `json:"allowed,omitempty"` // why a call that changes something was made: see the field of the same name in Intent
	Mode     rein.Mode     `json:"mode,omitempty"`    // the mode in which that was decided
	Mended   string        `json:"mended,omitempty"`  // how the call was repaired, if it was
	Seq      int64         `json:"seq"`               // the sequence number of its first event
	Last     int64         `json:"last"`              // and of its newest
	Erased   bool          `json:"erased,omitempty"`
}

// StepState says where a step stands.
type StepState string

const (
	StepRunning StepState = "running"
	StepWaiting StepState = "waiting" // for a person, for its turn, or before another attempt
	StepOK      StepState = "ok"
	StepFailed  StepState = "failed"
	StepRefused StepState = "refused" // for a tool call: it was not made
	StepTimeout StepState = "timeout" // for a tool call that changes nothing: it took too long
	StepUnknown StepState = "unknown" // for a tool call: it was made, and nobody knows whether it happened
	StepSkipped StepState = "skipped" // for a tool call: it was not made, because the run was interrupted or a person said so
	StepCut     StepState = "cut"     // the run was interrupted or ended before the step did
	StepErased  StepState = "erased"
)

// A StepAttempt is one dispatch of a step.
type StepAttempt struct {
	N   int       `json:"n"`
	At  time.Time `json:"at"`
	Why string    `json:"why,omitempty"` // why it was tried again
}

// A StepWait is a time in which a model call waited for its turn, or before another attempt.
type StepWait struct {
	From    time.Time     `json:"from"`
	Until   time.Time     `json:"until,omitzero"`
	Why     string        `json:"why,omitempty"`
	Model   string        `json:"model,omitempty"`   // the next model, if it is another one
	Failure *rein.Failure `json:"failure,omitempty"` // why the previous attempt failed
}

// A StepAsk is an ask that a step opened. GET /v1/asks/{id} has the rest.
type StepAsk struct {
	ID     rein.AskID    `json:"id"`
	Kind   rein.AskKind  `json:"kind"`
	State  rein.AskState `json:"state"`
	Opened time.Time     `json:"opened"`
	Closed time.Time     `json:"closed,omitzero"`
}

// StepDetail is the answer to GET /v1/runs/{id}/steps/{key}: a step with its texts. Secrets in them have a label
// in their place.
type StepDetail struct {
	Step    Step             `json:"step"`
	Prompt  *SentPrompt      `json:"prompt,omitempty"`  // for a model call
	Reply   *rein.Message    `json:"reply,omitempty"`   // of a model
	Partial string           `json:"partial,omitempty"` // what a model had written when it was cut off
	Call    *rein.ToolCall   `json:"call,omitempty"`    // as the model wrote it
	Args    json.RawMessage  `json:"args,omitempty"`    // the arguments that the tool got, if they differ from those of the call
	Result  *rein.ToolResult `json:"result,omitempty"`
	Whole   string           `json:"whole,omitempty"`   // the whole text of a result that was clipped
	Answer  *rein.Answer     `json:"answer,omitempty"`  // of a person
	Items   []rein.Item      `json:"items,omitempty"`   // for a look into the inbox: what it held
	Outcome *rein.Outcome    `json:"outcome,omitempty"` // for a wait: how the child ended
}

// A SentPrompt is a prompt as it was sent, with all its messages.
type SentPrompt struct {
	rein.Prompt
	Messages []rein.Message `json:"messages"`
	Folded   *FoldedPart    `json:"folded,omitempty"`
}

// A FoldedPart names the messages of a prompt that a summary replaced when it was sent. Those among them that say
// what the run is to do were sent beside the summary.
type FoldedPart struct {
	From    int    `json:"from"`
	To      int    `json:"to"`                // the first message that stayed
	Summary string `json:"summary,omitempty"` // empty: another branch of the run made it
}
