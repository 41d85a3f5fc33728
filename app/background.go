package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"rein/api"
	"rein/dispatch/local"
	"rein/engine"
	"rein/server/wire"
	"rein/store"
)

// logName is where a background owner writes what nobody is there to read.
const logName = "owner.log"

// backgroundDrain is how long calls may take to reach their end when a background owner leaves. It is less than
// those wait who want to open the data next.
const backgroundDrain = 3 * time.Second

// LogPath is the file that the output of a background owner goes to.
func (p Place) LogPath() string { return filepath.Join(p.Folder, logName) }

// A Background is a process that owns a data folder for the terminals that come and go. It is reached through
// the socket only, drives what is asked for there, and ends when it had nothing to do for a while.
type Background struct {
	*owner
	gate      gate
	digest    string        // of what it was started with
	dismissed chan struct{} // closed when someone asked it to end
	dismiss   func()
}

// Background opens the data as a background owner, which listens already: call Serve. CodeLocked means that
// another process has the data.
func (s *Setup) Background(ctx context.Context) (*Background, error) {
	p, err := s.FolderPlace()
	if err != nil {
		return nil, err
	}
	if _, err := s.Checked(); err != nil {
		return nil, err
	}
	settings, err := s.again()
	if err != nil {
		return nil, err
	}
	o, commands, err := s.openScoped(ctx, settings, p, engine.Options{Dispatch: &local.Dispatcher{}, StopGrace: stopGrace, DrainGrace: backgroundDrain})
	if err != nil {
		return nil, err
	}
	b := &Background{owner: o, gate: gate{last: time.Now(), nudged: make(chan struct{}, 1)}, digest: s.Digest(), dismissed: make(chan struct{})}
	b.dismiss = sync.OnceFunc(func() { close(b.dismissed) })
	o.front = b.front
	return b, o.begin(commands)
}

// Idle is how long it stays without work.
func (b *Background) Idle() time.Duration { return b.settings.Owner.Idle }

// Data is the data folder.
func (b *Background) Data() string { return b.place.Folder }

// Serve drives and answers until the context ends, someone dismisses it, or it was idle for long enough. Then
// it lets go of the data. It returns why it ended.
func (b *Background) Serve(ctx context.Context) (why string, err error) {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	rested := make(chan struct{})
	go func() {
		if b.vigil().wait(watching) {
			close(rested)
		}
	}()
	select {
	case <-ctx.Done():
		why = "it was asked to end"
	case <-b.dismissed:
		why = "it was dismissed"
	case <-rested:
		why = "nobody needed it"
	case err = <-b.driven:
		b.driven <- nil
		why = "driving ended"
	}
	b.gate.force()
	if closing := b.close(); err == nil {
		err = closing
	}
	return why, err
}

// vigil waits until nobody needs the process.
func (b *Background) vigil() vigil {
	return vigil{
		idle: b.Idle(), last: b.lastNeeded, nudged: b.gate.nudged,
		leave: func() bool { return b.gate.shut(b.hasWork) },
		done:  func() bool { return b.gate.isReleased() && b.gate.shut(b.hasRuns) },
	}
}

// lastNeeded is when it last had something to do: now, if it has.
func (b *Background) lastNeeded() time.Time {
	if last, open := b.gate.used(); open == 0 && !b.hasWork() {
		return last
	}
	return time.Now()
}

// hasWork reports whether a run would stop if this process ended now: one that is driven, or has to be within
// the time after which an idle owner ends. One that waits for a person is kept, and needs no process.
func (b *Background) hasWork() bool {
	if b.busy() {
		return true
	}
	soon := time.Now().Add(b.Idle())
	for _, root := range b.trees() {
		for info, err := range b.store.Runs(context.Background(), store.Filter{Tree: root, Unfinished: true}) {
			if err == nil && !info.WakeAt.IsZero() && info.WakeAt.Before(soon) && !b.engine.Waiting(info.ID) {
				return true
			}
		}
	}
	return false
}

// hasRuns reports whether a run that was asked for here has not ended, whatever it waits for, or has left a command in the
// background: the next run of its session may look at that, until nobody has needed the process for some time.
func (b *Background) hasRuns() bool {
	if b.jobs.Running() > 0 {
		return true
	}
	for _, root := range b.trees() {
		for range b.store.Runs(context.Background(), store.Filter{Tree: root, Unfinished: true}) {
			return true // a run, or an error: then it is better to stay
		}
	}
	return false
}

// front answers what is about this process itself, and counts who needs it for the rest.
func (b *Background) front(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /owner", func(w http.ResponseWriter, _ *http.Request) { b.answer(w, b.about()) })
	mux.HandleFunc("POST /owner/dismiss", b.dismissal)
	mux.Handle("/v1/health", b.gate.unlessShut(next)) // who looks whether it is there does not need it
	mux.Handle("/", b.gate.count(next))
	return mux
}

func (b *Background) answer(w http.ResponseWriter, o api.Owner) {
	_ = wire.Answer(w, http.StatusOK, "application/json", o) // whoever asked may have gone
}

func (b *Background) about() api.Owner {
	_, clients := b.gate.used()
	return api.Owner{
		PID: os.Getpid(), Version: Version(), Started: b.started, Busy: b.busy(), Commands: b.jobs.Running(), Clients: clients,
		Idle: b.Idle(), Log: b.place.LogPath(), Missing: b.missing(), Leaving: b.gate.isShut(),
	}
}

// dismissal ends the process if it is not needed, or if whoever asks wants that anyway.
func (b *Background) dismissal(w http.ResponseWriter, r *http.Request) {
	var d api.Dismissal
	if err := wire.ReadJSON(w, r, &d); err != nil {
		wire.Problem(w, err)
		return
	}
	about := b.about()
	about.Fits = d.Unless != "" && d.Unless == b.digest
	switch {
	case about.Fits:
	case d.Done:
		b.gate.release()
	case d.Now:
		b.gate.force()
		about.Leaving = true
	default:
		about.Leaving = b.gate.shut(b.hasWork)
	}
	b.answer(w, about)
	if about.Leaving {
		b.dismiss()
	}
}
