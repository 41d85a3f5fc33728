package cli

import (
	"context"
	"errors"
)

const serveHelp = `Serves the data folder: it drives every run in it, remembers what was said, and answers over
HTTP on the address that it prints, with a link that logs a browser in once. Other terminals
reach it as they reach any command that owns the data. By default only this machine can
connect; elsewhere there must be a token (rein tokens new), and there should be TLS.
Runs see the files of --root or tools.root; without one there are no file tools.
Ctrl-C ends it: what is under way is kept and goes on with the next start. A second Ctrl-C
does not wait for calls to reach their end.`

// runServe serves until a signal comes, and then lets go. Who cannot wait for that sends another signal:
// nothing is lost, only calls under way are made again.
func runServe(ctx context.Context, c *call) error {
	boundMemory()
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
		s.Log().Info("going, as told", "signal", signal.String())
		if c.out.Screen.Text {
			c.note("\nending; calls under way come to their end first (Ctrl-C again leaves at once)")
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
