package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/engine/work/args"
	"rein/store"
)

// A Precedent is what a run knows, when it is about to make a call, of equal calls whose outcome nobody
// knows: calls of the same tool with the same arguments, of any run of the session.
type Precedent struct {
	Asked   bool     // a person is asked before the call is made
	Earlier []string // the keys of the equal calls, as far as they were recorded
	Key     string   // which the call is made under, if it is not its own
}

// precedent looks for equal calls whose outcome is not known. What was found is recorded with the ask, or
// as the key of the intent: a step that goes on later goes by that, whatever has become of them.
func (s *toolStep) precedent(o *order) (Precedent, error) {
	if s.rec.countAsks(rein.AskUnknown) > 0 { // what was put to a person waits for that person
		return Precedent{Asked: true, Earlier: s.rec.lastAsk(rein.AskUnknown).Earlier}, nil
	}
	if s.run.opts.Precedent != nil {
		if p, recorded, err := s.run.opts.Precedent(context.Background(), o.tool, s.invocation(o, s.callKey())); recorded || err != nil {
			return p, err
		}
	}
	earlier, err := s.unsettled(o)
	if len(earlier) == 0 || err != nil {
		return Precedent{}, err
	}
	if o.tool.Effect == rein.Idempotent {
		return Precedent{Earlier: earlier, Key: earlier[0]}, nil // under the same key it cannot happen twice
	}
	return Precedent{Asked: true, Earlier: earlier}, nil
}

// repeats is what a person is asked before a call is made whose equals may have happened.
func repeats(tool string, run rein.RunID, earlier []string) string {
	var others []string
	for _, key := range earlier {
		if other, _, _ := strings.Cut(key, ":"); other != string(run) && !slices.Contains(others, other) {
			others = append(others, other)
		}
	}
	by := ""
	if len(others) > 0 {
		by = ", by run " + strings.Join(others, " and ") + ","
	}
	return fmt.Sprintf("An earlier call of %s with the same arguments%s may have happened. Run it again?", tool, by)
}

// settle records that a person says of earlier calls that they took effect, so that everybody knows it.
func (s *toolStep) settle(earlier []string) {
	if len(earlier) > 0 && s.rec.checked == nil {
		s.run.note(store.Draft{Kind: rein.StepChecked, Step: s.key.Sub("check", 1), Data: &rein.Checked{State: rein.CheckHappened, Of: earlier}})
	}
}

