package tui

import (
	"os"
	"os/exec"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"rein/terminal/tui/card"
)

// edited opens a text in the person's editor, and gives back what became of it. The file is in a folder that nobody else
// can read, and goes with it.
func (m *Model) edited(name, text string, then func(*Model, string) tea.Cmd) tea.Cmd {
	if len(m.o.Edit) == 0 {
		m.say("no editor: set $EDITOR")
		return nil
	}
	dir, err := os.MkdirTemp("", "rein-edit-")
	if err != nil {
		m.wrong(err)
		return nil
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		os.RemoveAll(dir)
		m.wrong(err)
		return nil
	}
	cmd := exec.CommandContext(m.ctx, m.o.Edit[0], append(m.o.Edit[1:len(m.o.Edit):len(m.o.Edit)], file)...)
	return tea.ExecProcess(cmd, func(failed error) tea.Msg {
		defer os.RemoveAll(dir)
		data, err := os.ReadFile(file)
		return didMsg(func(m *Model) tea.Cmd {
			m.touchCard()
			switch {
			case failed != nil:
				m.wrong(failed)
			case err != nil:
				m.wrong(err)
			case string(data) != text:
				return then(m, string(data))
			}
			return nil
		})
	})
}

// editInput opens what is being typed in the editor.
func (m *Model) editInput() tea.Cmd {
	return m.edited("message.md", m.input.Text(), func(m *Model, text string) tea.Cmd {
		m.input.Set(text)
		return nil
	})
}

// editArguments opens the arguments of the call that asks in the editor. They come back to the card, where they still
// have to be sent.
func (m *Model) editArguments(c *card.Card) tea.Cmd {
	return m.edited("arguments.json", c.Arguments(), func(m *Model, text string) tea.Cmd {
		if m.cards.shown != c {
			m.say("somebody else has answered meanwhile")
			return nil
		}
		m.focus = onCard
		m.wrong(c.Edited([]byte(text)))
		return nil
	})
}
