package cli

import (
	"context"
	"errors"
	"time"

	"rein/app"
	"rein/internal/units"
)

// serveFlags are the flags of rein serve alone.
type serveFlags struct {
	detach bool
	ready  int
}

func serveCommand() command {
	var o serveFlags
	return command{
		name: "serve", does: "serve the data over HTTP and drive its runs", watches: true,
		more: `Drives every run in the data folder, remembers what was said, and answers over HTTP on the address that it prints, with a link that logs a browser in once. Other terminals reach it as they reach any command that owns the data.

By default only this machine can connect. To listen elsewhere you need a token (rein tokens new) and should use TLS. Runs see the files of --root or tools.root; without one there are no file tools.

Ctrl-C shuts it down: runs are kept and continue with the next start. A second Ctrl-C does not wait for calls to finish.

With --detach it runs in the background, without a terminal. The command returns when the server answers, or says why it cannot start and exits with the code of that. rein serve status shows it, rein serve quit ends it, and serve.log in the data folder has its log.`,
		flags: func(c *call) []flagDef {
			listen := text(&c.listen, "listen ADDR", "listen on ADDR; default: 127.0.0.1:7717")
			detach := on(&o.detach, "detach", "start it in the background, and return when it answers")
			return joinFlags([]flagDef{listen, detach, readyFlag(&o.ready), modelFlag(c)}, rootFlags(c, "tools.root in the settings, else none"), placeFlags(c), []flagDef{keyFlag(c)})
		},
		run: o.run,
	}
}

func (o *serveFlags) run(ctx context.Context, c *call) error {
	c.serves = true
	if !o.detach {
		return o.serve(ctx, c)
	}
	if o.ready != 0 {
		return usagef("--detach and --ready do not go together: --detach waits for the server itself")
	}
	return c.detach(ctx)
}

// serve serves until a signal comes or somebody asks it to quit, and then shuts down. A second signal does not wait
// for that: nothing is lost, only calls in progress are made again.
func (o *serveFlags) serve(ctx context.Context, c *call) error {
	s, err := c.setup().Listen(ctx, c.newLog)
	if err != nil {
		report(o.ready, err.Error())
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	gone := make(chan error, 1)
	go func() { gone <- s.Serve(serving) }()
	if err := o.announce(ctx, c, s); err != nil {
		stop()
		return errors.Join(err, <-gone)
	}
	var late <-chan time.Time
	select {
	case err := <-gone:
		return err
	case <-s.Asked():
		s.Log().Info("shutting down", "asked", "rein serve quit")
		late = time.After(s.Within())
	case signal := <-c.signals:
		s.Log().Info("shutting down", "signal", signal.String())
		if c.out.Screen.Text {
			c.note("\nshutting down; calls in progress finish first (Ctrl-C again leaves at once)")
		}
	}
	stop()
	select {
	case err := <-gone:
		return err
	case <-late:
		// Whoever asked wanted that. A failure would make a service manager start it again.
		s.Log().Warn("left at once: calls that were in progress are made again", "within", units.Span(s.Within()))
		return nil
	case signal := <-c.signals:
		return left{signal}
	}
}

// announce says where the service is: to people, or to the process that waits for it.
func (o *serveFlags) announce(ctx context.Context, c *call, s *app.Service) error {
	if o.ready == 0 {
		return c.banner(ctx, s)
	}
	s.Log().Info("serving", "url", s.URL(), "listens", s.Address(), "version", app.Version())
	if !report(o.ready, ready) {
		return errors.New("the process that started the server has ended before it was ready")
	}
	return nil
}
