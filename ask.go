package rein

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// An Ask is anything that waits for a person. It stops being pending exactly once, in the transaction of the
// event that causes it; the process that drives the run only reads it.
type Ask struct {
	ID   AskID   `json:"id"`
	Run  RunID   `json:"run"` // the run that asks; people see the ask at the root of the tree
	Step StepKey `json:"step"`
	Kind AskKind `json:"kind"`
	Text string  `json:"text"`
	// Say, Reason and Details are parts of the text of an approval whose tool made a sentence of it: the question, why the
	// model wants the call, and what else the tool shows. The text ends with the exact arguments.
	Say      string          `json:"say,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Details  string          `json:"details,omitempty"`
	Language string          `json:"language,omitempty"` // in which it is asked, as BCP 47; missing: English, or not known
	Choices  []string        `json:"choices,omitempty"`
	Call     *ToolCall       `json:"call,omitempty"`      // the call of an approval or an unknown outcome
	Schema   json.RawMessage `json:"schema,omitempty"`    // what edited arguments must satisfy
	Effect   Effect          `json:"effect,omitempty"`    // the effect of the call
	Family   string          `json:"family,omitempty"`    // the family of its tool; missing in asks of older programs
	Foreign  bool            `json:"foreign,omitempty"`   // the call changes what belongs to somebody else; see Shown.Foreign
	Guessed  string          `json:"guessed,omitempty"`   // how rein guessed the call from what the model wrote, if it had to
	InPerson bool            `json:"in_person,omitempty"` // for an approval: the call gets something from outside its sandbox, so no flag answers it
	Earlier  []string        `json:"earlier,omitempty"`   // for an unknown outcome: the keys of the equal calls that it is about, if it is not about the step's own call
	Mode     Mode            `json:"mode,omitempty"`      // for an approval: the mode of the run, which did not let the call through; missing: ask
	Modes    []Mode          `json:"modes,omitempty"`     // for a plan: the modes in which the work can continue; the first is the default
	Offers   Offers          `json:"offers,omitzero"`     // for an approval: what the person can allow beyond this one call
	Shown    string          `json:"shown,omitempty"`     // a digest of what the person sees; an answer must repeat it
	For      string          `json:"for,omitempty"`       // who is asked: a user, or ForAdults; missing: the user of the run
	Asker    string          `json:"asker,omitempty"`     // for ForAdults: whose run wants it
	Asked    []string        `json:"asked,omitempty"`     // for ForAdults: the adults when the ask opened
	State    AskState        `json:"state"`
	Opened   time.Time       `json:"opened"`
	Deadline time.Time       `json:"deadline,omitzero"`
	OnExpiry Expiry          `json:"on_expiry,omitempty"`
	Answer   Answer          `json:"answer,omitzero"`
	Closed   time.Time       `json:"closed,omitzero"`
}

// AskID names an ask: the run, a colon, and the key of the sub-event that opened it.
type AskID string

// NewAskID names the ask that the given sub-event of a run opens.
func NewAskID(run RunID, sub StepKey) AskID { return AskID(string(run) + ":" + string(sub)) }

// Run returns the run that asks.
func (id AskID) Run() RunID {
	run, _, _ := strings.Cut(string(id), ":")
	return RunID(run)
}

// Sub returns the key of the sub-event that opened the ask.
func (id AskID) Sub() string {
	_, sub, _ := strings.Cut(string(id), ":")
	return sub
}

// AskKind is the kind of answer that an ask needs.
type AskKind string

const (
	AskQuestion     AskKind = "question"     // answered with text
	AskApproval     AskKind = "approval"     // approved, edited or rejected
	AskConfirmation AskKind = "confirmation" // approved or rejected
	AskUnknown      AskKind = "unknown"      // an effect that may or may not have happened
)

// Answers to an ask of kind AskUnknown.
const (
	ItHappened = "happened"
	RunAgain   = "again"
	SkipIt     = "skip"
)

// AskState is the state of an ask.
type AskState string

const (
	AskPending   AskState = "pending"
	AskApproved  AskState = "approved"
	AskEdited    AskState = "edited"
	AskRejected  AskState = "rejected"
	AskAnswered  AskState = "answered"
	AskDeclined  AskState = "declined"
	AskExpired   AskState = "expired"   // the model sees "no answer", never "refused"
	AskWithdrawn AskState = "withdrawn" // by stop, cancel, delete or modify
)

// Expiry says what happens when nobody answers in time.
type Expiry string

const (
	ExpiryContinue Expiry = "continue" // the flow continues without an answer (the default)
	ExpiryDeny     Expiry = "deny"     // an approval counts as not given
	ExpiryStop     Expiry = "stop"     // the run is stopped
	ExpiryPark     Expiry = "park"     // nothing: the ask stays open after its deadline
)

// An Answer is how an ask ended: what a person decided, or that the time ran out.
type Answer struct {
	State AskState        `json:"state"`
	Text  string          `json:"text,omitempty"` // the answer, the choice, or why it was rejected
	Args  json.RawMessage `json:"args,omitempty"` // the edited arguments
	Mode  Mode            `json:"mode,omitempty"` // for a plan that is accepted: the mode in which the work continues
	// Scope is how far an approval goes: once (the default), session or always. The ask must offer it.
	Scope RuleScope `json:"scope,omitempty"`
	By    string    `json:"by,omitempty"`
	Shown string    `json:"shown,omitempty"` // the shown of the ask that the person read
}

// ShownMark begins every digest that an answer must repeat. Asks from before answers named what was
// shown have a digest without it, or none.
const ShownMark = "v2-"

// Reply is the command that answers the ask as it is here: the answer holds only for what this value
// shows.
func (a Ask) Reply(answer Answer) Command {
	answer.Shown = a.Shown
	return Command{Kind: CommandAnswer, Run: a.Run, Ask: a.ID, By: answer.By, Answer: answer}
}

// Binds says whether the answer is to what the ask shows, and what is wrong if it is not. An ask from
// before answers named what was shown also takes one that does not.
func (a Ask) Binds(answer Answer) error {
	switch {
	case answer.Shown == a.Shown:
		return nil
	case answer.Shown != "":
		return Errorf(CodeConflict, "ask %s has changed since it was read: read the ask again, then answer", a.ID)
	case strings.HasPrefix(a.Shown, ShownMark):
		return Errorf(CodeInvalid, "the answer to ask %s has no %q: read the ask, and send the %[2]q that it has", a.ID, "shown")
	}
	return nil
}

// Mask begins the label that people are shown in place of a secret.
const Mask = "[redacted: "

// holdsMask reports whether arguments hold such a label, however it is escaped.
func holdsMask(args json.RawMessage) bool {
	var value any
	if json.Unmarshal(args, &value) != nil {
		return false
	}
	plain, err := json.Marshal(value)
	return err == nil && strings.Contains(string(plain), Mask)
}

// accepted lists, per kind, the states that a person's answer may bring about.
var accepted = map[AskKind][]AskState{
	AskQuestion:     {AskAnswered, AskDeclined},
	AskApproval:     {AskApproved, AskEdited, AskRejected, AskDeclined},
	AskConfirmation: {AskApproved, AskRejected, AskDeclined},
	AskUnknown:      {AskAnswered, AskDeclined},
}

// Accepts says what is wrong with an answer to this ask, if anything. It does not look at the
// ask's present state: only the store can, in the transaction that changes it.
func (a Ask) Accepts(answer Answer) error {
	states := accepted[a.Kind]
	if !slices.Contains(states, answer.State) {
		return Errorf(CodeInvalid, "ask %s is a %s: the answer must be one of %v, not %q", a.ID, a.Kind, states, answer.State)
	}
	if a.For != "" && a.For != ForAdults && answer.By != a.For {
		return Errorf(CodeForbidden, "ask %s is for %s; %q may not answer it", a.ID, a.For, answer.By)
	}
	if answer.State == AskEdited && !json.Valid(answer.Args) {
		return Errorf(CodeInvalid, "ask %s: the edited arguments are not valid JSON", a.ID)
	}
	if answer.State == AskEdited && holdsMask(answer.Args) && (a.Call == nil || !holdsMask(a.Call.Args)) {
		return Errorf(CodeInvalid, "ask %s: the edited arguments hold a label that stands for a secret (%s…]): read the ask with its secrets revealed, and write the value itself", a.ID, Mask)
	}
	if answer.State != AskEdited && answer.Args != nil {
		return Errorf(CodeInvalid, "ask %s: arguments are given but the answer is %q; say %q", a.ID, answer.State, AskEdited)
	}
	if answer.Mode != "" && (answer.State != AskApproved || !slices.Contains(a.Modes, answer.Mode)) {
		return Errorf(CodeInvalid, "ask %s: mode %q cannot be chosen here; it can be one of %v, where a plan is accepted", a.ID, answer.Mode, a.Modes)
	}
	if err := a.offers(answer); err != nil {
		return err
	}
	if a.Kind == AskUnknown && answer.State == AskAnswered && !slices.Contains(a.Choices, answer.Text) {
		return Errorf(CodeInvalid, "ask %s: %q is none of %v", a.ID, answer.Text, a.Choices)
	}
	return nil
}
