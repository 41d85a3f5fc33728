package parse

import (
	"slices"
	"strings"
)

// git looks for what makes git run something else: its settings on the command line, aliases, and
// subcommands that run commands.
func git(w *walker, p Part) {
	for _, a := range p.Argv[1:] {
		if a.Kind == Literal && !strings.HasPrefix(a.Text, "-") {
			w.gitCommand(p, a.Text)
			return
		}
		if a.Kind != Literal || !slices.Contains([]string{"--no-pager", "--version", "--help", "--no-optional-locks", "--literal-pathspecs"}, a.Text) {
			w.hide(p, "settings on its command line can run commands or name another repository")
			return
		}
	}
	w.add(p)
}

// gitKnown are subcommands of git itself. Any other name may be an alias for anything; so may whatchanged, which newer versions
// of git gave up.
var gitKnown = strings.Fields(`add am apply archive bisect blame branch bundle cat-file check-ignore cherry cherry-pick clean clone
	commit count-objects describe diff diff-tree fetch for-each-ref format-patch fsck gc grep init log ls-files ls-remote ls-tree merge
	merge-base mv name-rev pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show
	show-branch show-ref stash status switch checkout symbolic-ref tag update-index verify-commit verify-tag version worktree`)

func (w *walker) gitCommand(p Part, sub string) {
	why := ""
	switch {
	case !slices.Contains(gitKnown, sub):
		why = "it is an alias, a setting or a program, and not a known command of git"
	case slices.ContainsFunc(p.Argv, func(a Word) bool {
		if a.Kind == Unknown {
			return false // unknown words are asked about anyway
		}
		return slices.ContainsFunc(gitRuns, func(option string) bool { return strings.HasPrefix(a.Text, option) })
	}), sub == "bisect", sub == "rebase" && slices.ContainsFunc(p.Argv, func(a Word) bool { return strings.HasPrefix(a.Text, "-x") || a.Text == "-i" }):
		why = "one of its options runs a command"
	}
	if why != "" {
		w.hide(p, why)
		return
	}
	w.add(p)
}

// gitRuns begin options of subcommands that run something, shortened as far as git allows.
var gitRuns = []string{"--upload-p", "--receive-p", "--exec", "--open-files", "-O", "--ext-d", "--textc", "--config", "ext::", "--inter", "--edit-d", "--templ"}
