package texts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/digest"
	"rein/internal/skill"
)

// Where the folder of a workspace keeps what it brings. Of two folders for one thing both count.
var (
	ruleFolders    = []string{".rein/rules"}
	skillFolders   = []string{".rein/skills", ".claude/skills"}
	commandFolders = []string{".rein/commands", ".claude/commands"}
	// instructionFiles are what a folder tells those who work in it. The first that exists counts.
	instructionFiles = []string{"AGENTS.md", "CLAUDE.md"}
	// ServersFile names the MCP servers of a folder.
	ServersFile = ".mcp.json"
)

const (
	maxInstructions = 128 << 10 // bytes, of all levels together
	maxLevels       = 32
)

// Kinds of files that a folder brings.
const (
	KindInstructions = "instructions"
	KindRule         = "rule"
	KindSkill        = "skill"
	KindProgram      = "program" // of a skill: a file that can be run
	KindCommand      = "command"
	KindServers      = "mcp servers"
	KindServer       = "mcp server" // a file that the command of one names
)

// A File is a file that a folder brings, as it was read.
type File struct {
	Path string // in the folder, with slashes
	Kind string
	Sum  string // its SHA-256, in hex
	Size int
	Exec bool

	data []byte
}

// maxHead is how much of a text a person is shown who decides about it, in bytes.
const maxHead = 400

// Head is how the file begins, if it is text.
func (f File) Head() string {
	text, err := textOf(f.data)
	if err != nil {
		return ""
	}
	if f.Kind == KindServers {
		return text // whoever trusts it has to see all programs that it starts
	}
	return rein.Clip(text, maxHead)
}

// An Instruction is what one folder tells those who work in it or below.
type Instruction struct {
	Folder string // in the workspace, with slashes; empty: the workspace itself
	File   string // its path in the workspace
	Text   string
}

// AgentsRule names the instructions of a workspace among the texts of a task; those of a folder in it have its path after
// that and a slash, so that the nearest come last.
const AgentsRule = kit.RulePrefix + "AGENTS"

// Rule is the instruction as a text of a task: its name, and what a model reads.
func (i Instruction) Rule() (name, text string) {
	if i.Folder == "" {
		return AgentsRule, i.Text
	}
	return AgentsRule + "/" + i.Folder, fmt.Sprintf("In the folder %s, this holds too, and wins over what the folders above it say:\n\n%s", i.Folder, i.Text)
}

// A Folder is what the folder of a workspace brings for those who work in it. Nothing of it is obeyed, and none of it runs,
// before a person trusts it.
type Folder struct {
	Instructions []Instruction // of the workspace first, the nearest last
	Rules        map[string]string
	Skills       []skill.Skill
	Commands     []Command
	Servers      []Server
	Files        []File   // all that this is made of, by path
	Problems     []string // what cannot be used, and why
}

// A Place is where somebody works.
type Place struct {
	Root   string                  // the folder of the workspace, links followed
	Folder string                  // where in it they work, with slashes; empty: in the workspace itself
	Shows  func(path string) error // says why a file is not shown to anybody who works there; nil: all are
	Taken  []string                // names that skills from the folder cannot have: of the user's own skills, and of tools
}

