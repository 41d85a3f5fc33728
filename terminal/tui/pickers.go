package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/internal/units"
	"rein/terminal"
	"rein/terminal/tui/look"
	"rein/terminal/tui/pick"
)

// fetched reads what a list shows, and opens the list.
func fetched[T any](m *Model, read func(context.Context) (T, error), then func(*Model, T) tea.Cmd) tea.Cmd {
	var found T
	return m.call(func(ctx context.Context) (err error) {
		found, err = read(ctx)
		return err
	}, func(m *Model, err error) tea.Cmd {
		if err != nil {
			m.wrong(err)
			return nil
		}
		return then(m, found)
	})
}

// list opens a list.
func (m *Model) list(title, empty string, items []pick.Item, choose func(*Model, pick.Item) tea.Cmd) *listing {
	l := &listing{list: pick.New(m.t, title, items), choose: choose}
	l.list.Empty(empty)
	m.over = l
	return l
}

func nothing(*Model, pick.Item) tea.Cmd { return nil }

// openSessions lists the sessions: by what they are called and by what was typed in them.
func (m *Model) openSessions() tea.Cmd {
	c := m.api
	return fetched(m, func(ctx context.Context) (all []api.Session, err error) {
		for after := ""; len(all) < 500; {
			page, err := c.FindSessions(ctx, client.SessionFilter{After: after})
			if err != nil {
				return nil, err
			}
			all = append(all, page.Sessions...)
			if after = page.Next; after == "" {
				break
			}
		}
		return all, nil
	}, func(m *Model, all []api.Session) tea.Cmd {
		items := make([]pick.Item, len(all))
		for i, s := range all {
			items[i] = sessionItem(s, m)
		}
		l := m.list("Sessions", "No session yet: type what you want done.", items, func(m *Model, item pick.Item) tea.Cmd { return m.open(item.Key) })
		l.list.Offer("ctrl+r", 'r', "rename")
		l.list.Offer("ctrl+x", 'x', "archive")
		l.act = func(m *Model, item pick.Item, what rune) tea.Cmd { return m.changeSession(item, what) }
		return nil
	})
}

func sessionItem(s api.Session, m *Model) pick.Item {
	item := pick.Item{
		Key: s.ID, Title: cmp.Or(s.Title, s.ID), Group: "Sessions", Right: units.Lately(s.Changed, m.now),
		About: s.Flow, Live: s.Active != "", Now: s.ID == m.session,
	}
	if s.Waiting > 0 {
		item.About = "waits for you"
	}
	return item
}

func (m *Model) changeSession(item pick.Item, what rune) tea.Cmd {
	c := m.api
	change := func(want api.ChangedSession, done string) tea.Cmd {
		return m.call(func(ctx context.Context) error {
			_, err := c.ChangeSession(ctx, item.Key, want)
			return err
		}, func(m *Model, err error) tea.Cmd {
			if err != nil {
				m.wrong(err)
				return nil
			}
			m.say(done)
			return m.openSessions()
		})
	}
	if what == 'x' {
		archived := true
		return change(api.ChangedSession{Archived: &archived}, "archived; the page lists it")
	}
	m.ask("Title of the session", "", item.Title, func(_ *Model, title string) tea.Cmd {
		return change(api.ChangedSession{Title: &title}, "renamed")
	})
	return nil
}

func (m *Model) rename(title string) tea.Cmd {
	if m.session == "" || len(m.entries) == 0 {
		m.say("nothing was sent in this session yet")
		return nil
	}
	if title == "" {
		m.ask("Title of the session", "", m.title(), func(m *Model, title string) tea.Cmd { return m.rename(title) })
		return nil
	}
	c, session := m.api, m.session
	return fetched(m, func(ctx context.Context) (api.Session, error) {
		return c.ChangeSession(ctx, session, api.ChangedSession{Title: &title})
	}, func(m *Model, info api.Session) tea.Cmd {
		m.info = info
		return nil
	})
}

// openAsks lists everything that waits for this person, in all sessions.
func (m *Model) openAsks() tea.Cmd {
	c := m.api
	return fetched(m, func(ctx context.Context) (list askedRuns, err error) {
		list.asks, err = c.Asks(ctx, api.AskQuery{State: rein.AskPending, Limit: api.DefaultLimit})
		if err != nil {
			return list, err
		}
		list.sessions = map[rein.RunID]string{}
		for _, ask := range list.asks {
			root := ask.Run.Root()
			if _, known := list.sessions[root]; known {
				continue
			}
			info, err := c.Run(ctx, root)
			if err != nil {
				return list, err
			}
			list.sessions[root] = info.Session
		}
		return list, nil
	}, func(m *Model, found askedRuns) tea.Cmd {
		items := make([]pick.Item, len(found.asks))
		for i, ask := range found.asks {
			items[i] = pick.Item{Key: string(ask.ID), Title: firstLine(ask.Text), About: string(ask.Kind), Right: units.Lately(ask.Opened, m.now)}
		}
		m.list("Waits for you", "Nothing waits for you.", items, func(m *Model, item pick.Item) tea.Cmd {
			return m.toAsk(rein.AskID(item.Key), found.sessions[rein.AskID(item.Key).Run().Root()])
		})
		return nil
	})
}

