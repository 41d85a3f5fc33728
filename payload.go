package rein

import (
	"encoding/json"
	"strings"
)

// A Verb is what a flow asked for in a step.
type Verb string

const (
	VerbModel    Verb = "model"
	VerbTool     Verb = "tool"
	VerbAsk      Verb = "ask"
	VerbInbox    Verb = "inbox"
	VerbSpawn    Verb = "spawn"
	VerbWait     Verb = "wait"
	VerbSend     Verb = "send" // only inside a call of a tool
	VerbParallel Verb = "parallel"
)

// Decode returns a pointer to the payload of an event, of the type that its kind names. It is the only
// reader of payloads: it also knows how older programs wrote them. An erased payload, one that is
// damaged, and a kind without payload are errors.
func Decode(e Event) (any, error) {
	into := payloadOf(e.Kind)
	if into == nil {
		return nil, Errorf(CodeInvalid, "event %d of run %s: kind %q has no payload", e.Seq, e.Run, e.Kind)
	}
	return into, decode(e, into)
}

// Payload is Decode for a reader that knows the type, which must be that of the event's kind.
func Payload[T any](e Event) (T, error) {
	into, ok := payloadOf(e.Kind).(*T)
	if !ok {
		var none T
		return none, Errorf(CodeInvalid, "event %d of run %s: the payload of kind %q is no %T", e.Seq, e.Run, e.Kind, none)
	}
	err := decode(e, into)
	return *into, err
}

func decode(e Event, into any) error {
	if e.Erased {
		return Errorf(CodeNotFound, "event %d of run %s: its payload was erased", e.Seq, e.Run)
	}
	if err := json.Unmarshal(e.Data, into); err != nil {
		return Errorf(CodeDamaged, "event %d of run %s: %s cannot be read: %w", e.Seq, e.Run, e.Kind, err)
	}
	switch p := into.(type) {
	case *StepStart:
		p.upgrade(e.Kind)
	case *StepEnd:
		p.upgrade(e.Kind)
	}
	return nil
}

// payloadOf returns a place for the payload of an event, or nil if its kind has none.
func payloadOf(kind Kind) any {
	switch kind {
	case RunStarted:
		return new(RunStart)
	case RunParked:
		return new(Parked)
	case RunBlocked:
		return new(Blocked)
	case StepStarted, SubStarted:
		return new(StepStart)
	case StepAttempt:
		return new(Attempt)
	case StepRenewed:
		return new(Renewed)
	case StepWaiting:
		return new(Waiting)
	case StepIntent:
		return new(Intent)
	case StepChecked:
		return new(Checked)
	case StepDone, SubDone:
		return new(StepEnd)
	case AskOpened:
		return new(Ask)
	case RunCompleted, RunStopped, RunFailed:
		return new(RunEnd)
	}
	if kind.Command() != "" {
		return new(Command)
	}
	return nil
}

// upgrade fills in what older programs did not write.
func (s *StepStart) upgrade(kind Kind) {
	if s.Verb == "" {
		s.Verb, _ = oldVerb(kind, s.Sig)
	}
	if s.Tool == "" && s.Call != nil {
		s.Tool = s.Call.Name
	}
}

func (s *StepEnd) upgrade(kind Kind) {
	if s.Verb == "" && s.Sig != "" {
		s.Verb, s.Tool = oldVerb(kind, s.Sig)
	}
}

// oldVerb finds the verb and the tool's name in a signature of an older program. The phase before the
// name may have spaces; the name and the digest behind it have none.
func oldVerb(kind Kind, sig string) (Verb, string) {
	if kind == SubStarted || kind == SubDone {
		return VerbModel, ""
	}
	verb, rest, _ := strings.Cut(sig, " ")
	if words := strings.Split(rest, " "); Verb(verb) == VerbTool && len(words) > 2 {
		return VerbTool, words[len(words)-2]
	}
	return Verb(verb), ""
}

// Waited returns the run that a wait was for which was over as soon as it began, or "". The other waits
// name it in their StepStart.
func (e StepEnd) Waited() RunID {
	verb, run, _ := strings.Cut(e.Sig, " ")
	if Verb(verb) != VerbWait {
		return ""
	}
	return RunID(run)
}
