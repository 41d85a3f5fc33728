package cli

import (
	"context"
	"encoding/json"
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
	session, workspace, record, mode, preset string
	tools, images                            []string
	attached                                 []string // what the files hold that the task names, quoted
}

func runCommand() command {
	var r runFlags
	return command{
		name: "run", args: "TASK", does: "do a task and show the progress", least: 1, most: anyNumber, watches: true,
		more: `TASK is what you want, in your own words; - reads it from standard input. With a TASK, what is piped into rein goes below it, quoted as untrusted: git diff | rein run "review this". /NAME and what follows stands for the text of commands/NAME.md, next to rein.toml or in a folder that you trust.

@FILE in TASK attaches a file below the current folder, or below --root: a text goes below the task, an image is shown to the model. Write @"FILE" if the name has spaces, and @@ for an @ that does not name a file. What standard input holds attaches nothing.

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
		file(&r.images, "image FILE", "show the image FILE to the model"),
		list(&r.tools, "tools NAMES", "let the run use only these tools, separated by commas"),
		text(&r.session, "session S", "continue the session S; default: a new one"),
		text(&r.workspace, "workspace W", "work in the workspace W, as rein workspace list shows it"),
		text(&r.preset, "preset NAME", "start from the preset NAME, as rein preset list shows it"),
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
		if r.session, err = c.continues(ctx, l, r.session); err != nil {
			return err
		}
		task.Session = r.session
		if err := r.settle(ctx, c, l, settings, &task); err != nil {
			return err
		}
		c.tellModel(ctx, l, task)
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

// settle finds the workspace of a task and where in it this is, asks about what its folder brings, and expands a command.
func (r *runFlags) settle(ctx context.Context, c *call, l *app.App, settings *config.Config, task *rein.Task) (err error) {
	if task.Workspace, err = c.where(ctx, l, settings, r.workspace, r.session); err != nil {
		return err
	}
	if task.Workspace != "" || r.session == "" { // else it is that of the session
		if task.Folder, err = c.folderIn(ctx, l, task.Workspace); err != nil {
			return err
		}
		if err := c.settleTrust(ctx, l, *task); err != nil {
			return err
		}
	}
	if err := c.expand(ctx, l, task); err != nil {
		return err
	}
	return r.append(task)
}

// append adds what the task's files hold, after a command was expanded: it fills in what a person typed, and not what a
// file says.
func (r *runFlags) append(task *rein.Task) error {
	m := &task.Messages[len(task.Messages)-1]
	m.Text = strings.Join(append([]string{m.Text}, r.attached...), "\n\n")
	if len(m.Text) > maxTask {
		return tooLong()
	}
	return nil
}

func tooLong() error {
	return usagef("the task has more than %s: put it in a file, and ask for the file to be read", units.Size(maxTask))
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
	message, err := r.message(c)
	if err != nil {
		return rein.Task{}, err
	}
	task, err := r.settled(c, settings)
	task.Messages = []rein.Message{message}
	return task, err
}

// settled is the task without what is to be done.
func (r *runFlags) settled(c *call, settings *config.Config) (rein.Task, error) {
	tools, err := c.offered(settings, r.tools, r.workspace)
	if err != nil {
		return rein.Task{}, err
	}
	task := rein.Task{Tools: tools, Session: r.session, Mode: rein.Mode(r.mode), Preset: r.preset}
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
// does, the process that starts the run reads it there, as it looks for keys of providers in its own variables.
func (c *call) says(settings *config.Config, key string) bool {
	named := c.configFile != "" || c.env.Get("REIN_CONFIG") != ""
	for _, k := range settings.Keys() {
		source := settings.Source(k.Name)
		if (k.Name == key || strings.HasPrefix(k.Name, key+".")) && (source.Flag != "" || source.Env != "" && source.Env == k.Env || source.File != "" && named) {
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

// message is what the run is to do, with the files that go with it.
func (r *runFlags) message(c *call) (rein.Message, error) {
	a := attachments{dir: c.setup().Files().Dir}
	if a.dir == "" {
		a.dir = "."
	}
	for _, name := range r.images {
		if err := a.addFile(name); err != nil {
			return rein.Message{}, err
		}
	}
	text, err := c.taskText(&a)
	if err == nil && !c.readsTask() {
		err = a.addPiped(c)
	}
	r.attached = a.blocks
	return rein.Message{Role: rein.User, Text: text, Images: a.images}, err
}

// taskText is what was typed, without the files that it names, or what standard input holds. That may have been written by
// anybody, so it attaches nothing.
func (c *call) taskText(a *attachments) (string, error) {
	text := strings.Join(c.args, " ")
	if c.readsTask() {
		var err error
		if text, err = c.input(0); err != nil {
			return "", err
		}
	} else if utf8.ValidString(text) {
		var err error
		if text, err = a.attach(text); err != nil {
			return "", err
		}
	}
	switch {
	case strings.TrimSpace(text) == "":
		return "", usagef("the task is empty: say what you want, as in rein run \"What is in this folder?\"")
	case len(text) > maxTask:
		return "", tooLong()
	case !utf8.ValidString(text):
		return "", usagef("the task is not text in UTF-8")
	}
	return text, nil
}

// noSuch says that a name means nothing, and what would.
func noSuch(noun, name string, known []string) error {
	return usagef("there is no %s %q; choose from: %s%s", noun, name, strings.Join(known, ", "), near.DidYouMean(name, known))
}
