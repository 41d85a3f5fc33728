package task

import (
	"strings"
	"unicode"

	"rein"
	"rein/internal/secret"
)

// Status is where a task stands.
type Status string

const (
	Open      Status = "open"
	NeedsInfo Status = "needs_info" // a person is asked
	Done      Status = "done"
	Failed    Status = "failed"
	Declined  Status = "declined" // the person did not want to go on
	Nothing   Status = "nothing"  // the model gave nothing that could be used
)

// Why a task failed.
const (
	reasonTurns    = "turns"
	reasonAttempts = "attempts"
	reasonLoop     = "loop"    // it announces what it does not do
	reasonUnknown  = "unknown" // nobody knows whether the call happened
	reasonNoAnswer = "unasked" // nobody answered in time
	reasonSecret   = "secret"  // what it said must not be seen
)

// State is what is known of a task between two turns. It is changed by transition and answered
// only, which do nothing else.
type State struct {
	Status     Status
	Limits     Settings
	Depth      int  // of a sub-goal
	Turns      int  // of the model
	Attempts   int  // calls that failed
	Invalid    int  // replies that could not be read
	Intentions int  // announcements without a call
	Correcting bool // the last reply was no good
	Pending    *Action
	Asked      string   // the newest question to the person
	Message    string   // for the person, once it is done
	Reason     string   // why it failed
	Blocked    []string // kinds of secrets
}

// An Observation is what came of an action.
type Observation struct {
	Status rein.ToolStatus // of a call or a sub-goal
	Text   string
}

// A ValidationResult says whether an observation may stand.
type ValidationResult struct {
	OK     bool
	Reason string
	Kinds  []string // of secrets
}

// validate looks at an action and what came of it, before anything of it reaches a person.
func validate(a Action, seen Observation) ValidationResult {
	if kinds := append(secret.Kinds(a.shown()), a.Masked...); len(kinds) > 0 {
		return ValidationResult{Reason: reasonSecret, Kinds: kinds}
	}
	switch {
	case a.Kind == ActionInvalid || a.Kind == ActionIntention:
		return ValidationResult{Reason: string(a.Kind)}
	case a.Kind == ActionTool && seen.Status == rein.ToolUnknown:
		return ValidationResult{Reason: reasonUnknown}
	case a.Kind == ActionTool && seen.Status.Failed():
		return ValidationResult{Reason: "tool"}
	}
	return ValidationResult{OK: true}
}

// transition is the task after a turn.
func transition(s State, a Action, seen Observation, v ValidationResult) State {
	if s.Pending == nil {
		s.Turns++ // a decision that the person agreed to took no turn of the model
	}
	s.Pending = nil
	s.Correcting = a.Kind == ActionInvalid || a.Kind == ActionIntention
	switch {
	case v.Reason == reasonSecret:
		return s.fail(reasonSecret, v.Kinds)
	case v.Reason == reasonUnknown:
		return s.fail(reasonUnknown, nil)
	case a.Kind == ActionInvalid:
		if s.Invalid++; s.Invalid > 1 {
			s.Status = Nothing
			return s
		}
	case a.Kind == ActionIntention:
		if s.Intentions++; s.Intentions > 1 {
			return s.fail(reasonLoop, nil)
		}
	case a.Kind == ActionFinal:
		s.Status, s.Message = Done, a.Message
		return s
	case a.Kind == ActionNeedInfo:
		s.Status, s.Pending = NeedsInfo, a.Then
		return s
	case a.Kind == ActionTool && v.OK:
		s.Status = Done
		return s
	case a.Kind == ActionTool:
		if s.Attempts++; s.Attempts >= s.Limits.Attempts {
			return s.fail(reasonAttempts, nil)
		}
	}
	if s.Turns >= s.Limits.Turns {
		return s.fail(reasonTurns, nil)
	}
	return s
}

func (s State) fail(reason string, kinds []string) State {
	s.Status, s.Reason, s.Blocked = Failed, reason, kinds
	return s
}

// answered is the task after a person was asked. A decision stands only if the person agrees.
func answered(s State, answer rein.Answer, agreed bool) State {
	s.Status = Open
	switch answer.State {
	case rein.AskDeclined:
		s.Status = Declined
	case rein.AskExpired:
		return s.fail(reasonNoAnswer, nil)
	}
	if answer.State != rein.AskAnswered || !agreed {
		s.Pending = nil
	}
	if s.Status == Open && s.Pending == nil && s.Turns >= s.Limits.Turns {
		return s.fail(reasonTurns, nil)
	}
	return s
}

// agrees reports whether an answer is a plain yes, in the user's language or in English.
func agrees(task rein.Task, answer string) bool {
	words := strings.FieldsFunc(strings.ToLower(answer), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	plain := strings.Join(words, " ")
	for _, language := range []rein.Task{task, {Language: "en"}} {
		for yes := range strings.SplitSeq(say(language, "yes"), ",") {
			if plain == strings.TrimSpace(yes) {
				return true
			}
		}
	}
	return false
}
