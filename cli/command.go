package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/internal/near"
)

// A command is one thing that rein can do.
type command struct {
	name        string   // as it is typed
	alias       string   // as it may be typed too
	args        string   // what follows it, in the words of the help
	does        string   // in one line
	more        string   // what else the help says
	flags       []string // names in flags.go
	least, most int      // how many arguments it takes
	watches     bool     // it sees to signals itself
	run         func(context.Context, *call) error
}

const anyNumber = 1 << 30

// commands is all that rein can do, in the order of the help.
func commands() []command {
	return slices.Concat(runCommands(), sendCommands(), notesCommands(), peopleCommands(), workspaceCommands(), lookCommands(), setUpCommands())
}

// watchFlags are those of the commands that follow a run.
var watchFlags = []string{"yes-to", "park", "json", "root", "force-root", "vault", "data", "config"}

func runCommands() []command {
	return []command{
		{
			name: "run", args: "TASK", does: "do a task, and show how",
			more:  taskHelp,
			flags: append([]string{"flow", "model", "tools", "session", "workspace", "record"}, watchFlags...), least: 1, most: anyNumber, watches: true, run: runRun,
		},
		{
			name: "resume", args: "RUN", does: "go on with a run",
			more:  resumeHelp,
			flags: watchFlags, least: 1, most: 1, watches: true, run: runResume,
		},
		{
			name: "fork", args: "RUN", does: "start a run that leaves the way of another at a step",
			more:  forkHelp,
			flags: append([]string{"at", "model", "edit FILE", "allow"}, watchFlags...), least: 1, most: 1, watches: true, run: runFork,
		},
		{
			name: "serve", does: "serve the data folder over HTTP, and drive everything in it",
			more:  serveHelp,
			flags: []string{"listen", "model", "root", "force-root", "vault", "data", "config"}, watches: true, run: runServe,
		},
		{
			name: "asks", does: "list what waits for a person",
			more:  asksHelp,
			flags: []string{"all", "full", "json", "data", "config"}, run: runAsks,
		},
		{
			name: "answer", args: "ASK [TEXT]", does: "answer what a run asks",
			more:  answerHelp,
			flags: []string{"yes", "no", "decline", "edit", "shown", "reveal", "json", "data", "config"}, least: 1, most: anyNumber, run: runAnswer,
		},
	}
}

func sendCommands() []command {
	mail, ends := []string{"json", "data", "config"}, []string{"reason", "json", "data", "config"}
	return []command{
		{name: "steer", args: "RUN TEXT", does: "tell a run something while it works", more: steerHelp, flags: mail, least: 2, most: anyNumber, run: runMail(rein.CommandMessage)},
		{name: "modify", args: "RUN TEXT", does: "interrupt a run and give it another task", more: modifyHelp, flags: mail, least: 2, most: anyNumber, run: runMail(rein.CommandModify)},
		{name: "pause", args: "RUN", does: "hold a run and everything below it until it is resumed", more: pauseHelp, flags: ends, least: 1, most: 1, run: runPause},
		{name: "stop", args: "RUN", does: "end a run at its next step", more: stopHelp, flags: ends, least: 1, most: 1, run: runEnd(rein.CommandStop)},
		{name: "cancel", args: "RUN", does: "end a run now", more: cancelHelp, flags: ends, least: 1, most: 1, run: runEnd(rein.CommandCancel)},
		{name: "delete", args: "RUN", does: "end a run and everything below it now", more: deleteHelp, flags: ends, least: 1, most: 1, run: runEnd(rein.CommandDelete)},
		{name: "erase", args: "RUN|SESSION|USER", does: "erase what was said, with all that quotes it", more: eraseHelp, flags: []string{"yes ERASE", "shown", "json", "data", "config"}, least: 1, most: 2, run: runErase},
	}
}

