package app

import (
	"context"
	"maps"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/app/config"
	"rein/app/texts"
	"rein/flow/kit"
	"rein/internal/skill"
	"rein/sandbox"
	"rein/tool/basics"
	skilltool "rein/tool/skill"
)

// ownTexts reads the user's own texts as they are now.
func (o *owner) ownTexts() (texts.Own, error) {
	settings, _ := o.live.now()
	if settings.Texts == "" {
		return texts.Own{}, nil
	}
	return texts.Load(settings.Texts, settings.PromptFiles(), o.setup.kinds().CheckText)
}

// IsSkillTool reports whether a name is one that tools of skills have. Which there are, each run finds out.
func IsSkillTool(name string) bool { return strings.HasPrefix(name, skill.Family+".") }

func skillNames(skills []skill.Skill) (names []string) {
	for _, s := range skills {
		names = append(names, s.Name)
	}
	return names
}

// An outfit is a task that is given the texts and skills that its run works with.
type outfit struct {
	task  *rein.Task
	files map[string][]byte // of skills, by their sums
	tools []skill.Tool      // that skills bring
}

// addSkills gives the task skills.
func (f *outfit) addSkills(skills []skill.Skill, hash string) error {
	for _, s := range skills {
		s.Parts.Trust = hash
		f.task.Texts[skill.TextPrefix+s.Name] = s.Text
		if s.Parts.IsEmpty() {
			continue
		}
		text, err := s.Parts.Text()
		if err != nil {
			return err
		}
		f.task.Texts[skill.PartsPrefix+s.Name] = text
		for _, file := range s.Parts.Files {
			f.files[file.Sum] = s.Data[file.Path]
		}
		f.tools = append(f.tools, s.Parts.Tools...)
	}
	return nil
}

// maxUntrusted is how much of instructions that nobody trusts a model sees, in bytes.
const maxUntrusted = 16 << 10

// equip gives a task its texts: the user's own, unless it brings some, and what the folder of its workspace brings. It
// returns the tools that its skills have.
func (o *owner) equip(ctx context.Context, task *rein.Task, w rein.Workspace, isAlone bool) ([]skill.Tool, error) {
	brought := skill.Strip(task.Texts)
	task.Texts, task.Notices = maps.Clone(brought), slices.Clone(task.Notices)
	if task.Texts == nil {
		task.Texts = map[string]string{}
	}
	f := outfit{task: task, files: map[string][]byte{}}
	var taken []string
	if brought == nil {
		own, err := o.ownTexts()
		if err != nil {
			return nil, err
		}
		maps.Copy(task.Texts, own.Texts)
		task.Notices = append(task.Notices, own.Notices...)
		if err := f.addSkills(own.Skills, ""); err != nil {
			return nil, err
		}
		taken = skillNames(own.Skills)
	}
	if !isAlone {
		if err := o.addFolder(ctx, &f, w, taken); err != nil {
			return nil, err
		}
	}
	if len(task.Texts) == 0 {
		task.Texts = nil
	}
	return f.tools, o.folders().book.Keep(ctx, f.files)
}

// addFolder adds what the folder of a workspace brings: as it is meant to be, if somebody trusts it, and otherwise its
// instructions alone, as text that nobody obeys.
func (o *owner) addFolder(ctx context.Context, f *outfit, w rein.Workspace, taken []string) error {
	b, err := o.folders().look(ctx, w, f.task.Folder, taken)
	if err == nil {
		err = o.peers.adopt(ctx, w, f.task.Folder, b)
	}
	if err != nil {
		return err
	}
	if !b.isTrusted() {
		for _, i := range b.Instructions {
			f.task.Texts[kit.UntrustedPrefix+i.File] = rein.Clip(i.Text, maxUntrusted)
		}
		if notice := b.notice(w); notice != "" {
			f.task.Notices = append(f.task.Notices, notice)
		}
		if b.state == api.TrustNothing {
			f.addProblems(b)
		}
		return nil
	}
	for _, i := range b.Instructions {
		name, text := i.Rule()
		f.task.Texts[name] = text
	}
	maps.Copy(f.task.Texts, b.Rules)
	f.addProblems(b)
	return f.addSkills(b.Skills, b.hash)
}

