package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rein/internal/near"
)

// A command is one thing that rein can do. The help, the suggestions after a typo and the check of
// docs/cli.md are made from it.
type command struct {
	name        string // as it is typed
	alias       string // as it may be typed too
	args        string // what follows it, in the words of the help
	does        string // in one line, without a full stop
	more        string // what else the help says: paragraphs, which are wrapped when they are shown
	least, most int    // how many arguments it takes
	watches     bool   // it sees to signals itself
	flags       func(*call) []flagDef
	run         func(context.Context, *call) error
}

const anyNumber = 1 << 30

// A group is commands that belong together in the help.
type group struct {
	title    string
	commands []command
}

// groups is all that rein can do, in the order of the help. Every call makes new commands, because a
// command keeps what its flags said.
func groups() []group {
	return []group{
		{"Run agents", []command{
			screenCommand(), runCommand(), resumeCommand(), forkCommand(), replayCommand(), serveCommand(), serveStatusCommand(), serveQuitCommand(),
			presetListCommand(), presetShowCommand(), presetSaveCommand(), presetRemoveCommand(),
		}},
		{"Answer and steer", []command{
			asksCommand(), answerCommand(), steerCommand(), modifyCommand(), modeCommand(), pauseCommand(), stopCommand(), cancelCommand(), deleteCommand(), undoCommand(),
			rulesCommand(), rulesRevokeCommand(), rulesExplainCommand(), commandsCommand(), commandsStopCommand(),
		}},
		{"Look at runs", []command{sessionsCommand(), runsCommand(), treeCommand(), showCommand(), exportCommand(), usageCommand(), modelsCommand(), flowsCommand(), toolsCommand()}},
		{"Notes", []command{
			notesCommand(), notesSearchCommand(), notesLinksCommand(), notesIndexCommand(), notesStagedCommand(), notesDiffCommand(),
			notesCommitCommand(), notesDiscardCommand(), notesHistoryCommand(), notesUndoCommand(),
		}},
		{"Household", []command{
			agendaCommand(), agendaShowCommand(), agendaAddCommand(), agendaChangeCommand(), agendaRemoveCommand(), agendaFreeCommand(), agendaImportCommand(), agendaExportCommand(), agendaFeedCommand(),
			listsCommand(), listsShowCommand(), listsAddCommand(), listsDoneCommand(), listsUndoCommand(), listsRemoveCommand(), listsCreateCommand(), listsDeleteCommand(),
			scheduleCommand(), scheduleAddCommand(), scheduleChangeCommand(), scheduleRemoveCommand(), scheduleRunCommand(), scheduleRunsCommand(),
			scheduleSwitchCommand("enable", "let a disabled job fire again", "enabled", true), scheduleSwitchCommand("disable", "stop a job without removing it", "disabled", false),
			memoryCommand(), memoryShowCommand(), memorySearchCommand(), memoryAddCommand(), memoryEditCommand(), memoryForgetCommand(), memoryExportCommand(), memoryCountsCommand(),
			preferencesCommand(), preferencesSetCommand(), preferencesUnsetCommand(),
		}},
		{"Messages", []command{
			messagesCommand(), channelsCommand(), channelsAddCommand(), channelsVerifyCommand(), channelsTestCommand(), channelsMuteCommand(), channelsQuietCommand(), channelsRemoveCommand(), hooksCommand(), hooksAddCommand(), hooksRemoveCommand(),
		}},
		{"Workspaces", []command{workspaceAddCommand(), workspaceListCommand(), workspaceRemoveCommand(), trustCommand(), trustListCommand(), trustRevokeCommand()}},
		{"MCP servers", []command{mcpAddCommand(), mcpListCommand(), mcpTestCommand(), mcpLoginCommand(), mcpLogoutCommand(), mcpAcceptCommand(), mcpRemoveCommand()}},
		{"People and access", []command{
			usersCommand(), usersAddCommand(), usersRoleCommand(), usersDisableCommand(), usersEnableCommand(), usersInviteCommand(), usersInvitesCommand(),
			householdShowCommand(), householdListCommand(), householdAddCommand(), householdLoginCommand(),
			loginCommand(), pairCommand(), devicesCommand(), devicesRevokeCommand(), tokensCommand(), tokensNewCommand(), tokensRevokeCommand(),
			secretsListCommand(), secretsSetCommand(), secretsRemoveCommand(), secretsRekeyCommand(),
		}},
		{"Audit and maintenance", []command{
			auditVerifyCommand(), auditHeadCommand(), auditRecountCommand(), backupCommand(), doctorCommand(), ownerCommand(), ownerStopCommand(), ownerRunCommand(), eraseCommand(), sandboxCommand(),
		}},
		{"Set up", []command{
			initCommand(), demoCommand(), configCheckCommand(), configInitCommand(), configExampleCommand(), completionCommand(), completeCommand(), manCommand(), licencesCommand(), versionCommand(), helpCommand(),
		}},
	}
}

// commands is all that rein can do.
func commands() (all []command) {
	for _, g := range groups() {
		all = append(all, g.commands...)
	}
	return all
}

// find returns the command that the arguments begin with, and the arguments after it. Of two that fit
// the longer one is meant.
func find(args []string) (cmd *command, rest []string, err error) {
	all, most := commands(), 0
	for i := range all {
		words := strings.Fields(all[i].name)
		fits := len(args) >= len(words) && slices.Equal(args[:len(words)], words) || all[i].alias != "" && args[0] == all[i].alias
		if fits && len(words) > most {
			cmd, rest, most = &all[i], args[len(words):], len(words)
		}
	}
	if cmd == nil {
		return nil, nil, unknownCommand(args)
	}
	return cmd, rest, nil
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

// flagsOf returns the flags of the command, which set what the call says.
func (cmd *command) flagsOf(c *call) []flagDef {
	if cmd.flags == nil {
		return nil
	}
	return cmd.flags(c)
}

// usage is how the command is typed.
func (cmd *command) usage() string {
	usage := strings.TrimSpace("rein " + cmd.name + " " + cmd.args)
	for _, f := range cmd.flagsOf(&call{}) {
		usage += " [" + f.spelled() + "]"
		if f.again {
			usage += "..."
		}
	}
	return usage
}

// manual says where to read how a command is used. All of its flags would be too many for an error.
func (cmd *command) manual() string { return " (`rein help " + cmd.name + "` shows how to use it)" }

// A usageError is a call that was typed wrongly.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}
