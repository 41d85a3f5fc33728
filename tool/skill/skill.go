// Package skill has the tools that skills bring: programs in the folder of a skill, described by a file. A program runs in
// the sandbox, gets its arguments as JSON on standard input, and what it prints is the result.
//
// The run's task names the program by its hash, and exactly those bytes run: they come from where they were kept when the
// run started, into a folder that only this call has. What lies on the disk by then does not matter.
package skill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/internal/skill"
	"rein/internal/visible"
	"rein/sandbox"
)

// Options are what the tools need.
type Options struct {
	Report func() sandbox.Report // of sandbox.Detect
	Limits func() sandbox.Limits
	Env    func() []string // NAME=VALUE, beside what the sandbox sets
	Hidden []string        // what no program can see, wherever it lies
	// Root finds the folder of a run's workspace.
	Root func(context.Context, *rein.Task) (string, error)
	// Allow says why a run may not use a skill any more, if it may not: somebody revoked the trust in its folder.
	Allow func(context.Context, *rein.Task, skill.Parts) error
	// File returns a file of a skill by its sum.
	File func(ctx context.Context, sum string) ([]byte, error)
}

// Tools makes the tools of skills.
type Tools struct{ o Options }

// New makes the tools of skills.
func New(o Options) *Tools { return &Tools{o} }

// slack is how much longer than its program a call may take.
const slack = 15 * time.Second

// Find finds a tool of the skills of a run.
func (t *Tools) Find(task *rein.Task, name string) (rein.Tool, bool) {
	found, parts, ok := skill.FindTool(task, name)
	if !ok {
		return rein.Tool{}, false
	}
	made := rein.Tool{
		Name: name, Description: found.About, Schema: found.Schema, Effect: found.Effect, Timeout: time.Duration(found.Seconds)*time.Second + slack,
		Approval: found.Effect != rein.Pure, Code: true,
	}
	made.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		return t.run(ctx, inv, found, parts)
	}
	made.Show = func(_ context.Context, inv rein.Invocation) (rein.Shown, error) { return show(inv, found, parts) }
	return made, true
}

// show is what a person sees who is asked about a call.
func show(inv rein.Invocation, t skill.Tool, p skill.Parts) (rein.Shown, error) {
	program, ok := p.File(t.Run)
	if !ok {
		return rein.Shown{}, rein.Errorf(rein.CodeNotFound, "the skill %q has no program %q", p.Skill, t.Run)
	}
	var args bytes.Buffer
	if err := json.Indent(&args, inv.Args, "", "  "); err != nil {
		return rein.Shown{}, rein.Errorf(rein.CodeInvalid, "the arguments cannot be read: %w", err)
	}
	lines := []string{
		fmt.Sprintf("Run %s of the skill %s (from the %s), SHA-256 %s.", visible.Line(t.Run), visible.Line(p.Skill), p.From, program.Sum),
		"Effect: " + string(t.Effect) + ". " + reachWords(t.Effect),
		"Arguments: " + visible.Lines(args.String()),
	}
	return rein.Shown{Text: strings.Join(lines, "\n")}, nil
}

func reachWords(e rein.Effect) string {
	if e == rein.Pure {
		return "In the sandbox it can read the workspace and change nothing; it has no network."
	}
	return "In the sandbox it can change the workspace and nothing else; it has no network."
}

