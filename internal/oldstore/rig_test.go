package oldstore

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/flow/kit"
	"rein/household/people"
	"rein/household/shelf"
	"rein/model/script"
	"rein/replay"
	"rein/store/sqlite"
	"rein/tool/basics"
	"rein/tool/memory"
	"rein/tool/notes"
	"rein/tool/reach"
	"rein/tool/session"
	shelftool "rein/tool/shelf"
	"rein/vault"
	"rein/vault/stage"
)

// patience bounds every wait; it is waited for only if something is wrong.
const patience = 3 * time.Minute

// A house is a folder with data and notes, and the program that works on it: the real store, engine,
// dispatcher, flows and tools. Only models, and what is outside of the house, are played.
type house struct {
	*testing.T
	dir   string // data and vault are in it
	world *world

	old map[rein.AskID]bool // asks that an earlier program left open

	// What a process is begun with.
	flows   map[string]rein.Flow
	now     func() time.Time
	tweak   func(*engine.Options)
	disturb func(context.Context, rein.ModelRequest) error // nil: models answer

	store   *sqlite.Store
	people  *people.People
	engine  *engine.Engine
	worker  *work.Worker
	library *vault.Vault
	root    *os.Root
	stop    func()

	mu     sync.Mutex
	events []rein.Event
	came   chan struct{} // closed and replaced when events come
}

func newHouse(t *testing.T, dir string) *house {
	h := &house{T: t, dir: dir, flows: flow.All(), now: time.Now, came: make(chan struct{})}
	h.world = &world{file: filepath.Join(dir, "data", "world.log")}
	h.check(os.MkdirAll(filepath.Join(dir, "data"), 0o700))
	h.check(os.MkdirAll(filepath.Join(dir, "vault"), 0o700))
	return h
}

// credentials is the file with what people of the record are recognised by: tokens of a service, of
// someone whose token was revoked and of someone who was disabled, a browser's cookie, a login link.
func (h *house) credentials() string { return filepath.Join(h.dir, "data", "credentials.txt") }

func (h *house) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// open opens the data, as a process does that is about to serve.
func (h *house) open() {
	h.Helper()
	ctx := context.Background()
	var err error
	h.store, err = sqlite.Open(ctx, filepath.Join(h.dir, "data", "rein.db"), sqlite.Options{OnCommit: h.committed})
	h.check(err)
	h.people = &people.People{Tables: h.store, Now: h.now}
	h.check(h.people.Begin(ctx))
	h.root, err = os.OpenRoot(filepath.Join(h.dir, "vault"))
	h.check(err)
	h.library, err = vault.Open(ctx, vault.Options{Root: h.root, Index: filepath.Join(h.dir, "index"), Still: true})
	h.check(err)
	h.check(h.library.Sync(ctx))
	h.check(h.moved(ctx))
	desk := stage.New(h.store, h.root, stage.Options{Allow: h.library.Allows, Now: h.now})
	h.check(desk.Recover(ctx))
	policy, err := reach.New(reach.Options{Vault: h.root.Name(), Household: "home"})
	h.check(err)
	h.worker = &work.Worker{Models: map[string]rein.Model{"": newTroupe(h)}, Tools: h.tools(desk), Reach: policy.For, Abandon: 50 * time.Millisecond}
	forks := &replay.Forks{Store: h.store, Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) {
		return h.engine.Command(ctx, c)
	}}
	forks.Wrap(h.worker)
	options := engine.Options{
		Store: h.store, Flows: h.flows, Dispatch: &local.Dispatcher{}, Worker: h.worker, Now: h.now,
		Grace: engine.NoGrace, StopGrace: engine.NoGrace, DrainGrace: engine.NoGrace,
		Prepare: func(task rein.Task) (rein.Task, error) { return flow.Kinds().Prepare(task, kit.Ceiling{}) },
	}
	if h.tweak != nil {
		h.tweak(&options)
	}
	h.engine, err = engine.New(options)
	h.check(err)
}

