package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"rein"
	"rein/api"
	"rein/app"
	"rein/terminal"
)

// open opens the data: through the process that owns it, through a background owner that is started for it, or
// in this process.
func (c *call) open(ctx context.Context) (*app.App, error) {
	if !c.runs {
		return c.setup().Open(ctx)
	}
	c.renew(ctx)
	if !c.background() {
		return c.setup().Open(ctx)
	}
	return c.openBeside(ctx, c.startOwner)
}

// openBeside opens the data through a background owner, or here if none can be started. Who cannot open it here
// either says best why.
func (c *call) openBeside(ctx context.Context, start func(context.Context, app.Place) error) (*app.App, error) {
	a, err := c.setup().OpenBeside(ctx, start)
	if err == nil || ctx.Err() != nil {
		return a, err
	}
	here, failed := c.setup().Open(ctx)
	if failed == nil && here.Owns() {
		c.note("rein: the run stops when this terminal closes, because no background process could be started: %s", safe(err.Error()))
	}
	return here, failed
}

// background reports whether runs of this command are to go on when it has gone. A program that reads the
// answer ends with it; and where the end of this process ends all others there is nothing to go on in.
func (c *call) background() bool {
	settings, err := c.settings()
	return err == nil && settings.Owner.Background && !c.foreground && terminal.Is(c.stdin) && c.out.Screen.Text && !first(os.Getpid(), os.Getppid())
}

// first reports whether the process is the first one of a container, or its only child.
func first(pid, parent int) bool { return pid == 1 || parent == 1 }

// renew ends a background owner that has nothing to do if it was started with other settings, keys or by
// another version. One that has work is used as it is.
func (c *call) renew(ctx context.Context) {
	p, err := c.setup().Place()
	if err != nil {
		return
	}
	a := app.Dial(ctx, p)
	if a == nil {
		return
	}
	there, err := a.Dismiss(ctx, api.Dismissal{Unless: c.setup().Digest()})
	if err != nil || there.Fits || there.Leaving {
		return
	}
	c.note("rein: process %d drives the run with the settings, keys and version that it started with; %s ends it, and keeps its runs", there.PID, c.tip("owner stop"))
}

// release tells a background owner that this command needs it no more. One that does not hear it stays for a
// while, and so does one with runs that somebody left.
func (c *call) release(ctx context.Context, l *app.App) {
	if c.runs && !l.Owns() {
		_, _ = l.Dismiss(ctx, api.Dismissal{Done: true})
	}
}

// ready and locked are what an owner reports to whoever starts it; anything else is an error.
const (
	ready  = "ready"
	locked = "locked"
)

// startOwner starts a background owner and waits until it listens.
func (c *call) startOwner(ctx context.Context, p app.Place) error {
	b, err := c.spawn(ctx, p, p.LogPath(), maxOwnerLog, "owner", "run")
	switch {
	case err != nil:
		return fmt.Errorf("start a background owner: %w", err)
	case b.says == ready:
		return nil
	case b.says == locked:
		return rein.Errorf(rein.CodeLocked, "another process was quicker to open %s", p.Folder)
	case b.says == "":
		return fmt.Errorf("the background owner ended before it was ready: %s may say why", p.LogPath())
	}
	return errors.New(b.says)
}

// maxOwnerLog is how long the log of background owners may be when one starts; then it begins again.
const maxOwnerLog = 256 << 10
