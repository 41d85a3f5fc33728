package verdict

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
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
	case "log", "show", "reflog":
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
	if p.Disk == nil || p.Root == "" {
		return unreadable
	}
	for dir := path.Join(p.Root, at.dir); ; dir = path.Dir(dir) {
		git := path.Join(dir, ".git")
		switch info, err := p.Disk.Stat(git); {
		case err == nil && info.IsDir():
			return p.folderRuns(git)
		case err == nil:
			return p.fileRuns(dir)
		case !isMissing(err):
			return unreadable
		case p.hasHead(dir) && p.isOpen(dir+"/objects") && p.isOpen(dir+"/refs"):
			return "it runs in a folder that looks like a repository, which older versions of git obey"
		}
		if dir == path.Dir(dir) {
			return "" // there is no repository, and git says so
		}
	}
}

// fileRuns is repositoryRuns for a .git that is a file with the path of the repository.
func (p Policy) fileRuns(dir string) string {
	data, err := p.Disk.ReadFile(path.Join(dir, ".git"))
	to, ok := strings.CutPrefix(oneLine(data), "gitdir: ")
	if err != nil || !ok {
		return "the repository's .git is not understood"
	}
	if !path.IsAbs(to) {
		to = dir + "/" + to // not joined: a link before ".." leads elsewhere
	}
	return p.folderRuns(to)
}

// folderRuns is repositoryRuns for the folder of a repository. Git ignores one that it does not take for a repository, and
// obeys the next one above it.
func (p Policy) folderRuns(folder string) string {
	common, err := p.common(folder)
	switch {
	case err != nil:
		return unreadable
	case !p.hasHead(folder) || !p.isOpen(folder) || !p.isOpen(common+"/objects") || !p.isOpen(common+"/refs"):
		return "git may not take its .git for a repository, and then obeys the one of a folder above"
	}
	return p.settingsRun(folder, common)
}

// common is the folder that a repository shares with others; its own if it shares none.
func (p Policy) common(folder string) (string, error) {
	data, err := p.Disk.ReadFile(folder + "/commondir")
	switch {
	case err != nil && isMissing(err):
		return folder, nil
	case err != nil:
		return "", err
	case path.IsAbs(oneLine(data)):
		return oneLine(data), nil
	}
	return folder + "/" + oneLine(data), nil
}

// headLine is what git expects of a HEAD that is not a link.
var headLine = regexp.MustCompile(`^(ref: refs/[^\s]+|[0-9a-f]{40}|[0-9a-f]{64})$`)

// hasHead reports whether a folder has a HEAD that git takes for one. It may be a link to a branch without commits.
func (p Policy) hasHead(folder string) bool {
	if to, err := p.Disk.Readlink(folder + "/HEAD"); err == nil {
		return strings.HasPrefix(to, "refs/")
	}
	info, err := p.Disk.Stat(folder + "/HEAD")
	if err != nil || info.Mode().Perm()&0o400 == 0 {
		return false
	}
	data, err := p.Disk.ReadFile(folder + "/HEAD")
	return err == nil && headLine.MatchString(oneLine(data))
}

// isOpen reports whether there is a folder that its owner can list and enter.
func (p Policy) isOpen(folder string) bool {
	info, err := p.Disk.Stat(folder)
	return err == nil && info.IsDir() && info.Mode().Perm()&0o500 == 0o500
}

const unreadable = "the settings of the repository cannot be read"

// isMissing reports whether there is no such file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// oneLine is the text of a file with a path in it. Git drops line ends only: a blank belongs to the path.
func oneLine(data []byte) string { return strings.TrimRight(string(data), "\r\n") }

// settingsRun looks at the settings in a repository's folder, and in the one it shares with others.
func (p Policy) settingsRun(folder, common string) string {
	files := []string{folder + "/config", folder + "/config.worktree"}
	if common != folder {
		files = append(files, common+"/config")
	}
	for _, file := range files {
		data, err := p.Disk.ReadFile(file)
		if err != nil && !isMissing(err) {
			return unreadable
		}
		if key := doubtful(string(data)); key != "" {
			return fmt.Sprintf("the repository sets %s, with which git may run a program or read elsewhere", key)
		}
	}
	return ""
}
