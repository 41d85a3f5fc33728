package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app/config"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/follow/deliver/desk"
	"rein/follow/hook"
	"rein/follow/scheduler"
	"rein/household/changes"
	"rein/household/channels"
	"rein/household/erase"
	"rein/household/feedback"
	"rein/household/lists"
	"rein/household/page"
	"rein/household/people"
	"rein/household/post"
	"rein/household/recall"
	"rein/household/secrets"
	"rein/household/shelf"
	"rein/household/workspace"
	"rein/journal/feed"
	"rein/replay"
	"rein/server"
	hints "rein/server/live"
	"rein/server/mask"
	"rein/server/port"
	"rein/store"
	"rein/store/sqlite"
	"rein/tool/mcp"
	"rein/tool/shell"
	"rein/tool/undo"
)

// socketName is where the owner of a data folder listens, in that folder.
const socketName = "rein.sock"

// An owner is this process as the one that has the data open: it drives runs, and other terminals
// reach it through its socket.
type owner struct {
	settings *config.Config // those that it started with
	live     *live          // and as they are now
	store    *sqlite.Store
	seen     *mask.Reader // the store as people see it
	places   *places
	set      *openSet // the workspaces that are open
	jobs     *shell.Jobs
	home     string
	worker   *work.Worker
	feed     *feed.Feed
	hints    *hints.Hub
	finder   *recall.Finder // of what is remembered of people
	library  *library       // nil: there are no notes
	engine   *engine.Engine
	people   *people.People
	secrets  *secrets.Store
	channels channels.Book // where people get messages
	arrange  *desk.Desk    // where they arrange it
	pairing  server.Pairer // makes codes for chats; nil: there is no bot
	hooks    *hook.Hooks   // the webhooks of users; nil: there are none
	known    *known        // takes secrets out of what belongs to users
	peers    *peers        // MCP servers
	forks    *replay.Forks
	fires    atomic.Pointer[scheduler.Scheduler] // fires jobs; nil: this process does not
	playing  chan struct{}                       // a token for each replay: one takes many times the memory of its log
	scope    *scope                              // what a command drives; nil: a service, which drives everything
	place    Place
	setup    *Setup
	handler  http.Handler                    // of the socket
	front    func(http.Handler) http.Handler // what stands before it; nil: nothing
	unwatch  func()
	started  time.Time
	url      string // where a service is reached

	stopEngine context.CancelFunc
	stopServer context.CancelFunc
	driven     chan error // how driving ended
	served     chan error // how serving ended
	closing    sync.Once
	closed     error // how closing ended
}

// How long calls may take to reach their end when a person stops the run and when the owner leaves.
// Someone sits before it, and what is cut when it leaves is taken up again later.
const (
	stopGrace  = 2 * time.Second
	drainGrace = time.Second
)

// becomeOwner opens the data in this process; CodeLocked means that another one has it.
func (s *Setup) becomeOwner(ctx context.Context, p Place) (*App, error) {
	if _, err := s.Checked(); err != nil {
		return nil, err
	}
	settings, err := s.again()
	if err != nil {
		return nil, err
	}
	o, err := s.own(ctx, settings, p)
	if err != nil {
		return nil, err
	}
	return &App{Client: client.Handler(o.handler), owner: o, pid: os.Getpid()}, nil
}

// own opens the data, and begins to drive all of it or what it is asked for.
func (s *Setup) own(ctx context.Context, settings *config.Config, p Place) (*owner, error) {
	options := engine.Options{Dispatch: &local.Dispatcher{}, StopGrace: stopGrace, DrainGrace: drainGrace}
	if s.o.Park {
		options.Grace = engine.NoGrace // nobody here is about to answer
	}
	if !s.o.Scoped {
		o, err := s.openData(ctx, settings, p, options)
		if err != nil {
			return nil, err
		}
		return o, o.begin(o.engine)
	}
	o, commands, err := s.openScoped(ctx, settings, p, options)
	if err != nil {
		return nil, err
	}
	return o, o.begin(commands)
}

// openScoped opens the data for what is asked for through this process, and does nothing yet.
func (s *Setup) openScoped(ctx context.Context, settings *config.Config, p Place, options engine.Options) (*owner, port.Commander, error) {
	driven := newScope(options.Dispatch)
	options.Dispatch = driven
	o, err := s.openData(ctx, settings, p, options)
	if err != nil {
		return nil, nil, err
	}
	o.scope = driven
	// A run that begins because of one of ours, after it, is ours too.
	o.unwatch = o.store.Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Kind == rein.RunStarted && m.Run.Depth() == 0 {
				o.scope.take(m.Run)
			}
		}
	})
	return o, commander{o.engine, o.scope}, nil
}