// moved tells the journal of notes that the vault is in another folder now: it names the one that it
// was in.
func (h *house) moved(ctx context.Context) error {
	folder, err := filepath.EvalSymlinks(h.root.Name())
	if err != nil {
		return err
	}
	return h.store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE note_commits SET vault = ?`, folder)
		return err
	})
}

// serve drives what is due until end or die.
func (h *house) serve() {
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- h.engine.Serve(ctx) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-served; err != nil {
			h.Errorf("serve: %v", err)
		}
	})
}

// end lets go of everything in order.
func (h *house) end() {
	h.Helper()
	if h.stop != nil {
		h.stop()
	}
	h.check(h.store.Close())
	h.close()
}

// die lets go of everything as a crash does: nothing reaches the log any more.
func (h *house) die() {
	h.Helper()
	h.check(h.store.Close())
	h.world.free()
	h.stop()
	h.close()
}

func (h *house) close() {
	h.Helper()
	h.stop = nil
	h.check(h.library.Close())
	h.check(h.root.Close())
}

func (h *house) committed(events []rein.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, events...)
	close(h.came)
	h.came = make(chan struct{})
}

// until waits for an event that was written since the house was made.
func (h *house) until(what string, is func(rein.Event) bool) rein.Event {
	h.Helper()
	late := time.After(patience)
	for from := 0; ; {
		h.mu.Lock()
		events, came := h.events, h.came
		h.mu.Unlock()
		for ; from < len(events); from++ {
			if is(events[from]) {
				return events[from]
			}
		}
		select {
		case <-came:
		case <-late:
			h.Fatalf("this does not happen: %s\n%s", what, h.dump())
		}
	}
}

func (h *house) dump() string {
	var b strings.Builder
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events[max(0, len(h.events)-60):] {
		b.WriteString(string(e.Run) + " " + string(e.Kind) + " " + string(e.Step) + " " + string(e.Data) + "\n")
	}
	return b.String()
}

// tools are those that rein ships with and need no more than the store and the vault, and the world's.
func (h *house) tools(desk *stage.Desk) map[string]rein.Tool {
	h.Helper()
	all := slices.Concat(session.Tools(h.store), memory.Tools(h.store, h.now), h.world.tools())
	for _, made := range []func() ([]rein.Tool, error){
		func() ([]rein.Tool, error) { return notes.Reading(h.library, nil) },
		func() ([]rein.Tool, error) { return notes.Writing(desk, nil) },
		func() ([]rein.Tool, error) { return shelftool.Tools(shelf.Shelf{Tables: h.store, Now: h.now}) },
		func() ([]rein.Tool, error) { t, err := basics.AskUser(); return []rein.Tool{t}, err },
		func() ([]rein.Tool, error) { t, err := basics.RequestInput(); return []rein.Tool{t}, err },
	} {
		more, err := made()
		h.check(err)
		all = append(all, more...)
	}
	byName := map[string]rein.Tool{}
	for _, t := range all {
		byName[t.Name] = h.world.watched(t)
	}
	return byName
}

// A troupe is the model of the house: the runs of each flow have a play of their own. A run's name
// begins with its flow's.
type troupe struct {
	house *house
	plays map[string]*script.Model
}

func newTroupe(h *house) *troupe {
	h.Helper()
	plays := map[string]*script.Model{}
	files, err := filepath.Glob(filepath.Join("testdata", "plays", "*.txt")) // a flow without one calls no model
	h.check(err)
	for _, file := range files {
		play, err := script.ReadFile(file)
		h.check(err)
		plays[strings.TrimSuffix(filepath.Base(file), ".txt")] = play
	}
	return &troupe{h, plays}
}

func (*troupe) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "troupe", Window: 100_000, MaxOutput: 1000, InputMicros: 3_000_000, OutputMicros: 15_000_000, Account: "house"}
}

func (m *troupe) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	if m.house.disturb != nil {
		if err := m.house.disturb(ctx, r); err != nil {
			return rein.ModelReply{}, err
		}
	}
	name, _, _ := strings.Cut(string(r.Run), "-")
	return m.plays[name].Generate(ctx, r, show)
}
