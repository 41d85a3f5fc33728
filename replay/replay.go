// Package replay plays recorded runs again with today's flows and engine, without calling a model
// or a tool, and reports where the new log differs from the old one. It also forks: it starts a run
// that takes another way from a step of an old one.
package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/replay/cassette"
	"rein/store/sqlite"
)

// Options say what a tape is played with.
type Options struct {
	Flows map[string]rein.Flow
	// Patience is how long nothing may happen; zero means 10 s.
	Patience time.Duration
	// Folder is where the new log is written; empty takes a temporary one and removes it.
	Folder string
	// OtherTools says that the tape describes its tools as this program does, while an earlier program may have driven the
	// run: what a call could cost, which follows from what was sent, is not compared.
	OtherTools bool
	// Mask hides secrets in the values of a difference; nil hides nothing.
	Mask func(string) string
}

// A playing is a tape that is being played.
type playing struct {
	tape    *cassette.Tape
	player  *cassette.Player
	want    *ledger
	engine  *engine.Engine
	clock   clock
	patient time.Duration

	mu   sync.Mutex
	came []rein.Event
	more chan struct{} // holds a token when came has grown

	log   []rein.Event
	seen  map[cassette.Place]bool
	shown map[rein.AskID]string // by the asks of this replay
	held  time.Time             // since when what a person says next is held back; zero: it is not
}

// A Stage is where tapes are played, one after the other: each writes a new log beside the others.
// Two runs of one name cannot be played on one stage.
type Stage struct {
	opts      Options
	store     *sqlite.Store
	temporary bool
	now       atomic.Pointer[playing]
}

