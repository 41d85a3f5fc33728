package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"rein"
	"rein/cmd/rein/config"
	"rein/dispatch/local"
	"rein/engine"
	"rein/keeper"
	"rein/notify"
	"rein/people"
	"rein/server"
	"rein/server/access"
	"rein/telemetry"
)

const serveHelp = `Serves the data folder: it drives every run in it, remembers what was said, and answers over
HTTP on the address that it prints, with a link that logs a browser in once. Other terminals
reach it as they reach any command that owns the data. By default only this machine can
connect; elsewhere there must be a token (rein tokens new), and there should be TLS.
Ctrl-C ends it: what is under way is kept and goes on with the next start.`

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
	url      string
	leaving  chan struct{} // closed when the service is going
}

// A part is something that works beside the engine until the service ends.
type part struct {
	name  string
	serve func(context.Context) error
}

func runServe(ctx context.Context, c *call) error {
	settings, err := c.checked()
	if err != nil {
		return err
	}
	if len(c.listen) > 0 {
		settings.Server.Listen = c.listen
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
		return fmt.Errorf("%w: end that process, or use another data folder with --data", err)
	}
	if err != nil {
		return err
	}
	listener, err := s.listen(ctx)
	if err != nil {
		return errors.Join(err, s.owner.abandon())
	}
	if err := s.begin(completer{s.engine, settings}); err != nil {
		return errors.Join(err, listener.Close())
	}
	return c.serveUntilTold(ctx, s, listener)
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

// listen opens the address of the service.
func (s *service) listen(ctx context.Context) (net.Listener, error) {
	set := s.settings.Server
	if set.Cert != "" {
		var err error
		if s.tls, err = access.TLS(set.Cert, set.Key, s.log); err != nil {
			return nil, err
		}
	}
	hasTokens, err := s.people.HasTokens(ctx)
	if err != nil {
		return nil, err
	}
	warnings, err := access.CheckListen(set.Listen, s.tls != nil, hasTokens)
	if err != nil {
		return nil, usagef("%v", err)
	}
	for _, w := range warnings {
		s.log.Warn(w)
	}
	listener, err := net.Listen("tcp", set.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", set.Listen, err)
	}
	if s.tls != nil {
		listener = tls.NewListener(listener, s.tls)
	}
	if s.access, err = s.newAccess(listener.Addr().String()); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s.reached(listener.Addr())
	return listener, nil
}

// reached says where people reach the service.
func (s *service) reached(address net.Addr) {
	scheme := "http://"
	if s.tls != nil {
		scheme = "https://"
	}
	s.url = cmp.Or(strings.TrimSuffix(s.settings.Server.URL, "/"), scheme+address.String())
}

// loginURL is where a browser goes with a login link.
func (s *service) loginURL(link string) string {
	if s.settings.Server.URL != "" {
		return s.url + server.LoginPath(link)
	}
	return s.access.LoginURL(link)
}

func (s *service) newAccess(listen string) (*access.Access, error) {
	var proxies []netip.Prefix
	for _, text := range s.settings.Server.Proxies {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, err
		}
		proxies = append(proxies, p)
	}
	return access.New(access.Options{
		People: s.people, Listen: listen, Hosts: s.settings.Server.Hosts, TLS: s.tls != nil, Proxies: proxies, Log: s.log,
	})
}

// serveUntilTold serves until a signal comes, and then lets go in order: clients are told to come
// again, calls reach their end or are recorded as they are, and the next process goes on.
func (c *call) serveUntilTold(ctx context.Context, s *service, listener net.Listener) error {
	working, stopWorking := context.WithCancel(context.Background())
	worked := make(chan error, len(s.parts))
	for _, p := range s.parts {
		go func() {
			err := p.serve(working)
			if err != nil {
				s.log.Error("a part of the service has ended", "part", p.name, "error", err)
			}
			worked <- err
		}()
	}
	serving, stopServing := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(serving, listener, s.network(), s.log) }()
	err := c.banner(ctx, s)
	if err == nil {
		select {
		case signal := <-c.signals:
			s.log.Info("going, as told", "signal", signal.String())
		case <-ctx.Done():
		case err = <-served:
			served <- nil
		case err = <-s.driven:
			s.driven <- nil
		}
	}
	close(s.leaving)
	s.stopEngine()
	err = errors.Join(err, <-s.driven)
	s.driven <- nil
	s.feed.Close()
	stopServing()
	err = errors.Join(err, <-served)
	stopWorking()
	for range s.parts {
		<-worked
	}
	s.access.Close()
	return errors.Join(err, s.owner.close())
}

// banner says, once and clearly, where the service is and who answers.
func (c *call) banner(ctx context.Context, s *service) error {
	link, err := s.people.NewLoginLink(ctx, people.Host(), people.Host().User)
	if err != nil {
		return err
	}
	c.print("rein %s serves %s\n\n", version(), s.place.folder)
	c.print("  address  %s\n", s.url)
	c.print("  log in   %s  (once, within %s)\n", s.loginURL(link), span(people.LinkLife))
	c.print("  API      %s/docs\n", s.url)
	c.print("  model    %s\n", modelLine(s.settings))
	c.print("  folder   %s\n", s.settings.Tools.Root)
	c.print("\nCtrl-C ends it; what is under way is kept.\n")
	return c.stdout.Flush()
}

func modelLine(settings *config.Config) string {
	m, ok := settings.Models[settings.Model]
	switch {
	case settings.Model == config.KindOffline:
		return "offline (built in; it answers from your files without a network)"
	case ok && m.Model != "":
		return settings.Model + " (" + m.Kind + ", " + m.Model + ")"
	}
	return settings.Model
}

// newKeeper makes what remembers after runs and sums up sessions.
func (s *service) newKeeper() *keeper.Keeper {
	return &keeper.Keeper{Store: s.store, Start: s.engine.Start, Log: s.log}
}

// network is the API as those on the network see it.
func (s *service) network() http.Handler {
	options := s.api(completer{s.engine, s.settings})
	options.CSRF, options.Log = s.access.CSRF, s.log
	options.Who = func(r *http.Request) (people.Identity, error) {
		who, err := s.access.Who(r)
		telemetry.Caller(r.Context(), who.User, who.Via)
		return who, err
	}
	options.Mounts = s.mounts()
	options.Ready = func() error {
		select {
		case <-s.leaving:
			return rein.Errorf(rein.CodeUnavailable, "this process is shutting down")
		default:
			return nil
		}
	}
	var h http.Handler = server.New(options)
	h = s.access.Wrap(h)
	if s.metrics != nil {
		h = s.metrics.HTTP(h, nil)
	}
	return telemetry.Requests(h, s.log, nil)
}