// Read reads what a folder brings. A folder that cannot be opened brings nothing.
func Read(p Place) *Folder {
	f := &Folder{Rules: map[string]string{}}
	root, err := os.OpenRoot(p.Root)
	if err != nil {
		return f
	}
	defer root.Close()
	l := newLoader(root)
	l.shows = p.mayRead
	for _, name := range p.Taken {
		l.owner[skill.Key(name)] = "another skill or tool"
	}
	f.Instructions = l.instructions(p.Folder)
	l.marked(KindInstructions, 0)
	from := len(l.used)
	for _, dir := range ruleFolders {
		l.each(dir, func(name, text string) error { return l.keep(kit.RulePrefix+"workspace/"+name, text) })
	}
	f.Rules = rulesOf(l.texts)
	from = l.marked(KindRule, from)
	for _, dir := range l.distinct(skillFolders) {
		l.skills(dir, skill.FromWorkspace)
	}
	from = l.marked(KindSkill, from)
	for _, dir := range l.distinct(commandFolders) {
		l.each(dir, func(name, text string) error { return l.command(name, text, skill.FromWorkspace) })
	}
	from = l.marked(KindCommand, from)
	f.Servers = l.servers()
	l.marked(KindServers, from)
	l.markPrograms(from)
	f.Skills, f.Commands, f.Problems = l.found, l.commands, l.notices
	f.Files = l.used
	slices.SortFunc(f.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return f
}

// distinct leaves out folders that are links to one before them, as people make them for other programs.
func (l *loader) distinct(folders []string) (kept []string) {
	var seen []os.FileInfo
	for _, folder := range folders {
		info, err := l.root.Stat(folder)
		if err == nil && slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			continue
		}
		if err == nil {
			seen = append(seen, info)
		}
		kept = append(kept, folder)
	}
	return kept
}

// rulesOf are the rules among texts.
func rulesOf(texts map[string]string) map[string]string {
	rules := map[string]string{}
	for name, text := range texts {
		if strings.HasPrefix(name, kit.RulePrefix) {
			rules[name] = text
		}
	}
	return rules
}

// marked says of what kind the files are that were read since.
func (l *loader) marked(kind string, from int) int {
	for i := from; i < len(l.used); i++ {
		if l.used[i].Kind = kind; kind == KindSkill && l.used[i].Exec {
			l.used[i].Kind = KindProgram
		}
	}
	return len(l.used)
}

// markPrograms marks the files that commands of MCP servers name.
func (l *loader) markPrograms(from int) {
	for i := from; i < len(l.used); i++ {
		if l.used[i].Path != ServersFile {
			l.used[i].Kind = KindServer
		}
	}
}

// Hash names all that the folder brings: two folders that bring the same have one hash, and whatever is changed, added or
// removed gives another. A folder that brings nothing has none.
func (f *Folder) Hash() string {
	if len(f.Files) == 0 {
		return ""
	}
	var parts []string
	for _, file := range f.Files {
		mode := "-"
		if file.Exec {
			mode = "x"
		}
		parts = append(parts, file.Path, file.Kind, mode, file.Sum)
	}
	return digest.Listed(digest.Size, parts...)
}

// instructions reads those of each level, from the workspace down to where somebody works.
func (l *loader) instructions(folder string) (all []Instruction) {
	room := maxInstructions
	for _, level := range l.levels(folder) {
		for _, name := range instructionFiles {
			file := path.Join(level, name)
			used := len(l.used)
			text, err := l.read(file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil && text == "" {
				err = errors.New("it is empty")
			}
			if err == nil && len(text) > room {
				err = fmt.Errorf("the instructions of all folders together have more than %d bytes", maxInstructions)
			}
			if err != nil {
				l.used = l.used[:used]
				l.refuse(file, err)
				break // the other file is not what the folder wants to be read
			}
			room -= len(text)
			all = append(all, Instruction{Folder: level, File: file, Text: text})
			break
		}
	}
	return all
}

// levels are the folders from the workspace down to where somebody works. Nothing is read in hidden folders.
func (l *loader) levels(folder string) []string {
	levels := []string{""}
	if folder == "" || folder == "." || !filepath.IsLocal(filepath.FromSlash(folder)) {
		return levels
	}
	at := ""
	for part := range strings.SplitSeq(path.Clean(folder), "/") {
		if strings.HasPrefix(part, ".") {
			return levels
		}
		if len(levels) == maxLevels {
			l.refuse(folder, fmt.Errorf("it lies more than %d folders deep", maxLevels))
			return levels
		}
		at = path.Join(at, part)
		levels = append(levels, at)
	}
	return levels
}
