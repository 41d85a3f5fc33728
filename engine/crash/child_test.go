package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/flow"
	"rein/model/script"
	"rein/store"
	"rein/store/sqlite"
)

// A spec tells a child what to do.
type spec struct {
	Scenario string
	Dir      string // of the store
	Server   string // where the world is
	NoGrace  bool
	Kill     kill
	Skip     bool          // say "skip" instead of "happened" of an effect that happened
	Patience time.Duration // how long its runs may take
	Plant    plant
}

// A plant is a fault of the program under test, to see whether the lab notices.
type plant string

const (
	forgetful plant = "forgetful" // a store that forgets how step 1 ended
	idle      plant = "idle"      // a store that finds nothing due and lets nobody claim
	fickle    plant = "fickle"    // a model that answers otherwise
	bent      plant = "bent"      // a store that changes a title
	thin      plant = "thin"      // a store that loses a checkpoint
)

// A child is the program under test.
type child struct {
	spec
	trap   trap
	boss   *boss
	client *http.Client
	store  store.Store // of the engine

	changed chan struct{} // holds something if events came since the last checkpoint
}

// runChild brings the runs of a scenario to their ends, unless it is killed. Then it writes its tally
// to standard output.
func runChild(s spec) error {
	sc, err := scenarioNamed(s.Scenario)
	if err != nil {
		return err
	}
	c := &child{spec: s, trap: trap{kill: s.Kill}, client: newClient(), changed: make(chan struct{}, 1)}
	c.boss = newBoss(c, sc)
	ctx, cancel := context.WithTimeout(context.Background(), s.Patience)
	defer cancel()
	st, err := sqlite.Open(ctx, dbPath(s.Dir), sqlite.Options{OnCommit: c.committed})
	if err != nil {
		return err
	}
	if err := c.damage(ctx, st); err != nil {
		return err
	}
	stop := c.makeHeads(ctx, st)
	if err := errors.Join(c.live(ctx, st, sc), stop()); err != nil {
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(c.trap.tally())
}

func dbPath(dir string) string { return filepath.Join(dir, "rein.db") }

// committed is called when events are durable and before their writer knows.
func (c *child) committed(events []rein.Event) {
	c.trap.pass(afterCommit)
	c.boss.see(events...)
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// makeHeads makes checkpoints beside everything else, as often as something changes, so that kills also
// come in the middle of one.
func (c *child) makeHeads(ctx context.Context, st store.Store) (stop func() error) {
	over, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			if _, err := st.Checkpoint(ctx, time.Now()); err != nil {
				ended <- err
				return
			}
			select {
			case <-c.changed:
			case <-over:
				ended <- nil
				return
			}
		}
	}()
	return func() error {
		close(over)
		return <-ended
	}
}

// live starts, serves and waits.
func (c *child) live(ctx context.Context, st store.Store, sc scenario) error {
	e, err := c.engine(c.planted(st), sc)
	if err != nil {
		return err
	}
	if err := c.boss.readLogs(ctx, st); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	watched, served := make(chan error, 1), make(chan error, 1)
	go func() {
		err := c.boss.watch(ctx, e)
		if err != nil {
			stop(err)
		}
		watched <- err
	}()
	go func() { served <- e.Serve(ctx) }()
	if err := c.carry(ctx, e, sc); err != nil {
		return fmt.Errorf("%w (%w)", err, context.Cause(ctx))
	}
	stop(nil)
	if err := <-watched; err != nil {
		return err
	}
	return <-served
}

func (c *child) engine(st store.Store, sc scenario) (*engine.Engine, error) {
	text := sc.script
	if c.Plant == fickle {
		text = "when\nsay I think otherwise"
	}
	model, err := script.Parse(sc.name, []byte(text))
	if err != nil {
		return nil, err
	}
	tools, err := c.tools(st, sc)
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	options := engine.Options{
		Store: st, Flows: allFlows(), Dispatch: &local.Dispatcher{Log: log, Sweep: time.Hour}, Log: log, StopGrace: engine.NoGrace,
		Worker: &work.Worker{Models: map[string]rein.Model{"": countedModel{model, c}}, Tools: tools},
	}
	if c.NoGrace {
		options.Grace = engine.NoGrace
	}
	if sc.commands {
		if options.Worker.Reach, err = c.reach(); err != nil {
			return nil, err
		}
	}
	c.store = st
	return engine.New(options)
}

// carry starts the scenario's runs, as their callers would who do not know whether they did before,
// and waits until nothing is unfinished.
func (c *child) carry(ctx context.Context, e *engine.Engine, sc scenario) error {
	for _, s := range sc.starts {
		if _, err := e.Start(ctx, s.id, s.task); err != nil {
			return err
		}
	}
	for {
		left, err := unfinished(ctx, c.store)
		if err != nil || left == "" {
			return err
		}
		if _, err := e.Wait(ctx, left); err != nil {
			return err
		}
	}
}

func unfinished(ctx context.Context, s store.Store) (rein.RunID, error) {
	for info, err := range s.Runs(ctx, store.Filter{Unfinished: true, Limit: 1}) {
		return info.ID, err
	}
	return "", nil
}

// planted breaks the store if the spec says so.
func (c *child) planted(s store.Store) store.Store {
	switch c.Plant {
	case forgetful:
		return forgetfulStore{s}
	case idle:
		return idleStore{s}
	}
	return s
}

// damage changes the file behind the program's back if the spec says so.
func (c *child) damage(ctx context.Context, s store.Store) error {
	statement := map[plant]string{bent: `UPDATE runs SET title = 'another'`, thin: `DELETE FROM checkpoints WHERE n = 1`}[c.Plant]
	if statement == "" {
		return nil
	}
	return s.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, statement)
		return err
	})
}

type forgetfulStore struct{ store.Store }

func (s forgetfulStore) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		for e, err := range s.Store.Events(ctx, run, after) {
			if e.Kind == rein.StepDone && e.Step == "1" {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

type idleStore struct{ store.Store }

func (s idleStore) Claim(ctx context.Context, run rein.RunID, _ time.Time) (rein.RunInfo, bool, error) {
	info, err := s.Run(ctx, run)
	return info, false, err
}

func (idleStore) Due(context.Context, time.Time, int) ([]rein.RunID, time.Time, error) {
	return nil, time.Time{}, nil
}

// allFlows are the small ones of the contract and those that people use.
func allFlows() map[string]rein.Flow {
	all := flows.All()
	maps.Copy(all, flow.All())
	return all
}
