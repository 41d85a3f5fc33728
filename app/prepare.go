package app

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/app/config"
	"rein/flow/kit"
	"rein/internal/near"
	"rein/internal/speech"
)

// prepare completes the task of a run before it is frozen. It is the one place where that is done,
// whoever starts the run, and it comes after the digest of what they sent: the same request is the same
// run, whatever the settings say by then.
func (o *owner) prepare(task rein.Task) (rein.Task, error) {
	settings, notice := o.live.now()
	ctx, cancel := context.WithTimeout(context.Background(), prepareLimit)
	defer cancel()
	task.Household = cmp.Or(task.Household, rein.Host().Household)
	w, err := o.places.of(ctx, task)
	if err != nil {
		return task, err
	}
	tight, err := o.places.folder(w)
	if err != nil {
		return task, rein.Errorf(rein.CodeInvalid, "the settings in the folder of workspace %q: %s", w.Name, inOneLine(err))
	}
	task.Policy = withinLoosest(settings, task.Policy)
	given := task.Policy
	if err = o.peers.fresh(ctx); err != nil {
		return task, err
	}
	preset := task.Preset
	if task, err = o.fromSaved(ctx, settings, task); err != nil {
		return task, err
	}
	selected := task.Tools != nil || settings.Presets[task.Preset].Tools != nil
	if task, err = o.setup.complete(inside(settings, w), task); err != nil {
		return task, err
	}
	task.Preset = preset
	allow := slices.DeleteFunc(slices.Clone(task.Policy.Allow), func(name string) bool { return slices.Contains(given.Allow, name) })
	if task, err = o.places.settle(ctx, task, w, tight, allow); err != nil {
		return task, err
	}
	if notice != "" {
		task.Notices = append(slices.Clone(task.Notices), notice)
	}
	kind, _ := o.setup.kinds().Find(task.Flow)
	hasTools := task.Tools != nil
	if task, err = o.withTexts(ctx, settings, task, w, kind, selected); err != nil {
		return task, err
	}
	if !selected && hasTools {
		o.peers.offer(ctx, &task) // after the folder was looked at, which may bring servers
	}
	if kind.Background {
		task.Mode = rein.ModeAsk // nobody is there who could accept a plan
	}
	if wants := notesWanted(kind, task); wants != "" && !hasNotes(inside(settings, w)) {
		task.Notices = append(task.Notices, fmt.Sprintf("%s: its settings call for %s, and there are no notes to search: name a folder with `vault`", kind.Name, wants))
	}
	task.Tools = toolsOf(task)
	o.setup.dropUnset(settings, &task)
	return o.setup.kinds().Prepare(o.setup.withoutAbsent(settings, kind.WithTools(task)), settings.Ceiling)
}

// inOneLine is an error that may have many.
func inOneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// prepareLimit is how long a task may take to be completed.
const prepareLimit = 10 * time.Second

// withTexts is the task with its texts, and with the tools that come with them. A fork keeps those of the run that it leaves.
func (o *owner) withTexts(ctx context.Context, settings *config.Config, task rein.Task, w rein.Workspace, kind kit.Kind, selected bool) (rein.Task, error) {
	if task.Fork != nil {
		texts, err := o.forkTexts(ctx, task)
		task.Texts = texts
		return task, err
	}
	tools, err := o.equip(ctx, &task, w, w.Root == "" || kind.Background)
	if err == nil && !selected && !kind.Background {
		task = o.setup.withSkillTools(settings, task, tools)
	}
	return task, err
}

// complete fills in what a task leaves to its preset and to the settings.
func (s *Setup) complete(settings *config.Config, task rein.Task) (rein.Task, error) {
	task, err := withPreset(settings, task)
	if err != nil {
		return task, err
	}
	if task.Flow == "" {
		task.Flow = settings.Flow
	}
	if task.Model == "" {
		task.Model = settings.Model
	}
	if task.Tools == nil && !s.kinds().IsBackground(task.Flow) {
		task.Tools = s.forFlow(task.Flow, s.allowedTools(settings))
	}
	if task.Budget == nil {
		budget := settings.Budget
		task.Budget = &budget
	}
	if task.Policy.IsZero() {
		task.Policy = settings.Tools.Policy
	}
	if task.Policy.Timeout == 0 && task.Policy.OnExpiry == "" { // a flag about tools says nothing of time
		task.Policy.Timeout, task.Policy.OnExpiry = settings.Tools.Policy.Timeout, settings.Tools.Policy.OnExpiry
	}
	if task.Zone == "" {
		task.Zone = settings.Zone
	}
	if task.Language == "" {
		task.Language = settings.Language
	}
	if kind, _ := s.kinds().Find(task.Flow); task.Language == "" && kind.Household {
		task.Language = speech.Of(kit.LastAsked(task.Messages))
	}
	set, err := settings.Settings(task.Flow)
	if err == nil {
		task.Settings = overlaid(set, task.Settings)
	}
	return task, err
}

