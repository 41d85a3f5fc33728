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

// replayFlags are the flags of rein replay alone.
type replayFlags struct{ save string }

func replayCommand() command {
	var r replayFlags
	return command{
		name: "replay", args: "FILE|RUN", does: "play a recorded run again and compare", least: 1, most: 1,
		more: `Plays a file that rein run --record wrote, or a run of the data folder. The flows and the engine are those of this program; what models, tools and people returned comes from the recording. Nobody is asked and nothing is changed.

The new log is compared with the old one, event by event, except for times, epochs and the order of parallel branches. rein prints the first difference and exits with 1.

With --save it plays nothing and writes the run to DIR/RUN.txtar, as a test that replaytest.Files plays in go test.`,
		flags: r.flags, run: r.run,
	}
}

func (r *replayFlags) flags(c *call) []flagDef {
	return append([]flagDef{text(&r.save, "save DIR", "write the run to a file in DIR, and do not play it")}, lookFlags(c)...)
}

func (r *replayFlags) run(ctx context.Context, c *call) error {
	if _, err := c.checked(); err != nil {
		return err
	}
	if r.save != "" {
		run, err := c.lookUp(ctx, c.args[0])
		if err != nil {
			return err
		}
		return c.saveRun(ctx, r.save, run)
	}
	options := replay.Options{Flows: c.setup().Flows()}
	var tape *cassette.Tape
	var err error
	if info, failed := os.Stat(c.args[0]); failed == nil && info.Mode().IsRegular() {
		tape, err = cassette.ReadFile(c.args[0])
	} else if id := rein.RunID(c.args[0]); id.Check() != nil {
		return fmt.Errorf("%s is neither a file nor the name of a run", c.args[0])
	} else if id, err = c.lookUp(ctx, c.args[0]); err == nil {
		tape, err = c.tape(ctx, id)
		options.OtherTools = true
	}
	if err != nil {
		return err
	}
	difference, err := replay.Play(ctx, tape, options)
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
func (c *call) saveRun(ctx context.Context, folder string, run rein.RunID) error {
	tape, err := c.tape(ctx, run)
	if err != nil {
		return err
	}
	if !tape.Ended() {
		return fmt.Errorf("run %s has not ended: a test needs an end", run)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file := filepath.Join(folder, string(run)+".txtar")
	if err := c.setup().WriteTape(ctx, tape, file); err != nil {
		return err
	}
	c.print("%s\n", safe(file))
	return nil
}
