package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"rein"
	"rein/app/config"
	"rein/dispatch/local"
	"rein/engine"
	"rein/keeper"
	"rein/notify"
	"rein/server"
	"rein/server/access"
	"rein/telemetry"
)

const serveHelp = `Serves the data folder: it drives every run in it, remembers what was said, and answers over
HTTP on the address that it prints, with a link that logs a browser in once. Other terminals
reach it as they reach any command that owns the data. By default only this machine can
connect; elsewhere there must be a token (rein tokens new), and there should be TLS.
Runs see the files of --root or tools.root; without one there are no file tools.
Ctrl-C ends it: what is under way is kept and goes on with the next start. A second Ctrl-C
does not wait for calls to reach their end.`

// How long a service lets calls reach their end when it is told to go, and when a person stops a run.
const (
	serviceDrain = 10 * time.Second
	serviceStop  = 5 * time.Second
)

// A service is an owner that everyone may use who has a credential.
type service struct {
	*owner
	log      *slog.Logger
	access   *access.Access
	metrics  *telemetry.Metrics
	notifier *notify.Notifier
	tls      *tls.Config
	parts    []part
	address  string        // that it listens on
	leaving  chan struct{} // closed when the service is going
}

// A part is something that works beside the engine until the service ends.
type part struct {
	name  string
	serve func(context.Context) error
}

func runServe(ctx context.Context, c *call) error {
	boundMemory()
	c.serves = true
	settings, err := c.checkedFor(true)
	if err != nil {
		return err
	}
	p, err := c.place()
	if err != nil {
		return err
	}
	if p.lone {
		return usagef("%s is a file, not a data folder: name the folder that it belongs to", p.path)
	}
	s, err := c.openService(ctx, settings, p)
	if rein.CodeOf(err) == rein.CodeLocked {
		return c.occupied(ctx, p, err)
	}
	if err != nil {
		return err
	}
	listener, err := s.listen(ctx)
	if err != nil {
		return errors.Join(err, s.owner.abandon())
	}
	if err := s.begin(s.engine); err != nil {
		return errors.Join(err, listener.Close())
	}
	return c.serveUntilTold(ctx, s, listener)
}

// occupied says who has the data open that is to be served.
func (c *call) occupied(ctx context.Context, p place, err error) error {
	const otherwise = "end that process, or use another data folder with --data"
	l := dial(ctx, p)
	if l == nil {
		return err
	}
	health, err := l.Health(ctx)
	if err == nil && health.URL != "" {
		return fmt.Errorf("process %d serves %s already, at %s: %s", l.pid, p.folder, health.URL, otherwise)
	}
	return fmt.Errorf("process %d has %s open: %s", l.pid, p.folder, otherwise)
}

// openService opens the data as a service, which does nothing yet.
func (c *call) openService(ctx context.Context, settings *config.Config, p place) (*service, error) {
	o, err := c.openData(ctx, settings, p, engine.Options{Dispatch: &local.Dispatcher{}, StopGrace: serviceStop, DrainGrace: serviceDrain})
	if err != nil {
		return nil, err
	}
	s := &service{owner: o, leaving: make(chan struct{})}
	if err := errors.Join(s.makeParts(ctx, c), s.shelf().Sweep(ctx)); err != nil {
		return nil, errors.Join(err, o.abandon())
	}
	return s, nil
}

// serveUntilTold serves until a signal comes, and then lets go. Who cannot wait for that sends
// another signal: nothing is lost, only calls under way are made again.
func (c *call) serveUntilTold(ctx context.Context, s *service, listener net.Listener) error {
	stopWorking := s.work()
	serving, stopServing := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(serving, listener, s.network(), s.log) }()
	err := c.banner(ctx, s)
	if err == nil {
		select {
		case signal := <-c.signals:
			s.log.Info("going, as told", "signal", signal.String())
			if c.screen.text {
				c.note("\nending; calls under way come to their end first (Ctrl-C again leaves at once)")
			}
		case <-ctx.Done():
		case err = <-served:
			served <- nil
		case err = <-s.driven:
			s.driven <- nil
		}
	}
	gone := make(chan error, 1)
	go func() {
		gone <- s.leave(func() error {
			stopServing()
			return <-served
		}, stopWorking)
	}()
	select {
	case wrong := <-gone:
		return errors.Join(err, wrong)
	case signal := <-c.signals:
		return left{signal}
	}
}

// work lets the parts work, until the function is called that it returns.
func (s *service) work() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for _, p := range s.parts {
		working.Go(func() {
			if err := p.serve(ctx); err != nil {
				s.log.Error("a part of the service has ended", "part", p.name, "error", err)
			}
		})
	}
	return func() {
		cancel()
		working.Wait()
	}
}

// leave lets go in order: calls reach their end or are recorded as they are, clients are told to come
// again, and the next process goes on.
func (s *service) leave(stopServing func() error, stopWorking func()) error {
	close(s.leaving)
	s.stopEngine()
	err := <-s.driven
	s.driven <- nil
	s.feed.Close()
	err = errors.Join(err, stopServing())
	stopWorking()
	s.access.Close()
	return errors.Join(err, s.owner.close())
}

// newKeeper makes what remembers after runs and sums up sessions.
func (s *service) newKeeper() *keeper.Keeper {
	return &keeper.Keeper{Store: s.store, Start: s.engine.Start, Log: s.log}
}
