package main

import (
	"slices"
	"strings"

	"rein"
	"rein/cmd/rein/config"
	"rein/flow"
	"rein/texts"
)

// prepare completes the task of a run before it is frozen: the settings of its flow within the
// ceilings, the texts of one's own, and the tools that go with them.
func prepare(settings *config.Config) func(rein.Task) (rein.Task, error) {
	return func(task rein.Task) (rein.Task, error) {
		if len(task.Settings) == 0 {
			var err error
			if task.Settings, err = settings.Settings(task.Flow); err != nil {
				return task, err
			}
		}
		if task.Texts == nil && settings.Texts != "" {
			own, notices, err := texts.Load(settings.Texts)
			if err != nil {
				return task, err
			}
			task.Texts, task.Notices = own, append(task.Notices, notices...)
		}
		task.Tools = toolsOf(task)
		return flow.Prepare(task, settings.Ceiling)
	}
}

// toolsOf returns the tools of a task. Asking by request_input is part of the flow strict, whatever
// tools were selected, and of no other; where there are no skills there is nothing to load.
func toolsOf(task rein.Task) []string {
	hasSkills := false
	for name := range task.Texts {
		hasSkills = hasSkills || strings.HasPrefix(name, flow.SkillPrefix)
	}
	tools := slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool {
		return name == requestInput || name == loadSkill && !hasSkills
	})
	if task.Flow == "strict" {
		tools = append(tools, requestInput)
	}
	return tools
}

const (
	requestInput = "request_input"
	loadSkill    = "load_skill"
)
