package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/sandbox/sandboxtest"
	"rein/tool/reach"
	"rein/tool/shell"
	"rein/tool/shell/verdict"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

var report = sandboxtest.Report

// A rig is a workspace with the tools of commands, as a worker uses them.
type rig struct {
	*testing.T
	root     string
	settings shell.Settings
	options  shell.Options
	granted  rein.Granted
	task     rein.Task
	policy   *reach.Policy
	say      func(string)
	approved bool // a person agreed to each call
}

func newRig(t *testing.T) *rig {
	t.Helper()
	sandboxtest.Need(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{T: t, root: root, task: rein.Task{Household: "home", User: "ann", Session: "s1"}}
	r.options = shell.Options{
		Root: root, Report: report, Settings: func() shell.Settings { return r.settings },
		Trusts: func(*rein.Task) bool { return true },
	}
	r.reaches(reach.Options{Household: "home", Root: root})
	return r
}

func (r *rig) reaches(o reach.Options) {
	r.Helper()
	var err error
	if r.policy, err = reach.New(o); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) rules(texts ...string) {
	r.Helper()
	for _, text := range texts {
		rule, err := verdict.ParseRule(text)
		if err != nil {
			r.Fatal(err)
		}
		r.settings.Rules = append(r.settings.Rules, rule)
	}
}

func (r *rig) write(name, text string) {
	r.Helper()
	path := filepath.Join(r.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) tool() rein.Tool {
	r.Helper()
	t, err := shell.New(r.options).ExecuteCommand()
	if err != nil {
		r.Fatal(err)
	}
	return t
}

func (r *rig) invocation(args map[string]any) rein.Invocation {
	r.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		r.Fatal(err)
	}
	return rein.Invocation{Run: "r1", Step: "1", Key: "r1:1", Args: raw, Task: &r.task, Reach: r.policy.For(&r.task), Granted: r.granted, Say: r.say, Approved: r.approved}
}

func (r *rig) show(args map[string]any) (rein.Shown, error) {
	r.Helper()
	return r.tool().Show(r.Context(), r.invocation(args))
}

// shown is show for a call that can be shown.
func (r *rig) shown(args map[string]any) rein.Shown {
	r.Helper()
	shown, err := r.show(args)
	if err != nil {
		r.Fatalf("%v: %v", args, err)
	}
	return shown
}

// do carries out a call as it was shown.
func (r *rig) do(ctx context.Context, args map[string]any, shown rein.Shown) (rein.Done, error) {
	r.Helper()
	pinned := map[string]any{"plan": shown.Pin["plan"]}
	for k, v := range args {
		pinned[k] = v
	}
	return r.tool().Do(ctx, r.invocation(pinned))
}

// run shows a line and carries it out.
func (r *rig) run(args map[string]any) (string, shell.Ran) {
	r.Helper()
	done, err := r.do(r.Context(), args, r.shown(args))
	if err != nil {
		r.Fatalf("%v: %v", args, err)
	}
	var ran shell.Ran
	if err := json.Unmarshal(done.Data, &ran); err != nil {
		r.Fatal(err)
	}
	return done.Text, ran
}

func line(command string) map[string]any { return map[string]any{"command": command} }

func (r *rig) has(text string, parts ...string) {
	r.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			r.Errorf("%q is not in:\n%s", part, text)
		}
	}
}
