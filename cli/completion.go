package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/visible"
)

func completionCommand() command {
	return command{
		name: "completion", args: "bash|zsh|fish", does: "print what completes rein in a shell", least: 1, most: 1, run: runCompletion,
		more: `Puts commands, flags and names (runs, sessions, modes, flows, models) behind the Tab key.

bash: add the line  source <(rein completion bash)  to ~/.bashrc. zsh: add  source <(rein completion zsh)  to ~/.zshrc, after compinit. fish: run  rein completion fish > ~/.config/fish/completions/rein.fish`,
	}
}

// shells are the scripts by shell. All of them ask rein itself what fits, so they never grow old.
var shells = map[string]string{
	"bash": `_rein() {
  local IFS=$'\n' line
  COMPREPLY=()
  while read -r line; do
    line=${line%%$'\t'*}
    [[ $line == "${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$line")
  done < <(rein complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then compopt -o default; fi
}
complete -F _rein rein
`,
	"zsh": `#compdef rein
_rein() {
  local -a found
  local line
  while IFS=$'\t' read -r line about; do
    found+=("${line//:/\\:}:$about")
  done < <(rein complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${#found} )); then _describe rein found; else _files; fi
}
compdef _rein rein
`,
	"fish": `function __rein_complete
  set -l words (commandline -opc) (commandline -ct)
  rein complete -- $words[2..-1] 2>/dev/null
end
complete -c rein -a '(__rein_complete)'
`,
}

func runCompletion(_ context.Context, c *call) error {
	script, ok := shells[c.args[0]]
	if !ok {
		return noSuch("shell", c.args[0], []string{"bash", "fish", "zsh"})
	}
	c.print("%s", script)
	return nil
}

func completeCommand() command {
	return command{
		name: "complete", args: "-- WORDS", does: "list what the last word could be", most: anyNumber, run: runComplete,
		more: `What rein completion prints calls it: a line for each candidate, with what it is about after a tab.`,
	}
}

// A candidate is a word that fits, and what it is about.
type candidate struct{ word, about string }

// patience for names that are looked up: somebody waits at a prompt.
const completing = time.Second