func lookCommands() []command {
	return []command{
		{
			name: "runs", does: "list the runs, unfinished ones first",
			more:  runsHelp,
			flags: []string{"session", "all", "json", "data", "config"}, run: runRuns,
		},
		{
			name: "tree", args: "[RUN]", does: "show what runs are doing, children below their parents",
			more:  treeHelp,
			flags: []string{"json", "data", "config"}, most: 1, run: runTree,
		},
		{
			name: "show", args: "RUN", does: "tell what happened in a run",
			more:  showHelp,
			flags: []string{"full", "json", "data", "config"}, least: 1, most: 1, run: runShow,
		},
		{
			name: "replay", args: "FILE|RUN", does: "play a recorded run again, and tell what is different",
			more:  replayHelp,
			flags: []string{"save", "json", "data", "config"}, least: 1, most: 1, run: runReplay,
		},
		{
			name: "models", does: "list the models: who answers, its window and its price",
			more:  modelsHelp,
			flags: []string{"json", "config"}, run: runModels,
		},
		{
			name: "usage", does: "sum up what runs have used",
			more:  usageHelp,
			flags: []string{"by", "json", "data", "config"}, run: runUsage,
		},
		{
			name: "audit verify", args: "[RUN ...]", does: "prove that what is kept is what was written",
			more:  auditHelp,
			flags: []string{"head", "json", "data", "config"}, most: anyNumber, run: runAudit,
		},
		{
			name: "audit head", does: "make a checkpoint, and print a hash to keep elsewhere",
			more:  headHelp,
			flags: []string{"json", "data", "config"}, run: runHead,
		},
		{
			name: "audit recount", does: "count what users use again, from the logs",
			more:  recountHelp,
			flags: []string{"data", "config"}, run: runRecount,
		},
		{
			name: "backup", args: "FILE", does: "copy everything to a new file, also while it is in use",
			more:  backupHelp,
			flags: []string{"data", "config"}, least: 1, most: 1, run: runBackup,
		},
		{
			name: "doctor", does: "look for what is wrong with the settings and the data",
			more:  doctorHelp,
			flags: []string{"json", "data", "config"}, run: runDoctor,
		},
	}
}

func setUpCommands() []command {
	return []command{
		{
			name: "config check", args: "[FILE]", does: "show every setting and where it comes from",
			more:  checkHelp,
			flags: []string{"json", "config"}, most: 1, run: runConfigCheck,
		},
		{
			name: "config init", args: "[FILE]", does: "write a settings file to begin with",
			more:  initHelp,
			flags: []string{"config"}, most: 1, run: runConfigInit,
		},
		{name: "config example", does: "print that file", more: exampleHelp, run: runConfigExample},
		{
			name: "licences", alias: "licenses", args: "[NAME]", does: "list what rein is made of, and its licences",
			more:  licencesHelp,
			flags: []string{"all", "json"}, most: 1, run: runLicences,
		},
		{name: "version", does: "print the version", run: runVersion},
		{name: "help", args: "[COMMAND]", does: "explain a command", most: 2, run: runHelp},
	}
}

// find returns the command that the arguments begin with, and the arguments after it.
func find(args []string) (cmd *command, rest []string, err error) {
	all := commands()
	for i := range all {
		words := strings.Fields(all[i].name)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) || all[i].alias != "" && args[0] == all[i].alias {
			return &all[i], args[len(words):], nil
		}
	}
	return nil, nil, unknownCommand(args)
}

func unknownCommand(args []string) error {
	var names, longer []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	for _, cmd := range below(args[0]) {
		longer = append(longer, "rein "+cmd.name)
	}
	if len(longer) > 0 {
		return usagef("%q is not complete: %s", args[0], strings.Join(longer, ", or "))
	}
	typed := args[0]
	if strings.HasPrefix(typed, "-") {
		return usagef("the command comes first: rein COMMAND %s (`rein help` lists the commands)", typed)
	}
	return usagef("there is no command %q%s (`rein help` lists the commands)", typed, near.DidYouMean(typed, names))
}

// isHelp reports whether a word asks for help.
func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// below returns the commands whose names begin with the word and go on.
func below(word string) (list []command) {
	for _, cmd := range commands() {
		if strings.HasPrefix(cmd.name, word+" ") {
			list = append(list, cmd)
		}
	}
	return list
}

// usage is how the command is typed.
func (cmd *command) usage() string {
	usage := strings.TrimSpace("rein " + cmd.name + " " + cmd.args)
	for _, name := range cmd.flags {
		usage += " [" + spelled(name) + "]"
		if name == "yes-to" || name == "allow" {
			usage += "..."
		}
	}
	return usage
}

// A usageError is a call that was typed wrongly.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}
