package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"rein"
	"rein/app"
)

// reach opens the data, in this process or through the one that owns it. A signal ends the waiting.
func (c *call) reach(ctx context.Context) (*app.App, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	opened, told := make(chan struct{}), make(chan os.Signal, 1)
	go func() {
		defer close(told)
		select {
		case s := <-c.signals:
			cancel()
			told <- s
		case <-opened:
		}
	}()
	a, err := c.open(ctx)
	close(opened)
	s, ok := <-told
	switch {
	case ok && err != nil:
		return nil, left{s}
	case ok:
		c.signals <- s // it came too late to end this, and is for what follows
	}
	return a, err
}

// linked calls f with a link to the data, and lets other terminals finish what they do through this
// process. If the owner was just leaving, f is called again with another link, so it must do no harm
// twice.
func (c *call) linked(ctx context.Context, f func(*app.App) error) error {
	for try := 1; ; try++ {
		l, err := c.reach(ctx)
		if err != nil {
			return err
		}
		err = f(l)
		if rein.CodeOf(err) == rein.CodeUnavailable && !l.Owns() && try < 5 {
			continue
		}
		if code, _ := errors.AsType[quiet](err); code != exitLeft {
			c.settle(ctx, l)
			if code != exitWaits {
				c.release(ctx, l)
			}
		}
		return c.closed(l, err)
	}
}

// linkedTo is linked for what is about runs that there are: it makes no data.
func (c *call) linkedTo(ctx context.Context, f func(*app.App) error) error {
	p, err := c.setup().Place()
	if err != nil {
		return err
	}
	if _, err := os.Stat(p.Path); errors.Is(err, fs.ErrNotExist) {
		return p.NoData()
	}
	return c.linked(ctx, f)
}

// closed lets go of the data, and keeps what the command itself came to. One who cannot wait for
// calls to reach their end need not: nothing is lost.
func (c *call) closed(l *app.App, err error) error {
	done := make(chan error, 1)
	go func() { done <- l.Close() }()
	select {
	case wrong := <-done:
		switch {
		case wrong == nil:
		case err == nil:
			err = wrong
		default:
			c.note("rein: %s", safe(wrong.Error()))
		}
	case s := <-c.signals:
		return left{s}
	}
	return err
}

const (
	settlePause   = 20 * time.Millisecond
	settleQuietly = 50 // looks, before people are told why nothing happens: most runs come to rest at once
)

// settle serves other terminals until their runs have ended or wait for someone. Ctrl-C ends that:
// the runs are kept.
func (c *call) settle(ctx context.Context, l *app.App) {
	for looks := 0; l.Busy(); looks++ {
		if looks == settleQuietly && !c.json {
			c.note("this process stays until the other runs that it drives end or wait (Ctrl-C leaves; they are kept)")
		}
		select {
		case <-c.signals:
			return
		case <-ctx.Done():
			return
		case <-time.After(settlePause):
		}
	}
}