// openData opens the data and makes the engine, which does nothing yet.
func (s *Setup) openData(ctx context.Context, settings *config.Config, p Place, options engine.Options) (_ *owner, err error) {
	s.box = nil // of what was open before
	o := &owner{settings: settings, live: newLive(settings, s.again), place: p, setup: s, unwatch: func() {}, playing: make(chan struct{}, maxPlaying), started: time.Now().UTC(), home: s.env.Get("HOME")}
	o.places = &places{owner: o, folders: map[string]folderSettings{}, frozen: map[string]workspace.Rules{}, libraries: map[string]*sharedLibrary{}}
	o.set = &openSet{idle: idleAfter, end: o.places.end, byRule: map[string]*opened{}, make: o.places.open}
	if !s.service {
		o.places.elsewhere = s.files.Dir
	}
	if o.worker, err = s.newWorker(settings, func() *engine.Engine { return o.engine }, o.skillFile); err != nil {
		return nil, err
	}
	o.jobs = o.newJobs()
	if err := checkVault(settings, p); err != nil {
		return nil, err
	}
	o.worker.Reach = o.places.reach
	if o.store, err = sqlite.Open(ctx, p.Path, sqlite.Options{Limits: settings.Limits.Accounts, Roles: people.Judge{Roles: settings.Rights()}}); err != nil {
		return nil, err
	}
	if err := undo.Begun(ctx, o.changes()); err != nil {
		return nil, errors.Join(err, o.store.Close())
	}
	o.finder = newFinder(settings)
	o.places.book = workspace.Book{Tables: o.store}
	o.people = &people.People{Tables: o.store, Roles: settings.Rights()}
	o.keepSecrets()
	if err := o.openDesk(); err != nil {
		return nil, errors.Join(err, o.store.Close())
	}
	o.seen = mask.New(o.store, o.worker.Redact)
	o.seen.Known = o.known.cleaner
	o.feed, o.hints = feed.New(o.seen), hints.New(o.seen, hints.Options{Topic: o.topicOf})
	o.worker.Grants = grants{o.people, o.places}
	if o.library, err = o.openLibrary(ctx); err == nil {
		err = o.makeEngine(ctx, options)
	}
	if err != nil {
		return nil, errors.Join(err, o.abandon())
	}
	return o, nil
}

// makeEngine adds the tools that need the store, and makes the engine.
func (o *owner) makeEngine(ctx context.Context, options engine.Options) error {
	kept, err := storeTools(o.store, o.finder, o.notesLimits)
	if err != nil {
		return err
	}
	maps.Copy(o.worker.Tools, kept)
	jobs, err := jobTools(o)
	if err != nil {
		return err
	}
	for _, t := range jobs {
		o.worker.Tools[t.Name] = t
	}
	linking, err := dashboardTool(o)
	if err != nil {
		return err
	}
	o.worker.Tools[linking.Name] = linking
	looking, err := o.webTools()
	if err != nil {
		return err
	}
	maps.Copy(o.worker.Tools, looking)
	for name, t := range o.worker.Tools {
		o.worker.Tools[name] = o.places.placed(t)
	}
	o.worker.More = o.skillTools().Find
	if o.peers, err = o.newPeers(ctx); err != nil {
		return err
	}
	o.forks = &replay.Forks{Store: o.store, Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) {
		return o.engine.Command(ctx, c)
	}}
	o.forks.Wrap(o.worker)
	o.live.apply = func(now *config.Config) error {
		models, err := o.setup.newModels(now)
		if err == nil {
			o.worker.UseModels(o.forks.Models(models), fallbacks(now, models))
			err = o.rebase(now)
		}
		return err
	}
	options.Store, options.Flows, options.Worker, options.OnDelta = o.store, o.setup.Flows(), o.worker, o.feed.OnDelta
	options.Prepare, options.Rules, options.Began, options.Precedent, options.Narrows = o.prepare, o.places.rules, o.forks.Began, o.forks.Precedent, narrows
	options.Ceiling = func() rein.Budget {
		now, _ := o.live.now()
		return now.Limits.Run
	}
	options.Roles = o.people
	options.Modes = func() (usual, loosest rein.Mode) {
		now, _ := o.live.now()
		return now.Approvals.Mode, now.Approvals.Loosest
	}
	if o.engine, err = engine.New(options); err != nil {
		return err
	}
	return o.people.Begin(ctx)
}

// changes is what is remembered of changed files, to undo it.
func (o *owner) changes() changes.Book {
	return changes.Book{Tables: o.store, Most: func() int64 {
		now, _ := o.live.now()
		return now.Tools.UndoBytes
	}}
}

func (o *owner) shelf() shelf.Shelf { return shelf.Shelf{Tables: o.store} }

