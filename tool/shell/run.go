package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"rein"
	"rein/internal/visible"
	"rein/sandbox"
)

// A hider is a Reach that knows what it hides below a folder.
type hider interface {
	Hidden(folder string) ([]string, error)
}

// box is the policy of the sandbox for a plan.
func (c *Commands) box(ctx context.Context, inv rein.Invocation, p *plan) (sandbox.Policy, error) {
	s := c.settings()
	box := sandbox.Policy{
		Workspace: p.Root, Network: p.Network, Limits: s.Limits, Hidden: slices.Clone(c.o.Hidden),
		ReadOnly: slices.Concat(s.Read, p.Read), Writable: slices.Concat(s.Write, p.Write),
	}
	if c.o.Git != nil && c.trusts(inv.Task) {
		box.Git = c.o.Git(ctx)
	}
	box.Limits.Time = time.Duration(p.Seconds) * time.Second
	if h, ok := inv.Reach.(hider); ok {
		for _, shown := range slices.Concat([]string{p.Root}, box.ReadOnly, box.Writable) {
			hidden, err := h.Hidden(shown)
			if err != nil {
				return box, err
			}
			box.Hidden = append(box.Hidden, hidden...)
		}
	}
	p.hold(&box)
	if err := p.fence(&box); err != nil {
		return box, err
	}
	for _, m := range sandbox.Standard { // a person agreed that it runs without the others
		if !slices.Contains(p.Missing, string(m)) {
			box.Require = append(box.Require, m)
		}
	}
	if box.Require == nil {
		box.Require = []sandbox.Mechanism{}
	}
	return box, nil
}

// fence takes away what a command that nobody approved does not need.
func (p *plan) fence(box *sandbox.Policy) error {
	switch {
	case !p.fenced:
		return nil
	case p.reads: // it has no reason to write anywhere
		box.Still, box.ReadOnly, box.Writable = true, append(box.ReadOnly, box.Writable...), nil
		if !p.searches() {
			return nil
		}
		var err error
		p.left, err = secrets(p.Root)
		box.Hidden = append(box.Hidden, p.left...)
		return err
	}
	f, err := newFence(p.Root)
	if err != nil {
		return err
	}
	p.obeyed = f.obeyed
	in := func(folders []string) func(string) bool {
		return func(path string) bool {
			return slices.ContainsFunc(folders, func(folder string) bool { return isBelow(path, folder) })
		}
	}
	box.ReadOnly = append(box.ReadOnly, slices.DeleteFunc(f.readOnly, in(box.Hidden))...)
	box.Writable = append(box.Writable, slices.DeleteFunc(f.held, in(box.Hidden))...)
	box.Writable = slices.DeleteFunc(box.Writable, in(f.readOnly))
	box.Hidden = append(box.Hidden, f.hidden...)
	return nil
}

// hold keeps the folders around what is hidden in the workspace where they are: else a command could move them away and put
// others there. Those of another owner cannot be held.
func (p *plan) hold(box *sandbox.Policy) {
	for _, hidden := range box.Hidden {
		real, err := filepath.EvalSymlinks(filepath.Dir(hidden))
		if err != nil || !isBelow(real, p.Root) {
			continue
		}
		if held, err := around(p.Root, real); err == nil {
			box.Writable = append(box.Writable, held...)
		}
	}
	slices.Sort(box.Writable)
	box.Writable = slices.Compact(box.Writable)
	box.Writable = slices.DeleteFunc(box.Writable, func(path string) bool {
		return slices.ContainsFunc(box.Hidden, func(h string) bool { return isBelow(path, h) })
	})
}

// isBelow reports whether a path is another one, or in it.
func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// run runs a plan to its end.
func (c *Commands) run(ctx context.Context, inv rein.Invocation, p *plan) (rein.Done, error) {
	box, err := c.box(ctx, inv, p)
	if err != nil {
		return rein.Done{}, err
	}
	watch, err := c.begin(ctx, inv)
	if err != nil {
		return rein.Done{}, rein.Errorf(rein.CodeOf(err), "the command did not run: %w", err)
	}
	out := &output{say: inv.Say}
	result, err := c.wait(ctx, p, box, out)
	changes, watched := watch.End(context.WithoutCancel(ctx))
	p.lookAgain()
	if err != nil {
		return rein.Done{}, err
	}
	if watched != nil {
		return rein.Done{}, fmt.Errorf("%w: the command ran, but what it changed is not known: %v", rein.ErrOutcomeUnknown, watched)
	}
	return c.report(p, box.Limits, result, out, changes)
}

// lookAgain finds what a command in a fence made that runs or is obeyed later.
func (p *plan) lookAgain() {
	if p.obeyed == nil {
		return
	}
	now, err := obeyedIn(p.Root)
	if err != nil {
		p.unseen = true
		return
	}
	for name, to := range now {
		if was, ok := p.obeyed[name]; !ok || was != to {
			p.made = append(p.made, filepath.ToSlash(name))
		}
	}
	slices.Sort(p.made)
}

// mostMade is how many such files are named.
const mostMade = 10

// warning is what the result says of them.
func (p *plan) warning() string {
	switch n := len(p.made); {
	case p.unseen:
		return "\nWhether it made files that a program runs or an agent obeys later cannot be seen: the workspace has too many files by now."
	case n > 0:
		named := make([]string, 0, mostMade)
		for _, name := range p.made[:min(n, mostMade)] {
			named = append(named, visible.Short(name, 80))
		}
		if n > mostMade {
			named = append(named, fmt.Sprintf("and %d more", n-mostMade))
		}
		return "\nNobody approved this: it made what a program runs or an agent obeys later: " + strings.Join(named, ", ") + "."
	}
	return ""
}

