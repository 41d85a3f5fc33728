package secret

import (
	"cmp"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// none is the place of something that is not there.
const none = math.MaxInt

// A Lookout is what a Watcher looks for: shapes as machines that can be stopped in mid-text. It can
// be shared.
type Lookout struct {
	machines []*machine
	begin    [utf8.RuneSelf][]int // by ASCII character: the machines whose matches can begin with it
	all      []int
}

// Watch returns what finds the beginnings of secrets of the well-known and of these shapes, and of
// the given texts.
func Watch(shapes []Shape, texts []string) *Lookout {
	l := &Lookout{}
	for _, s := range slices.Concat(wellKnown, shapes) {
		l.add(newMachine(cmp.Or(s.watch, s.re.String()), s.framed))
	}
	for _, text := range texts {
		l.add(newMachine(regexp.QuoteMeta(text), false))
	}
	return l
}

func (l *Lookout) add(m *machine) {
	n := len(l.machines)
	l.machines = append(l.machines, m)
	l.all = append(l.all, n)
	for r, begins := range m.first {
		if begins {
			l.begin[r] = append(l.begin[r], n)
		}
	}
}

// at lists the machines whose matches can begin with the rune.
func (l *Lookout) at(r rune) []int {
	if r < utf8.RuneSelf {
		return l.begin[r]
	}
	return l.all
}

// WellKnown watches for the well-known shapes.
var WellKnown = Watch(nil, nil)

// A machine is one expression, compiled to run a rune at a time.
type machine struct {
	prog *syntax.Prog
	// framed says that what the first group matches is the secret, and that every match has it. Then
	// what stands before the group may be shown before the match is complete.
	framed bool
	first  [utf8.RuneSelf]bool // which ASCII characters a match can begin with
}

func newMachine(expr string, framed bool) *machine {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic("secret: " + err.Error()) // it was compiled before
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic("secret: " + err.Error())
	}
	m := &machine{prog: prog, framed: framed}
	start := newThreads(len(prog.Inst))
	m.follow(start, thread{pc: uint32(prog.Start)}, 0, anyContext)
	for _, t := range start.list {
		inst := &prog.Inst[t.pc]
		for r := range rune(utf8.RuneSelf) {
			m.first[r] = m.first[r] || takesRune(inst, r)
		}
	}
	return m
}

// anyContext satisfies every assertion about a place in a text.
const anyContext = ^syntax.EmptyOp(0)

// A thread is a match that has begun: where its machine stands, where the match began, and where the
// secret begins that it may become.
type thread struct {
	pc          uint32
	begun, hold int
}

func (t thread) to(pc uint32) thread {
	t.pc = pc
	return t
}

// threads is a set of threads, one for each instruction: it stands for all that are there.
type threads struct {
	list []thread
	at   []int32 // by instruction: its place in the list and one more
}

func newThreads(n int) *threads { return &threads{at: make([]int32, n)} }

func (t *threads) clear() {
	for _, th := range t.list {
		t.at[th.pc] = 0
	}
	t.list = t.list[:0]
}

// put adds a thread. It reports whether that changed the set.
func (t *threads) put(th thread) bool {
	if i := t.at[th.pc]; i > 0 {
		has := &t.list[i-1]
		if has.hold <= th.hold && has.begun <= th.begun {
			return false
		}
		has.hold, has.begun = min(has.hold, th.hold), min(has.begun, th.begun)
		return true
	}
	t.list = append(t.list, th)
	t.at[th.pc] = int32(len(t.list))
	return true
}

// follow adds the threads that are reached without a character at place pos.
func (m *machine) follow(set *threads, th thread, pos int, context syntax.EmptyOp) {
	if !set.put(th) {
		return
	}
	inst := &m.prog.Inst[th.pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		m.follow(set, th.to(inst.Arg), pos, context)
		m.follow(set, th.to(inst.Out), pos, context)
	case syntax.InstCapture:
		if m.framed && inst.Arg == 2 {
			th.hold = pos // the group begins
		}
		m.follow(set, th.to(inst.Out), pos, context)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&^context == 0 {
			m.follow(set, th.to(inst.Out), pos, context)
		}
	case syntax.InstNop:
		m.follow(set, th.to(inst.Out), pos, context)
	}
}