// run runs a program to its end.
func (t *Tools) run(ctx context.Context, inv rein.Invocation, tool skill.Tool, p skill.Parts) (rein.Done, error) {
	if err := t.o.Allow(ctx, inv.Task, p); err != nil {
		return rein.Done{}, err
	}
	root, err := t.o.Root(ctx, inv.Task)
	if err != nil {
		return rein.Done{}, err
	}
	there, err := t.lay(ctx, p)
	if err != nil {
		return rein.Done{}, err
	}
	defer there.remove()
	box, err := t.box(inv, tool, root, there)
	if err != nil {
		return rein.Done{}, err
	}
	out, errs := &limited{most: maxOutput}, &limited{most: maxErrors}
	proc, err := sandbox.Start(ctx, t.o.Report(), box, sandbox.Command{
		Argv: []string{filepath.Join(there.files, filepath.FromSlash(tool.Run))}, Dir: orHere(root, there.scratch), Stdin: bytes.NewReader(inv.Args), Stdout: out, Stderr: errs,
		Env: append(t.o.Env(), "REIN_SKILL="+there.files, "REIN_KEY="+inv.Key),
	})
	if err != nil {
		return rein.Done{}, notStarted(ctx, err)
	}
	result, err := proc.Wait()
	if err != nil {
		return rein.Done{}, fmt.Errorf("%w: %v", rein.ErrOutcomeUnknown, err)
	}
	return report(tool, result, out, errs)
}

// What of a program's output is kept, in bytes. The log has it all; a model sees less.
const (
	maxOutput = 1 << 20
	maxErrors = 64 << 10
)

// box is the policy of the sandbox. A program that says it is pure gets nothing that it could write.
func (t *Tools) box(inv rein.Invocation, tool skill.Tool, root string, there *laid) (sandbox.Policy, error) {
	box := sandbox.Policy{Workspace: there.scratch, ReadOnly: []string{there.files}, Hidden: slices.Clone(t.o.Hidden), Limits: t.o.Limits()}
	box.Limits.Time = time.Duration(tool.Seconds) * time.Second
	if root == "" {
		return box, nil
	}
	if tool.Effect == rein.Pure {
		box.ReadOnly = append(box.ReadOnly, root)
	} else {
		box.Workspace = root
		for _, name := range obeyed {
			path := filepath.Join(root, name)
			if _, err := os.Lstat(path); err == nil {
				box.ReadOnly = append(box.ReadOnly, path)
			}
		}
	}
	if h, ok := inv.Reach.(interface {
		Hidden(folder string) ([]string, error)
	}); ok {
		hidden, err := h.Hidden(root)
		if err != nil {
			return box, err
		}
		box.Hidden = append(box.Hidden, hidden...)
	}
	return box, nil
}

// obeyed are what git, rein and agents run or obey: no program of a skill changes them.
var obeyed = []string{".git", ".rein", ".claude", ".mcp.json", "AGENTS.md", "CLAUDE.md"}

func orHere(root, scratch string) string {
	if root == "" {
		return scratch
	}
	return root
}

// notStarted is the error of a program that did not begin.
func notStarted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if missing, ok := errors.AsType[*sandbox.MissingError](err); ok {
		return rein.Errorf(rein.CodeUnavailable, "the program did not run: %w", missing)
	}
	return rein.Errorf(rein.CodeInternal, "the program did not run: %w", err)
}

// report is what the model reads of a program that has ended.
func report(tool skill.Tool, r sandbox.Result, out, errs *limited) (rein.Done, error) {
	if r.Ended == sandbox.Canceled {
		return rein.Done{}, fmt.Errorf("%w: the run was interrupted", rein.ErrOutcomeUnknown)
	}
	text := out.text()
	failed := r.ExitCode != 0 || r.Ended != ""
	if failed && tool.Effect == rein.Pure {
		return rein.Done{}, rein.Errorf(rein.CodeInternal, "%s\n%s\n%s", ended(r), text, errs.text())
	}
	if failed {
		text = ended(r) + "\n" + text
		if said := errs.text(); said != "" {
			text += "\n\nIt wrote to standard error:\n" + said
		}
	}
	return rein.Done{Text: text}, nil
}

func ended(r sandbox.Result) string {
	if r.Ended != "" {
		return "The program was ended: it went beyond its limit (" + r.Ended + ")."
	}
	return fmt.Sprintf("The program ended with exit code %d.", r.ExitCode)
}