// NewStage makes a stage. It must be closed.
func NewStage(ctx context.Context, o Options) (_ *Stage, err error) {
	s := &Stage{opts: o}
	if s.opts.Patience <= 0 {
		s.opts.Patience = 10 * time.Second
	}
	if s.opts.Folder == "" {
		if s.opts.Folder, err = os.MkdirTemp("", "rein-replay-"); err != nil {
			return nil, err
		}
		s.temporary = true
	}
	s.store, err = sqlite.Open(ctx, filepath.Join(s.opts.Folder, "replay.db"), sqlite.Options{OnCommit: func(events []rein.Event) {
		if p := s.now.Load(); p != nil {
			p.commit(events)
		}
	}})
	if err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

// Close removes what was written, if nobody said where to.
func (s *Stage) Close() error { return errors.Join(s.store.Close(), s.remove()) }

func (s *Stage) remove() error {
	if !s.temporary {
		return nil
	}
	return os.RemoveAll(s.opts.Folder)
}

// Play plays a tape on a stage of its own; see Stage.Play.
func Play(ctx context.Context, t *cassette.Tape, o Options) (_ *Difference, err error) {
	s, err := NewStage(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Play(ctx, t)
}

// Play plays a tape and returns the first difference, or nil. The error is for not being able to.
func (s *Stage) Play(ctx context.Context, t *cassette.Tape) (*Difference, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	if t.Run.Depth() > 0 { // what was a child is played by itself
		t = t.Rename(rein.RunID(strings.ReplaceAll(string(t.Run), rein.Separator, "-")))
	}
	player, err := cassette.NewPlayer(t)
	if err != nil {
		return nil, err
	}
	start, at, _ := t.Start(t.Run)
	p := &playing{tape: t, player: player, want: read(t, s.opts.OtherTools), more: make(chan struct{}, 1), seen: map[cassette.Place]bool{}, shown: map[rein.AskID]string{}, patient: s.opts.Patience}
	p.clock.at, player.Failing, player.Entered = at, p.clock.skip, p.poke
	p.engine, err = engine.New(engine.Options{
		Store: withLimits(s.store, t), Flows: s.opts.Flows, Dispatch: &local.Dispatcher{}, Policy: t.Policy,
		// What was too long the tape tells; to guess again could give another verdict.
		Worker: &work.Worker{
			Models: player.Models(), Tools: player.Tools(), ClipBytes: t.Clip,
			Estimate: func(string, rein.ModelRequest) int64 { return 0 }, Grants: nothing{},
		},
		Grace: time.Hour, StopGrace: stopGrace, DrainGrace: engine.NoGrace, Now: p.clock.now, Began: p.began, Precedent: p.precedent, Named: true,
	})
	if err != nil {
		return nil, err
	}
	s.now.Store(p)
	defer s.now.Store(nil)
	start.Task.Branch = nil // the session that it leaves is not here; what is known of it is on the tape
	difference, err := p.run(ctx, start.Task)
	return difference.clip(s.opts.Mask), err
}

// nothing is what holds beyond one call in a replay: the recording says what was allowed then.
type nothing struct{}

func (nothing) Held(context.Context, rein.Tool, rein.Invocation) (rein.Granted, error) {
	return rein.Granted{}, nil
}

func (nothing) Keep(context.Context, rein.Tool, rein.Invocation, rein.Ask, rein.Answer) error {
	return nil
}

// stopGrace is how long a call that was cut by a stop waits to be cut again. One that came to its end must
// come to it within that time, also on a busy machine.
const stopGrace = 2 * time.Second

// began is how a run began then: all of the clock that a flow can see, and its flow's revision.
func (p *playing) began(run rein.RunID, _ *rein.Task) (engine.Beginning, bool) {
	start, _, ok := p.tape.Start(run)
	return engine.Beginning{At: start.Task.Start, Revision: start.Task.Revision, CodeTools: start.Task.CodeTools}, ok
}

// precedent is what was known then of calls like one that is played: the other runs are not on the tape.
func (p *playing) precedent(_ context.Context, _ rein.Tool, inv rein.Invocation) (engine.Precedent, bool, error) {
	ask, key, ok := p.player.Precedent(inv.Run, inv.Step)
	return precedentOf(ask, key), ok, nil
}

func precedentOf(ask *rein.Ask, key string) engine.Precedent {
	p := engine.Precedent{Key: key}
	if ask != nil {
		p.Asked, p.Earlier = true, ask.Earlier
	}
	return p
}

func (p *playing) run(ctx context.Context, task rein.Task) (difference *Difference, err error) {
	serving, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- p.engine.Serve(serving) }()
	defer func() {
		stop()
		p.player.Free()
		err = errors.Join(err, <-served)
	}()
	if _, err := p.engine.Start(ctx, p.tape.Run, task); err != nil {
		return &Difference{Run: p.tape.Run, Kind: rein.RunStarted, Is: err.Error()}, nil
	}
	return p.follow(ctx)
}

// commit takes note of what was written. It is called before whoever wrote it goes on.
func (p *playing) commit(events []rein.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range events {
		if ask := askOf(e); ask.ID != "" && !ask.Deadline.IsZero() && p.player.Expires(ask.ID) {
			p.clock.advance(ask.Deadline)
		}
	}
	p.came = append(p.came, events...)
	p.poke()
}

// poke has follow look again.
func (p *playing) poke() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// follow looks at the new log as it grows, and lets people speak, until the log is whole or wrong.
func (p *playing) follow(ctx context.Context) (*Difference, error) {
	patience := time.NewTimer(p.patient)
	defer patience.Stop()
	for {
		select {
		case <-p.more:
			patience.Reset(p.patient)
		case <-patience.C:
			return p.standstill(), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		p.mu.Lock()
		came := p.came
		p.came = nil
		p.mu.Unlock()
		for _, e := range came {
			p.log = append(p.log, e)
			p.seen[cassette.PlaceOf(e)] = true
			if ask := askOf(e); ask.ID != "" {
				p.shown[ask.ID] = ask.Shown
			}
			if d := p.want.unlike(e); d != nil {
				return d, nil
			}
			if e.Run == p.tape.Run && e.Kind.Ends() {
				return p.want.compare(p.log), nil
			}
		}
		if d := p.speak(ctx); d != nil {
			return d, nil
		}
		if !p.tape.Ended() && p.isWhole() {
			return nil, nil
		}
	}
}

// isWhole reports whether everything that was recorded of an unfinished run has come.
func (p *playing) isWhole() bool {
	if _, more := p.player.Next(); more {
		return false
	}
	for place, e := range p.want.events {
		if !p.seen[place] && !cassette.IsWait(e) {
			return false
		}
	}
	return true
}

// speak sends what people said, once everything has happened that had happened before.
func (p *playing) speak(ctx context.Context) *Difference {
	for {
		said, ok := p.player.Next()
		if !ok {
			return nil
		}
		for _, place := range said.After {
			if !p.seen[place] {
				return nil
			}
		}
		if !p.inTime(said) {
			return nil
		}
		c := said.Command
		if c.Kind == rein.CommandAnswer {
			c.Answer.Shown = p.shown[c.Ask] // what is asked is compared itself
		}
		_, err := p.engine.Command(ctx, c)
		if said.Kind == rein.CommandComment && rein.CodeOf(err) == rein.CodeFinished {
			err = nil // it changes nothing, and whether it came before a deadline or after is chance
		}
		if err != nil {
			return &Difference{
				Run: said.Run, Kind: said.Kind.EventKind(), Was: said.Text + said.Answer.Text + string(said.Answer.State),
				Is: "refused: " + err.Error(),
			}
		}
		p.player.Sent()
	}
}

// inTime reports whether the calls that were being made when a person spoke are being made again. A call that a
// recovery settled without the tool never is: so it is not waited for long.
func (p *playing) inTime(said cassette.Said) bool {
	if p.player.InTime(said) {
		p.held = time.Time{}
		return true
	}
	if p.held.IsZero() {
		p.held = time.Now()
		time.AfterFunc(stopGrace, p.poke)
	}
	if time.Since(p.held) < stopGrace {
		return false
	}
	p.held = time.Time{}
	return true
}

// standstill is the difference of a replay in which nothing happens any more.
func (p *playing) standstill() *Difference {
	d := p.want.compare(p.log)
	if d == nil {
		d = &Difference{Run: p.tape.Run}
	}
	if d.Is == "" {
		d.Is = fmt.Sprintf("nothing for %s", p.patient)
	}
	return d
}

// clock is the wall clock of a replay. It stands still, but for deadlines that passed and for the
// pauses before another try of a call, which are over at once.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	hurry int // how many more looks at it move it on
}

// A pause is over after a few looks at the clock, whoever looks.
const (
	hurries = 8
	leap    = time.Minute
)

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hurry > 0 {
		c.hurry--
		c.at = c.at.Add(leap)
	}
	return c.at
}

// skip makes the next pause a short one.
func (c *clock) skip() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hurry = hurries
}

func (c *clock) advance(to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to.After(c.at) {
		c.at = to
	}
}
