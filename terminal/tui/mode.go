package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
)

// modeWords says what the modes mean.
var modeWords = map[rein.Mode]string{
	rein.ModePlan:    "nothing is changed; the run ends in a plan that you accept or decline",
	rein.ModeAsk:     "you approve what changes something",
	rein.ModeEdits:   "changes that can be undone are not asked about",
	rein.ModeSandbox: "nor are commands that stay in their sandbox",
}

// readModes reads which modes the settings allow.
func (m *Model) readModes() tea.Cmd {
	c := m.api
	var found api.Defaults
	return m.call(func(ctx context.Context) (err error) {
		found, err = c.Defaults(ctx)
		return err
	}, func(m *Model, err error) tea.Cmd {
		if err != nil {
			return nil // the process that drives runs holds to them anyway
		}
		m.modes = found
		if asked := m.task.Mode; asked.IsLooser(m.allowed(asked)) {
			m.task.Mode = m.allowed(asked)
			m.say("mode " + string(m.task.Mode) + ": " + m.tooLoose(asked))
		}
		return nil
	})
}

// allowed is a mode as the settings allow it.
func (m *Model) allowed(mode rein.Mode) rein.Mode { return mode.Within(m.modes.Loosest) }

// tooLoose says why there is no such mode.
func (m *Model) tooLoose(mode rein.Mode) string {
	return string(mode) + " is looser than the settings allow (approvals.loosest = " + string(m.modes.Loosest) + ")"
}

// mode is how much of the session's work waits for the person.
func (m *Model) mode() rein.Mode {
	switch e := m.active(); {
	case e != nil && e.line != nil:
		return e.line.Mode
	case m.task.Mode != "":
		return m.allowed(m.task.Mode)
	}
	if e := m.newest(); e != nil && e.line != nil {
		return m.allowed(e.line.Mode)
	}
	return m.modes.Mode.Or(rein.ModeAsk)
}

// nextMode goes through the modes that the settings allow, and says so where it leaves some out.
func (m *Model) nextMode() tea.Cmd {
	modes := rein.Modes()
	next := modes[(slices.Index(modes, m.mode())+1)%len(modes)]
	if !next.IsLooser(m.allowed(next)) {
		return m.setMode(next)
	}
	cmd := m.setMode(modes[0])
	m.say("mode " + string(modes[0]) + ": " + m.tooLoose(next))
	return cmd
}

// setMode changes the mode of the active run and of those after it.
func (m *Model) setMode(wanted rein.Mode) tea.Cmd {
	mode := m.allowed(wanted)
	m.task.Mode = mode
	e := m.active()
	switch {
	case mode != wanted:
		m.say("mode " + string(mode) + ": " + m.tooLoose(wanted))
	case e == nil:
		m.say("mode " + string(mode) + " from the next message on: " + modeWords[mode])
	}
	if e == nil {
		return nil
	}
	return m.order(rein.Command{Kind: rein.CommandMode, Run: e.info.ID, Mode: mode}, "")
}
