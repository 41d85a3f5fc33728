package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rein"
	"rein/replay/cassette"
)

// canRecord wants the file of --record to be a new one, before anything is started.
func canRecord(file string) error {
	if file == "" {
		return nil
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return usagef("--record %s: the file exists already: name a new one", file)
	}
	return nil
}

// recorded writes the run to the file of --record, if there is one, and keeps what following it came
// to.
func (c *call) recorded(ctx context.Context, file string, run rein.RunID, followed error) error {
	if _, away := errors.AsType[left](followed); file == "" || away {
		return followed
	}
	tape, err := c.tape(ctx, run)
	if err == nil && !tape.Ended() {
		err = fmt.Errorf("run %s has not ended, so it is not recorded: %s does it later", run, c.tip("replay --save DIR "+string(run)))
	}
	if err == nil {
		err = c.setup().WriteTape(ctx, tape, file)
	}
	switch {
	case err == nil:
		if !c.json {
			c.note("recorded in %s", safe(file))
		}
	case followed == nil:
		return err
	default:
		c.note("rein: %s", safe(err.Error()))
	}
	return followed
}

// tape makes a tape of a run in the data folder.
func (c *call) tape(ctx context.Context, run rein.RunID) (*cassette.Tape, error) {
	s, err := c.setup().Read(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	tape, err := c.setup().Tape(ctx, s, run)
	return tape, c.unknownRun(err, s.Place)
}
