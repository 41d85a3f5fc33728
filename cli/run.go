package cli

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"rein"
	"rein/api"
	"rein/app"
	"rein/app/config"
	"rein/internal/near"
	"rein/internal/units"
)

// runFlags are the flags of rein run alone.
type runFlags struct {
	session, workspace, record, mode string
	tools                            []string
}

func runCommand() command {
	var r runFlags
	return command{
		name: "run", args: "TASK", does: "do a task and show the progress", least: 1, most: anyNumber, watches: true,
		more: `TASK is what you want, in your own words; - reads it from standard input.

At a terminal the answer appears as it is written, and rein asks you when the run needs something. Elsewhere, standard output is the answer alone; tools, remarks and questions go to standard error. Without a terminal on standard input, rein refuses approvals and declines questions, unless --yes-to allows them or --park leaves them open.

At a terminal, a background process drives the run, and rein run follows it. So the run continues if you leave with Ctrl-\, close the terminal or log out; rein resume follows it again. --foreground, or a standard output that is not a terminal, drives it in this process.

Ctrl-C stops the run and keeps its work. A second Ctrl-C leaves without waiting for the end.`,
		flags: r.flags, run: r.run,
	}
}

func (r *runFlags) flags(c *call) []flagDef {
	return joinFlags([]flagDef{
		text(&c.flow, "flow F", "the flow, which is the way of working; default: default_flow in the settings"),
		modelFlag(c),
		list(&r.tools, "tools NAMES", "let the run use only these tools, separated by commas"),
		text(&r.session, "session S", "continue the session S; default: a new one"),
		text(&r.workspace, "workspace W", "work in the workspace W, as rein workspace list shows it"),
		text(&r.mode, "mode M", "how much the session asks you: plan, ask, edits or sandbox; default: the mode of the session, or approvals.mode in the settings"),
		text(&r.record, "record FILE", "write all that happened to the new file FILE, for rein replay"),
	}, watchFlags(c))
}

// maxTask bounds what is read from standard input.
const maxTask = 1 << 20

func (r *runFlags) run(ctx context.Context, c *call) error {
	c.runs = true
	settings, err := c.checked()
	if err != nil {
		return err
	}
	task, err := r.task(c, settings)
	if err != nil {
		return err
	}
	if err := canRecord(r.record); err != nil {
		return err
	}
	id := api.NewRunID(time.Now())
	c.starts()
	if len(r.tools) == 0 && r.workspace == "" {
		c.tellFiles()
	}
	return c.linked(ctx, func(l *app.App) error {
		if task.Workspace, err = c.where(ctx, l, settings, r.workspace, r.session); err != nil {
			return err
		}
		w := c.watch(l, id)
		w.start = &task
		err = w.follow(ctx)
		if w.start == nil { // else it did not start
			err = c.recorded(ctx, r.record, id, err)
			c.tellVectors(ctx, l)
		}
		return err
	})
}

// starts shows that something happens before a run says so itself. Programs that read JSON need no such
// words.
func (c *call) starts() {
	if c.json {
		c.out.Status.Mute()
	}
	c.out.Status.Wait("Starting")
}

// tellVectors says that notes will be found by meaning too, if a run was over before all vectors were made.
func (c *call) tellVectors(ctx context.Context, l *app.App) {
	n := l.MissingVectors()
	if o, err := l.Owner(ctx); !l.Owns() && err == nil {
		n = o.Missing
	}
	if n > 0 {
		c.note("rein: %d passages of your notes have no vector yet and are found by words only; every run makes some, %s makes all of them now", n, c.tip("notes index"))
	}
}

// task is what was typed, and what this terminal sets: by flags, variables, or a file that was named.
// The process that starts the run completes it.
func (r *runFlags) task(c *call, settings *config.Config) (rein.Task, error) {
	tools, err := c.offered(settings, r.tools, r.workspace)
	if err != nil {
		return rein.Task{}, err
	}
	text, err := c.taskText()
	if err != nil {
		return rein.Task{}, err
	}
	task := rein.Task{Messages: []rein.Message{{Role: rein.User, Text: text}}, Tools: tools, Session: r.session, Mode: rein.Mode(r.mode)}
	if err := task.Mode.Check(); err != nil {
		return task, usagef("--mode: %v", err)
	}
	for key, set := range map[string]func(){
		"default_flow": func() { task.Flow = settings.Flow },
		"model":        func() { task.Model = settings.Model },
		"zone":         func() { task.Zone = settings.Zone },
		"language":     func() { task.Language = settings.Language },
		"budget":       func() { task.Budget = &settings.Budget },
		"tools.allow":  func() { task.Policy.Allow = settings.Tools.Policy.Allow },
		"tools.ask":    func() { task.Policy.Ask = settings.Tools.Policy.Ask },
		"tools.deny":   func() { task.Policy.Deny = settings.Tools.Policy.Deny },
		"approvals.mode": func() {
			if r.session == "" { // else it is that of the session
				task.Mode = task.Mode.Or(settings.Approvals.Mode)
			}
		},
	} {
		if c.says(settings, key) {
			set()
		}
	}
	task.Settings, err = c.flowSettings(settings)
	return task, err
}

// says reports whether this terminal sets a key, or one below it: if only rein.toml in its usual place
// does, the process that starts the run reads it there.
func (c *call) says(settings *config.Config, key string) bool {
	named := c.configFile != "" || c.env.Get("REIN_CONFIG") != ""
	for _, k := range settings.Keys() {
		source := settings.Source(k.Name)
		if (k.Name == key || strings.HasPrefix(k.Name, key+".")) && (source.Flag != "" || source.Env != "" || source.File != "" && named) {
			return true
		}
	}
	return false
}

// flowSettings are those of the flow that this terminal sets; nil: none.
func (c *call) flowSettings(settings *config.Config) (json.RawMessage, error) {
	full, err := settings.Settings(settings.Flow)
	if err != nil || full == nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(full, &all); err != nil {
		return nil, err
	}
	section := settings.Section(settings.Flow)
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return !c.says(settings, section+"."+name) })
	if len(all) == 0 {
		return nil, nil
	}
	return json.Marshal(all)
}

// taskText is what was typed, or what standard input holds.
func (c *call) taskText() (string, error) {
	text := strings.Join(c.args, " ")
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(c.stdin, maxTask+1))
		if err != nil {
			return "", err
		}
		text = string(data)
	}
	switch {
	case strings.TrimSpace(text) == "":
		return "", usagef("the task is empty: say what you want, as in rein run \"What is in this folder?\"")
	case len(text) > maxTask:
		return "", usagef("the task has more than %s: put it in a file, and ask for the file to be read", units.Size(maxTask))
	case !utf8.ValidString(text):
		return "", usagef("the task is not text in UTF-8")
	}
	return text, nil
}

// noSuch says that a name means nothing, and what would.
func noSuch(noun, name string, known []string) error {
	return usagef("there is no %s %q; choose from: %s%s", noun, name, strings.Join(known, ", "), near.DidYouMean(name, known))
}