const maxProblems = 10

func (f *outfit) addProblems(b bringing) {
	for i, problem := range b.Problems {
		if i == maxProblems {
			return
		}
		f.task.Notices = append(f.task.Notices, "of the workspace's folder, "+problem)
	}
}

// forkTexts are the texts of a task that is a fork: of skills it has what the run has that it leaves, whatever the caller
// says.
func (o *owner) forkTexts(ctx context.Context, task rein.Task) (map[string]string, error) {
	told := skill.Strip(task.Texts)
	e, err := o.store.Event(ctx, task.Fork.Run, 1)
	if err != nil || e.Erased {
		return told, nil // the engine says what is wrong with it
	}
	start, err := rein.Payload[rein.RunStart](e)
	if err != nil {
		return nil, err
	}
	texts := maps.Clone(told)
	for name, text := range start.Task.Texts {
		if _, known := skill.Strip(start.Task.Texts)[name]; !known {
			if texts == nil {
				texts = map[string]string{}
			}
			texts[name] = text
		}
	}
	return texts, nil
}

// withSkillTools adds the tools of skills to a task whose caller selected none: those that fit its flow, and that the
// settings do not deny.
func (s *Setup) withSkillTools(settings *config.Config, task rein.Task, tools []skill.Tool) rein.Task {
	for _, t := range tools {
		looks := slices.Contains(lookingFlows, task.Flow)
		if looks && t.Effect != rein.Pure || task.Flow == "research" || settings.Tools.Policy.Denies(rein.Tool{Name: t.Name}) {
			continue
		}
		task.Tools = append(slices.Clip(task.Tools), t.Name)
	}
	return task
}

// skillTools are the tools that skills bring, for runs of this process.
func (o *owner) skillTools() *skilltool.Tools {
	book := o.folders().book
	return skilltool.New(skilltool.Options{
		Report: detect, Hidden: o.unseen(), File: book.File,
		Limits: func() sandbox.Limits {
			settings, _ := o.live.now()
			return shellSettings(settings, o.setup.env).Limits
		},
		Env: func() []string { return searchPath(o.setup.env.Get("PATH")) },
		Root: func(ctx context.Context, task *rein.Task) (string, error) {
			w, err := o.places.find(ctx, task.Workspace)
			if err != nil || w.Root == "" {
				return "", err
			}
			return RealPath(w.Root)
		},
		Allow: o.mayUseSkill,
	})
}

// mayUseSkill says why a run may not run the programs of a skill any more.
func (o *owner) mayUseSkill(ctx context.Context, task *rein.Task, p skill.Parts) error {
	if p.From == skill.FromUser {
		return nil
	}
	w, err := o.places.find(ctx, task.Workspace)
	if err != nil {
		return err
	}
	root, err := RealPath(w.Root)
	if err != nil {
		return err
	}
	trusted, err := o.folders().book.Trusted(ctx, w.Household, root, p.Trust)
	if err == nil && !trusted {
		err = rein.Errorf(rein.CodeForbidden, "the skill %q comes from a folder that is not trusted any more", p.Skill)
	}
	return err
}

// skillFile returns a file of a skill by its sum, for a run that may still use the skill.
func (o *owner) skillFile(ctx context.Context, task *rein.Task, p skill.Parts, sum string) ([]byte, error) {
	if err := o.mayUseSkill(ctx, task, p); err != nil {
		return nil, err
	}
	return o.folders().book.File(ctx, sum)
}

// narrows returns the tools that loading a skill leaves to a run.
func narrows(task *rein.Task, call rein.ToolCall) []string {
	if call.Name != loadSkill {
		return nil
	}
	p, ok := skill.PartsOf(task, basics.SkillOf(call.Args))
	if !ok || p.Allowed == nil {
		return nil
	}
	left := slices.Concat(p.Allowed, kit.SessionTools(), []string{loadSkill, requestInput, "ask_user"})
	for _, t := range p.Tools {
		left = append(left, t.Name)
	}
	return left
}
