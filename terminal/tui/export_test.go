package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Probe is a message that does something when everything before it was taken in.
func Probe(do func()) tea.Msg {
	return didMsg(func(*Model) tea.Cmd {
		do()
		return nil
	})
}

// KeysHelp lists the keys as the help does: where they hold, the key, and what it does.
func KeysHelp() (keys [][3]string) {
	for _, group := range keysHelp {
		for _, key := range group.keys {
			keys = append(keys, [3]string{group.title, key[0], key[1]})
		}
	}
	return keys
}

// CommandsHelp lists the commands as the palette does: how they are written, and what they do.
func CommandsHelp() (list [][2]string) {
	for _, c := range commands() {
		list = append(list, [2]string{strings.TrimSpace("/" + c.name + " " + c.args), c.about})
	}
	return list
}
