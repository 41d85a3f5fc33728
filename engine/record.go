package engine

import (
	"cmp"
	"encoding/json"

	"rein"
)

// A record is what the log holds of one step. The verb that makes the step reads it, whether it was
// written a moment ago or by a process that is gone: there is no other way to resume.
//
// It is changed with the drive's mu held. The step's own branch reads it without, since nobody else writes
// events of the step; only the timing of its call does, and the branch waits for that to end.
type record struct {
	sig      string
	start    *rein.StepStart
	attempts int           // how often it was dispatched
	intents  int           // how many intents were written
	intent   *rein.Intent  // the newest
	checked  *rein.Checked // the newest answer of a checkable tool, since the newest intent
	asked    int           // how many asks of kind unknown there were at the newest intent
	asks     []rein.Ask    // that it opened, in order
	bound    rein.Amount   // what is reserved for it
	mend     rein.Mend     // what became of the arguments, once it was dispatched
	subs     map[rein.StepKey]*sub
	calls    []rein.StepKey // those of the subs that its tool asked for, in their order
	waiting  *rein.Waiting  // what a model call waits for, until its next attempt
	tries    int            // how often the model that is asked has failed
	model    string         // who is asked in place of the model that the flow wants
	folds    *rein.Folded   // the summary that it is sent with since a try was too long
	done     *rein.StepEnd
	used     bool // the replayed flow has asked for it
}

// A sub is a call inside a step, of a model or by a tool to its tree, as the log holds it.
type sub struct {
	start *rein.StepStart
	done  *rein.StepEnd
}

// apply takes in an event of the step.
func (r *record) apply(kind rein.Kind, key rein.StepKey, payload any) {
	switch kind {
	case rein.SubStarted, rein.SubDone:
		r.applySub(key, payload)
		return
	}
	switch p := payload.(type) {
	case *rein.StepStart:
		r.start, r.sig, r.bound, r.mend, r.waiting = p, p.Sig, p.Bound, p.Mend, nil
		if p.Bound != (rein.Amount{}) {
			r.attempts = 1
		}
	case *rein.Attempt:
		r.attempts, r.bound, r.mend, r.waiting = p.N, p.Bound, p.Mend, nil
	case *rein.Renewed:
		r.bound = p.Bound
	case *rein.Waiting:
		r.applyWaiting(p)
	case *rein.Intent:
		// A new intent is a new call: what a check or a person said was about the one before it.
		r.intent, r.checked, r.asked = p, nil, r.countAsks(rein.AskUnknown)
		r.intents++
	case *rein.Checked:
		r.checked = p
	case *rein.Ask:
		r.asks = append(r.asks, *p)
	case *rein.StepEnd:
		r.done = p
		if p.Sig != "" {
			r.sig = p.Sig
		}
	}
}

// lean lets go of a text that was clipped: nobody needs the whole of it again, and it is in the log. The
// event itself may still have to be written, so it stays as it is.
func (r *record) lean() {
	if r.done != nil && r.done.Whole != "" {
		end := *r.done
		end.Whole = ""
		r.done = &end
	}
}

// applySub takes in an event of a consult. It may come before the step's own beginning: a history is
// summarised before it is known what the call will cost.
func (r *record) applySub(key rein.StepKey, payload any) {
	if r.subs == nil {
		r.subs = map[rein.StepKey]*sub{}
	}
	switch p := payload.(type) {
	case *rein.StepStart:
		r.subs[key] = &sub{start: p}
		if p.Tree != nil {
			r.calls = append(r.calls, key)
		}
		if r.sig == "" { // it comes before the step's own beginning
			r.sig = p.Sig
		}
	case *rein.StepEnd:
		if s := r.subs[key]; s != nil {
			s.done = p
		}
	}
}

// countCalls counts what the step's tool asked of its tree with a verb.
func (r *record) countCalls(verb rein.Verb) (n int) {
	for _, key := range r.calls {
		if r.subs[key].start.Verb == verb {
			n++
		}
	}
	return n
}

// applyWaiting takes in that the step waits. With a signature it waits for its turn, before its attempt;
// without one an attempt has failed, and its reservation is settled.
func (r *record) applyWaiting(w *rein.Waiting) {
	r.waiting, r.tries = w, w.Try
	if w.Sig != "" {
		r.sig = w.Sig
		return
	}
	r.bound = rein.Amount{} // the event gave back what was left of it
	if w.Model != "" {
		r.model = w.Model
	}
	if w.Folds != nil {
		r.folds = w.Folds
	}
}

// countAsks returns how many asks of a kind the step has opened.
func (r *record) countAsks(kind rein.AskKind) int {
	n := 0
	for _, a := range r.asks {
		if a.Kind == kind {
			n++
		}
	}
	return n
}

// nthAsk returns the step's ask of a kind with this number, from 0.
func (r *record) nthAsk(kind rein.AskKind, n int) rein.Ask {
	for _, a := range r.asks {
		if a.Kind != kind {
			continue
		}
		if n == 0 {
			return a
		}
		n--
	}
	return rein.Ask{}
}

// lastAsk returns the step's newest ask of a kind.
func (r *record) lastAsk(kind rein.AskKind) rein.Ask { return r.nthAsk(kind, r.countAsks(kind)-1) }

// toolName is the tool that a call came to.
func (r *record) toolName() string { return cmp.Or(r.mend.Tool, r.start.Call.Name) }

// sentArgs are the arguments that the tool was given.
func (r *record) sentArgs() json.RawMessage {
	switch {
	case r.intent != nil:
		return r.intent.Args
	case r.mend.Args != nil:
		return r.mend.Args
	}
	return r.start.Call.Args
}
