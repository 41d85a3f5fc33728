package pace

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// An entry is a call that waits.
type entry struct {
	id, run string
	person  bool
	need    amount
	turn    uint64 // the rounds of its queue in which it comes
	seq     uint64 // the order of arrival

	here  bool          // its caller can be let through now: it blocks in Wait, or is just asking
	look  chan struct{} // of a caller that blocks: look again
	due   time.Time     // of a caller that is away: when it comes back
	grant *grant        // once it was let through
}

// A queue lets runs take turns. An entry's turn is one after that of its run's entry before, and a
// run that comes anew has its turn in the round under way.
type queue struct {
	entries []*entry // by turn, then by arrival
	turn    uint64   // of the last one that was let through
	newest  map[string]uint64
}

func byTurn(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.seq, b.seq))
}

func (q *queue) add(e *entry) {
	if q.newest == nil {
		q.newest = map[string]uint64{}
	}
	e.turn = max(q.turn, q.newest[e.run]) + 1
	q.newest[e.run] = e.turn
	i, _ := slices.BinarySearchFunc(q.entries, e, byTurn)
	q.entries = slices.Insert(q.entries, i, e)
}

// remove takes an entry out. If it was let through, the round is its own now.
func (q *queue) remove(e *entry) {
	i, ok := slices.BinarySearchFunc(q.entries, e, byTurn)
	if !ok {
		return
	}
	q.entries = slices.Delete(q.entries, i, i+1)
	if e.grant != nil {
		q.turn = max(q.turn, e.turn)
	}
	if q.newest[e.run] == e.turn {
		q.newest[e.run] = e.turn - 1
	}
	if q.newest[e.run] <= q.turn {
		delete(q.newest, e.run)
	}
	if len(q.entries) == 0 {
		clear(q.newest)
	}
}

// ahead is how many calls that people wait for go in a row while others wait.
const ahead = 3

// A line is the two queues of a lane: people first, and after some of them one of the others.
type line struct {
	people, others queue
	streak         int // people let through in a row while others waited
}

func (l *line) of(e *entry) *queue {
	if e.person {
		return &l.people
	}
	return &l.others
}

// granted takes an entry out that is let through.
func (l *line) granted(e *entry) {
	l.of(e).remove(e)
	if e.person && len(l.others.entries) > 0 {
		l.streak++
	} else {
		l.streak = 0
	}
}

// inOrder returns the entries in the order in which they would be let through if nobody else came.
func (l *line) inOrder() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		people, others, streak := l.people.entries, l.others.entries, l.streak
		for len(people)+len(others) > 0 {
			from := &people
			if len(people) == 0 || len(others) > 0 && streak >= ahead {
				from, streak = &others, 0
			} else {
				streak++
			}
			e := (*from)[0]
			*from = (*from)[1:]
			if !yield(e) {
				return
			}
		}
	}
}
