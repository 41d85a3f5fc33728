// Package shell has the tools that run commands: execute_command runs a line in the sandbox, monitor_log looks at what
// commands and programs write, and stop_command ends a command that runs in the background.
//
// A line is parsed and judged before it runs (packages parse and verdict). A person is shown its parts, what it can
// reach and what contains it, and exactly that runs: the line with its settings for git, the folder, the environment and
// what was granted are pinned to the call.
//
// Commands belong to this process. However it dies, the sandbox ends everything that they started.
package shell

import (
	"context"
	"time"

	"rein"
	"rein/sandbox"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// Settings say how commands run. They are read for each call, so that a change of the settings holds at once.
type Settings struct {
	Rules   []verdict.Rule // what the settings allow, ask about and deny
	Network bool           // every command has the network
	Read    []string       // files and folders outside the workspace that every command can read
	Write   []string       // and that it can write
	Env     []string       // NAME=VALUE, beside what the sandbox sets
	Timeout time.Duration  // of a command that names none; zero: 2 minutes
	Limits  sandbox.Limits
	Journal bool // monitor_log can read the system's journal
}

func (s Settings) timeout() time.Duration { return orElse(s.Timeout, 2*time.Minute) }

// env is the environment of commands, without what would change the meaning of lines that were judged.
func (s Settings) env() []string { return parse.Environ(s.Env) }

func orElse(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// Options are what the tools of a workspace need.
type Options struct {
	// Longest is the most that a call can ask for, and what a command gets at most; zero: 10 minutes. The deadline of the tool
	// follows from it, so it holds as long as the tool does: nobody approves an hour that would be cut.
	Longest  time.Duration
	Root     string                // the workspace's folder; empty: there is none, and every call says so
	Settings func() Settings       // nil: the defaults
	Report   func() sandbox.Report // of sandbox.Detect
	Hidden   []string              // what no command can see, wherever it lies
	// Trusts reports whether the user of a task may be asked for the network, for paths outside the workspace, and for
	// commands that nothing contains: who grants these grants what this process can do. Nil: nobody may.
	Trusts func(*rein.Task) bool
	Jobs   *Jobs // the commands of this process that run in the background; nil: there are none
	// Programs are the folders of the programs that rein itself runs; nil: those of the system. PATH is not asked: it may
	// name a folder that commands write.
	Programs []string
	Watch    Watcher // nil: what commands change cannot be undone
	// Git returns settings of git for commands of users whom Trusts, such as who they are; nil: there are none.
	Git func(context.Context) string
}

// Commands makes the tools of a workspace.
type Commands struct{ o Options }

// New makes the tools of a workspace.
func New(o Options) *Commands { return &Commands{o} }

// Tools returns all tools of this package.
func (c *Commands) Tools() ([]rein.Tool, error) {
	var all []rein.Tool
	for _, make := range []func() (rein.Tool, error){c.ExecuteCommand, c.MonitorLog, c.StopCommand} {
		t, err := make()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func (c *Commands) longest() time.Duration { return orElse(c.o.Longest, 10*time.Minute) }

// settings are those of now, with a Timeout that a call can have.
func (c *Commands) settings() Settings {
	var s Settings
	if c.o.Settings != nil {
		s = c.o.Settings()
	}
	s.Timeout = min(s.timeout(), c.longest())
	return s
}

func (c *Commands) trusts(task *rein.Task) bool { return c.o.Trusts != nil && c.o.Trusts(task) }
