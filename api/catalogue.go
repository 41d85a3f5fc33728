package api

import (
	"encoding/json"
	"time"

	"rein"
)

// A Flow is a way of working that a run can use.
type Flow struct {
	Name     string          `json:"name"`
	About    string          `json:"about"`
	Default  bool            `json:"default,omitempty"`
	Settings json.RawMessage `json:"settings"` // the defaults, for what a task does not set
	Fields   []Field         `json:"fields"`   // what the settings of a task can set
	Tools    []string        `json:"tools"`    // the tools that each run has, beside those that its task names
	Usual    []string        `json:"usual"`    // the tools that a run has, beside those, if its task names none
}

// A Field is one setting of a flow.
type Field struct {
	Name string    `json:"name"`
	Type FieldType `json:"type"`
	// Default is what holds if a task does not set it.
	Default json.RawMessage `json:"default"`
	Min     *float64        `json:"min,omitempty"`     // of a number; a smaller one is raised to it
	Max     *float64        `json:"max,omitempty"`     // of a number, under the ceilings of the server; a greater one is lowered to it
	Choices []string        `json:"choices,omitempty"` // of a string: it must be one of these
	About   string          `json:"about"`
}

// FieldType is the JSON type of a setting.
type FieldType string

const (
	FieldInteger FieldType = "integer" // a whole number
	FieldNumber  FieldType = "number"
	FieldBoolean FieldType = "boolean"
	FieldString  FieldType = "string"
)

// Flows is the answer to GET /v1/flows.
type Flows struct {
	Flows    []Flow   `json:"flows"`
	Defaults Defaults `json:"defaults"` // what a run of any flow gets, if its task does not say
}

// Defaults are what a task gets that leaves them out.
type Defaults struct {
	Budget  rein.Budget `json:"budget"`  // of the tree
	Mode    rein.Mode   `json:"mode"`    // of a new session
	Loosest rein.Mode   `json:"loosest"` // the loosest mode that a session can have
}

// A Preset is a task with a name. A run that names it starts with that task.
type Preset struct {
	Name  string     `json:"name"`
	About string     `json:"about,omitempty"`
	From  PresetFrom `json:"from"`
	By    string     `json:"by,omitempty"` // the user who saved it
	// Changed is when it was last saved; empty: it is in the settings.
	Changed time.Time `json:"changed,omitzero"`
	Task    rein.Task `json:"task"`
}

// PresetFrom says where a preset comes from.
type PresetFrom string

const (
	PresetSettings PresetFrom = "settings" // it is in the settings of the server
	PresetOwn      PresetFrom = "own"      // you saved it
	PresetShared   PresetFrom = "shared"   // an admin saved it for the household
)

// NewPreset is the body of PUT /v1/presets/{name}. It has a run or a task.
type NewPreset struct {
	About string `json:"about,omitempty"` // what it is for, in one line
	// Run is a run of yours whose flow, model, tools, settings, budget and instructions are saved.
	Run rein.RunID `json:"run,omitempty"`
	// Task is saved as it is, with its prompt but without what belongs to one run.
	Task *rein.Task `json:"task,omitempty"`
}

// Presets is the answer to GET /v1/presets.
type Presets struct {
	Presets []Preset `json:"presets"`
}

// A Tool is a tool that runs can use.
type Tool struct {
	Name   string          `json:"name"`
	About  string          `json:"about"`
	Effect rein.Effect     `json:"effect"`
	Asks   bool            `json:"asks,omitempty"` // a call can wait for a person's approval
	Schema json.RawMessage `json:"schema"`
	// Approval says who decides whether a person is asked. The mode of a session can change it.
	Approval Approval `json:"approval"`
	From     From     `json:"from"`
}

// Approval says who decides whether a person is asked about a call.
type Approval string

const (
	ApprovalNever    Approval = "never"    // nobody is asked
	ApprovalEach     Approval = "each"     // a person is asked about each call
	ApprovalRules    Approval = "rules"    // the tool decides about each call, by rules
	ApprovalPolicy   Approval = "policy"   // a person is asked about each call, because the settings say so
	ApprovalQuestion Approval = "question" // the call is itself a question to a person
)

// From says where a tool comes from.
type From string

const (
	FromRein    From = "rein"    // built in
	FromProgram From = "program" // the program that embeds rein brought it
)

// Tools is the answer to GET /v1/tools.
type Tools struct {
	Tools []Tool `json:"tools"`
}

// A Model is a model that runs can use.
type Model struct {
	Name         string `json:"name"`
	Kind         string `json:"kind"`
	Default      bool   `json:"default,omitempty"`
	Window       int64  `json:"window,omitempty"`        // how many tokens fit; 0: unknown
	Output       int64  `json:"output,omitempty"`        // how many tokens one answer can have; 0: unknown
	InputMicros  int64  `json:"input_micros,omitempty"`  // the price of a million input tokens, in millionths of the currency unit; 0: free or unknown
	OutputMicros int64  `json:"output_micros,omitempty"` // the price of a million output tokens, in millionths of the currency unit; 0: free or unknown
}

// Models is the answer to GET /v1/models.
type Models struct {
	Models []Model `json:"models"`
}

// A Blocker is something in a task that could make its run wait for a person.
type Blocker = rein.Blocker

// Started is the answer to POST /v1/runs: the run, and what could make it wait for a person.
type Started struct {
	rein.RunInfo
	MayAsk []Blocker `json:"may_ask"`
}

// Usage is the answer to GET /v1/usage.
type Usage struct {
	By   string          `json:"by"`
	Sums []rein.UsageSum `json:"sums"`
	Next string          `json:"next,omitempty"` // by session: pass it as after to get the next page; empty: this is the last one
}

// Limits is the answer to GET /v1/limits.
type Limits struct {
	Run      rein.Budget    `json:"run"`      // the largest budget that a run may ask for
	Accounts []rein.Account `json:"accounts"` // your account; for admins, the household's first and then each user's
	Calls    []Calls        `json:"calls"`    // current model calls, in the same order
}

// Calls is how many model calls a user, or a household as a whole, is making now.
type Calls struct {
	Household string `json:"household"`
	User      string `json:"user,omitempty"`
	UnderWay  int    `json:"under_way"`
	Waiting   int    `json:"waiting"` // calls that wait for their turn
	Most      int64  `json:"most"`    // how many calls the process makes at the same time, for all households
}

// A Checkpoint is the answer to /v1/audit/head.
type Checkpoint = rein.Checkpoint

// Acts is the answer to GET /v1/audit.
type Acts struct {
	Acts []rein.Act `json:"acts"`           // newest first
	Next int64      `json:"next,omitempty"` // pass it as before to get the next page; 0: this is the last one
}