func takesRune(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return inst.MatchRune(r)
	}
	return false
}

// A Watcher reads a text a rune at a time and knows which part of its end may still become a secret.
type Watcher struct {
	look  *Lookout
	runs  []*running // by machine; nil: it has never begun
	live  []int      // the machines that have threads
	spare []int
	pos   int  // how much was read
	last  rune // what was read last
	// Hit is where the first secret begins that was seen whole, NoHit if there is none, and HitEnd
	// where the last of them ends.
	Hit, HitEnd int
}

// NoHit is the Hit of a Watcher that has seen no secret.
const NoHit = none

// running is a machine at work. Its threads stand before instructions that were not followed yet:
// what they assert depends on the next character.
type running struct {
	now, next, reached *threads
	seen               int // the place where it was last stepped, and one more
}

// NewWatcher returns a Watcher of a text of which pos bytes came before, the last rune of them given
// (-1: none).
func NewWatcher(look *Lookout, pos int, last rune) *Watcher {
	return &Watcher{look: look, runs: make([]*running, len(look.machines)), pos: pos, last: last, Hit: NoHit}
}

// Read takes the next rune, which has so many bytes.
func (w *Watcher) Read(r rune, size int) {
	context := syntax.EmptyOpContext(w.last, r)
	live := w.live
	w.live, w.spare = w.spare[:0], live
	for _, i := range w.look.at(r) {
		w.step(i, r, true, context)
	}
	for _, i := range live {
		if w.runs[i].seen != w.pos+1 {
			w.step(i, r, false, context)
		}
	}
	w.last, w.pos = r, w.pos+size
}

// step follows the threads of one machine over a rune.
func (w *Watcher) step(i int, r rune, begins bool, context syntax.EmptyOp) {
	m, run := w.look.machines[i], w.runs[i]
	if run == nil {
		n := len(m.prog.Inst)
		run = &running{now: newThreads(n), next: newThreads(n), reached: newThreads(n)}
		w.runs[i] = run
	}
	run.seen = w.pos + 1
	w.reach(m, run, begins, context)
	run.next.clear()
	for _, th := range run.reached.list {
		if inst := &m.prog.Inst[th.pc]; takesRune(inst, r) {
			run.next.put(th.to(inst.Out))
		}
	}
	run.now, run.next = run.next, run.now
	if len(run.now.list) > 0 {
		w.live = append(w.live, i)
	}
}

// reach follows the threads of a machine to what they can become here, and sees the matches.
func (w *Watcher) reach(m *machine, run *running, begins bool, context syntax.EmptyOp) {
	run.reached.clear()
	for _, th := range run.now.list {
		m.follow(run.reached, th, w.pos, context)
	}
	if begins {
		begin := thread{pc: uint32(m.prog.Start), begun: w.pos, hold: w.pos}
		if m.framed {
			begin.hold = none
		}
		m.follow(run.reached, begin, w.pos, context)
	}
	for _, th := range run.reached.list {
		if m.prog.Inst[th.pc].Op == syntax.InstMatch {
			w.Hit, w.HitEnd = min(w.Hit, th.hold), w.pos
		}
	}
}

// End says that the text is over.
func (w *Watcher) End() {
	context := syntax.EmptyOpContext(w.last, -1)
	for _, i := range w.live {
		w.reach(w.look.machines[i], w.runs[i], false, context)
		w.runs[i].now.clear()
	}
	w.live = nil
}

// Settled returns how much of the text cannot become a secret any more, whatever follows.
func (w *Watcher) Settled() int {
	settled := min(w.pos, w.Hit)
	for _, i := range w.live {
		for _, th := range w.runs[i].now.list {
			settled = min(settled, th.hold)
		}
	}
	return settled
}

// IsWhole reports whether nothing that is still open began before the end of the secrets that were
// seen: what they are does not depend on what follows.
func (w *Watcher) IsWhole() bool {
	for _, i := range w.live {
		for _, th := range w.runs[i].now.list {
			if th.begun < w.HitEnd {
				return false
			}
		}
	}
	return true
}
