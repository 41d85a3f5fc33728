package secret

import (
	"math"
	"math/bits"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// none is the place of something that is not there.
const none = math.MaxInt

// A Lookout is what a Watcher looks for: shapes as machines that can be stopped in mid-text. It can
// be shared.
type Lookout struct {
	machines []*machine
	words    int // of a set of machines
	// Most text is none of a match, and this tells so without running a machine, for matches that begin
	// with an escape and for others.
	escaped, plain foresight
	holds          []uint64  // the machines whose secret can begin within sight
	apart          []uint64  // those that hold nothing in sight inside a word
	idle           sync.Pool // Watchers that were released
}

// A foresight says by their place in a match, from 0, which machines take a character there.
type foresight [sight][classes][]uint64

const (
	sight   = 4                 // how many characters are looked at before a machine is begun
	classes = utf8.RuneSelf + 1 // ASCII, and all other characters together
)

// class is the place of a rune in the tables.
func class(r rune) int { return int(min(uint32(r), utf8.RuneSelf)) }

// Watch returns what finds the beginnings of secrets of the well-known and of these shapes, and of
// the given texts.
func Watch(shapes []Shape, texts []string) *Lookout {
	l := &Lookout{}
	for _, s := range slices.Concat(wellKnown(), shapes) {
		l.machines = append(l.machines, newMachine(s.re.String(), s))
	}
	for _, text := range texts {
		l.machines = append(l.machines, newMachine(regexp.QuoteMeta(text), Shape{}))
	}
	l.words = (len(l.machines) + 63) / 64
	l.holds, l.apart = make([]uint64, l.words), make([]uint64, l.words)
	for _, f := range []*foresight{&l.escaped, &l.plain} {
		for place := range f {
			for c := range f[place] {
				f[place][c] = make([]uint64, l.words)
			}
		}
	}
	for n, m := range l.machines {
		if m.place != asMatched {
			l.apart[n/64] |= 1 << (n % 64)
		}
		l.foresee(n, m, true)
		l.foresee(n, m, false)
	}
	return l
}

// foresight returns what is foreseen of a match that begins with the character.
func (l *Lookout) foresight(first rune) *foresight {
	if isEscape(first) {
		return &l.escaped
	}
	return &l.plain
}

// isEscape reports whether an escape begins with the character.
func isEscape(r rune) bool { return r == '\\' || r == '%' }

// foresee fills in what the first characters of a machine's matches can be, of those that begin with an
// escape or of the others.
func (l *Lookout) foresee(n int, m *machine, escaped bool) {
	word, bit := n/64, uint64(1)<<(n%64)
	f := &l.plain
	if escaped {
		f = &l.escaped
	}
	now := newThreads(len(m.prog.Inst))
	m.follow(now, thread{pc: uint32(m.prog.Start), hold: none}, 0, anyContext)
	for place := range sight {
		next := newThreads(len(m.prog.Inst))
		for c := range classes {
			if place == 0 && isEscape(rune(c)) != escaped {
				continue
			}
			if m.takes(now, c, next) {
				f[place][c][word] |= bit
			}
		}
		for _, th := range now.list {
			if !m.framed || th.hold != none {
				l.holds[word] |= bit
			}
		}
		now = newThreads(len(m.prog.Inst))
		for _, th := range next.list {
			m.follow(now, th, 0, anyContext)
		}
	}
}

// takes reports whether a thread takes characters of the class, or has come to its match and so takes
// any, and adds where they lead.
func (m *machine) takes(now *threads, class int, next *threads) bool {
	taken := false
	for _, th := range now.list {
		switch inst := &m.prog.Inst[th.pc]; {
		case inst.Op == syntax.InstMatch:
			taken = true
			next.put(th)
		case class == utf8.RuneSelf && takesOther(inst), class < utf8.RuneSelf && takesRune(inst, rune(class)):
			taken = true
			next.put(th.to(inst.Out))
		}
	}
	return taken
}

// WellKnown returns what watches for the well-known shapes.
var WellKnown = sync.OnceValue(func() *Lookout { return Watch(nil, nil) })

// A machine is one expression, compiled to run a rune at a time.
type machine struct {
	prog *syntax.Prog
	// framed says that what the first group matches is the secret, and that every match has it. Then
	// what stands before the group may be shown before the match is complete.
	framed bool
	place  place
	bare   int // see Shape
}

func newMachine(expr string, s Shape) *machine {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic("secret: " + err.Error()) // it was compiled before
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic("secret: " + err.Error())
	}
	return &machine{prog: prog, framed: s.framed, place: s.place, bare: s.bare}
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

func isRune(inst *syntax.Inst) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// takesOther reports whether the instruction takes a character beyond ASCII.
func takesOther(inst *syntax.Inst) bool {
	switch {
	case !isRune(inst):
		return false
	case inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL:
		return true
	case len(inst.Rune) == 1:
		for r := unicode.SimpleFold(inst.Rune[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
			if r >= utf8.RuneSelf && inst.MatchRune(r) {
				return true
			}
		}
	}
	return slices.Max(inst.Rune) >= utf8.RuneSelf
}

func takesRune(inst *syntax.Inst, r rune) bool { return isRune(inst) && inst.MatchRune(r) }

// A Watcher reads a text a rune at a time and knows which part of its end may still become a secret.
type Watcher struct {
	look  *Lookout
	runs  []*running // by machine; nil: it has never begun
	live  []int      // the machines that have threads
	spare []int
	begin []uint64 // the machines that begin here
	pos   int      // how much the machines have read
	trail trail    // what they read last
	// sight is what was read and is only looked at yet: the machines follow so far behind, until one of
	// them is at work.
	sight [sight]seen
	ahead int // how many of sight there are
	// Hit is where the first secret begins that was seen whole, NoHit if there is none, and HitEnd
	// where the last of them ends.
	Hit, HitEnd int
}

type seen struct {
	r    rune
	size int
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
	w, _ := look.idle.Get().(*Watcher)
	if w == nil {
		w = &Watcher{look: look, runs: make([]*running, len(look.machines)), begin: make([]uint64, look.words)}
	}
	w.pos, w.trail, w.Hit, w.HitEnd = pos, noTrail.and(last), NoHit, 0
	return w
}

// Release gives the Watcher back when its text is over, so that the next one need not make its machines.
func (w *Watcher) Release() {
	for _, i := range w.live {
		w.runs[i].now.clear()
	}
	w.live, w.ahead = w.live[:0], 0
	w.look.idle.Put(w)
}

// Suspects reports whether there may be a secret in a text. It is much faster than looking for one.
func (l *Lookout) Suspects(text string) bool {
	at := l.skip(text, 0)
	if at == len(text) {
		return false
	}
	w := NewWatcher(l, 0, -1)
	defer w.Release()
	for ; at < len(text); at = l.skip(text, w.pos) {
		w.pos, w.trail, w.ahead = at, trailOf(text[:at]), 0
		read := at
		for read < len(text) && (w.pos == at || len(w.live) > 0) {
			r, size := utf8.DecodeRuneInString(text[read:])
			w.Read(r, size)
			read += size
		}
		if read == len(text) {
			w.End()
		}
		if w.Hit != NoHit {
			return true
		}
	}
	return false
}

// skip returns the first place from the given one on where a match may begin.
func (l *Lookout) skip(text string, from int) int {
	for ; from < len(text); from++ {
		if utf8.RuneStart(text[from]) && l.mayBegin(text[from:min(from+sight, len(text))]) {
			return from
		}
	}
	return len(text)
}

// mayBegin reports whether a match may begin with these bytes, as far as they are ASCII.
func (l *Lookout) mayBegin(b string) bool {
	f := l.foresight(rune(b[0]))
	for word := range l.words {
		set := ^uint64(0)
		for place := 0; place < len(b) && set != 0; place++ {
			set &= f[place][min(b[place], utf8.RuneSelf)][word]
			if b[place] >= utf8.RuneSelf {
				break // the next byte is no character
			}
		}
		if set != 0 {
			return true
		}
	}
	return false
}

// Read takes the next rune, which has so many bytes.
func (w *Watcher) Read(r rune, size int) {
	w.sight[w.ahead] = seen{r, size}
	w.ahead++
	for w.ahead == sight || w.ahead > 0 && len(w.live) > 0 {
		w.advance()
	}
}

// advance lets the machines read the next of what is in sight.
func (w *Watcher) advance() {
	next := w.sight[0]
	begins := w.foreseen(0, w.begin)
	copy(w.sight[:], w.sight[1:])
	w.ahead--
	if begins || len(w.live) > 0 {
		w.read(next.r)
	}
	w.trail, w.pos = w.trail.and(next.r), w.pos+next.size
}

// foreseen finds the machines that may begin at a place in sight, as far as one can see. It reports
// whether there are any.
func (w *Watcher) foreseen(from int, into []uint64) bool {
	any, f := uint64(0), w.look.foresight(w.sight[from].r)
	for word := range into {
		set := ^uint64(0)
		for place := 0; from+place < w.ahead && set != 0; place++ {
			set &= f[place][class(w.sight[from+place].r)][word]
		}
		into[word] = set
		any |= set
	}
	return any != 0
}

// read lets machines that may begin here, and those that have begun, read a rune.
func (w *Watcher) read(r rune) {
	context := syntax.EmptyOpContext(w.trail.last(), r)
	live := w.live
	w.live, w.spare = w.spare[:0], live
	for word, set := range w.begin {
		for ; set != 0; set &= set - 1 {
			if i := word*64 + bits.TrailingZeros64(set); i < len(w.look.machines) {
				w.step(i, r, true, context)
			}
		}
	}
	for _, i := range live {
		if w.runs[i].seen != w.pos+1 {
			w.step(i, r, false, context)
		}
	}
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
		switch {
		case m.framed:
			begin.hold = none
		case m.bare > 0 && w.trail.inWord():
			begin.hold += m.bare
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
	for w.ahead > 0 {
		w.advance()
	}
	context := syntax.EmptyOpContext(w.trail.last(), -1)
	for _, i := range w.live {
		w.reach(w.look.machines[i], w.runs[i], false, context)
		w.runs[i].now.clear()
	}
	w.live = w.live[:0]
}

// Settled returns how much of the text cannot become a secret any more, whatever follows.
func (w *Watcher) Settled() int {
	settled := min(w.inSight(), w.Hit)
	for _, i := range w.live {
		for _, th := range w.runs[i].now.list {
			settled = min(settled, th.hold)
		}
	}
	return settled
}

// Value returns where the first value begins that is a secret by what stands beside it, if it goes on to
// its end. It is behind all text if there is none.
func (w *Watcher) Value() int {
	value := none
	for _, i := range w.live {
		if m := w.look.machines[i]; !m.framed || m.place == atEdge {
			continue
		}
		for _, th := range w.runs[i].now.list {
			value = min(value, th.hold)
		}
	}
	return value
}

// inSight returns the first place among what is only looked at yet where a secret may begin.
func (w *Watcher) inSight() int {
	at, trail := w.pos, w.trail
	for from := range w.ahead {
		next := w.sight[from]
		if w.foreseen(from, w.begin) && w.holdsBehind(trail, next.r) {
			return at
		}
		at, trail = at+next.size, trail.and(next.r)
	}
	return at
}

// holdsBehind reports whether a machine that may begin with a character holds it back. Inside a word
// many do not: they do not begin there, or their prefix stays, and is no shorter than what is in sight.
// An escape is no secret; what follows it is looked at by itself.
func (w *Watcher) holdsBehind(trail trail, next rune) bool {
	free := isEscape(next) || trail.inWord()
	for word, set := range w.begin {
		set &= w.look.holds[word]
		if free {
			set &^= w.look.apart[word]
		}
		if set != 0 {
			return true
		}
	}
	return false
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
