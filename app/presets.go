package app

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/app/config"
	"rein/household/presets"
	"rein/internal/near"
	"rein/server"
)

// A presetBook has the presets that people can start from: those of the settings, and those that were saved.
type presetBook struct{ *owner }

var _ server.Presets = presetBook{}

func (o *owner) saved() presets.Book { return presets.Book{Tables: o.store} }

// List returns what a person can start from, by name. Those of the settings hide others of their name.
func (b presetBook) List(ctx context.Context, who rein.Identity) ([]api.Preset, error) {
	settings, _ := b.live.now()
	all := []api.Preset{}
	for _, name := range slices.Sorted(maps.Keys(settings.Presets)) {
		p := settings.Presets[name]
		all = append(all, api.Preset{Name: name, About: p.About, From: api.PresetSettings, Task: p.Task(settings.Budget)})
	}
	saved, err := b.saved().List(ctx, who.Household, who.User)
	for _, p := range saved {
		if !slices.ContainsFunc(all, func(has api.Preset) bool { return has.Name == p.Name }) {
			all = append(all, presetOf(p))
		}
	}
	slices.SortStableFunc(all, func(a, b api.Preset) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

func presetOf(p presets.Preset) api.Preset {
	from := api.PresetOwn
	if p.User == "" {
		from = api.PresetShared
	}
	return api.Preset{Name: p.Name, About: p.About, From: from, By: p.By, Changed: p.Changed, Task: p.Task}
}

// Find returns one of them.
func (b presetBook) Find(ctx context.Context, who rein.Identity, name string) (api.Preset, error) {
	all, err := b.List(ctx, who)
	for _, p := range all {
		if p.Name == name {
			return p, err
		}
	}
	if err == nil {
		err = noPreset(rein.CodeNotFound, name, all)
	}
	return api.Preset{}, err
}

func noPreset(code rein.Code, name string, all []api.Preset) error {
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return rein.Errorf(code, "there is no preset %.80q; available: %s%s", name, orNone(names), near.DidYouMean(name, names))
}

// Save keeps what a run works with, or a task, under a name. Only admins save for the household.
func (b presetBook) Save(ctx context.Context, who rein.Identity, shared bool, name string, want api.NewPreset) (api.Preset, error) {
	p := presets.Preset{Household: who.Household, User: who.User, Name: name, About: want.About, Run: want.Run, By: who.User}
	if err := b.mayChange(who, shared, name); err != nil {
		return api.Preset{}, err
	}
	if shared {
		p.User = ""
	}
	task, err := b.taskFor(ctx, who, want)
	if err != nil {
		return api.Preset{}, err
	}
	// What is a secret is not kept in the clear, as of all that is recorded.
	data, err := json.Marshal(task)
	if err == nil {
		data, _, _ = b.known.of(who.Household, who.User).JSON(data)
		err = json.Unmarshal(data, &p.Task)
	}
	if err != nil {
		return api.Preset{}, err
	}
	p, err = b.saved().Save(ctx, p)
	return presetOf(p), err
}

// taskFor is what a preset is made of.
func (b presetBook) taskFor(ctx context.Context, who rein.Identity, want api.NewPreset) (rein.Task, error) {
	switch {
	case (want.Run == "") == (want.Task == nil):
		return rein.Task{}, rein.Errorf(rein.CodeInvalid, "name a run to save, or send a task: one of run and task")
	case want.Task != nil:
		task := presets.Of(*want.Task)
		for _, m := range want.Task.Messages {
			if m.Role == rein.User && m.Text != "" {
				task.Messages = append(task.Messages, rein.Message{Role: rein.User, Text: m.Text})
			}
		}
		return task, b.checkPreset(task)
	}
	info, err := b.store.Run(ctx, want.Run)
	if rein.CodeOf(err) == rein.CodeNotFound || err == nil && !who.Sees(info.Household, info.User) {
		return rein.Task{}, rein.Errorf(rein.CodeNotFound, "there is no run %.80q", string(want.Run))
	}
	if err != nil {
		return rein.Task{}, err
	}
	if info.Erased {
		return rein.Task{}, rein.Errorf(rein.CodeFinished, "run %s was erased: nothing of it can be saved", want.Run)
	}
	first, err := b.store.Event(ctx, want.Run, 1)
	if err != nil {
		return rein.Task{}, err
	}
	start, err := rein.Payload[rein.RunStart](first)
	if err != nil {
		return rein.Task{}, err
	}
	task := presets.Of(start.Task)
	return task, b.checkPreset(task)
}

// checkPreset refuses a flow that people do not start.
func (b presetBook) checkPreset(task rein.Task) error {
	kinds := b.setup.kinds()
	if task.Flow != "" && !slices.Contains(kinds.Names(), task.Flow) || kinds.IsBackground(task.Flow) {
		return rein.Errorf(rein.CodeInvalid, "flow %.80q cannot be a preset; available: %s", task.Flow, strings.Join(kinds.Names(), ", "))
	}
	return nil
}

// Remove removes one that was saved.
func (b presetBook) Remove(ctx context.Context, who rein.Identity, shared bool, name string) error {
	if err := b.mayChange(who, shared, name); err != nil {
		return err
	}
	user := who.User
	if shared {
		user = ""
	}
	return b.saved().Remove(ctx, who.Household, user, name)
}

func (b presetBook) mayChange(who rein.Identity, shared bool, name string) error {
	settings, _ := b.live.now()
	_, set := settings.Presets[name]
	switch {
	case !who.May(rein.ScopeAct):
		return rein.Errorf(rein.CodeForbidden, "this needs the scope %q", rein.ScopeAct)
	case shared && !who.May(rein.ScopeAdmin):
		return rein.Errorf(rein.CodeForbidden, "presets of the household need an owner of the household, with the scope %q; without shared you change your own", rein.ScopeAdmin)
	case set:
		return rein.Errorf(rein.CodeConflict, "preset %q is in the settings, which come first: choose another name, or change presets.%s there", name, name)
	}
	return nil
}

// fromSaved fills in what a task leaves to a preset that was saved, and takes its name off: the settings do not have it. A
// fork has all of it from the run that it leaves.
func (o *owner) fromSaved(ctx context.Context, settings *config.Config, task rein.Task) (rein.Task, error) {
	name := task.Preset
	if _, set := settings.Presets[name]; set || name == "" {
		return task, nil
	}
	task.Preset = ""
	if task.Fork != nil {
		return task, nil
	}
	who := rein.Identity{Household: task.Household, User: task.User}
	if who.User == "" {
		who.User = rein.FirstUser
	}
	p, err := o.saved().Find(ctx, who.Household, who.User, name)
	if rein.CodeOf(err) == rein.CodeNotFound {
		all, err := presetBook{o}.List(ctx, who)
		if err == nil {
			err = noPreset(rein.CodeInvalid, name, all)
		}
		return task, err
	}
	if err != nil {
		return task, err
	}
	preset := o.within(settings, &task, p)
	task = filled(task, preset)
	if task.Texts == nil {
		task.Texts = preset.Texts
	}
	if task.Language == "" {
		task.Language = preset.Language
	}
	if len(preset.Settings) > 0 && task.Flow == preset.Flow {
		task.Settings = overlaid(preset.Settings, task.Settings)
	}
	return task, nil
}

// within returns the task of a preset as far as it holds today: tools that are gone are left out, and its budget is within
// what a run may ask for.
func (o *owner) within(settings *config.Config, task *rein.Task, p presets.Preset) rein.Task {
	preset := p.Task
	if preset.Tools != nil {
		kept := []string{}
		for _, name := range preset.Tools {
			if _, known := o.worker.Tool(task, name); known {
				kept = append(kept, name)
			} else {
				task.Notices = append(slices.Clone(task.Notices), fmt.Sprintf("preset %s: tool %s is not there any more", p.Name, name))
			}
		}
		preset.Tools = kept
	}
	if preset.Budget != nil {
		budget := *preset.Budget
		parts, most := budget.Parts(), settings.Limits.Run.Parts()
		for i := range parts {
			parts[i] = min(parts[i], most[i])
		}
		budget.Amount, budget.Depth = rein.AmountOf(parts), min(budget.Depth, settings.Limits.Run.Depth)
		preset.Budget = &budget
	}
	return preset
}
