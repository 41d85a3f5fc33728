package feed

import (
	"context"
	"iter"

	"rein"
)

// A Coming is a run that is about to be started. Who starts it can follow it from before that, and then nothing has to
// be looked up in the store: all of the run has been heard. Leave ends it.
type Coming struct{ follower *follower }

// Coming takes note of a run from now on. The options have no cursor: the run has no log yet.
func (f *Feed) Coming(run rein.RunID, o Options) *Coming {
	o.After = ""
	c := &Coming{f.newFollower(run, o, nil)}
	f.join(c.follower)
	return c
}

// Follow is Feed.Follow of the run. isNew says that the run was made after Coming was called; else it may have been
// there before, and is looked up. It is called once.
func (c *Coming) Follow(ctx context.Context, isNew bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		c.follower.heard = isNew
		c.follower.yieldAll(ctx, yield)
	}
}

// Leave lets go of the run. It may be called on nil.
func (c *Coming) Leave() {
	if c != nil {
		c.follower.feed.leave(c.follower)
	}
}
