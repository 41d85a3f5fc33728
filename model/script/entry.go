package script

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"rein"
)

// An entry is a set of conditions and what to do when they hold.
type entry struct {
	line   int
	text   string // its first line
	conds  []cond
	nth    *span
	nthSrc string

	slow, drip time.Duration

	faults  []fault // take the attempts in their order; the reply has what they leave
	replies bool    // there is a reply, if only an empty line of text
	said    []string
	calls   []call
	usage   *rein.Usage
	account accounting
}

// A call is a tool call that a reply will contain.
type call struct {
	line int
	name string // empty: the first tool offered
	id   string // empty: made from the turn
	args json.RawMessage
	kind callKind
}

type callKind int

const (
	rightCall  callKind = iota // must have been offered
	wrongCall                  // must not have been offered
	brokenCall                 // not looked at
)

// accounting says where the usage of a reply comes from.
type accounting int

const (
	counted accounting = iota // from the texts
	given                     // by a usage line
	unsaid                    // the provider does not say
	overrun                   // more than could be reserved
)

// A fault is an ending other than a reply.
type fault struct {
	kind  faultKind
	code  rein.Code     // of failing
	text  string        // the message of failing, what cutting shows
	times int           // attempts that it takes; zero: all
	after time.Duration // of failing: when to try again, as the provider says
}

type faultKind int

const (
	failing faultKind = iota
	cutting
	hanging
	emptying
)

// holds reports whether the conditions hold that look at the request alone.
func (e *entry) holds(v *view) bool {
	return !slices.ContainsFunc(e.conds, func(c cond) bool { return !c.ok(v) })
}

// answers reports whether the entry has something to do for the call.
func (e *entry) answers(v *view) bool {
	return e.holds(v) && (e.nth == nil || e.nth.has(v.nth[e])) && (e.replies || e.fault(v.attempt) != nil)
}

// fault returns the fault that takes the attempt, or nil.
func (e *entry) fault(attempt int) *fault {
	for i, f := range e.faults {
		if f.times == 0 || attempt <= f.times {
			return &e.faults[i]
		}
		attempt -= f.times
	}
	return nil
}

// hides reports whether e answers every call that a later entry would. Only what can be seen from
// the text of the conditions counts: turn=1 does not hide turn=1..2.
func (e *entry) hides(later *entry) bool {
	if !e.replies && e.fault(math.MaxInt) == nil {
		return false
	}
	theirs := later.sources()
	return !slices.ContainsFunc(e.sources(), func(src string) bool { return !slices.Contains(theirs, src) })
}

func (e *entry) sources() []string {
	var all []string
	for _, c := range e.conds {
		all = append(all, c.src)
	}
	if e.nth != nil {
		all = append(all, e.nthSrc)
	}
	return all
}

// reachable refuses a line below a fault that takes all attempts.
func (e *entry) reachable(l *line) error {
	for i, f := range e.faults {
		if f.times == 0 && (e.replies || i < len(e.faults)-1) {
			return l.errorf("the fault in this entry takes every attempt, so there is no other ending; give it times=N")
		}
	}
	return nil
}