// askedRuns are asks, and the sessions of their trees.
type askedRuns struct {
	asks     []rein.Ask
	sessions map[rein.RunID]string
}

// toAsk shows an ask, in its session.
func (m *Model) toAsk(id rein.AskID, session string) tea.Cmd {
	if session != m.session {
		return m.open(session)
	}
	for _, ask := range m.cards.open {
		if ask.ID == id {
			m.show(ask)
			m.focus = onCard
		}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func (m *Model) pickFlow(name string) tea.Cmd {
	c := m.api
	return fetched(m, c.Flows, func(m *Model, all []api.Flow) tea.Cmd {
		var names []string
		items := make([]pick.Item, len(all))
		for i, f := range all {
			names = append(names, f.Name)
			items[i] = pick.Item{Key: f.Name, Title: f.Name, About: f.About, Now: f.Name == m.task.Flow}
		}
		set := func(m *Model, name string) tea.Cmd {
			m.task.Flow, m.task.Settings, m.task.Preset = name, nil, ""
			m.say("the next run uses the flow " + name)
			return nil
		}
		return m.chooseBy("Flow", "flow", name, names, items, set)
	})
}

func (m *Model) pickModel(name string) tea.Cmd {
	c := m.api
	return fetched(m, c.Models, func(m *Model, all []api.Model) tea.Cmd {
		var names []string
		items := make([]pick.Item, len(all))
		for i, f := range all {
			names = append(names, f.Name)
			items[i] = pick.Item{Key: f.Name, Title: f.Name, About: modelWords(f, m.t.Currency), Now: f.Name == m.task.Model || m.task.Model == "" && f.Default}
		}
		return m.chooseBy("Model", "model", name, names, items, func(m *Model, name string) tea.Cmd {
			m.task.Model = name
			m.say("the next run asks the model " + look.SafeLine(name))
			return nil
		})
	})
}

func modelWords(f api.Model, currency units.Currency) string {
	words := f.Kind
	if f.Window > 0 {
		words += ", window " + units.Number(f.Window)
	}
	if f.InputMicros > 0 || f.OutputMicros > 0 {
		words += fmt.Sprintf(", %s + %s a million", currency.Money(f.InputMicros), currency.Money(f.OutputMicros))
	}
	return words
}

func (m *Model) pickMode(name string) tea.Cmd {
	var names []string
	var items []pick.Item
	for _, mode := range rein.Modes() {
		names = append(names, string(mode))
		items = append(items, pick.Item{Key: string(mode), Title: string(mode), About: modeWords[mode], Now: mode == m.mode()})
	}
	return m.chooseBy("Mode", "mode", name, names, items, func(m *Model, name string) tea.Cmd { return m.setMode(rein.Mode(name)) })
}

// chooseBy sets what was typed, or lists what could be.
func (m *Model) chooseBy(title, noun, typed string, names []string, items []pick.Item, set func(*Model, string) tea.Cmd) tea.Cmd {
	if typed == "" {
		m.list(title, "There is none.", items, func(m *Model, item pick.Item) tea.Cmd { return set(m, item.Key) })
		return nil
	}
	if slices.Contains(names, typed) {
		return set(m, typed)
	}
	m.wrong(rein.Errorf(rein.CodeNotFound, "there is no %s %.60q; choose from: %s", noun, typed, strings.Join(names, ", ")))
	return nil
}

func (m *Model) pickPreset(typed string) tea.Cmd {
	c := m.api
	if name, ok := strings.CutPrefix(typed, "save "); ok {
		return m.savePreset(strings.TrimSpace(name))
	}
	return fetched(m, c.Presets, func(m *Model, all []api.Preset) tea.Cmd {
		var names []string
		items := make([]pick.Item, len(all))
		for i, p := range all {
			names = append(names, p.Name)
			items[i] = pick.Item{Key: p.Name, Title: p.Name, About: p.About, Right: string(p.From), Now: p.Name == m.task.Preset}
		}
		return m.chooseBy("Preset", "preset", typed, names, items, func(m *Model, name string) tea.Cmd {
			m.task.Preset, m.task.Flow, m.task.Settings = name, "", nil
			m.say("the next run starts from the preset " + look.SafeLine(name))
			return nil
		})
	})
}

func (m *Model) savePreset(name string) tea.Cmd {
	e := m.newest()
	if e == nil || name == "" {
		m.say("/preset save NAME saves how the newest run works; there is no run yet")
		return nil
	}
	c, run := m.api, e.info.ID
	return fetched(m, func(ctx context.Context) (api.Preset, error) {
		return c.SavePreset(ctx, name, api.NewPreset{Run: run}, false)
	}, func(m *Model, saved api.Preset) tea.Cmd {
		m.say("saved as the preset " + look.SafeLine(saved.Name))
		return nil
	})
}

func (m *Model) openTools() tea.Cmd {
	return fetched(m, m.api.Tools, func(m *Model, all []api.Tool) tea.Cmd {
		items := make([]pick.Item, len(all))
		for i, tool := range all {
			items[i] = pick.Item{Key: tool.Name, Title: tool.Name, About: firstLine(tool.About), Right: string(tool.Effect) + ", asks: " + string(tool.Approval)}
		}
		m.list("Tools", "Runs have no tools.", items, nothing)
		return nil
	})
}

// openRules lists what was allowed beyond one call. Enter asks whether to revoke it.
func (m *Model) openRules() tea.Cmd {
	c := m.api
	return fetched(m, func(ctx context.Context) ([]rein.Rule, error) { return c.Rules(ctx, api.RuleQuery{}) }, func(m *Model, all []rein.Rule) tea.Cmd {
		items := make([]pick.Item, len(all))
		for i, r := range all {
			items[i] = pick.Item{Key: r.ID, Title: r.Tool + ": " + r.Pattern, About: string(r.Scope) + " in " + r.Workspace, Right: units.Lately(r.Created, m.now)}
		}
		m.list("Rules: Enter revokes", "You allowed nothing beyond single calls.", items, func(m *Model, item pick.Item) tea.Cmd {
			return m.confirm("Revoke "+item.Title+"?", "Runs ask again.", func(m *Model) tea.Cmd { return m.revoke(item) })
		})
		return nil
	})
}

func (m *Model) revoke(item pick.Item) tea.Cmd {
	c := m.api
	return fetched(m, func(ctx context.Context) (rein.Rule, error) { return c.RevokeRule(ctx, item.Key) }, func(m *Model, r rein.Rule) tea.Cmd {
		m.say("revoked: " + look.SafeLine(r.Pattern))
		return nil
	})
}

// confirm asks before something that cannot be taken back.
func (m *Model) confirm(title, about string, do func(*Model) tea.Cmd) tea.Cmd {
	m.list(title, "", []pick.Item{
		{Key: "no", Title: "No, go back", Now: true},
		{Key: "yes", Title: "Yes", About: about},
	}, func(m *Model, item pick.Item) tea.Cmd {
		if item.Key == "yes" {
			return do(m)
		}
		return nil
	})
	return nil
}

func (m *Model) openBudget() tea.Cmd {
	e := m.newest()
	if e == nil {
		m.say("no run yet")
		return nil
	}
	c, run := m.api, e.info.ID
	return fetched(m, func(ctx context.Context) (api.TreeBudget, error) { return c.Budget(ctx, run) }, func(m *Model, b api.TreeBudget) tea.Cmd {
		m.budget = b
		words := strings.ReplaceAll(terminal.Budget(b.Ledger, b.Held, m.t.Currency), ", ", "\n")
		m.reading("What the run and everything below it has used", words)
		return nil
	})
}

// reading shows a text to read.
func (m *Model) reading(title, words string) {
	m.over = &text{lines: func(m *Model, width int) []string {
		rows := []string{"", " " + m.t.Strong(title), ""}
		for line := range strings.SplitSeq(words, "\n") {
			for _, row := range look.Fold(look.SafeLine(line), width-3) {
				rows = append(rows, "   "+row)
			}
		}
		return rows
	}}
}

func (m *Model) openTodo() tea.Cmd {
	todo := m.todo()
	if todo == nil {
		m.say("the run keeps no list of things to do")
		return nil
	}
	m.over = &text{lines: func(m *Model, width int) []string {
		rows := []string{"", " " + m.t.Strong("Things to do"), ""}
		if todo := m.todo(); todo != nil {
			for _, item := range todo.Items {
				rows = append(rows, m.t.Cut("   "+m.todoRow(item), width))
			}
		}
		return rows
	}}
	return nil
}

// searchNotes searches the notes, and puts the chosen one into the input.
func (m *Model) searchNotes(words string) tea.Cmd {
	if words == "" {
		m.ask("Search the notes", "", "", func(m *Model, words string) tea.Cmd {
			if strings.TrimSpace(words) == "" {
				return nil
			}
			return m.searchNotes(words)
		})
		return nil
	}
	c, workspace := m.api, m.workspace()
	return fetched(m, func(ctx context.Context) (api.NotesFound, error) {
		return c.SearchNotes(ctx, client.NotesQuery{Text: words, Workspace: workspace, K: 20})
	}, func(m *Model, found api.NotesFound) tea.Cmd {
		items := make([]pick.Item, len(found.Hits))
		for i, hit := range found.Hits {
			place := hit.Path
			if hit.Section != "" {
				place += "#" + hit.Section
			}
			items[i] = pick.Item{Key: fmt.Sprint(i), Title: place, About: firstLine(hit.Snippet)}
		}
		m.list("Notes: "+words, "No note has that.", items, func(m *Model, item pick.Item) tea.Cmd {
			m.input.Set(strings.TrimSpace(m.input.Text()+" [["+item.Title+"]]") + " ")
			return nil
		})
		return nil
	})
}
