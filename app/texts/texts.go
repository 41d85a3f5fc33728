// Package texts reads texts for Task.Texts: those that users keep in a folder of their own (prompts, SOUL.md, rules,
// skills, commands), and those that the folder of a workspace brings. rein reads them for every run, so an edit takes
// effect with the next run; a running run keeps the texts in its log.
//
// The package reads each file once and through os.Root, and says what it read by its hash. Whether anybody trusts what a
// folder brings is for others to decide: package household/trust.
package texts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"rein"
	"rein/flow/kit"
	"rein/internal/skill"
)

// What a folder may hold: so many files, so many bytes each and all together. They are part of every
// run's log and prompt, so there is no use for more.
const (
	maxFiles = 200
	maxFile  = 64 << 10
	maxAll   = 512 << 10

	maxEntries = 10_000 // of one folder, whatever they are
)

// Own is what the folder of a user has.
type Own struct {
	Texts    map[string]string // prompts, rules, SOUL.md and skills, as a task has them
	Skills   []skill.Skill
	Commands []Command
	Notices  []string // what cannot be used, and why
}

// Load reads a folder. files names the files of prompts that are not called NAME.md, by the prompt, and
// check says what is wrong with a prompt:
//
//	SOUL.md            who the assistant is
//	prompts/NAME.md    in place of the prompt of that name
//	rules/NAME.md      what it must heed
//	skills/NAME/SKILL.md  what it can learn, with a name and a description in its front matter
//	commands/NAME.md   a task that /NAME stands for
//
// A folder that does not exist has no texts. A file that cannot be used is left out and is one of the
// notices, and stops no other; the error is for a folder that cannot be read at all.
func Load(dir string, files map[string]string, check func(prompt, text string) error) (Own, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Own{}, nil
	}
	if err != nil {
		return Own{}, rein.Errorf(rein.CodeInvalid, "cannot open the folder %q for texts: %w; name another folder, or none", dir, err)
	}
	defer root.Close()
	l := newLoader(root)
	l.check = check
	l.soul()
	l.prompts(files)
	l.each("rules", func(name, text string) error { return l.keep(kit.RulePrefix+name, text) })
	l.skills("skills", skill.FromUser)
	l.each("commands", func(name, text string) error { return l.command(name, text, skill.FromUser) })
	return Own{l.texts, l.found, l.commands, l.notices}, nil
}

type loader struct {
	check    func(prompt, text string) error
	root     *os.Root
	shows    func(file string, open *os.File) error // says why a file is not to be read; nil: all are
	texts    map[string]string
	found    []skill.Skill
	commands []Command
	owner    map[string]string // of the name of a skill: its file
	notices  []string
	used     []File // every file that was read, as it was read
	files    int
	left     int // bytes of texts
	room     int // bytes of the files of skills
}

func newLoader(root *os.Root) *loader {
	return &loader{root: root, texts: map[string]string{}, owner: map[string]string{}, left: maxAll, room: maxSkills}
}

func (l *loader) refuse(file string, err error) {
	l.notices = append(l.notices, fmt.Sprintf("%s is not used: %v", file, plain(err)))
}

// plain takes the path out of an error: the notice names it.
func plain(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

func (l *loader) soul() {
	text, err := l.read("SOUL.md")
	if err == nil {
		err = l.keep(kit.SoulText, text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.refuse("SOUL.md", err)
	}
}

// each reads the *.md files of a folder in the order of their names.
func (l *loader) each(folder string, use func(name, text string) error) {
	for _, entry := range l.list(folder) {
		if l.files > maxFiles {
			return // it was said
		}
		name, ok := strings.CutSuffix(entry.Name(), ".md")
		if !ok || strings.HasPrefix(name, ".") {
			continue
		}
		file := path.Join(folder, entry.Name())
		text, err := l.read(file)
		if err == nil {
			err = use(name, text)
		}
		if err != nil {
			l.refuse(file, err)
		}
	}
}

// list returns what is in a folder, by name.
func (l *loader) list(folder string) []fs.DirEntry {
	dir, err := l.root.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		l.refuse(folder, err)
		return nil
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxEntries)
	if err != nil && err != io.EOF {
		l.refuse(folder, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// read returns the text of a plain file inside of the folder.
func (l *loader) read(file string) (string, error) {
	if info, err := l.root.Stat(file); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errors.New("it is not a plain file")
	}
	if l.files++; l.files > maxFiles {
		return "", fmt.Errorf("there are more than %d files", maxFiles)
	}
	content, err := l.bytes(file, maxFile)
	if err != nil {
		return "", err
	}
	return textOf(content.Data)
}

// bytes returns what a plain file holds. Should it have become a pipe meanwhile, this does not wait for its other end.
func (l *loader) bytes(file string, most int) (skill.Content, error) {
	f, err := l.root.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return skill.Content{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return skill.Content{}, err
	case !info.Mode().IsRegular():
		return skill.Content{}, errors.New("it is not a plain file")
	}
	if l.shows != nil {
		if err := l.shows(file, f); err != nil {
			return skill.Content{}, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("it has more than %d bytes", most)
	}
	if err != nil {
		return skill.Content{}, err
	}
	content := skill.Content{Data: data, Exec: info.Mode().Perm()&0o111 != 0}
	l.used = append(l.used, File{Path: file, Sum: skill.Sum(data), Size: len(data), Exec: content.Exec, data: data})
	return content, nil
}

// textOf is a text of a file, with line ends as they should be.
func textOf(data []byte) (string, error) {
	if !utf8.Valid(data) || bytes.ContainsRune(data, 0) {
		return "", errors.New("it is not text in UTF-8")
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), nil
}

// keep adds a text, if there is room for it.
func (l *loader) keep(name, text string) error {
	switch {
	case text == "":
		return errors.New("it is empty")
	case len(text) > l.left:
		return fmt.Errorf("all texts together have more than %d bytes", maxAll)
	}
	l.left -= len(text)
	l.texts[name] = text
	return nil
}

// prompts reads the prompts. A file that the settings name is that of its prompt, whatever it is called.
func (l *loader) prompts(files map[string]string) {
	names := slices.Sorted(maps.Keys(files))
	l.each("prompts", func(name, text string) error {
		var holds []string
		for _, prompt := range names {
			if files[prompt] == name+".md" {
				holds = append(holds, prompt)
			}
		}
		if other, named := files[name]; named && len(holds) == 0 {
			return fmt.Errorf("the settings name %s in its place", other)
		} else if !named && len(holds) == 0 {
			holds = []string{name}
		}
		for _, prompt := range holds {
			if err := l.prompt(prompt, text); err != nil {
				return err
			}
		}
		return nil
	})
	for _, prompt := range names {
		file := path.Join("prompts", files[prompt])
		if _, err := l.root.Stat(file); files[prompt] != prompt+".md" && errors.Is(err, fs.ErrNotExist) {
			l.refuse(file, fmt.Errorf("it does not exist; the built-in %s is used", prompt))
		}
	}
}

func (l *loader) prompt(name, text string) error {
	if err := l.check(name, text); err != nil {
		return err
	}
	return l.keep(name, text)
}
