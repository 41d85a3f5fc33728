package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// Shell says how commands run.
type Shell struct {
	Rules     []string // "allow", "ask" or "deny" and a pattern; they are right
	Network   bool
	Read      []string // absolute
	Write     []string // absolute
	Env       []string // NAME or NAME=VALUE
	Timeout   time.Duration
	Longest   time.Duration
	Memory    int64 // megabytes, as are those below
	Output    int64
	Written   int64
	Processes int64
	Journal   bool
}

// longestCommand is the most that a command can be given.
const longestCommand = 6 * time.Hour

func defaultShell() Shell {
	return Shell{Timeout: 2 * time.Minute, Longest: 10 * time.Minute, Memory: 4096, Output: 64, Written: 16384, Processes: 512}
}

// Variables returns the variables that commands get, as NAME=VALUE. Of those that only have a name the value is this
// program's; if it has none, it is left out.
func (s Shell) Variables(env Environment) []string {
	var all []string
	for _, v := range s.Env {
		if strings.Contains(v, "=") {
			all = append(all, v)
		} else if value := env.Get(v); value != "" {
			all = append(all, v+"="+value)
		}
	}
	return all
}

func shellSections() []Key {
	return []Key{
		{"shell.rules", "", "", "which commands run without approval, need it, or are denied, such as [\"allow go test ...\", \"deny git push ...\"]; `rein rules explain` shows what a rule does", rules(func(c *Config) *[]string { return &c.Shell.Rules })},
		{"shell.network", "REIN_SHELL_NETWORK", "", "let every command use the network; without it a command that needs it asks", boolean(func(c *Config) *bool { return &c.Shell.Network })},
		{"shell.read", "", "", "files and folders outside the workspace that every command can read, such as [\"~/go/pkg/mod\"]", paths(func(c *Config) *[]string { return &c.Shell.Read })},
		{"shell.write", "", "", "files and folders outside the workspace that every command can write, such as [\"~/.cache/go-build\"]", paths(func(c *Config) *[]string { return &c.Shell.Write })},
		{"shell.env", "", "", "variables that commands get, as \"NAME=VALUE\", or \"NAME\" for the value that rein has; they get no others", variables(func(c *Config) *[]string { return &c.Shell.Env })},
		{"shell.timeout", "REIN_SHELL_TIMEOUT", "", "how long a command may take if the call does not say", duration(func(c *Config) *time.Duration { return &c.Shell.Timeout }, time.Second, longestCommand)},
		{"shell.max_timeout", "REIN_SHELL_MAX_TIMEOUT", "", "the longest that a call can ask for", duration(func(c *Config) *time.Duration { return &c.Shell.Longest }, time.Second, longestCommand)},
		{"shell.memory", "REIN_SHELL_MEMORY", "", "megabytes of memory that a command may use", whole(func(c *Config) *int64 { return &c.Shell.Memory }, 16, 1<<20)},
		{"shell.output", "REIN_SHELL_OUTPUT", "", "megabytes that a command may print before it is ended", whole(func(c *Config) *int64 { return &c.Shell.Output }, 1, 10_000)},
		{"shell.written", "REIN_SHELL_WRITTEN", "", "megabytes that a command may write to disks", whole(func(c *Config) *int64 { return &c.Shell.Written }, 1, 1<<24)},
		{"shell.journal", "REIN_SHELL_JOURNAL", "", "let monitor_log read the system's journal, for the user of this machine", boolean(func(c *Config) *bool { return &c.Shell.Journal })},
		{"shell.processes", "REIN_SHELL_PROCESSES", "", "processes and threads that a command may have", whole(func(c *Config) *int64 { return &c.Shell.Processes }, 4, 100_000)},
	}
}

// rules is a list of rules for commands.
type rules names

func (f rules) read(l *loading, n *node) error {
	if err := names(f).read(l, n); err != nil {
		return err
	}
	for _, item := range n.list {
		if item.kind != isString || !slices.Contains(*f(l.config), item.text) {
			continue // it is reported
		}
		if _, err := verdict.ParseRule(item.text); err != nil {
			l.report(item, "%s: %v", l.key, err)
		}
	}
	return nil
}

func (f rules) parse(*loading, string) error { return errOnlyFile }
func (f rules) show(c *Config) string        { return names(f).show(c) }

// paths is a list of files and folders anywhere.
type paths names

func (f paths) read(l *loading, n *node) error {
	if err := names(f).read(l, n); err != nil {
		return err
	}
	list := *f(l.config)
	for i, path := range list {
		list[i] = filepath.Clean(l.path(path))
		if !filepath.IsAbs(list[i]) || list[i] == "/" {
			return fmt.Errorf("%q must be the path of a file or folder, and not all of them", path)
		}
	}
	return nil
}

func (f paths) parse(*loading, string) error { return errOnlyFile }
func (f paths) show(c *Config) string        { return names(f).show(c) }

// variables is a list of environment variables, some with values.
type variables names

func (f variables) read(l *loading, n *node) error {
	if err := names(f).read(l, n); err != nil {
		return err
	}
	for _, v := range *f(l.config) {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case name == "" || strings.ContainsAny(v, "\x00\n") || strings.ContainsAny(name, " \t"):
			return fmt.Errorf("%q must be \"NAME\" or \"NAME=VALUE\"", v)
		case parse.IsTrap(name):
			return fmt.Errorf("%s changes what commands mean, so that approvals would not hold: write it in the command itself", name)
		}
	}
	return nil
}

func (f variables) parse(*loading, string) error { return errOnlyFile }

// show tells names only: a value can be a secret.
func (f variables) show(c *Config) string {
	list := []string{}
	for _, v := range *f(c) {
		name, _, valued := strings.Cut(v, "=")
		if valued {
			name += "=…"
		}
		list = append(list, quoted(name))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// shellFits checks what no key of the section can know alone.
func (l *loading) shellFits() {
	s := l.config.Shell
	if s.Timeout <= s.Longest {
		return
	}
	source, set := l.config.sources["shell.max_timeout"]
	if !set {
		l.config.Shell.Longest = s.Timeout
		return
	}
	l.problems.add(source, "shell.max_timeout is less than shell.timeout: raise the one or lower the other")
}
