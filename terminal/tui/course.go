package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/internal/units"
	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
	"rein/terminal/tui/view"
)

// undo starts the run that undoes what the newest run changed: it shows the diff and asks.
func (m *Model) undo() tea.Cmd {
	e := m.newest()
	switch {
	case e == nil:
		m.say("nothing was changed in this session")
		return nil
	case m.active() != nil:
		m.say("a run is active: wait until it has ended, or stop it with Esc")
		return nil
	}
	c, session := m.api, m.session
	return fetched(m, func(ctx context.Context) ([]api.FileChange, error) {
		return c.Changes(ctx, api.ChangeQuery{Session: session, Limit: 100})
	}, func(m *Model, all []api.FileChange) tea.Cmd {
		for _, change := range all {
			if change.Undoable && change.UndoneBy == "" {
				return m.undoChange(change)
			}
		}
		m.say("there is nothing to undo in this session")
		return nil
	})
}

func (m *Model) undoChange(change api.FileChange) tea.Cmd {
	task := rein.Task{Flow: "undo", Workspace: change.Workspace, Settings: quoted(map[string]string{"run": string(change.Run), "step": string(change.Step)})}
	m.toInput()
	return m.launch(task)
}

// compact starts the run that puts a summary in place of what was said in the session. Nothing goes from the screen.
func (m *Model) compact() tea.Cmd {
	switch {
	case m.newest() == nil:
		m.say("nothing was said in this session yet")
		return nil
	case m.active() != nil:
		m.say("a run is active: wait until it has ended, or stop it with Esc")
		return nil
	}
	m.toInput()
	return m.launch(rein.Task{
		Flow: "compact", Model: m.task.Model, Workspace: m.task.Workspace,
		Messages: []rein.Message{{Role: rein.User, Text: "/compact"}},
	})
}

func (m *Model) resumeByHand() tea.Cmd {
	e := m.active()
	if e == nil {
		m.say("no run is active")
		return nil
	}
	return m.resume(e)
}

// modify interrupts the active run and changes its task.
func (m *Model) modify(words string) tea.Cmd {
	e := m.active()
	if e == nil {
		m.say("no run is active: just send what you want")
		return nil
	}
	return m.modifyRun(e.info.ID, words)
}

func (m *Model) modifyRun(run rein.RunID, words string) tea.Cmd {
	if words == "" {
		m.ask("The new task", "It interrupts the run, and all runs below it.", "", func(m *Model, words string) tea.Cmd {
			if words == "" {
				return nil
			}
			return m.modifyRun(run, words)
		})
		return nil
	}
	return m.order(rein.Command{Kind: rein.CommandModify, Run: run, Text: words}, "")
}

func (m *Model) comment(words string) tea.Cmd {
	e := m.newest()
	if e == nil || words == "" {
		m.say("/comment TEXT writes a note for people to the newest run")
		return nil
	}
	return m.order(rein.Command{Kind: rein.CommandComment, Run: e.info.ID, Text: words}, "")
}

func (m *Model) findByName(words string) tea.Cmd {
	if words == "" {
		m.over = newFind(m)
		return nil
	}
	m.found, m.focus = words, onPage
	m.findNext(true)
	return nil
}

// switchSigns draws with other signs from now on.
func (m *Model) switchSigns() tea.Cmd {
	m.o.Unicode = !m.o.Unicode
	m.restyle()
	return tea.ClearScreen
}

// reveal shows an ask with its secrets.
func (m *Model) reveal(id rein.AskID) tea.Cmd {
	c := m.api
	return fetched(m, func(ctx context.Context) (rein.Ask, error) { return c.Reveal(ctx, id) }, func(m *Model, ask rein.Ask) tea.Cmd {
		if m.cards.shown != nil && m.cards.shown.Ask().ID == id {
			m.cards.shown.Update(ask, m.now)
		}
		return nil
	})
}

// complete looks for what an @ or a / could mean.
func (m *Model) complete(c edit.Completing) tea.Cmd {
	switch c.Kind {
	case edit.File:
		return m.completeFile(c)
	case edit.Command:
		return m.completeCommand(c)
	}
	return nil
}

// beat is what happens a few times in a second: what the run has used is read again while it is active.
func (m *Model) beat() tea.Cmd {
	if t, ok := m.over.(interface{ beat(*Model) tea.Cmd }); ok {
		return t.beat(m)
	}
	e := m.active()
	if e == nil || m.side() == 0 || m.now.Sub(m.lastBudget) < 2*time.Second {
		return nil
	}
	m.lastBudget = m.now
	c, run := m.api, e.info.ID
	return fetched(m, func(ctx context.Context) (api.TreeBudget, error) { return c.Budget(ctx, run) }, func(m *Model, b api.TreeBudget) tea.Cmd {
		m.budget = b
		return nil
	})
}

// left is how the person left.
func (m *Model) left() Left {
	l := Left{Session: m.session}
	if e := m.newest(); e != nil {
		l.Run = e.info.ID
	} else {
		l.Session = ""
	}
	l.Active, l.Waits = m.active() != nil, m.cards.shown != nil
	return l
}

// restyle draws everything again, with the signs that are set now.
func (m *Model) restyle() {
	typed, past := m.input.Text(), m.input.History()
	m.t = look.New(m.o.Unicode)
	m.t.Currency = units.NewCurrency(m.currency, m.o.Unicode)
	m.t.Paint(m.o.Colours, m.ground)
	m.page, m.input, m.over = view.New(m.t), edit.New(m.t, past), nil
	m.input.Placeholder("what you want done; / commands, @ files, ! shell, F1 keys")
	m.input.Set(typed)
	if m.cards.shown != nil {
		m.show(m.cards.shown.Ask())
	}
}
