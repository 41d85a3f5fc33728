package verdict

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"rein/tool/shell/parse"
)

// An edit puts text into a line.
type edit struct {
	at   int
	text string
}

// rewrite applies edits from the end of the line on.
func rewrite(line string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return b.at - a.at })
	for _, e := range edits {
		if e.at < 0 || e.at > len(line) {
			continue
		}
		line = line[:e.at] + e.text + line[e.at:]
	}
	return line
}

// gitEnv keeps git from asking, fetching, locking, paging and reading settings of the environment.
const gitEnv = "env -u GIT_DIR -u GIT_WORK_TREE -u GIT_CONFIG_COUNT -u GIT_CONFIG_PARAMETERS -u GIT_EXTERNAL_DIFF -u GIT_EXEC_PATH " +
	"GIT_OPTIONAL_LOCKS=0 GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=none GIT_TERMINAL_PROMPT=0 GIT_PAGER=cat PAGER=cat "

// gitSettings override those of a repository that make git run programs. A repository inside the
// workspace that only looks like a folder is not entered.
const gitSettings = " --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.pager=cat -c diff.external= -c log.showSignature=false -c safe.bareRepository=explicit"

// gitExtra are options of subcommands that switch programs of the repository off.
func gitExtra(sub string) string {
	switch sub {
	case "status":
		return " --ignore-submodules=dirty"
	case "diff":
		return " --no-ext-diff --no-textconv --ignore-submodules=dirty"
	case "log", "show", "whatchanged", "reflog":
		return " --no-ext-diff --no-textconv"
	case "blame", "grep":
		return " --no-textconv"
	}
	return ""
}

// gitReadOnly judges a command of git, and says what to put into the line so that it only reads.
func (p Policy) gitReadOnly(part parse.Part, at place) (why string, edits []edit, ok bool) {
	i := 1
	if len(part.Argv) > 2 && part.Argv[1].Text == "--no-pager" {
		i = 2
	}
	if len(part.Argv) <= i || part.Argv[i].Kind != parse.Literal {
		return "git is not on the list of read-only commands", nil, false
	}
	sub := part.Argv[i].Text
	if sub == "--version" && len(part.Argv) == i+1 {
		return "it shows a version", nil, true
	}
	e, listed := readOnlyList["git "+sub]
	if !listed {
		return fmt.Sprintf("git %s is not on the list of read-only commands", sub), nil, false
	}
	if why := e.refuses(part.Argv[i+1:], at); why != "" {
		return why, nil, false
	}
	if part.Nested {
		return "its settings cannot be overridden inside a text that another command runs", nil, false
	}
	if why := p.repositoryRuns(at); why != "" {
		return why, nil, false
	}
	name, subcommand := part.Argv[0], part.Argv[i]
	return e.why, []edit{{name.Start, gitEnv}, {name.End, gitSettings}, {subcommand.End, gitExtra(sub)}}, true
}

// repositoryRuns says what in the settings of the repository would run a program or lead elsewhere, and
// cannot be overridden on the command line; "" if there is nothing.
func (p Policy) repositoryRuns(at place) string {
	if p.ReadFile == nil || p.Readlink == nil || p.Root == "" {
		return unreadable
	}
	for dir := path.Join(p.Root, at.dir); ; dir = path.Dir(dir) {
		// A HEAD may be a link to a branch without commits, and so look as if it were not there.
		for _, name := range []string{"HEAD", "config", "commondir"} {
			switch _, err := p.ReadFile(path.Join(dir, ".git", name)); {
			case err == nil:
				return p.settingsRun(dir + "/.git")
			case !isMissing(err):
				return unreadable
			}
		}
		if data, err := p.ReadFile(path.Join(dir, ".git")); err == nil {
			to, ok := strings.CutPrefix(oneLine(data), "gitdir: ")
			if !ok {
				return "the repository's .git is not understood"
			}
			if !path.IsAbs(to) {
				to = dir + "/" + to // not joined: a link before ".." leads elsewhere
			}
			return p.settingsRun(to)
		}
		if dir == path.Dir(dir) {
			return "" // there is no repository, and git says so
		}
	}
}

const unreadable = "the settings of the repository cannot be read"

// isMissing reports whether there is no such file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// oneLine is the text of a file with a path in it. Git drops line ends only: a blank belongs to the path.
func oneLine(data []byte) string { return strings.TrimRight(string(data), "\r\n") }

// settingsRun looks at the settings in a repository's folder, and in the one it shares with others.
func (p Policy) settingsRun(folder string) string {
	files := []string{folder + "/config", folder + "/config.worktree"}
	switch data, err := p.ReadFile(folder + "/commondir"); {
	case err == nil:
		common := oneLine(data)
		if !path.IsAbs(common) {
			common = folder + "/" + common
		}
		files = append(files, common+"/config")
	case !isMissing(err):
		return unreadable
	}
	for _, file := range files {
		data, err := p.ReadFile(file)
		if err != nil && !isMissing(err) {
			return unreadable
		}
		if key := doubtful(string(data)); key != "" {
			return fmt.Sprintf("the repository sets %s, with which git may run a program or read elsewhere", key)
		}
	}
	return ""
}
