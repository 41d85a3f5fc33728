package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/app/config"
	"rein/engine"
	"rein/engine/guard"
	"rein/engine/work"
	"rein/engine/work/pace"
	"rein/household/changes"
	"rein/household/past"
	"rein/household/recall"
	"rein/household/shelf"
	"rein/internal/skill"
	"rein/model/offline"
	"rein/model/script"
	"rein/model/tokens"
	"rein/store/sqlite"
	"rein/tool"
	"rein/tool/basics"
	"rein/tool/diagnostics"
	"rein/tool/files"
	"rein/tool/notes"
	"rein/tool/python"
	"rein/tool/session"
	shelftool "rein/tool/shelf"
	"rein/tool/shell"
	skilltool "rein/tool/skill"
	"rein/tool/todo"
	"rein/tool/tree"
	"rein/tool/undo"
	"rein/tool/web"
)

// toolNames lists the tools there are. A test holds it to what newTools makes.
func toolNames() []string {
	names := []string{"ask_user", "codebase.list_directory", "codebase.read_file", "codebase.search", diagnostics.Name, "get_current_time", "glob", "grep", "list_directory", "load_skill", "read_file", "read_result", "read_session_file", "request_input", "session_files", rein.TodoTool}
	names = slices.Concat(names, householdTools(), treeTools(), writingTools, undoTools, NoteTools(), CommandTools(), WebTools())
	slices.Sort(names)
	return names
}

