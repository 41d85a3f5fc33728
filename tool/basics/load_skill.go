package basics

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"rein"
	"rein/internal/near"
	"rein/tool"
)

//go:embed load_skill.md
var loadSkillText string

// skillPrefix is how the texts of a task name a skill.
const skillPrefix = "skill/"

type skillArgs struct {
	Name string `json:"name" jsonschema:"the name of the skill, as it is listed" min:"1" max:"100"`
}

// LoadSkill is the tool load_skill. It gives the texts that the run was started with, so that an edit
// meanwhile changes nothing.
func LoadSkill() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "load_skill", Text: loadSkillText, Effect: rein.Pure},
		func(_ context.Context, inv rein.Invocation, args skillArgs) (rein.Done, error) {
			skills := skillNames(inv.Task)
			name := strings.TrimPrefix(strings.TrimSpace(args.Name), skillPrefix)
			switch {
			case slices.Contains(skills, name):
				return rein.Done{Text: inv.Task.Texts[skillPrefix+name], FromPerson: true}, nil
			case len(skills) == 0:
				return rein.Done{}, rein.Errorf(rein.CodeNotFound, "there are no skills: go on without")
			}
			return rein.Done{}, rein.Errorf(rein.CodeNotFound, "there is no skill %.100q; available: %s%s",
				name, strings.Join(skills, ", "), near.DidYouMean(name, skills))
		})
}

// skillNames lists the skills of a task, sorted.
func skillNames(task *rein.Task) []string {
	var names []string
	if task == nil {
		return names
	}
	for name := range task.Texts {
		if skill, ok := strings.CutPrefix(name, skillPrefix); ok {
			names = append(names, skill)
		}
	}
	slices.Sort(names)
	return names
}
