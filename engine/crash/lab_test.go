package crash

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein/internal/labs"
)

// patience bounds every wait of the lab. Nothing takes that long unless something is wrong.
const patience = 20 * time.Second

// A trial is one scenario with processes that are killed, one after the other, and a last one that
// is not.
type trial struct {
	scenario scenario
	noGrace  bool
	skip     bool
	kills    []kill
	plant    plant         // in the processes after the first
	patience time.Duration // of the processes after the first; zero takes the lab's
}

func (tr trial) String() string {
	grace := "grace"
	if tr.noGrace {
		grace = "no grace"
	}
	answers := "happened"
	if tr.skip {
		answers = "skip"
	}
	return fmt.Sprintf("%s, %s, %v, unknown outcomes answered %q", tr.scenario.name, grace, tr.kills, answers)
}

// run returns what came of a trial. The tally is the last process's.
func (tr trial) run(t *testing.T) *result {
	r := newResult(tr)
	w := newWorld(t)
	s := spec{
		Scenario: tr.scenario.name, Dir: labs.Disk(t), Server: w.URL, NoGrace: tr.noGrace, Skip: tr.skip,
		Patience: patience,
	}
	var shop *workshop
	if tr.scenario.commands {
		shop = newWorkshop(t, s.Dir)
	}
	if tr.scenario.undoes {
		furnish(t, s.Dir)
	}
	for i, k := range append(tr.kills[:len(tr.kills):len(tr.kills)], kill{}) {
		s.Kill = k
		if i > 0 {
			s.Plant = tr.plant
			s.Patience = cmp.Or(tr.patience, patience)
		}
		p := launch(t.Context(), s)
		r.output += p.output
		if p.err != nil {
			r.broken = append(r.broken, fmt.Sprintf("process %d: %v", i+1, p.err))
		}
		if strings.Contains(p.output, "DATA RACE") { // one that is killed has no exit code for it
			r.broken = append(r.broken, fmt.Sprintf("process %d: data race", i+1))
		}
		if err := errors.Join(w.settle(), shop.settle()); err != nil {
			r.broken = append(r.broken, err.Error())
		}
		r.audit(t.Context(), s.Dir, fmt.Sprintf("after process %d", i+1))
		if !p.killed {
			r.tally = p.tally
			break // it came to its end, or it failed
		}
		r.killed++
		if tr.scenario.patient != "" {
			r.noteDoubt(t.Context(), s.Dir)
		}
	}
	w.report(r)
	r.read(t.Context(), s.Dir)
	return r
}

// A process is what became of a child.
type process struct {
	killed bool // by itself, as it was told
	tally  tally
	output string // what it wrote to standard error
	err    error
}

// launch runs this test binary as a child until it ends.
func launch(ctx context.Context, s spec) process {
	text, err := json.Marshal(s)
	if err != nil {
		return process{err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, s.Patience+patience)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^$")
	// The race detector sleeps for a second at a clean exit unless it is told not to.
	cmd.Env = append(os.Environ(), childEnv+"="+string(text), "GORACE=atexit_sleep_ms=0")
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	p := process{output: errs.String()}
	switch exit, isExit := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		p.err = fmt.Errorf("it hung and was ended: %w", ctx.Err())
	case err == nil:
		p.err = json.Unmarshal(out.Bytes(), &p.tally)
	case isExit && s.Kill.At != never && wasKilled(exit):
		p.killed = true
	default:
		p.err = fmt.Errorf("%w: %s", err, lastLine(p.output))
	}
	return p
}

func wasKilled(exit *exec.ExitError) bool {
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndex(text, "\n")+1:]
}