// newTools makes the tools. What reads results is known only when there is an engine.
func newTools(commands shell.Options, whole func() *engine.Engine, skillFiles basics.SkillFiles) (map[string]rein.Tool, error) {
	var nowhere *files.Root // a run has the tools of its workspace
	all, err := fileTools(nowhere, changes.Book{}, nil)
	if err != nil {
		return nil, err
	}
	running, err := shell.New(commands).Tools()
	if err != nil {
		return nil, err
	}
	all = append(all, running...)
	looking, err := web.New(web.Options{}).Tools() // an owner has those that know the settings
	if err != nil {
		return nil, err
	}
	all = append(all, looking...)
	undoing, err := undo.Tool(undo.Sources{})
	if err != nil {
		return nil, err
	}
	all = append(all, undoing)
	agents, err := tree.Tools()
	if err != nil {
		return nil, err
	}
	all = append(all, agents...)
	for _, made := range []func() (rein.Tool, error){
		python.New(python.Options{Report: detect}).Tool,
		basics.AskUser, basics.RequestInput, diagnostics.New(diagnostics.Options{}).Tool,
		func() (rein.Tool, error) { return basics.GetCurrentTime(time.Now) },
		func() (rein.Tool, error) { return basics.LoadSkill(skillFiles) },
		func() (rein.Tool, error) {
			return basics.ReadResult(func(ctx context.Context, inv rein.Invocation, handle string) (string, error) {
				return whole().Whole(ctx, inv.Run, handle)
			})
		},
	} {
		t, err := made()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return tool.Set(all...)
}

// fileTools makes the tools for a folder of files. What they change can be undone.
func fileTools(root *files.Root, book changes.Book, known files.Past) ([]rein.Tool, error) {
	reading, err := root.Tools()
	if err != nil {
		return nil, err
	}
	writing, err := root.Writing(book, known)
	return append(reading, writing...), err
}

// storeTools makes the tools that read and write the store: those of models for the files of their
// session and for notes, and those of flows.
func storeTools(s *sqlite.Store, find *recall.Finder, limits func(*rein.Task) notes.Limits) (map[string]rein.Tool, error) {
	kept, err := shelftool.Tools(shelf.Shelf{Tables: s})
	if err != nil {
		return nil, err
	}
	written, err := noteTools(nil, limits) // a run has those of its workspace
	if err != nil {
		return nil, err
	}
	list, err := todo.Tool(func(ctx context.Context, inv rein.Invocation) (rein.Todo, error) {
		if inv.Task == nil {
			return rein.Todo{}, nil
		}
		origins, err := past.Origins(ctx, s, inv.Task.Place())
		if err != nil {
			return rein.Todo{}, err
		}
		return past.Todo(ctx, s, inv.Run, inv.Task.Place(), inv.Task.Start, origins)
	})
	if err != nil {
		return nil, err
	}
	planning, err := agendaTools(s)
	if err != nil {
		return nil, err
	}
	known, err := memoryTools(s, find)
	if err != nil {
		return nil, err
	}
	jobs, err := jobTools(nil) // an owner has those that know the settings
	if err != nil {
		return nil, err
	}
	shared, err := listTools(s)
	if err != nil {
		return nil, err
	}
	linking, err := dashboardTool(nil) // an owner has one that knows the page
	if err != nil {
		return nil, err
	}
	shared = append(shared, linking)
	all := map[string]rein.Tool{list.Name: list}
	for _, t := range slices.Concat(session.Tools(s), known, kept, written, planning, jobs, shared) {
		all[t.Name] = t
	}
	return all, nil
}

// newModels makes every model that the settings name, and those of an Ollama that are named beside them;
// "" is the one that is used by default.
func (s *Setup) newModels(settings *config.Config) (map[string]rein.Model, error) {
	env := s.variables(settings)
	models := map[string]rein.Model{config.KindOffline: offline.Model{}}
	for name, own := range s.o.Models {
		if _, taken := settings.Models[name]; taken || name == config.KindOffline {
			return nil, fmt.Errorf("models.%s: the program itself has a model with this name: choose another", name)
		}
		models[name] = own
	}
	for _, name := range settings.ModelNames() {
		m, ok := settings.Models[name]
		switch {
		case !ok:
		case m.Kind == config.KindScript:
			played, err := script.ReadFile(m.File)
			if err != nil {
				return nil, fmt.Errorf("models.%s: %w", name, err)
			}
			models[name] = played
		case m.Kind == config.KindOpenAI || m.Kind == config.KindAnthropic:
			provided, err := newProvider(name, m, settings.Prices, env)
			if err != nil {
				return nil, fmt.Errorf("models.%s: %w", name, err)
			}
			models[name] = provided
		default:
			models[name] = offline.Model{}
		}
	}
	for _, name := range []string{s.o.SetHere["model"], settings.Model} {
		served, ok := strings.CutPrefix(name, config.OllamaPrefix)
		if !ok {
			continue
		}
		provided, err := newProvider(name, s.ollamaModel(served), settings.Prices, env)
		if err != nil {
			return nil, err
		}
		models[name] = provided
	}
	models[""] = models[settings.Model]
	return models, nil
}

// checkParts says what is wrong with the models or the secrets, if anything: what only those who use
// them can tell.
func (s *Setup) checkParts(settings *config.Config) error {
	if _, err := s.newModels(settings); err != nil {
		return err
	}
	if _, err := s.newEmbedder(settings, s.variables(settings), nil); err != nil {
		return err
	}
	_, err := newRedactor(settings, s.variables(settings))
	return err
}

func newRedactor(settings *config.Config, env config.Environment) (*guard.Redactor, error) {
	patterns := []guard.Pattern{}
	for _, p := range settings.Redact.Patterns {
		patterns = append(patterns, guard.Pattern{Name: p.Name, Regexp: p.Regexp.String(), Block: p.Block})
	}
	redactor, err := guard.NewRedactor(patterns, settings.Secrets(env))
	if err != nil {
		return nil, fmt.Errorf("redact: %w", err)
	}
	return redactor, nil
}

// paceWindow is a minute and a little more: calls may arrive closer together than they were sent.
const paceWindow = 61 * time.Second

// newLimiter makes what all calls to providers are paced by.
func newLimiter(settings *config.Config) *pace.Limiter {
	limits := settings.Limits
	return pace.New(pace.Limits{
		Requests: orUnknown(limits.Requests), Tokens: orUnknown(limits.Tokens), Window: paceWindow, Calls: limits.Calls, AllCalls: limits.AllCalls,
	}, nil)
}

// orUnknown is a limit of the settings, where zero means that none is known.
func orUnknown(limit int64) int64 {
	if limit == 0 {
		return pace.None
	}
	return limit
}

// fallbacks says which models stand in for each.
func fallbacks(settings *config.Config, models map[string]rein.Model) map[string][]string {
	all := map[string][]string{}
	for name := range models {
		if others := slices.DeleteFunc(slices.Clone(settings.Fallback), func(other string) bool { return other == name }); len(others) > 0 {
			all[name] = others
		}
	}
	return all
}

// newWorker makes what calls models and runs tools.
func (s *Setup) newWorker(settings *config.Config, whole func() *engine.Engine, files basics.SkillFiles) (*work.Worker, error) {
	models, err := s.newModels(settings)
	if err != nil {
		return nil, &SettingError{err.Error()}
	}
	tools, err := newTools(shell.Options{Longest: settings.Shell.Longest}, whole, files)
	if err != nil {
		return nil, err
	}
	if err := s.checkOwn(); err != nil {
		return nil, err
	}
	for _, t := range s.o.Tools {
		tools[t.Name] = t
	}
	redactor, err := newRedactor(settings, s.variables(settings))
	if err != nil {
		return nil, &SettingError{err.Error()}
	}
	return &work.Worker{
		Models: models, Tools: tools, More: skilltool.New(skilltool.Options{}).Find, Families: []string{skill.Family}, Redact: redactor, Fallbacks: fallbacks(settings, models),
		Pace: newLimiter(settings), Estimate: tokens.Estimate,
		ClipBytes: int(settings.Tools.ClipBytes), ToolTimeout: settings.Tools.Timeout,
	}, nil
}
