package app

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"rein"
	"rein/follow/notify"
	"rein/follow/telemetry"
	"rein/server"
	"rein/server/dialect/assist"
	"rein/server/dialect/explore"
	"rein/server/dialect/strict"
	"rein/web"
)

// makeParts makes what a service has beside its engine: a log, telemetry, a keeper and webhooks.
func (s *Service) makeParts(ctx context.Context) error {
	redact := s.redactText()
	s.log = s.newLog(s.settings.Telemetry.Debug, redact)
	s.live.tell = s.log.Warn
	s.parts = append(s.parts, part{"keeper", s.newKeeper().Serve}, part{"checkpoints", checkpoints{s.store, s.log}.serve}, part{"check", s.watchCheck})
	s.parts = append(s.parts, part{"notes", s.tidy(s.log)})
	if err := s.makeScheduler(); err != nil {
		return err
	}
	s.parts = append(s.parts, part{"alarms", s.newRinger().Serve})
	if err := s.makeNotifier(); err != nil {
		return err
	}
	s.makeTelegram()
	s.makeHooks()
	s.makePost()
	return s.makeTelemetry(ctx, redact)
}

// redactText is what takes secrets out of what is told to others.
func (s *Service) redactText() func(string) string {
	return func(text string) string {
		clean, blocked := s.known.text(text)
		if blocked {
			return "[withheld]"
		}
		return clean
	}
}

func (s *Service) makeNotifier() error {
	if len(s.settings.Webhooks) == 0 {
		return nil
	}
	var targets []notify.Target
	for _, name := range slices.Sorted(maps.Keys(s.settings.Webhooks)) {
		w := s.settings.Webhooks[name]
		if _, err := w.Secret(s.setup.variables(s.settings)); err != nil {
			return wrongSetting("webhooks.%s: %v", name, err)
		}
		var events []rein.WebhookEvent
		for _, e := range w.Events {
			events = append(events, rein.WebhookEvent(e))
		}
		targets = append(targets, notify.Target{
			Name: name, URL: w.URL, Events: events, User: w.User, Private: w.Private, Content: w.Content,
			Secret: func() string { secret, _ := w.Secret(s.setup.variables(s.settings)); return secret },
		})
	}
	n, err := notify.New(notify.Options{Store: &Data{Store: s.store, seen: s.seen}, Targets: targets, Log: s.log, Link: func(run rein.RunID, _ rein.AskID) string {
		return s.url + "/v1/runs/" + url.PathEscape(string(run))
	}})
	if err != nil {
		return wrongSetting("%v", err)
	}
	s.notifier = n
	s.parts = append(s.parts, part{"webhooks", n.Serve})
	return nil
}

func (s *Service) makeTelemetry(ctx context.Context, redact func(string) string) error {
	set := s.settings.Telemetry
	exporter, err := telemetry.Exporter(ctx, set.OTLP)
	if err != nil {
		return wrongSetting("telemetry.otlp: %v", err)
	}
	options := telemetry.Options{Store: s.store, Exporter: exporter, Content: set.Content, Redact: redact, Version: Version(), Log: s.log}
	if set.Metrics {
		s.metrics = telemetry.NewMetrics(telemetry.MetricsOptions{Views: s.store, Followers: s.feed.Followers, Calls: s.worker.Pace.All, Version: Version()})
		options.Metrics = s.metrics
	}
	if set.Debug {
		options.Debug = s.log
	}
	if exporter == nil && options.Metrics == nil && options.Debug == nil {
		return nil
	}
	w, err := telemetry.New(options)
	if err != nil {
		return fmt.Errorf("telemetry: %w", err)
	}
	s.parts = append(s.parts, part{"telemetry", w.Serve})
	return nil
}

// mounts are what stands beside the native API: the page, pages to log in, metrics, and the wire contracts
// that other clients speak.
func (s *Service) mounts() []server.Mount {
	explorer := explore.New(explore.Options{Engine: s.engine, Store: s.seen, Feed: s.feed, Task: s.chatTask, Log: s.log, Origins: s.settings.Server.Origins})
	assistant := assist.New(assist.Options{
		Engine: s.engine, Store: s.seen, Feed: s.feed, Task: s.chatTask, Log: s.log, SessionFor: s.chatSession,
	})
	all := []server.Mount{
		{Pattern: "/login", Handler: s.access.Login()},
		{Pattern: "/join", Handler: s.access.Join()},
		{Pattern: "/pair", Handler: s.access.Pair()},
		{Pattern: "/logout", Handler: s.access.Logout()},
		{Pattern: "/ws", Needs: rein.ScopeRead, Handler: s.strictSockets()},
		{Pattern: "/agent/", Needs: rein.ScopeRead, Handler: explorer},
		{Pattern: "/chat", Needs: rein.ScopeRead, Handler: assistant},
		{Pattern: "/chat/", Needs: rein.ScopeRead, Handler: assistant},
	}
	page := web.Handler()
	for _, at := range web.Paths() {
		all = append(all, server.Mount{Pattern: at, Handler: page})
	}
	all = append(all, s.peers.callbackMount())
	if s.metrics != nil {
		all = append(all, server.Mount{Pattern: "/metrics", Needs: rein.ScopeAdmin, Operators: true, Handler: s.metrics.Handler()})
	}
	return all
}

func (s *Service) strictSockets() http.Handler {
	kept := s.shelf()
	return s.withSender(strict.New(strict.Options{
		Still:  s.stillWelcome,
		Engine: s.engine, Store: s.seen, Watcher: s.store, Feed: s.feed, Shutdown: s.leaving, Shelf: &kept, Origins: s.settings.Server.Origins,
	}))
}