// unsettled returns the keys of the equal calls whose outcome is not known, sorted. The session is read
// twice if something was found: a call may have ended between the look at the log and the look at what is
// under way.
func (s *toolStep) unsettled(o *order) ([]string, error) {
	equal := equalTo(o)
	own := s.ownSent(equal)
	others, err := s.readSession(equal)
	if err == nil && len(others.unknown) > 0 { // one that has just ended is none
		others, err = s.readSession(equal)
	}
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, unknown := range []map[string]bool{own.unknown, others.unknown} {
		for key := range unknown {
			if !own.settled[key] && !others.settled[key] {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// outcomes are what is known of equal calls, by their keys.
type outcomes struct{ unknown, settled map[string]bool }

// newOutcomes returns outcomes of which nothing is known.
func newOutcomes() outcomes { return outcomes{map[string]bool{}, map[string]bool{}} }

// settle takes in that a call succeeded: what it was made in spite of does not matter any more.
func (o outcomes) settle(c rein.Intent) {
	o.settled[c.Key] = true
	for _, key := range c.Earlier {
		o.settled[key] = true
	}
}

// equals are the digests of a call: as it would be sent, and as an older program sent it, which did not
// pin it.
type equals []string

// equalTo returns the digests of the order.
func equalTo(o *order) equals {
	return equals{callDigest(o.tool.Name, o.args), callDigest(o.tool.Name, args.Unpinned(o.tool, o.args))}
}

// ownSent is what this run knows: of calls that ended, and of those that a crash cut off in other
// branches. Its log need not be read for that, unlike those of the session's other runs.
func (s *toolStep) ownSent(equal equals) outcomes {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	own := newOutcomes()
	for _, what := range equal {
		if key, ok := s.run.history.unknowns[what]; ok {
			own.unknown[key] = true
		}
	}
	for key, r := range s.run.log.steps {
		if key == s.key || r.intent == nil || r.start == nil || r.start.Call == nil || !slices.Contains(equal, callDigest(r.toolName(), r.intent.Args)) {
			continue
		}
		switch {
		case r.done == nil && !s.run.history.sending[key]:
			own.unknown[r.intent.Key] = true
		case r.done != nil && r.done.Result != nil && r.done.Result.Status == rein.ToolOK:
			own.settle(*r.intent)
		}
	}
	return own
}

// A sentCall is a call that another run of the session has sent.
type sentCall struct {
	rein.Intent
	run  rein.RunID
	step rein.StepKey
	done int64
}

// readSession is what the logs of the session's other runs say, and what people said of calls in any.
func (s *toolStep) readSession(equal equals) (outcomes, error) {
	ctx, known := context.Background(), newOutcomes()
	events, err := s.run.opts.Store.Sent(ctx, cmp.Or(s.run.task.Session, string(s.run.id.Root())))
	if err != nil {
		return known, s.unreadable(err)
	}
	calls := map[rein.RunID]map[rein.StepKey]sentCall{}
	for _, e := range events {
		if e.Kind == rein.StepChecked {
			err = known.learnChecked(e.Event)
		} else if e.Run != s.run.id {
			err = s.learnSent(ctx, e, equal, calls)
		}
		if err != nil {
			return known, s.unreadable(err)
		}
	}
	for _, run := range calls {
		if err := s.judgeSent(ctx, run, known); err != nil {
			return known, s.unreadable(err)
		}
	}
	return known, nil
}

// unreadable returns an error about another run's log, which only concerns the call. After any other
// there is no way on.
func (s *toolStep) unreadable(err error) error {
	if rein.CodeOf(err) != rein.CodeDamaged {
		s.run.fail(err)
	}
	return err
}

// learnChecked takes in what a person said of calls.
func (o outcomes) learnChecked(e rein.Event) error {
	c, err := rein.Payload[rein.Checked](e)
	if err != nil {
		return err
	}
	if c.State != rein.CheckUnknown {
		for _, key := range c.Of {
			o.settled[key] = true
		}
	}
	return nil
}

// learnSent takes in an intent of another run if it is of an equal call.
func (s *toolStep) learnSent(ctx context.Context, e store.Sent, equal equals, calls map[rein.RunID]map[rein.StepKey]sentCall) error {
	intent, err := rein.Payload[rein.Intent](e.Event)
	if err != nil {
		return err
	}
	step := e.Step.Step()
	if intent.Tool == "" {
		if intent.Tool, err = s.toolOf(ctx, e.Run, step); err != nil {
			return err
		}
	}
	if !slices.Contains(equal, callDigest(intent.Tool, intent.Args)) {
		return nil
	}
	if calls[e.Run] == nil {
		calls[e.Run] = map[rein.StepKey]sentCall{}
	}
	calls[e.Run][step] = sentCall{intent, e.Run, step, e.Done}
	return nil
}

// toolOf finds the tool of a call whose intent does not name it.
func (s *toolStep) toolOf(ctx context.Context, run rein.RunID, step rein.StepKey) (string, error) {
	var r record
	for e, err := range s.run.opts.Store.Events(ctx, run, 0) {
		if err != nil {
			return "", err
		}
		if e.Step != step || e.Erased {
			continue
		}
		payload, err := rein.Decode(e)
		if err != nil {
			return "", err
		}
		r.apply(e.Kind, e.Step, payload)
	}
	if r.start == nil || r.start.Call == nil {
		return "", nil // it was erased meanwhile
	}
	return r.toolName(), nil
}

// judgeSent sorts the equal calls of one run. One that succeeded settles those before it: a person was
// asked about them. One without an end is unknown, unless this process is just making it.
func (s *toolStep) judgeSent(ctx context.Context, calls map[rein.StepKey]sentCall, known outcomes) error {
	var last int64
	var open []sentCall
	for _, c := range calls {
		if c.done == 0 {
			if !s.run.engine.isUnderWay(c.run, c.step) {
				known.unknown[c.Key] = true
			}
			continue
		}
		status, err := s.statusOf(ctx, c)
		if err != nil {
			return err
		}
		switch status {
		case rein.ToolOK:
			known.settle(c.Intent)
			last = max(last, c.done)
		case rein.ToolUnknown:
			open = append(open, c)
		}
	}
	for _, c := range open {
		if c.done > last {
			known.unknown[c.Key] = true
		}
	}
	return nil
}

// statusOf reads how a call ended.
func (s *toolStep) statusOf(ctx context.Context, c sentCall) (rein.ToolStatus, error) {
	e, err := s.run.opts.Store.Event(ctx, c.run, c.done)
	if err != nil || e.Erased {
		return "", err
	}
	end, err := rein.Payload[rein.StepEnd](e)
	if err != nil || end.Result == nil {
		return "", err
	}
	return end.Result.Status, nil
}
