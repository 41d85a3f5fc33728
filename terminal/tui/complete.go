package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rein/api"
	"rein/terminal/tui/edit"
)

// completeFile suggests the files and notes that an @ can name. They are listed once.
func (m *Model) completeFile(c edit.Completing) tea.Cmd {
	if m.files != nil || m.o.Files == nil {
		m.input.Suggest(c, m.files)
		return nil
	}
	list := m.o.Files
	return func() tea.Msg {
		names := list()
		return didMsg(func(m *Model) tea.Cmd {
			m.files = make([]edit.Suggestion, len(names))
			for i, name := range names {
				m.files[i] = edit.Suggestion{Text: name}
			}
			m.input.Suggest(c, m.files)
			return nil
		})
	}
}

// completeCommand suggests commands of the screen and of the workspace.
func (m *Model) completeCommand(c edit.Completing) tea.Cmd {
	var found []edit.Suggestion
	for _, own := range commands() {
		found = append(found, edit.Suggestion{Text: own.name, About: own.about})
	}
	found = append(found, m.ownCommands...)
	m.input.Suggest(c, found)
	if m.ownCommands != nil {
		return nil
	}
	client, task := m.api, m.task
	var own []api.SlashCommand
	return m.call(func(ctx context.Context) (err error) {
		own, err = client.Commands(ctx, orDefault(task.Workspace), task.Folder)
		return err
	}, func(m *Model, err error) tea.Cmd {
		m.ownCommands = []edit.Suggestion{}
		if err != nil {
			return nil // without a workspace there are none
		}
		for _, known := range own {
			if !known.Inert {
				m.ownCommands = append(m.ownCommands, edit.Suggestion{Text: known.Name, About: known.About})
			}
		}
		m.input.Suggest(c, append(found, m.ownCommands...))
		return nil
	})
}
