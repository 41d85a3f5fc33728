package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rein"
)

// A Workspace is a folder with a name, and what belongs to it.
type Workspace struct {
	Household        string // whose it is; empty: that of the data
	Root, Vault      string
	Include, Exclude []string // folders of the vault
	Ask, Deny        []string // tools
}

// workspaces is the table of tables [workspaces.NAME].
type workspaces struct{}

var workspaceKeys = []string{"household", "root", "vault", "include", "exclude", "ask", "deny"}

func (workspaces) read(l *loading, n *node) error {
	return l.tables(n, "workspaces", func(name string, table *node) {
		w := Workspace{
			Household: l.member(table, "household", isString, false), Root: l.member(table, "root", isString, false), Vault: l.member(table, "vault", isString, false),
			Include: l.words(table, "include", nil), Exclude: l.words(table, "exclude", nil), Ask: l.words(table, "ask", nil), Deny: l.words(table, "deny", nil),
		}
		l.strangers(table, workspaceKeys)
		for _, key := range append([]string{""}, workspaceKeys...) {
			if n := table.table[key]; n != nil {
				l.config.sources[l.key+"."+key] = l.source(n)
			}
		}
		for _, list := range [][]string{w.Include, w.Exclude} {
			if err := cleanFolders(list); err != nil {
				l.report(table, "%s: %v", l.key, err)
			}
		}
		switch {
		case name == "default":
			l.report(table, "%s: the default workspace is what vault, [notes] and [tools] say: choose another name", l.key)
		case w.Root == "" && w.Vault == "":
			l.report(table, "%s needs root, the folder of its files, or vault, the folder of its notes", l.key)
		}
		for _, path := range []*string{&w.Root, &w.Vault} {
			if *path != "" {
				*path = l.path(*path)
			}
		}
		l.config.Workspaces[name] = w
	})
}

func (workspaces) parse(*loading, string) error { return errOnlyFile }

func (workspaces) show(c *Config) string {
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.Workspaces)) {
		w := c.Workspaces[name]
		list = append(list, fmt.Sprintf("%s = {root = %s, vault = %s}", quoted(name), quoted(w.Root), quoted(w.Vault)))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// checkWorkspaces says which tools of workspaces there are not.
func (c *Config) checkWorkspaces(problems *Problems, known Known) {
	for _, name := range slices.Sorted(maps.Keys(c.Workspaces)) {
		w, key := c.Workspaces[name], "workspaces."+name
		for _, tool := range w.Ask {
			c.one(problems, key+".ask", "tool", tool, known.Tools)
		}
		for _, tool := range w.Deny {
			c.one(problems, key+".deny", "tool", tool, known.Tools)
		}
	}
}

// A Tightening is what the rein.toml of a folder asks for: less of everything.
type Tightening struct {
	Ask, Deny []string
	Exclude   []string
	budget    *Config
	set       map[string]bool
}

// tightens lists the keys that a folder may set, and says so.
func tightens(key string) bool {
	return strings.HasPrefix(key, "budget.") || key == "tools.ask" || key == "tools.deny" || key == "notes.exclude"
}

// LoadFolder reads the settings that lie in a folder which runs work in. Whoever can write there can
// write them, so they may only make things stricter: any other key is refused.
func LoadFolder(file string, known Known) (Tightening, error) {
	problems := Problems{}
	l := &loading{config: defaults(nil), problems: &problems, places: map[string]Source{}}
	l.file(file, false)
	for _, k := range Keys() {
		if source, ok := l.config.sources[k.Name]; ok && !tightens(k.Name) {
			problems.add(source, "%s cannot be set by a folder, whose settings may only make things stricter (budget.*, tools.ask, tools.deny, notes.exclude): set it in your own rein.toml", k.Name)
		}
	}
	t := Tightening{budget: l.config, set: map[string]bool{}, Ask: l.config.Tools.Policy.Ask, Deny: l.config.Tools.Policy.Deny, Exclude: l.config.Notes.Exclude}
	for _, k := range Keys() {
		if _, ok := l.config.sources[k.Name]; ok {
			t.set[k.Name] = true
		}
	}
	for _, tool := range slices.Concat(t.Ask, t.Deny) {
		l.config.one(&problems, "tools.ask "+tool, "tool", tool, known.Tools)
	}
	return t, problems.err()
}

// Within returns a budget that is no larger than the folder wants.
func (t Tightening) Within(b rein.Budget) rein.Budget {
	for name, field := range map[string]func(*rein.Budget) *int64{
		"rounds": func(b *rein.Budget) *int64 { return &b.Rounds }, "tool_calls": func(b *rein.Budget) *int64 { return &b.ToolCalls },
		"tokens": func(b *rein.Budget) *int64 { return &b.Tokens }, "money": func(b *rein.Budget) *int64 { return &b.Micros },
		"minutes": func(b *rein.Budget) *int64 { return &b.DrivenMS }, "runs": func(b *rein.Budget) *int64 { return &b.Runs },
	} {
		if t.set["budget."+name] {
			*field(&b) = min(*field(&b), *field(&t.budget.Budget))
		}
	}
	if t.set["budget.depth"] {
		b.Depth = min(b.Depth, t.budget.Budget.Depth)
	}
	return b
}
