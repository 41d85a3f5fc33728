package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rein"
	"rein/internal/units"
	"rein/replay"
	"rein/replay/cassette"
)

const replayHelp = `Plays a recorded run again, on data of its own: the flows and the engine are today's; what
models, tools and people gave comes from the recording, and nothing is asked or changed.
The new log is compared with the old one, event by event; times, epochs and the order
among parallel branches aside. The first difference is printed, and then it exits with 1.
It plays a file of rein run --record, or a run of the data folder by its name.
--save writes a run to DIR/RUN.txtar instead, as a test: replaytest.Files plays it in go test.`

func runReplay(ctx context.Context, c *call) error {
	if _, err := c.checked(); err != nil {
		return err
	}
	if c.save != "" {
		return c.saveRun(ctx, rein.RunID(c.args[0]))
	}
	var tape *cassette.Tape
	var err error
	if info, failed := os.Stat(c.args[0]); failed == nil && info.Mode().IsRegular() {
		tape, err = cassette.ReadFile(c.args[0])
	} else if id := rein.RunID(c.args[0]); id.Check() != nil {
		return fmt.Errorf("%s is neither a file nor the name of a run", c.args[0])
	} else {
		tape, err = c.tape(ctx, id)
	}
	if err != nil {
		return err
	}
	difference, err := replay.Play(ctx, tape, replay.Options{Flows: c.setup().Flows()})
	if err != nil {
		return err
	}
	return c.tellReplay(tape, difference)
}

// replayed is the outcome of a replay for programs.
type replayed struct {
	Run        rein.RunID         `json:"run"`
	Same       bool               `json:"same"`
	Runs       int                `json:"runs"`
	Events     int                `json:"events"`
	Difference *replay.Difference `json:"difference,omitempty"`
}

func (c *call) tellReplay(tape *cassette.Tape, d *replay.Difference) error {
	r := replayed{tape.Run, d == nil, len(tape.Runs()), len(tape.Events), d}
	switch {
	case c.json:
		if err := c.printJSON(r); err != nil {
			return err
		}
	case d == nil:
		c.print("same: %s, %s of %s\n", safe(string(r.Run)), units.Count(int64(r.Events), "event"), units.Count(int64(r.Runs), "run"))
	default:
		c.print("different: %s\n", safeLines(d.String()))
	}
	if d != nil {
		return errWrong
	}
	return nil
}

// saveRun makes a test of a run.
func (c *call) saveRun(ctx context.Context, run rein.RunID) error {
	tape, err := c.tape(ctx, run)
	if err != nil {
		return err
	}
	if !tape.Ended() {
		return fmt.Errorf("run %s has not ended: a test needs an end", run)
	}
	if err := os.MkdirAll(c.save, 0o700); err != nil {
		return err
	}
	file := filepath.Join(c.save, string(run)+".txtar")
	if err := c.setup().WriteTape(tape, file); err != nil {
		return err
	}
	c.print("%s\n", safe(file))
	return nil
}
