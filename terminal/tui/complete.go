package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rein/api"
	"rein/terminal/tui/edit"
)

// completeFile suggests the files and notes that an @ can name. They are listed once.
func (m *Model) completeFile(c edit.Completing) tea.Cmd {
	if m.files != nil {
		m.input.Suggest(c, m.files)
		return nil
	}
	list, client, workspace := m.o.Files, m.api, m.workspace()
	found := []edit.Suggestion{}
	return m.call(func(ctx context.Context) error {
		if list != nil {
			for _, name := range list() {
				found = append(found, edit.Suggestion{Text: name})
			}
		}
		notes, err := client.Notes(ctx, workspace)
		found = append(found, noted(notes.Entries, found)...)
		return err
	}, func(m *Model, _ error) tea.Cmd { // without notes there are the files
		m.files = found
		m.input.Suggest(c, m.files)
		return nil
	})
}

// noted are the notes that are no files of the folder. A run finds them by their name, as a link.
func noted(entries []api.Entry, files []edit.Suggestion) (notes []edit.Suggestion) {
	known := make(map[string]bool, len(files))
	for _, file := range files {
		known[file.Text] = true
	}
	for _, e := range entries {
		if e.Indexed && !known[e.Path] {
			notes = append(notes, edit.Suggestion{Text: "[[" + e.Path + "]]", About: "note"})
		}
	}
	return notes
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
