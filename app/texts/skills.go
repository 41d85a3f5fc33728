package texts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"rein/flow/kit"
)

// skillName is what a skill may be called: a model writes it as an argument.
var skillName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$`)

// maxDescription is the most that a skill's line in the system prompt may have.
const maxDescription = 500

// skills reads skills/*/SKILL.md. One that is broken stops no other, and of two with one name the
// first stays.
func (l *loader) skills() {
	owner := map[string]string{}
	for _, entry := range l.list("skills") {
		if l.files > maxFiles {
			return
		}
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		file := path.Join("skills", entry.Name(), "SKILL.md")
		if info, err := l.root.Stat(path.Dir(file)); err == nil && !info.IsDir() {
			continue // a README, say
		}
		name, err := l.skill(file, owner)
		if err != nil {
			l.refuse(file, err)
			continue
		}
		owner[name] = file
	}
}

func (l *loader) skill(file string, owner map[string]string) (name string, err error) {
	text, err := l.read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New("there is no such file; a skill is a folder with a SKILL.md")
	}
	if err != nil {
		return "", err
	}
	head, err := frontMatter(text)
	if err != nil {
		return "", err
	}
	name = head["name"]
	switch {
	case !skillName.MatchString(name):
		return "", fmt.Errorf("its name %.80q must be 1 to 64 letters, digits, '_' or '-'", name)
	case head["description"] == "" || len(head["description"]) > maxDescription:
		return "", fmt.Errorf("its description must be one line of 1 to %d bytes that says what it is for", maxDescription)
	case owner[name] != "":
		return "", fmt.Errorf("its name %q is taken by %s", name, owner[name])
	}
	return name, l.keep(kit.SkillPrefix+name, text)
}

// frontMatter reads the lines "key: value" between the two lines "---" that a text begins with.
func frontMatter(text string) (map[string]string, error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	block, _, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		return nil, errors.New(`it must begin with front matter: a line "---", then name: and description:, then a line "---"`)
	}
	head := map[string]string{}
	for line := range strings.Lines(block) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "#") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if value == ">" || value == "|" || strings.HasPrefix(value, ">-") || strings.HasPrefix(value, "|-") {
			return nil, fmt.Errorf("its %s must be written on one line", key)
		}
		head[strings.TrimSpace(key)] = value
	}
	return head, nil
}
