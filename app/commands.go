package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/api"
	"rein/app/config"
	"rein/household/erase"
	"rein/sandbox"
	"rein/server"
	"rein/tool/diagnostics"
	"rein/tool/reach"
	"rein/tool/shell"
	"rein/tool/shell/verdict"
)

// CommandTools lists the tools that run commands. They need a folder, as the file tools do.
func CommandTools() []string { return []string{"execute_command", "monitor_log", "stop_command"} }

// shellSettings are the settings of commands, for the tools.
func shellSettings(settings *config.Config, env config.Environment) shell.Settings {
	s := settings.Shell
	made := shell.Settings{
		Network: s.Network, Journal: s.Journal, Read: existing(s.Read), Write: existing(s.Write), Timeout: s.Timeout,
		Env:    append(s.Variables(env), searchPath(env.Get("PATH"))...),
		Limits: sandbox.Limits{Memory: s.Memory << 20, Output: s.Output << 20, Written: s.Written << 20, Processes: int(s.Processes)},
	}
	for _, text := range s.Rules {
		if rule, err := verdict.ParseRule(text); err == nil { // they were checked when they were read
			made.Rules = append(made.Rules, rule)
		}
	}
	return made
}

// existing leaves out what is not there: there is nothing to show.
func existing(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		_, err := os.Stat(path)
		return err != nil
	})
}

// searchPath is where commands find programs: where this program does, as far as that is the system's.
func searchPath(path string) []string {
	var kept []string
	for _, dir := range filepath.SplitList(path) {
		if slices.ContainsFunc([]string{"/usr", "/bin", "/sbin", "/opt", "/nix"}, func(system string) bool { return reach.Holds(system, dir) }) && filepath.IsAbs(dir) {
			kept = append(kept, dir)
		}
	}
	if kept == nil {
		return nil
	}
	return []string{"PATH=" + strings.Join(kept, string(filepath.ListSeparator))}
}

// detect asks the system once what contains commands.
var detect = sync.OnceValue(func() sandbox.Report { return sandbox.Detect(context.Background()) })

// commands makes the tools that run commands in a folder.
func (o *owner) commands(root string, watch shell.Watcher) *shell.Commands {
	return shell.New(shell.Options{
		Longest: o.settings.Shell.Longest, // as of the start: the tool that runs call was made then
		Root:    root, Report: detect, Hidden: o.unseen(), Trusts: isHost, Jobs: o.jobs, Watch: watch, Git: o.gitIdentity,
		Settings: func() shell.Settings {
			settings, _ := o.live.now()
			return shellSettings(settings, o.setup.env)
		},
	})
}

// jobsFolder is where the data folder keeps what commands in the background write.
const jobsFolder = "commands"

// newJobs makes what runs commands in the background.
func (o *owner) newJobs() *shell.Jobs {
	return shell.NewJobs(filepath.Join(o.place.Folder, jobsFolder), func(of rein.Place) shell.Filter { return o.known.of(of.Household, of.User).Stream() })
}

// outputs are what commands in the background have written, for those who erase it.
type outputs struct{ *shell.Jobs }

// Of lists the outputs of a household.
func (o outputs) Of(household string) ([]erase.Output, error) {
	jobs, err := o.List(rein.Place{})
	var list []erase.Output
	for _, j := range jobs {
		if j.Place.Household == household {
			list = append(list, erase.Output{Handle: j.Handle, User: j.Place.User, Session: j.Place.Session, Run: j.Run})
		}
	}
	return list, err
}

// unseen is what no program in a sandbox sees: the data folder, and where people keep keys.
func (o *owner) unseen() []string {
	var hidden []string
	if data, err := filepath.Abs(o.place.Folder); err == nil {
		hidden = append(hidden, data)
	}
	if key, err := filepath.Abs(o.settings.SecretKeyFile); err == nil && o.settings.SecretKeyFile != "" {
		hidden = append(hidden, key)
	}
	if filepath.IsAbs(o.home) {
		hidden = append(hidden, sandbox.Keys(o.home)...)
	}
	return hidden
}

// checks makes what has language servers look at a folder.
func (o *owner) checks(root string) *diagnostics.Checks {
	return diagnostics.New(diagnostics.Options{Root: root, Report: detect, Hidden: o.unseen(), Getenv: o.setup.env.Get})
}

// isHost reports whether a run belongs to the user of this machine, who could do by hand what they are asked to grant.
func isHost(task *rein.Task) bool {
	return task != nil && task.Household == rein.Host().Household && task.User == rein.Host().User
}

// jobList tells what runs in the background.
type jobList struct{ *shell.Jobs }

var _ server.Background = jobList{}

// Running lists the commands of a household.
func (l jobList) Running(household string) ([]api.BackgroundCommand, error) {
	jobs, err := l.Live()
	var all []api.BackgroundCommand
	for _, j := range jobs {
		if j.Place.Household == household {
			all = append(all, api.BackgroundCommand{
				ID: j.Handle, User: j.Place.User, Session: j.Place.Session, Run: j.Run, Command: j.Command, Folder: j.Cwd,
				Started: j.Started, Until: j.Started.Add(time.Duration(j.Seconds) * time.Second),
			})
		}
	}
	return all, err
}

// Stop ends a command of a household.
func (l jobList) Stop(ctx context.Context, household, id string) error {
	jobs, err := l.Live()
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if j.Handle == id && j.Place.Household == household {
			return l.Jobs.Stop(ctx, j.Place, id)
		}
	}
	return nil // it has ended meanwhile
}