// withPreset returns the task that begins as its preset does: what the task says itself holds, and its
// messages come after the preset's.
func withPreset(settings *config.Config, task rein.Task) (rein.Task, error) {
	if task.Preset == "" {
		return task, nil
	}
	p, ok := settings.Presets[task.Preset]
	if !ok {
		names := slices.Sorted(maps.Keys(settings.Presets))
		return task, rein.Errorf(rein.CodeInvalid, "there is no preset %.80q; available: %s%s", task.Preset, orNone(names), near.DidYouMean(task.Preset, names))
	}
	return filled(task, p.Task(settings.Budget)), nil
}

// filled returns a task with what it leaves to a preset.
func filled(task, preset rein.Task) rein.Task {
	task.Messages = append(slices.Clone(preset.Messages), task.Messages...)
	if task.Flow == "" {
		task.Flow = preset.Flow
	}
	if task.Model == "" {
		task.Model = preset.Model
	}
	if task.Tools == nil {
		task.Tools = slices.Clone(preset.Tools)
	}
	if task.Budget == nil {
		task.Budget = preset.Budget
	}
	return task
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// overlaid returns the settings of a flow with those in it that a caller chose. What is no table is the
// flow's to refuse.
func overlaid(set, chosen json.RawMessage) json.RawMessage {
	if len(chosen) == 0 {
		return set
	}
	var all, over map[string]json.RawMessage
	if json.Unmarshal(set, &all) != nil || json.Unmarshal(chosen, &over) != nil || over == nil {
		return chosen
	}
	for name, value := range over {
		maps.DeleteFunc(all, func(has string, _ json.RawMessage) bool { return strings.EqualFold(has, name) })
		all[name] = value
	}
	merged, err := json.Marshal(all)
	if err != nil {
		return chosen
	}
	return merged
}

// allowedTools is all tools that there are and that the settings do not deny.
func (s *Setup) allowedTools(settings *config.Config) []string {
	return slices.DeleteFunc(s.Tools(), func(name string) bool {
		return s.deniedBy(settings, name) || !isPresent(name) ||
			!hasNotes(settings) && slices.Contains(NoteTools(), name) || !hasFiles(settings) && slices.Contains(append(FileTools(), CommandTools()...), name) ||
			!hasNotes(settings) && !hasFiles(settings) && slices.Contains(undoTools, name) || s.MissingWeb(settings, name) != ""
	})
}

// forFlow chooses the tools of a run that selects none. Of the two names of what reads files, the flow code sees those of
// the family codebase, all others the plain ones; files are changed, and commands run, only in flows that act. Whoever selects tools can
// have any. Research gets none that look into code: it refuses them anyway, and so they are not offered. The search of the web has the
// name search_web for the flow operate, and web.search for all others.
func (s *Setup) forFlow(flow string, tools []string) []string {
	plain := []string{"grep", "list_directory", "read_file"}
	all, _ := s.registry()
	return slices.DeleteFunc(tools, func(name string) bool {
		if slices.Contains(slices.Concat(writingTools, undoTools, CommandTools()), name) && slices.Contains(lookingFlows, flow) {
			return true
		}
		if slices.Contains(householdTools(), name) {
			return !forHousehold(flow, name)
		}
		if slices.Contains(treeTools(), name) {
			return flow != "explore" // whoever selects them can have them elsewhere
		}
		if name == "search_web" || name == "web.search" {
			return (name == "search_web") != (flow == "operate")
		}
		switch flow {
		case "code":
			return slices.Contains(plain, name)
		case "research":
			return all[name].Code
		}
		return strings.HasPrefix(name, "codebase.")
	})
}

// lookingFlows answer from what they find: whoever asks a question does not expect that files change.
var lookingFlows = []string{"answer", "chat", "critique", "research"}

// notesWanted names the tool for notes that the settings of a task call for; empty: none.
func notesWanted(kind kit.Kind, task rein.Task) string {
	if kind.Wants == nil {
		return ""
	}
	for _, name := range kind.Wants(task) {
		if slices.Contains(NoteTools(), name) {
			return name
		}
	}
	return ""
}

// toolsOf returns the tools of a task. Asking by request_input is for flows that bring it along, whatever
// tools were selected; where there are no skills there is nothing to load.
func toolsOf(task rein.Task) []string {
	hasSkills := false
	for name := range task.Texts {
		hasSkills = hasSkills || strings.HasPrefix(name, kit.SkillPrefix)
	}
	return slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool {
		return name == requestInput || name == loadSkill && !hasSkills
	})
}

const (
	requestInput = "request_input"
	loadSkill    = "load_skill"
)
