// Package app runs rein inside a program. Open takes a data folder: the first process to open it
// owns it and drives its runs, and later ones connect to the owner. Both get an App with a client
// for the API.
//
// Options adds your own tools, models and flows. The package reads settings, opens workspaces and
// notes, and runs the checks of rein doctor; it never reads from or writes to a terminal. For the
// command line with your own parts, use cli.Main.
package app

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/flow/kit"
	"rein/store"
)

// Options say which data folder is opened, and how. The zero value is what `rein` itself uses.
type Options struct {
	// Data is the data folder; empty: $REIN_DATA, else what the settings say, else the usual place.
	Data string
	// Config is the file of the settings; empty: $REIN_CONFIG, else rein.toml in its usual place.
	Config string
	// Env are the variables that settings and keys are read from, as os.Environ returns them; nil: those
	// of the process.
	Env []string
	// Set are settings by their keys, such as "vault". They come before variables and the file.
	Set map[string]string
	// SetHere are settings for what this program starts itself. Others who start runs through this
	// process do not get them.
	SetHere map[string]string

	// Models, Tools and Flows are what the program has beside rein's own: models by the names
	// that settings and runs choose them by, and flows by those that they have. Every run may use the tools, as far as the settings do not
	// deny them; what they may do without being asked is for their effects and the settings to say.
	Models map[string]rein.Model
	Tools  []rein.Tool
	Flows  []kit.Kind

	// Scoped drives only the runs that are started or resumed through this process, and those that begin
	// because of them. Otherwise all that is due in the data folder is driven.
	Scoped bool
	// Park says that nobody here is about to answer: a run that asks is unloaded at once.
	Park bool

	// Now is the clock on the wall by which jobs fire, alarms ring and messages are sent; nil: time.Now. Deadlines and the
	// times in logs are the machine's.
	Now func() time.Time

	// Warn receives warnings that do not keep the program from going on; nil drops them.
	Warn func(text string)
}

// Open opens a data folder, as New and Setup.Open do.
func Open(ctx context.Context, o Options) (*App, error) { return New(o).Open(ctx) }

// An App is a data folder that is open: in this process, or through the one that owns it. What can be
// done with it are the methods of the API's client.
type App struct {
	*client.Client
	owner *owner // nil: another process is
	pid   int
}

// Owns reports whether this process has the data open itself.
func (a *App) Owns() bool { return a.owner != nil }

// PID is the process that has the data open.
func (a *App) PID() int { return a.pid }

// Close lets go of the data, if this process owns it. What is under way is kept in the log, and goes on
// when the folder is next opened.
func (a *App) Close() error {
	if a.owner == nil {
		return nil
	}
	return a.owner.close()
}

// Busy reports whether this process has something to do for a run. One that waits, parked or still in
// memory, needs no process.
func (a *App) Busy() bool { return a.owner != nil && a.owner.busy() }

// Drive drives the tree of a run, if this process drives only those that it was asked for.
func (a *App) Drive(ctx context.Context, run rein.RunID) error {
	if a.owner == nil || a.owner.scope == nil {
		return nil
	}
	return a.owner.scope.add(ctx, run)
}

// SyncNotes waits until the words of all notes can be searched, if this process has them open.
func (a *App) SyncNotes(ctx context.Context) error {
	if a.owner == nil || a.owner.library == nil {
		return nil
	}
	return a.owner.library.Sync(ctx)
}

// MissingVectors counts the passages without vectors of the vaults that this process has open.
func (a *App) MissingVectors() int {
	if a.owner == nil {
		return 0
	}
	return a.owner.missing()
}

// How long to look for an owner that has the data open and does not answer yet, or no more.
const (
	linkPatience = 5 * time.Second
	linkPause    = 20 * time.Millisecond
	dialPatience = 2 * time.Second
)

// Open finds the process that owns the data, or becomes it. Of two that come at once one gets the lock,
// and the other its socket. The settings need only be right for the one that becomes the owner.
func (s *Setup) Open(ctx context.Context) (*App, error) { return s.open(ctx, s.becomeOwner) }

// OpenBeside is Open with an owner that is another process: if there is none, start has to begin it and wait
// until it can be reached. CodeLocked of start means that someone else was quicker.
func (s *Setup) OpenBeside(ctx context.Context, start func(context.Context, Place) error) (*App, error) {
	return s.open(ctx, func(ctx context.Context, p Place) (*App, error) {
		if err := start(ctx, p); err != nil {
			return nil, err
		}
		if a := Dial(ctx, p); a != nil {
			return a, nil
		}
		return nil, rein.Errorf(rein.CodeLocked, "the owner of %s ended as soon as it had started", p.Folder)
	})
}

// open finds the process that owns the data, or has own bring one about.
func (s *Setup) open(ctx context.Context, own func(context.Context, Place) (*App, error)) (*App, error) {
	p, err := s.FolderPlace()
	if err != nil {
		return nil, err
	}
	deadline := time.After(linkPatience)
	for {
		if a := Dial(ctx, p); a != nil {
			return a, nil
		}
		a, err := own(ctx, p)
		if rein.CodeOf(err) != rein.CodeLocked {
			return a, err
		}
		select {
		case <-time.After(linkPause):
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline:
			return nil, fmt.Errorf("%w; nobody answers on %s", err, filepath.Join(p.Folder, socketName))
		}
	}
}

// Dial returns the process that owns the data, or nil.
func Dial(ctx context.Context, p Place) *App {
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	there := client.Unix(filepath.Join(p.Folder, socketName))
	health, err := there.Health(ctx)
	if err != nil {
		return nil
	}
	return &App{Client: there, pid: health.PID}
}

// busy reports whether a run that this process drives has something to do.
func (o *owner) busy() bool {
	for _, root := range o.trees() {
		for info, err := range o.store.Runs(context.Background(), store.Filter{Tree: root, Unfinished: true}) {
			due := !info.WakeAt.IsZero() && !info.WakeAt.After(time.Now())
			if err == nil && (due || info.Status == rein.StatusRunning || info.Status == rein.StatusReady) && !o.engine.Waiting(info.ID) {
				return true
			}
		}
	}
	return false
}

// trees are the trees that this process drives; an empty name is all.
func (o *owner) trees() []rein.RunID {
	if o.scope == nil {
		return []rein.RunID{""}
	}
	return o.scope.all()
}

// Do starts a run and waits for its end. It waits for people too, for as long as the context lasts; the
// run goes on without it.
func (a *App) Do(ctx context.Context, task rein.Task) (rein.RunEnd, error) {
	id := api.NewRunID(time.Now())
	for _, err := range a.StartAndFollow(ctx, id, task, client.FollowOptions{}) {
		if err != nil {
			return rein.RunEnd{}, err
		}
	}
	run, err := a.Run(ctx, id)
	if err != nil {
		return rein.RunEnd{}, err
	}
	return run.End(), nil
}
