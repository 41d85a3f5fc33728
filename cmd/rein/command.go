package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rein/internal/near"
)

// A command is one thing that rein can do.
type command struct {
	name        string   // as it is typed
	args        string   // what follows it, in the words of the help
	does        string   // in one line
	more        string   // what else the help says
	flags       []string // names in flags.go
	least, most int      // how many arguments it takes
	run         func(context.Context, *call) error
}

const anyNumber = 1 << 30

// commands is all that rein can do, in the order of the help.
func commands() []command {
	return []command{
		{
			name: "runs", does: "list the runs, unfinished ones first",
			more:  runsHelp,
			flags: []string{"data", "session", "all", "json"}, run: runRuns,
		},
		{
			name: "show", args: "RUN", does: "tell what happened in a run",
			more:  showHelp,
			flags: []string{"data", "full", "json"}, least: 1, most: 1, run: runShow,
		},
		{
			name: "audit verify", args: "[RUN ...]", does: "prove that what is kept is what was written",
			more:  auditHelp,
			flags: []string{"data", "json"}, most: anyNumber, run: runAudit,
		},
		{
			name: "backup", args: "FILE", does: "copy everything to a new file, also while it is in use",
			more:  backupHelp,
			flags: []string{"data"}, least: 1, most: 1, run: runBackup,
		},
		{
			name: "doctor", does: "look for what is wrong with a data folder",
			more:  doctorHelp,
			flags: []string{"data", "json"}, run: runDoctor,
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
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return &all[i], args[len(words):], nil
		}
	}
	return nil, nil, unknownCommand(args)
}

func unknownCommand(args []string) error {
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
		if first, second, ok := strings.Cut(cmd.name, " "); ok && first == args[0] {
			return usagef("%q is not complete: rein %s %s", first, first, second)
		}
	}
	typed := args[0]
	if strings.HasPrefix(typed, "-") {
		return usagef("the command comes first: rein COMMAND %s (`rein help` lists the commands)", typed)
	}
	return usagef("there is no command %q%s (`rein help` lists the commands)", typed, near.DidYouMean(typed, names))
}

// usage is how the command is typed.
func (cmd *command) usage() string {
	usage := strings.TrimSpace("rein " + cmd.name + " " + cmd.args)
	for _, name := range cmd.flags {
		usage += " [" + spelled(name) + "]"
	}
	return usage
}

// A usageError is a call that was typed wrongly.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}
