package cli

import (
	"context"
	"errors"
)

func serveCommand() command {
	return command{
		name: "serve", does: "serve the data over HTTP and drive its runs", watches: true,
		more: `Drives every run in the data folder, remembers what was said, and answers over HTTP on the address that it prints, with a link that logs a browser in once. Other terminals reach it as they reach any command that owns the data.

By default only this machine can connect. To listen elsewhere you need a token (rein tokens new) and should use TLS. Runs see the files of --root or tools.root; without one there are no file tools.

Ctrl-C shuts it down: runs are kept and continue with the next start. A second Ctrl-C does not wait for calls to finish.`,
		flags: func(c *call) []flagDef {
			listen := text(&c.listen, "listen ADDR", "listen on ADDR; default: 127.0.0.1:7717")
			return joinFlags([]flagDef{listen, modelFlag(c)}, rootFlags(c, "tools.root in the settings, else none"), placeFlags(c), []flagDef{keyFlag(c)})
		},
		run: runServe,
	}
}

// runServe serves until a signal comes, and then shuts down. A second signal does not wait for that: nothing
// is lost, only calls in progress are made again.
func runServe(ctx context.Context, c *call) error {
	c.serves = true
	s, err := c.setup().Listen(ctx, c.newLog)
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	gone := make(chan error, 1)
	go func() { gone <- s.Serve(serving) }()
	if err := c.banner(ctx, s); err != nil {
		stop()
		return errors.Join(err, <-gone)
	}
	select {
	case err := <-gone:
		return err
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
	case signal := <-c.signals:
		return left{signal}
	}
}
