package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"rein"
	"rein/api"
	"rein/app/config"
	"rein/dispatch/local"
	"rein/engine"
	"rein/follow/keeper"
	"rein/follow/notify"
	"rein/follow/telegram"
	"rein/follow/telemetry"
	"rein/household/people"
	"rein/server"
	"rein/server/access"
)

// How long a service lets calls reach their end when it is told to go, and when a person stops a run.
const (
	serviceDrain = 10 * time.Second
	serviceStop  = 5 * time.Second
)

// A Service is a data folder that everyone may use over HTTP who has a credential. It drives every run in
// the folder.
type Service struct {
	*owner
	log      *slog.Logger
	newLog   NewLog
	listener net.Listener
	access   *access.Access
	metrics  *telemetry.Metrics
	notifier *notify.Notifier
	telegram *telegram.Bot // nil: there is none
	names    *keeper.Names // of the sessions of people who chose none
	tls      *tls.Config
	parts    []part
	address  string        // that it listens on
	leaving  chan struct{} // closed when the service is going
	quits    *quitter
}

// NewLog makes the log of a service. What it writes must pass through redact, which takes secrets out.
type NewLog func(debug bool, redact func(string) string) *slog.Logger

// JSONLog returns a log of lines of JSON, for programs that collect them. What it writes passes through
// redact.
func JSONLog(out io.Writer, level slog.Level, redact func(string) string) *slog.Logger {
	return telemetry.NewLog(out, level, redact)
}

// LoginLife is how long a link of LoginURL works.
const LoginLife = people.LinkLife

// A part is something that works beside the engine until the service ends.
type part struct {
	name  string
	serve func(context.Context) error
}

// Listen opens the data as a service, and its address. It serves nobody yet: call Serve. If newLog is nil
// the log is lines of JSON on standard error.
func (s *Setup) Listen(ctx context.Context, newLog NewLog) (*Service, error) {
	s.service = true
	settings, err := s.Checked()
	if err != nil {
		return nil, err
	}
	p, err := s.FolderPlace()
	if err != nil {
		return nil, err
	}
	if newLog == nil {
		newLog = logToStderr
	}
	service, err := s.openService(ctx, settings, p, newLog)
	if rein.CodeOf(err) == rein.CodeLocked && gaveWay(ctx, p) {
		service, err = s.openFreed(ctx, settings, p, newLog)
	}
	if rein.CodeOf(err) == rein.CodeLocked {
		return nil, occupied(ctx, p, err)
	}
	if err != nil {
		return nil, err
	}
	if service.listener, err = service.listen(ctx); err != nil {
		return nil, errors.Join(err, service.abandon())
	}
	if err := service.begin(service.engine); err != nil {
		return nil, errors.Join(err, service.listener.Close())
	}
	return service, nil
}

func logToStderr(debug bool, redact func(string) string) *slog.Logger {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	return telemetry.NewLog(os.Stderr, level, redact)
}

// gaveWay asks whoever has the data open to let go of it. A background owner does if it has nothing to do.
func gaveWay(ctx context.Context, p Place) bool {
	a := Dial(ctx, p)
	if a == nil {
		return false
	}
	there, err := a.Dismiss(ctx, api.Dismissal{})
	return err == nil && there.Leaving
}

// openFreed opens data that another process is about to let go of.
func (s *Setup) openFreed(ctx context.Context, settings *config.Config, p Place, newLog NewLog) (*Service, error) {
	deadline := time.After(linkPatience)
	for {
		service, err := s.openService(ctx, settings, p, newLog)
		if rein.CodeOf(err) != rein.CodeLocked {
			return service, err
		}
		select {
		case <-time.After(linkPause):
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline:
			return nil, err
		}
	}
}

