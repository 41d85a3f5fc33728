package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"

	"rein"
	"rein/app/config"
	"rein/engine"
	"rein/model/cassette"
	"rein/replay"
	"rein/work"
)

// canRecord wants the file of --record to be a new one, before anything is started.
func (c *call) canRecord() error {
	if c.record == "" {
		return nil
	}
	if _, err := os.Lstat(c.record); !errors.Is(err, fs.ErrNotExist) {
		return usagef("--record %s: there is such a file already: name a new one", c.record)
	}
	return nil
}

// recorded writes the run to the file of --record, if there is one, and keeps what following it came
// to.
func (c *call) recorded(ctx context.Context, settings *config.Config, run rein.RunID, followed error) error {
	if _, away := errors.AsType[left](followed); c.record == "" || away {
		return followed
	}
	tape, err := c.tape(ctx, settings, run)
	if err == nil && !tape.Ended() {
		err = fmt.Errorf("run %s has not ended, so it is not recorded: %s does it later", run, c.tip("replay --save DIR "+string(run)))
	}
	if err == nil {
		err = c.writeTape(settings, tape, c.record)
	}
	switch {
	case err == nil:
		if !c.json {
			c.note("recorded in %s", safe(c.record))
		}
	case followed == nil:
		return err
	default:
		c.note("rein: %s", safe(err.Error()))
	}
	return followed
}

// tape makes a tape of a run in the data folder.
func (c *call) tape(ctx context.Context, settings *config.Config, run rein.RunID) (*cassette.Tape, error) {
	s, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	worker, err := c.today(settings, s)
	if err != nil {
		return nil, err
	}
	tape, err := replay.Record(ctx, s.Store, run, worker, settings.Tools.Policy)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return nil, c.unknownRun(err, s)
	}
	return tape, err
}

// today is the worker that would carry a run out now. It is asked for descriptions only.
func (c *call) today(settings *config.Config, s *data) (*work.Worker, error) {
	worker, err := newWorker(settings, c.env, func() *engine.Engine { return nil })
	if err != nil {
		return nil, err
	}
	kept, err := storeTools(s.Store, nil)
	if err != nil {
		return nil, err
	}
	maps.Copy(worker.Tools, kept)
	return worker, nil
}

// writeTape writes a tape without secrets to a new file.
func (c *call) writeTape(settings *config.Config, tape *cassette.Tape, file string) error {
	redactor, err := newRedactor(settings, c.env)
	if err != nil {
		return err
	}
	clean, err := tape.Redact(redactor.JSON)
	if err != nil {
		return err
	}
	return cassette.WriteFile(file, clean)
}