// wait starts a command and waits until it and all that it started have ended.
func (c *Commands) wait(ctx context.Context, p *plan, box sandbox.Policy, out *output) (sandbox.Result, error) {
	proc, err := sandbox.Start(ctx, c.o.Report(), box, sandbox.Command{Argv: p.Shell.Argv(p.Run), Dir: p.Dir, Env: p.env, Stdout: out, Stderr: out})
	if err != nil {
		return sandbox.Result{}, notStarted(ctx, err)
	}
	result, err := proc.Wait()
	if err != nil {
		return result, fmt.Errorf("%w: %v", rein.ErrOutcomeUnknown, err)
	}
	return result, nil
}

// inBackground starts a command and returns its handle.
func (c *Commands) inBackground(ctx context.Context, inv rein.Invocation, p *plan, line string) (rein.Done, error) {
	box, err := c.box(ctx, inv, p)
	if err != nil {
		return rein.Done{}, err
	}
	watch, err := c.begin(ctx, inv)
	if err != nil {
		return rein.Done{}, rein.Errorf(rein.CodeOf(err), "the command did not run: %w", err)
	}
	job, err := c.o.Jobs.start(inv, Job{Command: line, Cwd: p.cwd(), Seconds: p.Seconds}, watch, func(ctx context.Context, log *jobLog) (*sandbox.Process, error) {
		return sandbox.Start(ctx, c.o.Report(), box, sandbox.Command{Argv: p.Shell.Argv(p.Run), Dir: p.Dir, Env: p.env, Stdout: log, Stderr: log})
	})
	if err != nil {
		return rein.Done{}, notStarted(ctx, err)
	}
	data, err := json.Marshal(Ran{Cwd: job.Cwd, Handle: job.Handle})
	text := fmt.Sprintf("The command runs in the background with the handle %s.\nmonitor_log {\"handle\":%q} shows its output, stop_command {\"handle\":%q} ends it.", job.Handle, job.Handle, job.Handle)
	return rein.Done{Text: text, Data: data}, err
}

// cwd is the folder of a plan, relative to the workspace.
func (p *plan) cwd() string {
	cwd, err := filepath.Rel(p.Root, p.Dir)
	if err != nil {
		return p.Dir
	}
	return filepath.ToSlash(cwd)
}

// notStarted is the error of a command that did not begin.
func notStarted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if known, ok := errors.AsType[*rein.Error](err); ok {
		return known
	}
	if missing, ok := errors.AsType[*sandbox.MissingError](err); ok {
		return rein.Errorf(rein.CodeUnavailable, "the command did not run: %w", missing)
	}
	return rein.Errorf(rein.CodeInternal, "the command did not run: %w", err)
}

// report is what the model reads of a command that has ended. One that was cut is no result: nobody knows how far it got.
func (c *Commands) report(p *plan, limits sandbox.Limits, r sandbox.Result, out *output, changes Changes) (rein.Done, error) {
	ran := Ran{Exit: r.ExitCode, Ended: r.Ended, Cwd: p.cwd(), Millis: r.Wall.Milliseconds(), Bytes: out.total(), Obeyed: p.made[:min(len(p.made), mostMade)]}
	text := headline(ran, r.Signal, limits) + p.warning()
	if changes.Text != "" {
		text += "\n" + changes.Text
	}
	if n := len(p.left); n > 0 {
		first, _ := filepath.Rel(p.Root, p.left[0]) // it is in there
		text += fmt.Sprintf("\nSearches leave out files with secrets: %s", visible.Short(first, 80))
		if n > 1 {
			text += fmt.Sprintf(" and %d more", n-1)
		}
		text += "."
	}
	text += "\n\n" + out.text()
	if r.Ended == sandbox.Canceled {
		return rein.Done{}, cut{text}
	}
	data, err := json.Marshal(ran)
	return rein.Done{Text: text, Data: data, Commit: changes.Commit}, err
}

// cut is the error of a command that was ended from outside, with what is known of it.
type cut struct{ text string }

func (c cut) Error() string { return c.text }
func (c cut) Unwrap() error { return rein.ErrOutcomeUnknown }

// headline says how a command ended.
func headline(r Ran, signal int, limits sandbox.Limits) string {
	took := (time.Duration(r.Millis) * time.Millisecond).String()
	where := "the workspace"
	if r.Cwd != "." {
		where = r.Cwd
	}
	after := fmt.Sprintf("after %s in %s.", took, where)
	switch {
	case r.Ended != "":
		return "The command was ended " + after + " " + ended(r.Ended, limits)
	case signal != 0:
		return fmt.Sprintf("The command was ended by signal %d (%s), exit code %d, %s", signal, syscall.Signal(signal), r.Exit, after)
	}
	return fmt.Sprintf("Exit code %d %s", r.Exit, after)
}

// ended says why a sandbox ended a command.
func ended(why string, l sandbox.Limits) string {
	switch why {
	case sandbox.Canceled:
		return "The run was interrupted."
	case sandbox.TimeLimit:
		return fmt.Sprintf("It took longer than its timeout of %s; everything that it started has ended too.", l.Time)
	case sandbox.Output:
		return "It wrote more output than a command may."
	case sandbox.Memory:
		return "It used more memory than a command may."
	case sandbox.Written:
		return "It wrote more to the disk than a command may."
	case sandbox.DiskFull:
		return "The disk is almost full."
	}
	return strings.ToUpper(why[:1]) + why[1:] + "."
}
