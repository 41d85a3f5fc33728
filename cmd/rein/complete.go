package main

import (
	"context"
	"slices"

	"rein"
	"rein/cmd/rein/config"
	"rein/engine"
	"rein/people"
	"rein/server/port"
	"rein/store"
)

// complete fills in what a task that came over the API leaves to the settings.
func complete(settings *config.Config, task rein.Task) rein.Task {
	if task.Flow == "" {
		task.Flow = settings.Flow
	}
	if task.Model == "" {
		task.Model = settings.Model
	}
	if task.Tools == nil {
		task.Tools = usualTools(settings, task.Flow)
	}
	if task.Budget == nil {
		budget := settings.Budget
		task.Budget = &budget
	}
	if task.Policy.IsZero() {
		task.Policy = settings.Tools.Policy
	}
	if task.Zone == "" {
		task.Zone = settings.Zone
	}
	if task.Language == "" {
		task.Language = settings.Language
	}
	return task
}

// allowedTools is all tools that there are and that the settings do not deny.
func allowedTools(settings *config.Config) []string {
	return slices.DeleteFunc(toolNames(), func(name string) bool {
		return slices.Contains(settings.Tools.Policy.Deny, name) ||
			!hasNotes(settings) && slices.Contains(noteNames(), name) || !hasFiles(settings) && slices.Contains(fileNames(), name)
	})
}

// usualTools is what a run of the flow is given if nobody names its tools. A flow that answers questions
// writes no notes.
func usualTools(settings *config.Config, flow string) []string {
	return slices.DeleteFunc(allowedTools(settings), func(name string) bool {
		return flow == "answer" && slices.Contains(noteNames(), name) && name != "find_similar" && name != "read_note"
	})
}

// taskFor is what a run of a dialect begins with.
func taskFor(settings *config.Config) func(context.Context, people.Identity, string) (rein.Task, error) {
	return func(_ context.Context, _ people.Identity, flow string) (rein.Task, error) {
		return complete(settings, rein.Task{Flow: flow}), nil
	}
}

// completer is an engine whose tasks the settings complete.
type completer struct {
	*engine.Engine
	settings *config.Config
}

var _ port.Commander = completer{}

func (c completer) Start(ctx context.Context, id rein.RunID, task rein.Task) (store.RunInfo, error) {
	return c.Engine.Start(ctx, id, complete(c.settings, task))
}

func (c completer) Say(ctx context.Context, id rein.RunID, task rein.Task, by, text string) (rein.Receipt, error) {
	return c.Engine.Say(ctx, id, complete(c.settings, task), by, text)
}
