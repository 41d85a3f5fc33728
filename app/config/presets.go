package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/internal/near"
)

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// A Preset is a task with a name.
type Preset struct {
	About  string
	Flow   string
	Prompt string
	Model  string
	Tools  []string         // nil: those that are offered otherwise
	Budget map[string]int64 // by key of [budget], in its units; what is not in it is as otherwise
}

// presets is the table of tables [presets.NAME].
type presets struct{}

var presetKeys = []string{"about", "flow", "prompt", "model", "tools", "budget"}

// presetBudget is what a preset's budget may say, and what it is counted in.
var presetBudget = map[string]func(*rein.Budget, int64){
	"rounds":     func(b *rein.Budget, n int64) { b.Rounds = n },
	"tool_calls": func(b *rein.Budget, n int64) { b.ToolCalls = n },
	"tokens":     func(b *rein.Budget, n int64) { b.Tokens = n },
	"minutes":    func(b *rein.Budget, n int64) { b.DrivenMS = n * minute },
	"runs":       func(b *rein.Budget, n int64) { b.Runs = n },
	"depth":      func(b *rein.Budget, n int64) { b.Depth = int(n) },
	"money":      func(b *rein.Budget, n int64) { b.Micros = n },
}

func (presets) read(l *loading, n *node) error {
	return l.tables(n, "presets", func(name string, table *node) {
		p := Preset{
			About: l.member(table, "about", isString, false), Flow: l.member(table, "flow", isString, true),
			Prompt: l.member(table, "prompt", isString, false), Model: l.member(table, "model", isString, false),
			Tools: l.words(table, "tools", nil), Budget: l.budget(table.table["budget"]),
		}
		if p.Flow != "" && !slices.Contains(l.config.kinds.Names(), p.Flow) {
			l.report(table.table["flow"], "%s.flow is %q; available: %s%s", l.key, p.Flow, strings.Join(l.config.kinds.Names(), ", "), near.DidYouMean(p.Flow, l.config.kinds.Names()))
		}
		for _, key := range []string{"model", "tools", "budget"} {
			if n := table.table[key]; n != nil {
				l.config.sources[l.key+"."+key] = l.source(n)
			}
		}
		l.strangers(table, presetKeys)
		l.config.Presets[name] = p
	})
}

func (c *Config) presetNames() []string { return slices.Sorted(maps.Keys(c.Presets)) }

// checkPresets says which models and tools of presets there are not.
func (c *Config) checkPresets(problems *Problems, known Known) {
	for _, name := range c.presetNames() {
		p, key := c.Presets[name], "presets."+name
		if p.Model != "" && !strings.HasPrefix(p.Model, OllamaPrefix) {
			c.one(problems, key+".model", "model", p.Model, c.ModelNames())
		}
		for _, tool := range p.Tools {
			c.one(problems, key+".tools", "tool", tool, known.Tools)
		}
	}
}

// budget reads the budget of a preset.
func (l *loading) budget(n *node) map[string]int64 {
	if n == nil {
		return nil
	}
	known := slices.Sorted(maps.Keys(presetBudget))
	if n.kind != isTable {
		l.report(n, "%s: budget is %s and must be a table with some of: %s", l.key, n.kind, strings.Join(known, ", "))
		return nil
	}
	l.strangers(n, known)
	budget := map[string]int64{}
	for _, name := range n.keys {
		if value := n.table[name]; name == "money" {
			budget[name] = max(l.priceMember(n, name), 0)
		} else if amount, err := strconv.ParseInt(strings.ReplaceAll(value.text, "_", ""), 10, 64); value.kind != isInteger || err != nil || amount < 0 {
			l.report(value, "%s: budget.%s must be a whole number", l.key, name)
		} else {
			budget[name] = amount
		}
	}
	return budget
}

func (presets) parse(*loading, string) error { return errOnlyFile }

func (presets) show(c *Config) string {
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.Presets)) {
		list = append(list, fmt.Sprintf("%s = {flow = %s}", quoted(name), quoted(c.Presets[name].Flow)))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// Task returns what a run of the preset begins with.
func (p Preset) Task(usual rein.Budget) rein.Task {
	task := rein.Task{Flow: p.Flow, Model: p.Model, Tools: p.Tools}
	if p.Prompt != "" {
		task.Messages = []rein.Message{{Role: rein.User, Text: p.Prompt}}
	}
	if p.Budget != nil {
		for _, name := range slices.Sorted(maps.Keys(p.Budget)) {
			if set := presetBudget[name]; set != nil {
				set(&usual, p.Budget[name])
			}
		}
		task.Budget = &usual
	}
	return task
}
