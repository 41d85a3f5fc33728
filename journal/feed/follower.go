package feed

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// A follower is one who follows.
type follower struct {
	opts  Options
	feed  *Feed
	run   rein.RunID
	yield func(Line) bool
	woken chan struct{}
	at    cursor
	sent  bool  // something, since the clock was last set
	last  *Line // to be handed over when it is known whether another one is ready; nil: none
	gone  bool  // who follows wants no more
	heard bool  // it joined before the run began: there is nothing to look up

	// With the feed's lock:
	grown map[rein.RunID]*news // those with events that may not have been read
	texts map[stepOf]reached
	held  int // bytes of the payloads in all news
}

// news are the events of a run that a follower has not been given.
type news struct {
	id    rein.RunID
	marks []store.Mark // the newest of them, in their order
	log   bool         // there may be others: they are in the log
}

// How many events, and how much of them, a follower may leave in memory. If there is more it reads the log.
const (
	maxNews = 64
	maxHeld = 256 << 10
)

type stepOf struct {
	run  rein.RunID
	step rein.StepKey
}

func (f *Feed) newFollower(run rein.RunID, o Options, yield func(Line) bool) *follower {
	return &follower{
		feed: f, run: run, opts: o, yield: yield,
		woken: make(chan struct{}, 1), grown: map[rein.RunID]*news{}, texts: map[stepOf]reached{},
	}
}

// follows reports whether the run is among those that are followed.
func (l *follower) follows(run rein.RunID) bool {
	return run == l.run || l.opts.Tree && strings.HasPrefix(string(run), string(l.run)+rein.Separator)
}

// runsWith returns those of the runs that are followed, in order.
func (l *follower) runsWith(texts map[rein.RunID]map[rein.StepKey]*text) []rein.RunID {
	if !l.opts.Tree {
		if texts[l.run] == nil {
			return nil
		}
		return []rein.RunID{l.run}
	}
	var out []rein.RunID
	for run := range texts {
		if l.follows(run) {
			out = append(out, run)
		}
	}
	slices.Sort(out)
	return out
}

