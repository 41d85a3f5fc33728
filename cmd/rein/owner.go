package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"rein"
	"rein/api"
	"rein/client"
	"rein/cmd/rein/config"
	"rein/dispatch/local"
	"rein/engine"
	"rein/feed"
	"rein/flow"
	"rein/replay"
	"rein/server"
	"rein/server/port"
	"rein/store"
	"rein/store/sqlite"
	"rein/tool/files"
	"rein/tool/memory"
	"rein/tool/session"
)

// socketName is where the owner of a data folder listens, in that folder.
const socketName = "rein.sock"

// An owner is this process as the one that has the data open: it drives runs, and other terminals
// reach it through its socket.
type owner struct {
	store   *sqlite.Store
	files   *files.Root
	feed    *feed.Feed
	engine  *engine.Engine
	scope   *scope
	handler http.Handler
	mark    *ownerMark
	unwatch func()

	stopEngine context.CancelFunc
	stopServer context.CancelFunc
	driven     chan error // how driving ended
	served     chan error // how serving ended
}

// How long calls may take to reach their end when a person stops the run and when the owner leaves.
// Someone sits before it, and what is cut when it leaves is taken up again later.
const (
	stopGrace  = 2 * time.Second
	drainGrace = time.Second
)

// own opens the data as its owner; CodeLocked means that another process is.
func (c *call) own(ctx context.Context, settings *config.Config, p place) (_ *owner, err error) {
	o := &owner{unwatch: func() {}}
	if o.files, err = files.Open(settings.Tools.Root); err != nil {
		return nil, err
	}
	worker, err := newWorker(settings, c.env, o.files, func() *engine.Engine { return o.engine })
	if err != nil {
		return nil, errors.Join(err, o.files.Close())
	}
	if o.store, err = sqlite.Open(ctx, p.path, sqlite.Options{}); err != nil {
		return nil, errors.Join(err, o.files.Close())
	}
	for _, t := range slices.Concat(session.Tools(o.store), memory.Tools(o.store, time.Now)) {
		worker.Tools[t.Name] = t
	}
	forks := &replay.Forks{Store: o.store, Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) {
		return o.engine.Command(ctx, c)
	}}
	forks.Wrap(worker)
	o.scope = newScope(&local.Dispatcher{})
	o.feed = feed.New(o.store)
	grace := time.Duration(0)
	if c.park {
		grace = engine.NoGrace // nobody here is about to answer
	}
	o.engine, err = engine.New(engine.Options{
		Store: o.store, Flows: flow.All(), Worker: worker, Dispatch: o.scope, Policy: settings.Tools.Policy, Prepare: prepare(settings),
		Grace: grace, StopGrace: stopGrace, DrainGrace: drainGrace, OnDelta: o.feed.OnDelta,
	})
	var listener net.Listener
	if err == nil {
		listener, err = client.Listen(filepath.Join(p.folder, socketName))
	}
	if err == nil {
		o.mark, err = writeMark(p.folder, settings.Tools.Root)
		if err != nil {
			err = errors.Join(err, listener.Close())
		}
	}
	if err != nil {
		o.feed.Close()
		return nil, errors.Join(err, o.store.Close(), o.files.Close())
	}
	o.serve(listener, p)
	return o, nil
}

// serve begins to drive and to listen.
func (o *owner) serve(listener net.Listener, p place) {
	// A run that begins because of one of ours, after it, is ours too.
	o.unwatch = o.store.Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Kind == rein.RunStarted && m.Run.Depth() == 0 {
				o.scope.take(m.Run)
			}
		}
	})
	started := time.Now().UTC()
	o.handler = server.New(server.Options{
		Engine: commander{o.engine, o.scope}, Store: o.store, Feed: o.feed, Who: server.Host,
		Health: func() api.Health {
			return api.Health{Version: version(), PID: os.Getpid(), Data: p.folder, Started: started, Live: o.engine.Live()}
		},
	})
	var driving, serving context.Context
	driving, o.stopEngine = context.WithCancel(context.Background())
	serving, o.stopServer = context.WithCancel(context.Background())
	o.driven, o.served = make(chan error, 1), make(chan error, 1)
	go func() { o.driven <- o.engine.Serve(driving) }()
	go func() { o.served <- server.Serve(serving, listener, o.handler, nil) }()
}

// close lets go of everything, in the order in which it depends on each other. What is under way is
// kept in the log.
func (o *owner) close() error {
	o.stopEngine()
	err := <-o.driven
	o.feed.Close()
	o.stopServer()
	err = errors.Join(err, <-o.served)
	o.unwatch()
	o.mark.remove()
	err = errors.Join(err, o.store.Close(), o.files.Close())
	if err != nil {
		return fmt.Errorf("close the data: %w", err)
	}
	return nil
}

// commander is an engine that drives what it is asked for: what is started, resumed or ended.
// Answers and messages alone are recorded, and read by whoever drives the run.
type commander struct {
	*engine.Engine
	scope *scope
}

var _ port.Commander = commander{}

func (c commander) Start(ctx context.Context, id rein.RunID, task rein.Task) (store.RunInfo, error) {
	c.scope.take(id)
	return c.Engine.Start(ctx, id, task)
}

func (c commander) Command(ctx context.Context, command rein.Command) (rein.Receipt, error) {
	if command.Kind.Ends() != "" {
		if err := c.scope.add(ctx, command.Run); err != nil {
			return rein.Receipt{}, err
		}
	}
	return c.Engine.Command(ctx, command)
}

func (c commander) Say(ctx context.Context, id rein.RunID, task rein.Task, by, text string) (rein.Receipt, error) {
	c.scope.take(id)
	return c.Engine.Say(ctx, id, task, by, text)
}

func (c commander) Resume(ctx context.Context, run rein.RunID, by string) error {
	if err := c.scope.add(ctx, run); err != nil {
		return err
	}
	return c.Engine.Resume(ctx, run, by)
}
