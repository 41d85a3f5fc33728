package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/journal/timeline"
	"rein/terminal/tui/steps"
)

// A trail is the steps of a run, over the timeline.
type trail struct {
	list *steps.List
	run  rein.RunID
	line *timeline.Timeline
	read time.Time
}

// openSteps shows the steps of the run that an item belongs to, or of the newest one.
func (m *Model) openSteps(item timeline.Item) tea.Cmd {
	e := m.newest()
	if e == nil {
		m.say("no run yet")
		return nil
	}
	run := e.info.ID
	if item != nil {
		run = item.Common().Run
	}
	return m.stepsOf(run)
}

func (m *Model) stepsOf(run rein.RunID) tea.Cmd {
	t := &trail{list: steps.NewList(m.t), run: run, read: m.now}
	if e := m.entry(run.Root()); e != nil {
		t.line = below(e.line, run)
	}
	m.over = t
	return m.readSteps(t, "")
}

// readSteps reads the steps after one.
func (m *Model) readSteps(t *trail, after rein.StepKey) tea.Cmd {
	c := m.api
	return fetched(m, func(ctx context.Context) (api.Steps, error) { return c.Steps(ctx, t.run, after, 0) }, func(m *Model, page api.Steps) tea.Cmd {
		if t.list.Set(page, t.line) && m.over == t {
			return m.readSteps(t, t.list.Next())
		}
		return nil
	})
}

func (t *trail) rows(m *Model, width, height int) []string { return t.list.Rows(width, height, m.now) }

func (t *trail) key(m *Model, k tea.KeyPressMsg) tea.Cmd { return t.acted(m, t.list.Key(k)) }

func (t *trail) acted(m *Model, act steps.Act) tea.Cmd {
	switch act.Kind {
	case steps.Back:
		m.over = nil
	case steps.More:
		return m.readSteps(t, act.Step)
	case steps.Open:
		return m.openStep(t, act.Step)
	case steps.OpenRun:
		return m.openChild(act.Run)
	case steps.Fork:
		return m.forkAt(t.run, act.Step)
	}
	return nil
}

func (t *trail) paste(string)                    {}
func (t *trail) wheel(m *Model, by int) tea.Cmd  { return t.acted(m, t.list.Wheel(by)) }
func (t *trail) click(m *Model, row int) tea.Cmd { return t.acted(m, t.list.Click(row)) }
func (t *trail) cursor() (x, y int, ok bool)     { return 0, 0, false }

// beat reads the steps again that may have changed.
func (t *trail) beat(m *Model) tea.Cmd {
	if t.line == nil || !t.line.Ended.IsZero() || m.now.Sub(t.read) < time.Second {
		return nil
	}
	t.read = m.now
	return m.readSteps(t, t.list.After())
}

// A footprint is one step in full.
type footprint struct {
	detail *steps.Detail
	from   *trail
	run    rein.RunID
	step   rein.StepKey
	read   time.Time
	over   bool // the step has ended: it stays as it is
}

func (m *Model) openStep(from *trail, key rein.StepKey) tea.Cmd {
	f := &footprint{detail: steps.NewDetail(m.t), from: from, run: from.run, step: key}
	m.over = f
	return m.readStep(f)
}

func (m *Model) readStep(f *footprint) tea.Cmd {
	f.read = m.now
	c := m.api
	return fetched(m, func(ctx context.Context) (api.StepDetail, error) { return c.Step(ctx, f.run, f.step) }, func(_ *Model, step api.StepDetail) tea.Cmd {
		f.over = !step.Step.Ended.IsZero()
		f.detail.Set(f.run, step)
		return nil
	})
}

// beat reads the step again while it runs.
func (f *footprint) beat(m *Model) tea.Cmd {
	if f.over || m.now.Sub(f.read) < time.Second {
		return nil
	}
	return m.readStep(f)
}

func (f *footprint) rows(_ *Model, width, height int) []string { return f.detail.Rows(width, height) }

func (f *footprint) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	act := f.detail.Key(k)
	switch act.Kind {
	case steps.Back:
		m.over = f.from
	case steps.Copy:
		m.say("copied")
		return tea.SetClipboard(act.Text)
	case steps.OpenRun:
		return m.openChild(act.Run)
	case steps.Fork:
		return m.forkAt(f.run, act.Step)
	}
	return nil
}

func (f *footprint) paste(string) {}
func (f *footprint) wheel(_ *Model, by int) tea.Cmd {
	f.detail.Wheel(by)
	return nil
}

func (f *footprint) click(*Model, int) tea.Cmd   { return nil }
func (f *footprint) cursor() (x, y int, ok bool) { return 0, 0, false }

// forkAt starts a run that repeats another one up to a step, and then goes its own way, without effects.
func (m *Model) forkAt(run rein.RunID, step rein.StepKey) tea.Cmd {
	back := m.over
	m.ask("Fork at step "+string(step), "The fork repeats the run up to there and goes its own way, without effects. Which model? Empty: the same one.", "", func(m *Model, model string) tea.Cmd {
		m.over = back
		c := m.api
		return fetched(m, func(ctx context.Context) (api.Started, error) {
			return c.Fork(ctx, run, api.NewFork{Step: step, Model: model})
		}, func(m *Model, started api.Started) tea.Cmd {
			m.say("the fork runs as " + string(started.ID) + " in a session of its own")
			return m.open(started.Session)
		})
	})
	return nil
}
