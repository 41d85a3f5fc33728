package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/internal/near"
	"rein/terminal/tui/edit"
	"rein/terminal/tui/pick"
)

// A doing is a command of the screen: what follows a / in the input, and a line of the palette.
type doing struct {
	name, args, about string
	do                func(m *Model, args string) tea.Cmd
}

// commands are what can be done by name.
func commands() []doing {
	return []doing{
		{"new", "", "begin a new session", func(m *Model, _ string) tea.Cmd { return m.open("") }},
		{"sessions", "", "go to another session", func(m *Model, _ string) tea.Cmd { return m.openSessions() }},
		{"asks", "", "everything that waits for you", func(m *Model, _ string) tea.Cmd { return m.openAsks() }},
		{"flow", "[NAME]", "how the next runs work", func(m *Model, args string) tea.Cmd { return m.pickFlow(args) }},
		{"model", "[NAME]", "which model answers", func(m *Model, args string) tea.Cmd { return m.pickModel(args) }},
		{"mode", "[NAME]", "how much waits for you: plan, ask, edits, sandbox", func(m *Model, args string) tea.Cmd { return m.pickMode(args) }},
		{"preset", "[NAME]", "start from what was saved; /preset save NAME saves this run's way", func(m *Model, args string) tea.Cmd { return m.pickPreset(args) }},
		{"tools", "", "what runs can use, and who asks", func(m *Model, _ string) tea.Cmd { return m.openTools() }},
		{"rules", "", "what you allowed beyond one call; revokes it", func(m *Model, _ string) tea.Cmd { return m.openRules() }},
		{"budget", "", "what this session's run has used, and of what", func(m *Model, _ string) tea.Cmd { return m.openBudget() }},
		{"todo", "", "the list of things to do, whole", func(m *Model, _ string) tea.Cmd { return m.openTodo() }},
		{"tree", "", "the tree of runs: delete, modify, message, answer", func(m *Model, _ string) tea.Cmd { return m.openTree() }},
		{"steps", "", "the steps of the run, with prompts as they were sent; fork", func(m *Model, _ string) tea.Cmd { return m.openSteps(nil) }},
		{"notes", "[WORDS]", "search the notes", func(m *Model, args string) tea.Cmd { return m.searchNotes(args) }},
		{"undo", "", "undo what the last run changed: shows the diff and asks", func(m *Model, _ string) tea.Cmd { return m.undo() }},
		{"compact", "", "put a summary in place of what was said, for the next runs", func(m *Model, _ string) tea.Cmd { return m.compact() }},
		{"stop", "", "stop the run after its step", func(m *Model, _ string) tea.Cmd { return m.stop() }},
		{"pause", "", "pause the run, or let it continue", func(m *Model, _ string) tea.Cmd { return m.pause() }},
		{"resume", "", "let the run continue, or try a blocked one again", func(m *Model, _ string) tea.Cmd { return m.resumeByHand() }},
		{"modify", "TEXT", "interrupt the run and change its task", func(m *Model, args string) tea.Cmd { return m.modify(args) }},
		{"comment", "TEXT", "a note for people; the run does not see it", func(m *Model, args string) tea.Cmd { return m.comment(args) }},
		{"rename", "[TITLE]", "give the session a title", func(m *Model, args string) tea.Cmd { return m.rename(args) }},
		{"find", "[WORDS]", "find in the timeline", func(m *Model, args string) tea.Cmd { return m.findByName(args) }},
		{"theme", "[NAME]", "colours: auto, light, dark, none; kept for the next time", func(m *Model, args string) tea.Cmd { return m.pickTheme(args) }},
		{"signs", "", "draw with Unicode, or with ASCII only", func(m *Model, _ string) tea.Cmd { return m.switchSigns() }},
		{"help", "", "the keys", func(m *Model, _ string) tea.Cmd { m.over = newHelp(); return nil }},
		{"quit", "", "leave; runs continue", func(m *Model, _ string) tea.Cmd { m.quitting = true; return tea.Quit }},
	}
}

// isOwn reports whether a word names a command of the screen.
func (m *Model) isOwn(name string) bool {
	return slices.ContainsFunc(commands(), func(c doing) bool { return c.name == name })
}

// command does what was typed after a /.
func (m *Model) command(typed string) tea.Cmd {
	name, args, _ := strings.Cut(typed, " ")
	for _, c := range commands() {
		if c.name == name {
			return c.do(m, strings.TrimSpace(args))
		}
	}
	return nil
}

