package feed

import (
	"context"
	"errors"
	"iter"
	"time"

	"rein"
)

// A Line is a durable event, with the cursor after it, or a passing piece of text. One that is
// neither says that nothing came for Options.Idle.
type Line struct {
	Cursor string
	Event  *rein.Event
	Delta  *rein.Delta
	// More says that the next line is ready: whoever sends lines on may send both with one write.
	More bool
}

// Options say from where, and how much, is followed. The zero value follows one run from its
// beginning.
type Options struct {
	After string        // a cursor of a Line: what came before it is not sent again
	Tree  bool          // everything below the run too
	Idle  time.Duration // after so long without a line an empty one is yielded; zero: never
}

// Follow yields the log of a run and goes on as it grows, until the event that ends the run. Each
// event comes once and in the order of its log; of a tree, the end of the followed run comes last.
//
// The text that models write comes in pieces, addressed by step, attempt and offset. Who comes late
// first gets the text so far. Pieces that a follower was too slow for come as one, or not at all if
// the step is done by then: the whole text is in its StepDone, after which no piece of it comes.
//
// If something goes wrong the last pair has the error: CodeNotFound, CodeInvalid for the cursor,
// ErrShutdown, the context's, or the store's. The work is done by who ranges over it; nothing is left
// running after.
func (f *Feed) Follow(ctx context.Context, run rein.RunID, o Options) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		l := f.newFollower(run, o, nil)
		f.join(l) // before the first look, so that nothing is missed in between
		defer f.leave(l)
		l.yieldAll(ctx, yield)
	}
}

// yieldAll yields what comes until it is over.
func (l *follower) yieldAll(ctx context.Context, yield func(Line, error) bool) {
	l.yield = func(line Line) bool { return yield(line, nil) }
	err := l.follow(ctx)
	if errors.Is(err, errOver) {
		return
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	yield(Line{}, err)
}

// Check says what Follow would refuse at once: an unknown run, a cursor that is none of it.
func (f *Feed) Check(ctx context.Context, run rein.RunID, o Options) error {
	err := f.newFollower(run, o, nil).begin(ctx)
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// maxPage bounds the payloads of a page, beside the first.
const maxPage = 4 << 20

// Page returns what Follow would yield at once, at most so many lines; more says that it is not all.
// It has no pieces of text.
func (f *Feed) Page(ctx context.Context, run rein.RunID, o Options, limit int) (lines []Line, more bool, err error) {
	size := 0
	l := f.newFollower(run, o, func(line Line) bool {
		size += len(line.Event.Data)
		if more = len(lines) >= limit || size > maxPage && len(lines) > 0; more {
			return false
		}
		lines = append(lines, line)
		return true
	})
	err = l.begin(ctx)
	for _, run := range l.takeGrown() {
		if err == nil {
			err = l.read(ctx, run.id)
		}
	}
	l.flush()
	if errors.Is(err, errOver) {
		err = nil
	}
	return lines, more, err
}

// errOver says that the run has ended, or that the follower has gone.
var errOver = errors.New("over")
