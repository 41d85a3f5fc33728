package cassette

import (
	"encoding/json"
	"sync"

	"rein"
)

// A Player gives again what the models and tools of a tape gave, by run and step. Tools are never
// executed. Answers come when people have said what they had said by then; see Said.
type Player struct {
	// Failing, if not nil, is told when a model call is about to fail: whoever made it may want to wait
	// before another try, and in a replay nobody need wait.
	Failing func()
	// Entered, if not nil, is told when a tool was called.
	Entered func()

	*Speech
	tape  *Tape
	steps map[stepAt]*entry

	counting sync.Mutex // of what was shown, and which calls were made
}

type stepAt struct {
	run rein.RunID
	key rein.StepKey
}

// An entry is what a tape holds of one step, or of a model call inside one.
type entry struct {
	start  *rein.StepStart
	done   *rein.StepEnd
	asks   []rein.Ask
	calls  []rein.StepStart // to its tree, by the tool
	long   *rein.Failure    // of a prompt that was too long until it was summed up
	sent   json.RawMessage  // what the tool was given, if it is known
	intent bool             // it is known because it was sent
	key    string           // under which it was sent
	// allowed says who let it be sent; see rein.Intent.
	allowed string
	rank    int // of its end
	// Between these events of its run the tool had been called and had not come to its end.
	from, until int64
	entered     bool // it was called again
	shown       int  // how often it was shown to a person
}

// NewPlayer returns a player at the beginning of a tape.
func NewPlayer(t *Tape) (*Player, error) {
	said, ranks := t.heard()
	p := &Player{tape: t, steps: map[stepAt]*entry{}, Speech: newSpeech(said)}
	for _, e := range t.Events {
		if err := p.learn(e, ranks); err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "the cassette cannot be played: %w", err)
		}
	}
	return p, nil
}

func (p *Player) learn(e rein.Event, ranks map[Place]int) error {
	key := e.Step
	if e.Kind != rein.SubStarted && e.Kind != rein.SubDone {
		key = key.Step()
	}
	if key == "" {
		return nil
	}
	at := stepAt{e.Run, key}
	s := p.steps[at]
	if s == nil {
		s = &entry{}
		p.steps[at] = s
	}
	switch e.Kind {
	case rein.StepDone, rein.SubDone:
		s.rank = ranks[PlaceOf(e)]
	case rein.StepStarted, rein.SubStarted, rein.StepIntent, rein.AskOpened, rein.StepWaiting:
	default: // what a player does not look at
		return nil
	}
	switch e.Kind {
	case rein.StepIntent:
		s.from = e.Seq
	case rein.StepDone:
		s.until = e.Seq
	}
	payload, err := rein.Decode(e)
	if err == nil {
		s.learn(payload)
	}
	if start, ok := payload.(*rein.StepStart); ok && start.Tree != nil {
		if outer := p.steps[stepAt{e.Run, key.Step()}]; outer != nil {
			outer.calls = append(outer.calls, *start)
		}
	}
	return err
}

// enter takes note that the tool of a step was called.
func (p *Player) enter(s *entry) {
	p.counting.Lock()
	s.entered = true
	p.counting.Unlock()
	if p.Entered != nil {
		p.Entered()
	}
}

// InTime reports whether the tools that were at work when a person spoke are at work again. What stops a run lets
// the call that is under way come to its end, and makes no other: so it must not come between the intent of
// a call and the call.
func (p *Player) InTime(said Said) bool {
	if said.Kind == rein.CommandAnswer {
		return true // it waits for its ask, whatever else is at work
	}
	p.counting.Lock()
	defer p.counting.Unlock()
	for at, s := range p.steps {
		wasAtWork := at.run == said.Run && s.from > 0 && s.from < said.Seq && said.Seq < s.until
		if wasAtWork && !s.entered && s.done.Result != nil && s.done.Failure == nil {
			return false
		}
	}
	return true
}

func (s *entry) learn(payload any) {
	switch p := payload.(type) {
	case *rein.StepStart:
		if s.start = p; p.Args != nil {
			s.sent = p.Args
		}
	case *rein.Intent:
		if !s.intent { // a crash came between: it is played once, as it was sent first
			s.sent, s.intent, s.key, s.allowed = p.Args, true, p.Key, p.Allowed
		}
	case *rein.Ask:
		if !s.intent {
			s.asks = append(s.asks, *p)
		}
	case *rein.Waiting:
		if p.Folds != nil {
			s.long = p.Failure
		}
	case *rein.StepEnd:
		s.done = p
	}
}

// Precedent returns what was known of earlier calls when the call of a step was about to be made: the
// ask about them, if a person was asked, and the key that it was sent under. ok is false if the tape does
// not hold the step.
func (p *Player) Precedent(run rein.RunID, key rein.StepKey) (ask *rein.Ask, sent string, ok bool) {
	s := p.steps[stepAt{run, key}]
	if s == nil {
		return nil, "", false
	}
	for _, a := range s.asks {
		if a.Kind == rein.AskUnknown {
			return &a, s.key, true
		}
	}
	return nil, s.key, true
}

// Expires reports whether nobody answered the ask in time.
func (p *Player) Expires(ask rein.AskID) bool {
	for _, e := range p.tape.Events {
		if e.Kind.Command() != rein.CommandExpire {
			continue
		}
		if c, err := rein.Payload[rein.Command](e); err == nil && c.Ask == ask {
			return true
		}
	}
	return false
}