func runComplete(ctx context.Context, c *call) error {
	words := c.args
	if len(words) == 0 {
		words = []string{""}
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	ctx, cancel := context.WithTimeout(ctx, completing)
	defer cancel()
	for _, found := range c.candidates(ctx, before, last) {
		if strings.HasPrefix(found.word, last) {
			c.print("%s\t%s\n", visible.Line(found.word), visible.Short(found.about, 80))
		}
	}
	return nil
}

// candidates are what can follow some words.
func (c *call) candidates(ctx context.Context, before []string, last string) []candidate {
	cmd, rest := leading(before)
	if cmd == nil {
		return nextWords(before)
	}
	defs := cmd.flagsOf(&call{})
	if flag, ok := awaits(defs, rest); ok {
		return c.values(ctx, flag)
	}
	if strings.HasPrefix(last, "-") {
		return flagWords(defs)
	}
	found := c.arguments(ctx, cmd)
	if len(rest) == 0 {
		found = append(found, nextWords(before)...)
	}
	return found
}

// leading returns the command that words begin with, and what follows its name.
func leading(words []string) (*command, []string) {
	if len(words) == 0 {
		return nil, nil
	}
	cmd, rest, err := find(words)
	if err != nil {
		return nil, nil
	}
	return cmd, rest
}

// nextWords are the words with which the name of a command goes on.
func nextWords(before []string) (found []candidate) {
	for _, cmd := range commands() {
		name := strings.Fields(cmd.name)
		if len(name) <= len(before) || !slices.Equal(name[:len(before)], before) {
			continue
		}
		about := cmd.does
		if len(name) > len(before)+1 {
			about = ""
		}
		word := name[len(before)]
		if i := slices.IndexFunc(found, func(f candidate) bool { return f.word == word }); i < 0 {
			found = append(found, candidate{word, about})
		}
	}
	return found
}

func flagWords(defs []flagDef) (found []candidate) {
	for _, f := range defs {
		found = append(found, candidate{f.typed(), f.does})
	}
	return append(found, candidate{"--help", "explain the command"})
}

// awaits returns the flag whose value comes next.
func awaits(defs []flagDef, rest []string) (flagDef, bool) {
	if len(rest) == 0 || !strings.HasPrefix(rest[len(rest)-1], "-") {
		return flagDef{}, false
	}
	name := strings.TrimLeft(rest[len(rest)-1], "-")
	i := slices.IndexFunc(defs, func(f flagDef) bool { return f.name == name && f.value != "" })
	if i < 0 {
		return flagDef{}, false
	}
	return defs[i], true
}

// values are what a flag can be set to.
func (c *call) values(ctx context.Context, f flagDef) (found []candidate) {
	switch f.name {
	case "mode":
		for _, m := range rein.Modes() {
			found = append(found, candidate{string(m), ""})
		}
	case "session", "resume":
		return c.sessionNames(ctx)
	case "flow", "model", "preset", "workspace":
		return c.listed(ctx, f.name)
	}
	return found
}

// arguments are what the first argument of a command can be.
func (c *call) arguments(ctx context.Context, cmd *command) []candidate {
	first, _, _ := strings.Cut(strings.Trim(cmd.args, "[]"), " ")
	switch first {
	case "RUN":
		return c.runNames(ctx)
	case "ASK":
		return c.askNames(ctx)
	case "SESSION":
		return c.sessionNames(ctx)
	}
	if cmd.name == "completion" {
		return []candidate{{"bash", ""}, {"fish", ""}, {"zsh", ""}}
	}
	return nil
}

// look reads something of the data, if there is any. Who completes a word is not told why nothing was found.
func look[T any](ctx context.Context, c *call, read func(*app.View) (T, error)) (found T) {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return found
	}
	defer v.Close()
	found, _ = read(v)
	return found
}

// mostNames is how many names are offered.
const mostNames = 50

func (c *call) runNames(ctx context.Context) (found []candidate) {
	page := look(ctx, c, func(v *app.View) (api.Runs, error) {
		return v.Runs(ctx, api.RunQuery{Roots: true, Newest: true, Limit: mostNames})
	})
	for _, run := range page.Runs {
		found = append(found, candidate{string(run.ID), run.Title})
	}
	return append(found, candidate{"last", "the newest run"})
}

func (c *call) askNames(ctx context.Context) (found []candidate) {
	for _, ask := range look(ctx, c, func(v *app.View) ([]rein.Ask, error) {
		return v.Asks(ctx, api.AskQuery{State: rein.AskPending, Limit: mostNames})
	}) {
		found = append(found, candidate{string(ask.ID), ask.Text})
	}
	return found
}

func (c *call) sessionNames(ctx context.Context) (found []candidate) {
	page := look(ctx, c, func(v *app.View) (api.Sessions, error) { return v.Sessions(ctx, "") })
	for _, s := range page.Sessions {
		found = append(found, candidate{s.ID, s.Title})
	}
	return found
}

// listed are names that the program, the settings or the data have.
func (c *call) listed(ctx context.Context, what string) (found []candidate) {
	switch what {
	case "flow":
		for _, name := range slices.Sorted(maps.Keys(c.setup().Flows())) {
			found = append(found, candidate{name, ""})
		}
	case "model":
		if settings, err := c.settings(); err == nil {
			for _, name := range slices.Sorted(maps.Keys(settings.Models)) {
				found = append(found, candidate{name, ""})
			}
		}
	case "preset":
		for _, p := range look(ctx, c, func(v *app.View) ([]api.Preset, error) { return v.Presets(ctx) }) {
			found = append(found, candidate{p.Name, p.About})
		}
	case "workspace":
		for _, w := range look(ctx, c, func(v *app.View) ([]rein.Workspace, error) { return v.Workspaces(ctx) }) {
			found = append(found, candidate{w.Name, w.Root})
		}
	}
	return found
}
