package cassette

import (
	"context"
	"encoding/json"
	"sync"

	"rein"
)

// Outline is an event without its texts: it has what the order of a tape, its asks and its commands
// follow from, and no more, so that a long tape can be held in little memory.
func Outline(e rein.Event) (rein.Event, error) {
	short, err := outlined(e)
	e.Data, e.Spend, e.Hash = nil, rein.Amount{}, rein.Hash{}
	if err == nil && short != nil {
		e.Data, err = json.Marshal(short)
	}
	return e, err
}

// outlined is what stays of a payload; nil: nothing.
func outlined(e rein.Event) (any, error) {
	switch e.Kind {
	case rein.RunStarted:
		return rein.RunStart{}, nil
	case rein.StepStarted, rein.SubStarted:
		start, err := rein.Payload[rein.StepStart](e)
		return rein.StepStart{Verb: start.Verb}, err
	case rein.StepDone, rein.SubDone:
		return outlinedEnd(e)
	case rein.StepWaiting:
		w, err := rein.Payload[rein.Waiting](e)
		if w.Failure != nil {
			w.Failure = &rein.Failure{Code: w.Failure.Code}
		}
		return rein.Waiting{Failure: w.Failure, Folds: w.Folds}, err
	case rein.AskOpened:
		ask, err := rein.Payload[rein.Ask](e)
		short := rein.Ask{ID: ask.ID, Run: ask.Run, Kind: ask.Kind, State: ask.State}
		if ask.Call != nil {
			short.Call = &rein.ToolCall{ID: ask.Call.ID, Name: ask.Call.Name}
		}
		return short, err
	}
	if e.Kind.Command() == "" {
		return nil, nil
	}
	c, err := rein.Payload[rein.Command](e)
	c.Text, c.Answer = "", rein.Answer{State: c.Answer.State}
	return c, err
}

func outlinedEnd(e rein.Event) (any, error) {
	end, err := rein.Payload[rein.StepEnd](e)
	short := rein.StepEnd{}
	if end.Verb == rein.VerbInbox {
		short.Verb = end.Verb
	}
	if end.Message != nil {
		short.Message = &rein.Message{}
	}
	if end.Result != nil {
		short.Result = &rein.ToolResult{}
	}
	return short, err
}

// A Score says where on a tape the ends of steps are, and what people said by then. It can be made of
// outlines.
type Score struct {
	*Speech

	mu   sync.Mutex
	ends map[rein.RunID]map[rein.StepKey]ending
}

type ending struct {
	seq  int64
	rank int
	// Where the approvals of a call, and that it was sent, are; nil: nowhere.
	shown *Showing
}

// A Showing says where on a tape it is what a person was shown of a call.
type Showing struct {
	Asks  []int64 // its approvals
	Doubt int64   // the ask about equal calls before it; zero: there was none
	Sent  int64   // its intent; zero: it has none
}

// NewScore returns the score of a tape.
func NewScore(t *Tape) *Score {
	said, ranks := t.heard()
	s := &Score{Speech: newSpeech(said), ends: map[rein.RunID]map[rein.StepKey]ending{}}
	shown := map[stepAt]*Showing{}
	for _, e := range t.Events {
		at := stepAt{e.Run, e.Step.Step()}
		switch e.Kind {
		case rein.AskOpened, rein.StepIntent:
			shown[at] = shown[at].with(e)
		case rein.StepDone, rein.SubDone:
			if s.ends[e.Run] == nil {
				s.ends[e.Run] = map[rein.StepKey]ending{}
			}
			s.ends[e.Run][e.Step] = ending{e.Seq, ranks[PlaceOf(e)], shown[at]}
		}
	}
	return s
}

func (s *Showing) with(e rein.Event) *Showing {
	if s == nil {
		s = &Showing{}
	}
	switch {
	case s.Sent > 0: // a crash came between: it is played once, as it was sent first
	case e.Kind == rein.StepIntent:
		s.Sent = e.Seq
	default:
		s.asked(e)
	}
	return s
}

func (s *Showing) asked(e rein.Event) {
	ask, ok := askOf(e)
	switch {
	case !ok:
	case ask.Kind == rein.AskApproval:
		s.Asks = append(s.Asks, e.Seq)
	case ask.Kind == rein.AskUnknown:
		s.Doubt = e.Seq
	}
}

// Shown says where it is what a person was shown of a call, for nobody to wait. ok is false if the tape
// does not hold the end of its step.
func (s *Score) Shown(run rein.RunID, key rein.StepKey) (where Showing, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	end, ok := s.ends[run][key]
	if end.shown != nil {
		where = *end.shown
	}
	return where, ok
}

// End returns the sequence number of the event that ends a step, once people have said what they had
// said by then. ok is false if the tape does not hold it.
func (s *Score) End(ctx context.Context, run rein.RunID, key rein.StepKey) (seq int64, ok bool, err error) {
	s.mu.Lock()
	end, ok := s.ends[run][key]
	s.mu.Unlock()
	if !ok {
		return 0, false, nil
	}
	return end.seq, true, s.wait(ctx, end.rank)
}

// Forget drops what is known of a run, and reports whether anything is left of others.
func (s *Score) Forget(run rein.RunID) (left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ends, run)
	return len(s.ends) > 0
}

// Size is how many places the score remembers.
func (s *Score) Size() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ends := range s.ends {
		n += len(ends)
	}
	for _, said := range s.said {
		n = max(n, len(said.After)) // they share their places
	}
	return n + len(s.said)
}
