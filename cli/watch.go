package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"syscall"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// asking says what to do with what a run asks.
type asking int

const (
	askHere asking = iota // the person at this terminal
	askDeny               // nobody is here: refuse and decline
	askPark               // leave it open for rein answer
)

// A watcher follows a tree of runs for whoever called: it shows what happens, brings asks to the
// person and answers to the run. Everything that can happen meanwhile goes through one loop.
type watcher struct {
	out      *terminal.Output
	link     *app.App
	root     rein.RunID
	asking   asking
	yesTo    []string // tools that need no approval
	json     bool     // what happens is printed as JSON, not shown
	timeline *terminal.Timeline
	keys     keys
	signals  <-chan os.Signal
	language func() string               // of the words that decide, besides English
	currency units.Currency              // of amounts of money, once it follows a run
	tip      func(command string) string // a command to try, about the same data
	reach    func(context.Context) (*app.App, error)
	place    func() (app.Place, error)
	drafts   func(rein.Task) terminal.Draft // checks answers while they are written

	start   *rein.Task          // of a run that is to be started, until a line of its log has come
	cursor  string              // after the last line that was seen
	idle    map[rein.RunID]bool // the runs of the tree that are under way, and whether they wait
	asks    []rein.Ask          // what is to be asked here, in order
	prompt  *terminal.Prompt    // of the first of them
	since   time.Time           // lines that came before it answer nothing
	left    []rein.Ask          // what stays open
	blocked bool
	mail    bool // someone sent the run a message
	end     *rein.RunEnd
	stops   int                   // of this terminal
	ending  bool                  // someone wants the run to end
	leaves  func(rein.AskID) bool // asks that somebody else sees to; nil: none
	// fleeting says that nothing of the run is kept when this process goes.
	fleeting bool
	plays    func(rein.Ask) rein.Answer // answers in place of a person who only watches; nil: none does
	decide   func(rein.Answer)          // takes the answer to what no run asks; nil: a run does

	after   func(time.Duration) <-chan time.Time // the clock
	settled <-chan time.Time                     // the prompt has been on the screen for a moment; nil: no moment is waited for
	receipt rein.Receipt                         // of the last answer
	lost    error                                // who was quicker, if someone was
}

func (c *call) watch(l *app.App, root rein.RunID) *watcher {
	w := &watcher{
		out: c.out, link: l, root: root, yesTo: c.yesTo, json: c.json,
		keys: terminal.NewKeyboard(c.stdin), signals: c.signals, language: c.language, tip: c.tip, reach: c.reach, place: c.setup().Place, drafts: c.drafts,
		idle: map[rein.RunID]bool{}, after: time.After,
	}
	w.timeline = w.newTimeline(root)
	if c.signals != nil {
		signal.Notify(c.signals, syscall.SIGQUIT) // Ctrl-\ leaves
	}
	switch {
	case c.park:
		w.asking = askPark
	case !terminal.Is(c.stdin):
		w.asking = askDeny
	}
	return w
}

// keys are where lines come from: a keyboard.
type keys interface {
	Want()
	Typed() <-chan terminal.Typed
	Taken()
	Discard()
	Now() time.Time
}

// newTimeline shows a tree as this terminal does.
func (w *watcher) newTimeline(root rein.RunID) *terminal.Timeline {
	t := terminal.NewTimeline(w.out, root, terminal.TimelineOptions{Tip: w.tip, Drafts: w.drafts})
	t.Currency = w.currency
	return t
}

// drafts checks the answers of flows that check them while they are written.
func (c *call) drafts(task rein.Task) terminal.Draft {
	if draft := c.setup().Draft(task); draft != nil {
		return draft
	}
	return nil
}

// follow shows the run until it has ended, waits for someone who is not here, or the person leaves.
func (w *watcher) follow(ctx context.Context) error {
	defer w.out.Status.Wait("")
	w.currency = currencyOf(ctx, w.link.Client, w.out.Screen.Nice())
	w.timeline.Currency = w.currency
	for {
		err := w.followOnce(ctx)
		if rein.CodeOf(err) == rein.CodeUnavailable && w.start == nil { // else the caller starts it again
			if err := w.takeOver(ctx, err); err != nil {
				return err
			}
			continue
		}
		if !w.moveOn(ctx) {
			return err
		}
	}
}

