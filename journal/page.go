package journal

import (
	"iter"

	"rein"
)

// A Log is how a run's log is read: from anywhere, and event by event. Its length is the sequence number of
// the newest event that counts.
type Log struct {
	Run    rein.RunID
	Length int64
	From   func(after int64) iter.Seq2[rein.Event, error]
	At     func(seq int64) (rein.Event, error)
}

// Page returns steps in the order in which they began: those after the named one (empty: from the first on),
// at most limit. more says that others follow. Texts are left out: Find has them. A step that is unknown is
// CodeNotFound.
//
// It finds its place by the keys, which grow with the log, so that a page of a long log takes as long as one
// of a short log, and it keeps the steps of the page only.
func (l Log) Page(after rein.StepKey, limit int) (page []*Course, more bool, err error) {
	p := pager{limit: limit, after: after, passed: after == ""}
	begin := int64(1)
	if after != "" {
		if begin, err = l.begin(after); err != nil {
			return nil, false, err
		}
	}
	for e, err := range l.From(begin - 1) {
		if err != nil {
			return nil, false, err
		}
		if e.Seq > l.Length || !p.passed && placeOf(e.Step) > placeOf(after) {
			break
		}
		if p.see(e); p.more && len(p.open) == 0 {
			break
		}
	}
	if !p.passed {
		return nil, false, l.noStep(after)
	}
	return p.page, p.more, nil
}

func (l Log) noStep(key rein.StepKey) error {
	return rein.Errorf(rein.CodeNotFound, "run %s has no step %.60q", l.Run, string(key))
}

// A pager gathers one page of steps.
type pager struct {
	limit  int
	after  rein.StepKey
	passed bool // the step after which the page begins was seen

	page  []*Course
	more  bool
	steps Steps
	open  map[rein.StepKey]*Course // of the page
	asks  Asks
	place int
	known map[rein.StepKey]bool // the steps that were seen at this place: only they can come again
}

func (p *pager) see(e rein.Event) {
	for _, ask := range p.asks.See(e) {
		if c := p.open[ask.Step]; c != nil {
			c.asked(ask)
			c.trim()
		}
	}
	if e.Kind.Ends() {
		p.cut()
	}
	id, ok := idOf(e)
	if !ok || !p.takes(id.key) {
		return
	}
	c := p.open[id.key]
	if c.Step = p.steps.See(e); c.Over() {
		delete(p.open, id.key)
	}
	c.see(e)
	c.trim()
}

// takes reports whether the step is one of the page, and adds it if it is new and the page has room.
func (p *pager) takes(key rein.StepKey) bool {
	if place := placeOf(key); place != p.place {
		p.place, p.known = place, map[rein.StepKey]bool{}
	}
	if p.known[key] {
		return p.open[key] != nil
	}
	p.known[key] = true
	switch {
	case !p.passed:
		p.passed = key == p.after
		return false
	case len(p.page) == p.limit:
		p.more = true
		return false
	}
	c := &Course{}
	if p.open == nil {
		p.open = map[rein.StepKey]*Course{}
	}
	p.page, p.open[key] = append(p.page, c), c
	return true
}

// cut marks the steps that the end of the run cut off.
func (p *pager) cut() {
	for _, c := range p.open {
		c.Cut = true
	}
}

// begin returns the sequence number from which on the log is about the place of a step, or of a later one.
func (l Log) begin(key rein.StepKey) (int64, error) {
	place := placeOf(key)
	if place < 1 {
		return 0, l.noStep(key)
	}
	return l.lowest(place, 1, l.Length)
}

// lowest searches for the first event of the place, or of a later one. Events of no step lie between others.
func (l Log) lowest(place int, low, high int64) (int64, error) {
	for low <= high {
		middle := low + (high-low)/2
		at, found, err := l.placeFrom(middle, high)
		switch {
		case err != nil:
			return 0, err
		case found == 0 || found >= place:
			high = middle - 1
		default:
			low = at + 1
		}
	}
	return low, nil
}

// placeFrom returns the place of the first event that has one, from one event to another.
func (l Log) placeFrom(seq, last int64) (at int64, place int, err error) {
	for ; seq <= last; seq++ {
		e, err := l.At(seq)
		if err != nil {
			return 0, 0, err
		}
		if place := placeOf(e.Step); place > 0 {
			return seq, place, nil
		}
	}
	return 0, 0, nil
}
