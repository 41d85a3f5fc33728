package cli

import (
	"context"
	"os"
	"syscall"
	"time"

	"rein"
	"rein/app"
	"rein/internal/units"
)

// ownerRunFlags are the flags of rein owner run alone.
type ownerRunFlags struct{ ready int }

func ownerRunCommand() command {
	var o ownerRunFlags
	return command{
		name: "owner run", does: "own the data in this process", watches: true,
		more: `This is what rein run starts in the background; you need it only to run it under a service manager, so that it outlives a log-out that ends all your processes. It answers on the socket of the data folder and drives the runs that terminals start, resume or end through it. It ends when it has had nothing to do for owner.idle, or on SIGTERM or Ctrl-C; its runs are kept.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{readyFlag(&o.ready), keyFlag(c)}, placeFlags(c)...)
		},
		run: o.run,
	}
}

func (o *ownerRunFlags) run(ctx context.Context, c *call) error {
	b, err := c.setup().Background(ctx)
	wanted := report(o.ready, howItWent(err))
	if err != nil {
		return err
	}
	c.note("%s rein %s, process %d: owns %s", stamp(), app.Version(), os.Getpid(), safe(b.Data()))
	serving, stop := context.WithCancel(ctx)
	defer stop()
	if !wanted { // whoever started it has gone before it was ready
		stop()
	}
	go heedSignals(serving, c.signals, stop)
	why, err := b.Serve(serving)
	c.note("%s process %d ends: %s", stamp(), os.Getpid(), why)
	return err
}

func stamp() string { return units.When(time.Now()) }

// heedSignals ends the owner when somebody asks it to end. It goes on when a terminal closes or somebody logs out.
func heedSignals(ctx context.Context, signals <-chan os.Signal, stop func()) {
	for {
		select {
		case s := <-signals:
			if s != syscall.SIGHUP {
				stop()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// howItWent is what a background owner reports about its start.
func howItWent(err error) string {
	switch {
	case err == nil:
		return ready
	case rein.CodeOf(err) == rein.CodeLocked:
		return locked
	}
	return err.Error()
}