// takeOver goes on with the run after the process that drove it has gone: through whoever owns the
// data now, which may become this process.
func (w *watcher) takeOver(ctx context.Context, why error) error {
	if w.link.Owns() {
		return why // it was this process itself
	}
	l, err := w.reach(ctx)
	if err != nil {
		return fmt.Errorf("%w; %w", why, err)
	}
	*w.link = *l
	continues := "this one"
	if !l.Owns() {
		continues = fmt.Sprintf("process %d", l.PID())
	}
	w.timeline.Remark("", terminal.Quiet, "the process that drove the run is gone; "+continues+" continues it")
	return w.carryOn(ctx)
}

// carryOn has the run driven. A pause is for a person to end.
func (w *watcher) carryOn(ctx context.Context) error {
	info, err := w.link.Run(ctx, w.root)
	switch {
	case err != nil:
		return err
	case info.Paused && w.link.Owns():
		return w.link.Drive(ctx, w.root) // deadlines run
	case info.Paused:
		return nil
	}
	if err := w.link.Resume(ctx, w.root); err != nil && rein.CodeOf(err) != rein.CodeFinished {
		return err
	}
	return nil
}

// arrival is a line of the feed, or why there are no more.
type arrival struct {
	line api.Line
	err  error
}

var errOver = errors.New("the run has ended")

// followOnce follows through one link.
func (w *watcher) followOnce(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan arrival)
	feed := w.feed(ctx)
	go func() {
		over := arrival{err: errOver}
		for line, err := range feed {
			if err != nil {
				over.err = err
				break
			}
			select {
			case lines <- arrival{line: line}:
			case <-ctx.Done():
				return
			}
		}
		select {
		case lines <- over:
		case <-ctx.Done():
		}
	}()
	return w.loop(ctx, lines)
}

// feed is the log of the tree from where this watcher is. A run that is to be started is started with it.
func (w *watcher) feed(ctx context.Context) iter.Seq2[api.Line, error] {
	o := client.FollowOptions{After: w.cursor, Tree: true}
	if w.start != nil {
		return w.link.StartAndFollow(ctx, w.root, *w.start, o)
	}
	return w.link.Follow(ctx, w.root, o)
}

func (w *watcher) loop(ctx context.Context, lines <-chan arrival) error {
	pulse := time.NewTicker(pulsePause)
	defer pulse.Stop()
	for still := false; ; {
		var err error
		signals := w.signals
		if w.start != nil {
			signals = nil // what is not there yet cannot be stopped
		}
		select {
		case <-pulse.C:
			if still && w.gone(ctx) {
				err = errGone
			}
			still = true
		case a := <-lines:
			still = false
			if errors.Is(a.err, errOver) {
				return w.result(ctx)
			}
			if err = a.err; err == nil {
				w.start = nil
				err = w.arrived(ctx, a.line)
			}
		case <-w.settled:
			w.ready()
		case typed := <-w.keys.Typed():
			err = w.entered(ctx, typed)
		case s := <-signals:
			err = w.signal(ctx, s)
		}
		if err == nil {
			err = w.rest()
		}
		if err != nil {
			return err
		}
		w.progress()
	}
}

// pulsePause is how often the process that drives the run is asked whether it is there. A feed that
// breaks off is connected again for a while, because a network may come back; a process does not.
const pulsePause = 250 * time.Millisecond

var errGone = rein.Errorf(rein.CodeUnavailable, "the process that drove the run is gone")

// progress says what is being waited for, unless it is the person.
func (w *watcher) progress() {
	if w.prompt != nil || len(w.asks) > 0 || w.idle[w.root] || w.timeline.Paused() {
		w.out.Status.Wait("")
		return
	}
	w.out.Status.Wait(w.timeline.Doing())
}

// gone reports whether another process that drove the run is there no more.
func (w *watcher) gone(ctx context.Context) bool {
	if w.link.Owns() {
		return false
	}
	p, err := w.place()
	return err == nil && app.Dial(ctx, p) == nil
}

// arrived takes note of a line, shows it and sees to what it asks for.
func (w *watcher) arrived(ctx context.Context, line api.Line) error {
	if line.Cursor != "" {
		w.cursor = line.Cursor
	}
	if w.json {
		if err := w.out.PrintJSON(line); err != nil {
			return err
		}
		w.out.Stdout.Flush()
		if line.Event != nil {
			w.timeline.Recall(*line.Event)
		}
	} else {
		w.timeline.Line(line)
	}
	if line.Event == nil {
		return nil
	}
	return w.heed(ctx, *line.Event)
}
