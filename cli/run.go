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
	"rein/terminal"
)

const taskHelp = `TASK is what you want, in your words; - reads it from standard input.
At a terminal the answer appears as it is written, and you are asked for what it needs.
Elsewhere standard output is the answer alone; tools, remarks and questions are told on
standard error. Without a terminal on standard input approvals are refused and questions
declined, unless --yes-to allows them or --park leaves them open.
Ctrl-C stops the run, and its work is kept; a second one does not wait for its end.`

// maxTask bounds what is read from standard input.
const maxTask = 1 << 20

func runRun(ctx context.Context, c *call) error {
	c.runs = true
	settings, err := c.checked()
	if err != nil {
		return err
	}
	task, err := c.task(settings)
	if err != nil {
		return err
	}
	if err := c.canRecord(); err != nil {
		return err
	}
	id := api.NewRunID(time.Now())
	c.starts()
	if len(c.tools) == 0 && c.workspace == "" {
		c.tellFiles()
	}
	return c.linked(ctx, func(l *app.App) error {
		if task.Workspace, err = c.where(ctx, l, settings); err != nil {
			return err
		}
		if _, err := l.Start(ctx, id, task); err != nil {
			return err
		}
		err = c.recorded(ctx, id, c.watch(l, id).follow(ctx))
		c.tellVectors(l)
		return err
	})
}

// starts says that something happens before a run says so itself. Programs that read JSON need no such
// words.
func (c *call) starts() {
	if c.json {
		c.out.Status.Mute()
	}
	c.out.Status.Wait("Starting")
}

// tellVectors says that notes will be found by meaning too, if a run was over before all vectors were made.
func (c *call) tellVectors(l *app.App) {
	if n := l.MissingVectors(); n > 0 {
		c.note("rein: %d passages of your notes have no vector yet and are found by words only; every run makes some, %s makes all now", n, c.tip("notes index"))
	}
}

// task is what was typed, and what this terminal sets: by flags, variables, or a file that was named.
// The process that starts the run completes it.
func (c *call) task(settings *config.Config) (rein.Task, error) {
	tools, err := c.offered(settings)
	if err != nil {
		return rein.Task{}, err
	}
	text, err := c.taskText()
	if err != nil {
		return rein.Task{}, err
	}
	task := rein.Task{Messages: []rein.Message{{Role: rein.User, Text: text}}, Tools: tools, Session: c.session}
	for key, set := range map[string]func(){
		"default_flow": func() { task.Flow = settings.Flow },
		"model":        func() { task.Model = settings.Model },
		"zone":         func() { task.Zone = settings.Zone },
		"language":     func() { task.Language = settings.Language },
		"budget":       func() { task.Budget = &settings.Budget },
		"tools.allow":  func() { task.Policy.Allow = settings.Tools.Policy.Allow },
		"tools.ask":    func() { task.Policy.Ask = settings.Tools.Policy.Ask },
		"tools.deny":   func() { task.Policy.Deny = settings.Tools.Policy.Deny },
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
	for _, k := range config.Keys() {
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
	section := settings.Flow
	if section == "code" {
		section = "research" // they share one
	}
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
		return "", usagef("the task has more than %s: put it in a file and let it be read", units.Size(maxTask))
	case !utf8.ValidString(text):
		return "", usagef("the task is not text in UTF-8")
	}
	return text, nil
}

// noSuch says that a name means nothing, and what would.
func noSuch(noun, name string, known []string) error {
	return usagef("there is no %s %q; there is: %s%s", noun, name, strings.Join(known, ", "), near.DidYouMean(name, known))
}

const resumeHelp = `Goes on with a run that was paused or interrupted, that waits for you, or whose answer was
recorded with rein answer, and follows it as rein run does. A run that was told to stop and
has not ended yet ends.`

func runResume(ctx context.Context, c *call) error {
	c.runs = true
	if _, err := c.checked(); err != nil {
		return err
	}
	id := rein.RunID(c.args[0])
	c.starts()
	return c.linkedTo(ctx, func(l *app.App) error {
		info, err := l.Run(ctx, id)
		if err != nil {
			return c.noRun(err)
		}
		if info.Status.Ended() {
			return c.finished(info)
		}
		w := c.watch(l, id)
		if err := w.catchUp(ctx); err != nil {
			return err
		}
		if w.ending = info.Ending != ""; w.ending && !c.json {
			w.timeline.Remark("", terminal.Ask, "it is "+terminal.StatusWord(info)+", so it does not go on")
		}
		if err := l.Resume(ctx, id); err != nil && rein.CodeOf(err) != rein.CodeFinished {
			return err
		}
		return w.follow(ctx)
	})
}

// catchUp passes over what happened before, and takes up what is still open.
func (w *watcher) catchUp(ctx context.Context) error {
	for {
		page, err := w.link.Events(ctx, w.root, w.cursor, true)
		if err != nil {
			return err
		}
		for _, line := range page.Lines {
			e := line.Event
			if e == nil {
				continue
			}
			w.timeline.Recall(*e)
			if e.Run == w.root && e.Kind.Command() == rein.CommandMessage {
				w.mail = true
			}
		}
		w.cursor = page.Next
		if !page.More {
			break
		}
	}
	runs, err := w.link.Runs(ctx, api.RunQuery{Tree: w.root, Status: api.Unfinished, Limit: api.MaxLimit})
	if err != nil {
		return err
	}
	for _, info := range runs.Runs {
		w.idle[info.ID] = info.ID != w.root && info.Status != rein.StatusRunning && info.Status != rein.StatusReady
	}
	asks, err := w.link.Asks(ctx, api.AskQuery{Tree: w.root, State: rein.AskPending})
	if err != nil {
		return err
	}
	for _, ask := range asks {
		if err := w.opened(ctx, ask); err != nil {
			return err
		}
	}
	return nil
}
