package texts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"rein/internal/skill"
)

// What the files of skills may be: so many in one skill, so deep, so many bytes each and all together.
const (
	maxSkillFiles = 100
	maxSkillDepth = 6
	maxSkillFile  = 4 << 20
	maxSkills     = 16 << 20
)

// skills reads FOLDER/*/SKILL.md, with the files beside it. One that is broken stops no other, and of two with one name
// the first stays.
func (l *loader) skills(folder, from string) {
	for _, entry := range l.list(folder) {
		if l.files > maxFiles {
			return
		}
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		dir := path.Join(folder, entry.Name())
		if info, err := l.root.Stat(dir); err == nil && !info.IsDir() {
			continue // a README, say
		}
		used := len(l.used)
		s, err := l.skill(dir)
		if err != nil {
			l.used = l.used[:used] // nothing of it is used
			l.refuse(path.Join(dir, skill.Main), err)
			continue
		}
		s.Parts.From = from
		l.owner[skill.Key(s.Name)] = path.Join(dir, skill.Main)
		l.found = append(l.found, s)
	}
}

func (l *loader) skill(dir string) (skill.Skill, error) {
	text, err := l.read(path.Join(dir, skill.Main))
	if errors.Is(err, fs.ErrNotExist) {
		return skill.Skill{}, errors.New("there is no such file; a skill is a folder with a SKILL.md")
	}
	if err != nil {
		return skill.Skill{}, err
	}
	files := map[string]skill.Content{}
	if err := l.tree(dir, "", files, 0); err != nil {
		return skill.Skill{}, err
	}
	s, err := skill.Read(text, files)
	if err != nil {
		return s, err
	}
	if taken := l.owner[skill.Key(s.Name)]; taken != "" {
		return s, fmt.Errorf("its name %q is taken by %s", s.Name, taken)
	}
	return s, l.keep(skill.TextPrefix+s.Name, text)
}

// tree reads the files below a folder of a skill. No link to a folder is followed, and none that leads out of the root.
func (l *loader) tree(dir, below string, files map[string]skill.Content, depth int) error {
	if depth > maxSkillDepth {
		return fmt.Errorf("it has more than %d folders inside each other", maxSkillDepth)
	}
	for _, entry := range l.list(path.Join(dir, below)) {
		name := path.Join(below, entry.Name())
		if strings.HasPrefix(entry.Name(), ".") || name == skill.Main {
			continue
		}
		if entry.IsDir() {
			if err := l.tree(dir, name, files, depth+1); err != nil {
				return err
			}
			continue
		}
		if len(files) == maxSkillFiles {
			return fmt.Errorf("it has more than %d files", maxSkillFiles)
		}
		content, err := l.bytes(path.Join(dir, name), min(maxSkillFile, l.room))
		if err != nil {
			return fmt.Errorf("%s: %w", name, plain(err))
		}
		l.room -= len(content.Data)
		files[name] = content
	}
	return nil
}