// api is what the API is of, whoever it is for.
func (o *owner) api(commands port.Commander) server.Options {
	kept := o.shelf()
	options := server.Options{
		Agenda: o.agenda(),
		Memory: &recall.Book{Tables: o.store, Find: o.finder},
		Page:   &page.Book{Tables: o.store}, Feedback: &feedback.Book{Tables: o.store}, Lists: &lists.Book{Tables: o.store}, Jobs: o.jobDesk(), Live: o.hints, Tables: o.store,
		Engine: commands, Store: o.seen, Feed: o.feed, People: o.people, Shelf: &kept, Secrets: o.secrets, Accounts: o.store, Calls: o.calls, Checkpoints: o.store, Verifier: o.store, Eraser: &erase.Eraser{Store: o.store, People: o.people, Mask: o.masked, Outputs: outputs{o.jobs}, Background: o.setup.kinds().IsApart, Aside: o.setup.kinds().IsAside}, Ceiling: o.settings.Limits.Run, Catalogue: catalogue{o},
		Health: func() api.Health {
			wrong, restart := o.live.health()
			return api.Health{
				Version: Version(), PID: os.Getpid(), Data: o.place.Folder, Started: o.started, Live: o.engine.Live(), URL: o.url,
				Settings: wrong, Restart: restart, Check: checkWords(o.store.Check()),
			}
		},
	}
	options.Workspaces, options.Folders, options.Notes, options.Changes = o.places, o.folders(), notebooks{o.places}, changeList{o}
	options.MCP = o.peers
	options.Pairing, options.Hooks = o.pairing, o.hooks
	options.Messages, options.Channels, options.Desk, options.Mask = &post.Book{Tables: o.store}, &o.channels, o.arrange, o.maskFor
	options.Again = again{o}
	options.Currency = func() string {
		now, _ := o.live.now()
		return o.setup.currencyOf(now)
	}
	options.Presets, options.Background = presetBook{o}, jobList{o.jobs}
	return options
}

// masked is a text without its secrets.
func (o *owner) masked(text string) string {
	clean, _ := o.known.text(text)
	return clean
}

// clean is a text of an MCP server without the secrets of somebody.
func (o *owner) clean(of mcp.Owner, text string) string {
	text, _, blocked := o.known.of(of.Household, of.User).Text(text)
	if blocked {
		return "[withheld]"
	}
	return text
}

// begin listens on the socket of the data folder, and begins to drive. If it fails everything is
// closed.
func (o *owner) begin(commands port.Commander) error {
	listener, err := client.Listen(filepath.Join(o.place.Folder, socketName))
	if err != nil {
		return errors.Join(err, o.abandon())
	}
	options := o.api(commands)
	options.Who = server.Host
	o.handler = server.New(options)
	if o.front != nil {
		o.handler = o.front(o.handler)
	}
	var driving, serving context.Context
	driving, o.stopEngine = context.WithCancel(context.Background())
	serving, o.stopServer = context.WithCancel(context.Background())
	o.driven, o.served = make(chan error, 1), make(chan error, 1)
	go func() { o.driven <- o.engine.Serve(driving) }()
	go func() { o.served <- server.Serve(serving, listener, o.handler, nil) }()
	return nil
}

// close lets go of everything, in the order in which it depends on each other. What is under way is
// kept in the log.
func (o *owner) close() error {
	o.closing.Do(func() { o.closed = o.letGo() })
	return o.closed
}

func (o *owner) letGo() error {
	o.stopEngine()
	err := errors.Join(<-o.driven, o.jobs.Close(), o.peers.close())
	o.feed.Close()
	o.hints.Close()
	o.stopServer()
	err = errors.Join(err, <-o.served)
	o.unwatch()
	err = errors.Join(err, o.set.close(), o.library.close(), o.store.Close())
	if err != nil {
		return fmt.Errorf("close the data: %w", err)
	}
	return nil
}

// abandon lets go of data that was opened and not begun with.
func (o *owner) abandon() error {
	o.unwatch()
	o.feed.Close()
	o.hints.Close()
	return errors.Join(o.jobs.Close(), o.peers.close(), o.set.close(), o.library.close(), o.store.Close())
}

// commander is an engine that drives what it is asked for: what is started, resumed or ended.
// Answers and messages alone are recorded, and read by whoever drives the run.
type commander struct {
	*engine.Engine
	scope *scope
}

var _ port.Commander = commander{}

func (c commander) Start(ctx context.Context, id rein.RunID, task rein.Task) (rein.RunInfo, error) {
	c.scope.take(id)
	return c.Engine.Start(ctx, id, task)
}

func (c commander) Command(ctx context.Context, command rein.Command) (rein.Receipt, error) {
	if command.Kind.Ends() != "" || command.Kind == rein.CommandResume {
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