// expand replaces the name of a command of a workspace by its text. What begins with / and names nothing is not sent.
func (m *Model) expand(text string, then func(*Model, string) tea.Cmd) tea.Cmd {
	name, args, ok := api.SplitCommand(text)
	if !ok {
		return then(m, text)
	}
	c, task := m.api, m.task
	var all []api.SlashCommand
	return m.call(func(ctx context.Context) (err error) {
		all, err = c.Commands(ctx, orDefault(task.Workspace), task.Folder)
		return err
	}, func(m *Model, err error) tea.Cmd {
		if err != nil {
			m.wrong(err)
			m.input.Set(text)
			return nil
		}
		names := []string{}
		for _, own := range commands() {
			names = append(names, own.name)
		}
		for _, known := range all {
			names = append(names, known.Name)
			switch {
			case known.Name != name:
			case known.Inert:
				m.wrong(rein.Errorf(rein.CodeForbidden, "the command /%s comes from a folder that nobody trusts: %s shows what it brings", name, m.tip("trust")))
				m.input.Set(text)
				return nil
			default:
				return then(m, known.Expand(args))
			}
		}
		if hint := near.DidYouMean(name, names); hint != "" {
			m.wrong(rein.Errorf(rein.CodeNotFound, "there is no command /%s%s", name, hint))
			m.input.Set(text)
			return nil
		}
		return then(m, text) // a path, or a sentence that begins so
	})
}

// orDefault is the name of a workspace, or that of the default one.
func orDefault(name string) string {
	if name == "" {
		return "default"
	}
	return name
}

func (m *Model) tip(command string) string {
	if m.o.Tip == nil {
		return "`rein " + command + "`"
	}
	return m.o.Tip(command)
}

// palette lists everything that can be done, and the sessions.
func (m *Model) palette(string) tea.Cmd {
	items := []pick.Item{}
	for _, c := range commands() {
		items = append(items, pick.Item{Key: "/" + c.name, Title: strings.TrimSpace("/" + c.name + " " + c.args), About: c.about, Group: "Commands"})
	}
	list := &listing{list: pick.New(m.t, "Do", items)}
	list.first = func(m *Model, k tea.KeyPressMsg) bool { return m.wordsFollow(list.list, k) }
	list.choose = func(m *Model, item pick.Item) tea.Cmd {
		switch {
		case strings.HasPrefix(item.Key, "/own/"):
			m.input.Set("/" + strings.TrimPrefix(item.Key, "/own/") + " ")
			return nil
		case strings.HasPrefix(item.Key, "/"):
			return m.command(strings.TrimPrefix(item.Key, "/"))
		}
		return m.open(item.Key)
	}
	m.over = list
	return m.fillPalette(list, items)
}

// wordsFollow goes from the palette to the input where what was typed cannot be chosen from a list: a command with the
// words after it, or a path that only begins as commands do.
func (m *Model) wordsFollow(list *pick.List, k tea.KeyPressMsg) bool {
	typed := strings.TrimPrefix(list.Typed(), "/")
	if k.Text != " " && k.String() != "enter" || typed == "" {
		return false
	}
	if list.Current() != nil && (k.Text != " " || !m.takesWords(typed)) {
		return false
	}
	m.over = nil
	m.toInput()
	m.input.Set("/" + typed + k.Text)
	return true
}

// takesWords reports whether words may follow the command of that name.
func (m *Model) takesWords(name string) bool {
	return slices.ContainsFunc(commands(), func(c doing) bool { return c.name == name && c.args != "" }) ||
		slices.ContainsFunc(m.ownCommands, func(s edit.Suggestion) bool { return s.Text == name })
}

// fillPalette adds the commands of the workspace and the sessions, as soon as they are known.
func (m *Model) fillPalette(list *listing, items []pick.Item) tea.Cmd {
	c, task := m.api, m.task
	var own []api.SlashCommand
	var page api.Sessions
	return m.call(func(ctx context.Context) (err error) {
		own, _ = c.Commands(ctx, orDefault(task.Workspace), task.Folder) // without a workspace there are none
		page, err = c.Sessions(ctx, "")
		return err
	}, func(m *Model, err error) tea.Cmd {
		m.wrong(err)
		m.ownCommands = []edit.Suggestion{}
		for _, known := range own {
			if !known.Inert {
				m.ownCommands = append(m.ownCommands, edit.Suggestion{Text: known.Name, About: known.About})
				items = append(items, pick.Item{Key: "/own/" + known.Name, Title: "/" + known.Name, About: known.About, Group: "Your commands"})
			}
		}
		for _, s := range page.Sessions {
			items = append(items, sessionItem(s, m))
		}
		list.list.SetItems(items)
		return nil
	})
}
