package texts

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"rein/internal/skill"
)

// A Command is a task that /NAME stands for: the text of a file, in which what follows the name is filled in.
type Command struct {
	Name  string
	About string // one line; may be empty
	Hint  string // what can follow the name; may be empty
	Text  string
	From  string // as of a skill
}

var commandName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// command takes a command in.
func (l *loader) command(name, text, from string) error {
	value, body, err := skill.Front(text)
	switch {
	case err != nil:
		return err
	case !commandName.MatchString(name):
		return fmt.Errorf("the name of a command must be 1 to 64 lower-case letters, digits, '_' or '-'")
	case body == "":
		return errors.New("it is empty")
	case slices.ContainsFunc(l.commands, func(c Command) bool { return c.Name == name }):
		return fmt.Errorf("there is a command %q already", name)
	case len(body) > l.left:
		return fmt.Errorf("all texts together have more than %d bytes", maxAll)
	}
	l.left -= len(body)
	l.commands = append(l.commands, Command{Name: name, About: value("description"), Hint: value("argument-hint"), Text: body, From: from})
	return nil
}
