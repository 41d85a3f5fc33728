package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"rein"
	"rein/client"
	"rein/store"
)

// A link is how a command reaches the process that owns the data: another one through its socket,
// or, if there is none, this one.
type link struct {
	*client.Client
	owner *owner // nil: another process is
	pid   int
}

// How long to look for an owner that has the data open and does not answer yet, or no more.
const (
	linkPatience = 5 * time.Second
	linkPause    = 20 * time.Millisecond
	dialPatience = 2 * time.Second
)

// reach finds the owner, or becomes it. Of two commands that come at once one gets the lock, and the
// other its socket. The settings need only be right for who becomes the owner.
func (c *call) reach(ctx context.Context) (*link, error) {
	p, err := c.place()
	if err != nil {
		return nil, err
	}
	if p.lone {
		return nil, usagef("%s is a file, not a data folder: name the folder that it belongs to", p.path)
	}
	deadline := time.After(linkPatience)
	for {
		if l := dial(ctx, p); l != nil {
			return l, nil
		}
		l, err := c.becomeOwner(ctx, p)
		if rein.CodeOf(err) != rein.CodeLocked {
			return l, err
		}
		select {
		case <-time.After(linkPause):
		case s := <-c.signals:
			return nil, left{s}
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline:
			return nil, fmt.Errorf("%w; nobody answers on %s", err, filepath.Join(p.folder, socketName))
		}
	}
}

func (c *call) becomeOwner(ctx context.Context, p place) (*link, error) {
	if _, err := c.checked(); err != nil {
		return nil, err
	}
	settings, err := c.again()
	if err != nil {
		return nil, err
	}
	o, err := c.own(ctx, settings, p)
	if err != nil {
		return nil, err
	}
	return &link{Client: client.Handler(o.handler), owner: o, pid: os.Getpid()}, nil
}

// dial returns a link to another process that owns the data, or nil.
func dial(ctx context.Context, p place) *link {
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	there := client.Unix(filepath.Join(p.folder, socketName))
	health, err := there.Health(ctx)
	if err != nil {
		return nil
	}
	return &link{Client: there, pid: health.PID}
}

// close ends the owner, if it is this process.
func (l *link) close() error {
	if l.owner == nil {
		return nil
	}
	return l.owner.close()
}

// linked calls f with a link, and lets other terminals finish what they do through this process. If
// the owner was just leaving, f is called again with another link, so it must do no harm twice.
func (c *call) linked(ctx context.Context, f func(*link) error) error {
	for try := 1; ; try++ {
		l, err := c.reach(ctx)
		if err != nil {
			return err
		}
		err = f(l)
		if rein.CodeOf(err) == rein.CodeUnavailable && l.owner == nil && try < 5 {
			continue
		}
		if code, ok := errors.AsType[quiet](err); !ok || code != exitLeft {
			c.settle(ctx, l)
		}
		return c.closed(l, err)
	}
}

// linkedTo is linked for what is about runs that there are: it makes no data.
func (c *call) linkedTo(ctx context.Context, f func(*link) error) error {
	p, err := c.place()
	if err != nil {
		return err
	}
	if _, err := os.Stat(p.path); errors.Is(err, fs.ErrNotExist) {
		return &noData{p.folder}
	}
	return c.linked(ctx, f)
}

// closed lets go of the data, and keeps what the command itself came to. One who cannot wait for
// calls to reach their end need not: nothing is lost.
func (c *call) closed(l *link, err error) error {
	done := make(chan error, 1)
	go func() { done <- l.close() }()
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
func (c *call) settle(ctx context.Context, l *link) {
	if l.owner == nil {
		return
	}
	for looks := 0; l.owner.busy(); looks++ {
		if looks == settleQuietly && !c.json {
			c.note("other runs are under way in this process: it stays until they end or wait (Ctrl-C leaves, they are kept)")
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

// busy reports whether a run of the scope has something to do. One that waits, parked or still in
// memory, needs no process.
func (o *owner) busy() bool {
	for _, root := range o.scope.all() {
		for info, err := range o.store.Runs(context.Background(), store.Filter{Tree: root, Unfinished: true}) {
			due := !info.WakeAt.IsZero() && !info.WakeAt.After(time.Now())
			if err == nil && (due || info.Status == store.Running || info.Status == store.Ready) && !o.engine.Waiting(info.ID) {
				return true
			}
		}
	}
	return false
}
