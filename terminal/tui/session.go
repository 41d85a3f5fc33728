package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/journal/timeline"
)

// atOnce is how many ended runs of a session are read when it is opened.
const atOnce = 10

// readSession brings the list of the session's runs up to date, and follows those that are not over.
func (m *Model) readSession(session string) tea.Cmd {
	if session == "" {
		return nil
	}
	c := m.api
	var info api.Session
	var runs []api.Run
	return m.call(func(ctx context.Context) (err error) {
		if info, err = c.Session(ctx, session); err != nil {
			return err
		}
		runs, err = historyOf(ctx, c, session)
		return err
	}, func(m *Model, err error) tea.Cmd {
		if m.session != session {
			return nil // somebody opened another one meanwhile
		}
		if err != nil {
			if rein.CodeOf(err) != rein.CodeNotFound { // nothing was sent yet
				m.wrong(err)
			}
			return nil
		}
		m.info = info
		return m.merge(runs)
	})
}

func historyOf(ctx context.Context, c *client.Client, session string) (runs []api.Run, err error) {
	for after := rein.RunID(""); ; {
		page, err := c.SessionHistory(ctx, session, after)
		if err != nil {
			return nil, err
		}
		runs = append(runs, page.Runs...)
		if page.Next == "" {
			return runs, nil
		}
		after = page.Next
	}
}

// merge takes in what the server says of the session's runs.
func (m *Model) merge(runs []api.Run) tea.Cmd {
	for _, run := range runs {
		if e := m.entry(run.ID); e != nil {
			e.info = run
			continue
		}
		m.entries = append(m.entries, &entry{info: run})
	}
	slices.SortStableFunc(m.entries, func(a, b *entry) int { return a.info.Started.Compare(b.info.Started) })
	var cmds []tea.Cmd
	for i, e := range m.entries {
		switch {
		case e.line != nil || e.reading:
		case !e.info.Status.Ended():
			cmds = append(cmds, m.resumeIfIdle(e))
		case i >= len(m.entries)-atOnce:
			cmds = append(cmds, m.read(e))
		}
	}
	m.older = slices.ContainsFunc(m.entries, func(e *entry) bool { return e.line == nil && !e.reading })
	return tea.Batch(cmds...)
}

// resumeIfIdle follows a run, and has it driven if nothing keeps it from going on.
func (m *Model) resumeIfIdle(e *entry) tea.Cmd {
	if e.info.Paused || e.info.Status == rein.StatusBlocked {
		return m.follow(e)
	}
	return m.resume(e)
}

// read reads a run that has ended.
func (m *Model) read(e *entry) tea.Cmd {
	e.reading = true
	c, run := m.api, e.info.ID
	line := timeline.New(run)
	return m.call(func(ctx context.Context) error {
		for after := ""; ; {
			page, err := c.Events(ctx, run, after, true)
			if err != nil {
				return err
			}
			for _, l := range page.Lines {
				if l.Event != nil {
					line.Event(*l.Event)
				}
			}
			if !page.More {
				return nil
			}
			after = page.Next
		}
	}, func(m *Model, err error) tea.Cmd {
		e.reading = false
		if m.entry(run) != e {
			return nil
		}
		if err != nil {
			m.wrong(err)
			return nil
		}
		at := m.page.Height() - m.top
		e.line = line
		if !m.tail { // what is on the screen stays where it is
			m.page.Sync(m.timelines(), m.textWidth(), m.now)
			m.top = max(0, m.page.Height()-at)
		}
		return nil
	})
}

// readOlder reads the runs before those that are on the page.
func (m *Model) readOlder() tea.Cmd {
	var cmds []tea.Cmd
	for _, e := range slices.Backward(m.entries) {
		if e.line == nil && !e.reading && len(cmds) < atOnce {
			cmds = append(cmds, m.read(e))
		}
	}
	m.older = slices.ContainsFunc(m.entries, func(e *entry) bool { return e.line == nil && !e.reading })
	return tea.Batch(cmds...)
}

// open goes to another session; empty: to a new one.
func (m *Model) open(session string) tea.Cmd {
	for _, e := range m.entries {
		e.leave()
	}
	m.session, m.info, m.entries, m.older, m.budget = session, api.Session{}, nil, false, api.TreeBudget{}
	m.top, m.tail, m.stops, m.starting, m.over = 0, true, 0, time.Time{}, nil
	m.cards, m.focus = cards{}, onInput
	m.page.Clear()
	return m.readSession(session)
}

// listen waits for hints that something has changed elsewhere: a run of this session that another terminal started, an
// ask that waits.
func (m *Model) listen() tea.Cmd {
	ctx, c := m.ctx, m.api
	hints := make(chan struct{}, 1)
	go func() {
		defer close(hints)
		for _, err := range c.Live(ctx) {
			if err != nil {
				return
			}
			select {
			case hints <- struct{}{}:
			default: // one that was not read yet says the same
			}
		}
	}()
	return m.heard(hints)
}

func (m *Model) heard(hints chan struct{}) tea.Cmd {
	return func() tea.Msg {
		_, ok := <-hints
		return didMsg(func(m *Model) tea.Cmd {
			if !ok {
				return nil // the feed of a run says that there is no connection
			}
			return tea.Batch(m.heard(hints), m.readSession(m.session), m.countAsks())
		})
	}
}

// countAsks counts what waits for this person in other sessions.
func (m *Model) countAsks() tea.Cmd {
	c := m.api
	var asks []rein.Ask
	return m.call(func(ctx context.Context) (err error) {
		asks, err = c.Asks(ctx, api.AskQuery{State: rein.AskPending, Limit: api.DefaultLimit})
		return err
	}, func(m *Model, err error) tea.Cmd {
		if err != nil || m.session != "" && len(m.entries) == 0 {
			return nil // the feed of a run shows it; or the runs of this session are not known yet
		}
		m.waiting = 0
		for _, ask := range asks {
			if m.entry(ask.Run.Root()) == nil {
				m.waiting++
			}
		}
		return nil
	})
}