// occupied says who has the data open that is to be served.
func occupied(ctx context.Context, p Place, err error) error {
	const otherwise = "stop that process, or use another data folder with --data"
	const quits = "`rein serve quit` ends it and keeps its runs, or use another data folder with --data"
	a := Dial(ctx, p)
	if a == nil {
		return err
	}
	if there, err := a.Owner(ctx); err == nil {
		return fmt.Errorf("process %d has %s open in the background, and drives runs: `rein owner stop` ends it and keeps its runs, and rein serve continues them", there.PID, p.Folder)
	}
	health, err := a.Health(ctx)
	if err == nil && health.URL != "" {
		return fmt.Errorf("process %d already serves %s at %s: %s", a.pid, p.Folder, health.URL, quits)
	}
	return fmt.Errorf("process %d has %s open: %s", a.pid, p.Folder, otherwise)
}

// openService opens the data as a service, which does nothing yet.
func (s *Setup) openService(ctx context.Context, settings *config.Config, p Place, newLog NewLog) (*Service, error) {
	o, err := s.openData(ctx, settings, p, engine.Options{Dispatch: &local.Dispatcher{}, StopGrace: serviceStop, DrainGrace: serviceDrain})
	if err != nil {
		return nil, err
	}
	service := &Service{owner: o, newLog: newLog, names: keeper.NewNames(), leaving: make(chan struct{}), quits: newQuitter()}
	o.front = service.quitting
	if err := errors.Join(service.makeParts(ctx), service.shelf().Sweep(ctx)); err != nil {
		return nil, errors.Join(err, o.abandon())
	}
	return service, nil
}

// Serve serves until the context ends, someone asks it to shut down, or something fails, and then lets go. A process that cannot wait for
// that may just end: nothing is lost, only calls under way are made again.
func (s *Service) Serve(ctx context.Context) (err error) {
	stopWorking := s.work()
	serving, stopServing := context.WithCancel(context.Background())
	defer stopServing()
	served := make(chan error, 1)
	go func() { served <- server.Serve(serving, s.listener, s.network(), s.log) }()
	select {
	case <-ctx.Done():
	case <-s.quits.asked:
	case err = <-served:
		served <- nil
	case err = <-s.driven:
		s.driven <- nil
	}
	return errors.Join(err, s.leave(func() error {
		stopServing()
		return <-served
	}, stopWorking))
}

// work lets the parts work, until the function is called that it returns.
func (s *Service) work() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for _, p := range s.parts {
		working.Go(func() {
			if err := p.serve(ctx); err != nil {
				s.log.Error("a part of the service has stopped", "part", p.name, "error", err)
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
func (s *Service) leave(stopServing func() error, stopWorking func()) error {
	close(s.leaving)
	s.stopEngine()
	err := <-s.driven
	s.driven <- nil
	s.feed.Close()
	s.hints.Close()
	err = errors.Join(err, stopServing())
	stopWorking()
	s.access.Close()
	return errors.Join(err, s.owner.close())
}

// newKeeper makes what remembers after runs and sums up sessions.
func (s *Service) newKeeper() *keeper.Keeper {
	return &keeper.Keeper{Store: s.store, Start: s.engine.Start, Log: s.log, Flows: s.setup.kinds().Remembered()}
}

// Log is the log of the service.
func (s *Service) Log() *slog.Logger { return s.log }

// URL is where people reach the service.
func (s *Service) URL() string { return s.url }

// Address is where it listens. That is another one than the URL's if a proxy stands before it.
func (s *Service) Address() string { return s.address }

// Settings are those that the service started with.
func (s *Service) Settings() *config.Config { return s.settings }

// Notes is the folder of the notes; empty: there are none.
func (s *Service) Notes() string { return s.library.Path() }

// Data is the data folder.
func (s *Service) Data() string { return s.place.Folder }

// LoginURL makes a link that logs the owner of the data in, once.
func (s *Service) LoginURL(ctx context.Context) (string, error) {
	link, err := s.people.NewLoginLink(ctx, rein.Host(), rein.Host().User)
	if err != nil {
		return "", err
	}
	return s.url + server.LoginPath(link), nil
}