func (l *follower) follow(ctx context.Context) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	idle, stop := l.clock()
	defer stop()
	for over := false; ; {
		err := l.catchUp(ctx)
		if !l.flush() {
			return errOver
		}
		if err != nil {
			return err
		}
		if over {
			return ErrShutdown
		}
		if l.sent {
			l.sent = false
			idle.Reset(l.opts.Idle)
		}
		select {
		case <-l.woken:
		case <-idle.C:
			l.send(Line{})
		case <-l.feed.over:
			over = true // what is durable by now still comes
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// clock rings when nothing has come for long, or never.
func (l *follower) clock() (idle *time.Timer, stop func() bool) {
	if l.opts.Idle <= 0 {
		l.opts.Idle = 1<<63 - 1
	}
	idle = time.NewTimer(l.opts.Idle)
	return idle, idle.Stop
}

// begin finds out where everything stands.
func (l *follower) begin(ctx context.Context) (err error) {
	if err := l.run.Check(); err != nil {
		return err
	}
	if l.at, err = parseCursor(l.run, l.opts.After, l.opts.Tree); err != nil || l.heard {
		return err
	}
	info, err := l.feed.source.Run(ctx, l.run)
	if err != nil {
		return err
	}
	if info.Status.Ended() && l.at[l.run] == info.Seq {
		return errOver // the end comes last, so everything was sent
	}
	if !l.opts.Tree {
		return l.place(info)
	}
	found := 0
	for info, err := range l.feed.source.Runs(ctx, store.Filter{Tree: l.run}) {
		if err != nil {
			return err
		}
		if err := l.place(info); err != nil {
			return err
		}
		if _, known := l.at[info.ID]; known {
			found++
		}
	}
	if found < len(l.at) {
		return lostCursor(l.run, l.opts.After, "it names runs that are not below this one")
	}
	return nil
}

// place checks the cursor's part of a run, and notes whether there is something to read.
func (l *follower) place(info rein.RunInfo) error {
	at := l.at[info.ID]
	if at > info.Seq {
		return lostCursor(l.run, l.opts.After, "it is after the end of the log of run "+string(info.ID))
	}
	if at < info.Seq {
		l.mark(info.ID)
	}
	return nil
}

func (l *follower) mark(run rein.RunID) {
	l.feed.mu.Lock()
	defer l.feed.mu.Unlock()
	l.readLog(run)
}

// readLog says that the log of a run has to be read. It is called with the feed's lock.
func (l *follower) readLog(run rein.RunID) {
	if n := l.grown[run]; n != nil {
		for _, m := range n.marks {
			l.held -= m.Size
		}
	}
	l.grown[run] = &news{id: run, log: true}
}

// grew takes note of an event. It is called with the feed's lock.
func (l *follower) grew(m store.Mark) {
	n := l.grown[m.Run]
	switch {
	case n != nil && n.log:
	case m.Read == nil, l.held+m.Size > maxHeld, n != nil && len(n.marks) >= maxNews:
		l.readLog(m.Run)
	case n == nil:
		l.grown[m.Run] = &news{id: m.Run, marks: []store.Mark{m}}
		l.held += m.Size
	default:
		n.marks = append(n.marks, m)
		l.held += m.Size
	}
}

// catchUp sends everything that there is: events first, so that the text of a step comes after its
// beginning.
func (l *follower) catchUp(ctx context.Context) error {
	for _, run := range l.takeGrown() {
		if err := l.catchUpWith(ctx, run); err != nil {
			return err
		}
	}
	for _, p := range l.feed.pieces(l) {
		p.Text = string(p.said)
		if !l.send(Line{Delta: &p.Delta}) {
			return errOver
		}
	}
	return nil
}

// catchUpWith sends what is new of a run. The events in memory are sent if they go on where the follower is; if
// there are others in between, they are in the log, and so are these.
func (l *follower) catchUpWith(ctx context.Context, n *news) error {
	for _, m := range n.marks {
		if m.Seq <= l.at[n.id] {
			continue // the log had it
		}
		if m.Seq != l.at[n.id]+1 {
			return l.read(ctx, n.id)
		}
		e := m.Read()
		if err := l.give(ctx, n.id, &e); err != nil {
			return err
		}
	}
	if n.log {
		return l.read(ctx, n.id)
	}
	return nil
}

// takeGrown returns the runs with something to read, those below before those above: what follows
// from the end of a child comes after it.
func (l *follower) takeGrown() []*news {
	l.feed.mu.Lock()
	defer l.feed.mu.Unlock()
	runs := slices.SortedFunc(maps.Values(l.grown), func(a, b *news) int {
		if d := b.id.Depth() - a.id.Depth(); d != 0 {
			return d
		}
		return strings.Compare(string(a.id), string(b.id))
	})
	clear(l.grown)
	l.held = 0
	return runs
}

// read sends what is new in the log of a run.
func (l *follower) read(ctx context.Context, run rein.RunID) error {
	for e, err := range l.feed.source.Events(ctx, run, l.at[run]) {
		if err != nil {
			return err
		}
		if err := l.give(ctx, run, &e); err != nil {
			return err
		}
	}
	return nil
}

// give sends the next event of a run.
func (l *follower) give(ctx context.Context, run rein.RunID, e *rein.Event) error {
	ends := run == l.run && e.Kind.Ends()
	if ends && l.opts.Tree {
		if err := l.readBelow(ctx); err != nil {
			return err
		}
	}
	l.at[run] = e.Seq
	if !l.send(Line{Cursor: l.at.text(l.run), Event: e}) || ends {
		return errOver
	}
	return nil
}

// readBelow sends what is left of the runs below: they have all ended.
func (l *follower) readBelow(ctx context.Context) error {
	for info, err := range l.feed.source.Runs(ctx, store.Filter{Tree: l.run}) {
		if err != nil {
			return err
		}
		if info.ID == l.run || l.at[info.ID] >= info.Seq {
			continue
		}
		if err := l.read(ctx, info.ID); err != nil {
			return err
		}
	}
	return nil
}

// send hands the line before this one over.
func (l *follower) send(line Line) bool {
	l.sent = true
	if l.last != nil {
		l.last.More = true
	}
	going := l.flush()
	l.last = &line
	return going
}

// flush hands the last line over. It reports whether whoever follows is still there.
func (l *follower) flush() bool {
	line := l.last
	l.last = nil
	if line != nil && !l.gone {
		l.gone = !l.yield(*line)
	}
	return !l.gone
}
