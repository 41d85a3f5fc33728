package basics

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/internal/near"
	"rein/internal/skill"
	"rein/tool"
)

//go:embed load_skill.md
var loadSkillText string

type skillArgs struct {
	Name string `json:"name" jsonschema:"the name of the skill, as it is listed" min:"1" max:"100"`
	File string `json:"file,omitempty" jsonschema:"a file of the skill to read, as the skill lists it; default: its instructions" max:"500"`
}

// SkillFiles returns a file of a skill of a run by its sum.
type SkillFiles func(ctx context.Context, task *rein.Task, p skill.Parts, sum string) ([]byte, error)

// LoadSkill is the tool load_skill. It gives the texts that the run was started with, so that an edit
// meanwhile changes nothing.
func LoadSkill(files SkillFiles) (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "load_skill", Family: "basics", Text: loadSkillText, Effect: rein.Pure},
		func(ctx context.Context, inv rein.Invocation, args skillArgs) (rein.Done, error) {
			skills := skill.Names(inv.Task)
			name := skillName(args.Name)
			switch {
			case slices.Contains(skills, name):
				return loadSkill(ctx, inv.Task, files, name, args.File)
			case len(skills) == 0:
				return rein.Done{}, rein.Errorf(rein.CodeNotFound, "there are no skills: go on without")
			}
			return rein.Done{}, rein.Errorf(rein.CodeNotFound, "there is no skill %.100q; available: %s%s",
				name, strings.Join(skills, ", "), near.DidYouMean(name, skills))
		})
}

// SkillOf returns the skill that a call of load_skill names, if it loads its instructions.
func SkillOf(args json.RawMessage) string {
	var a skillArgs
	if json.Unmarshal(args, &a) != nil || a.File != "" {
		return ""
	}
	return skillName(a.Name)
}

func skillName(given string) string {
	return strings.TrimPrefix(strings.TrimSpace(given), skill.TextPrefix)
}

func loadSkill(ctx context.Context, task *rein.Task, files SkillFiles, name, file string) (rein.Done, error) {
	parts, _ := skill.PartsOf(task, name)
	if file == "" {
		return rein.Done{Text: task.Texts[skill.TextPrefix+name] + about(parts), FromPerson: true}, nil
	}
	found, ok := parts.File(file)
	if !ok {
		paths := pathsOf(parts)
		return rein.Done{}, rein.Errorf(rein.CodeNotFound, "the skill %q has no file %.200q; available: %s%s", name, file, orNone(paths), near.DidYouMean(file, paths))
	}
	if files == nil {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "files of skills cannot be read here")
	}
	data, err := files(ctx, task, parts, found.Sum)
	if err != nil {
		return rein.Done{}, err
	}
	if !utf8.Valid(data) {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%s is not a text: it has %d bytes", file, len(data))
	}
	return rein.Done{Text: string(data), FromPerson: true}, nil
}

// about is what a model reads after the instructions of a skill: its files and tools.
func about(p skill.Parts) string {
	var lines []string
	if len(p.Files) > 0 {
		lines = append(lines, fmt.Sprintf("Files of this skill, which load_skill {\"name\":%q,\"file\":…} reads: %s", p.Skill, strings.Join(pathsOf(p), ", ")))
	}
	for _, t := range p.Tools {
		lines = append(lines, "Tool of this skill: "+t.Name)
	}
	if p.Allowed != nil {
		lines = append(lines, "From now on you can use only the tools that this skill names: "+orNone(p.Allowed))
	}
	if lines == nil {
		return ""
	}
	return "\n\n" + strings.Join(lines, "\n")
}

func pathsOf(p skill.Parts) (paths []string) {
	for _, f := range p.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
