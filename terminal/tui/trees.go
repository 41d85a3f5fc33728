package tui

import (
	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/tree"
	"rein/terminal/tui/view"
)

// A grove is the tree of the newest run, over the timeline.
type grove struct {
	tree *tree.Tree
	root *entry
}

// openTree shows the tree of the run that is active, or else of the newest one.
func (m *Model) openTree() tea.Cmd {
	e := m.active()
	if e == nil {
		e = m.newest()
	}
	if e == nil || e.line == nil {
		m.say("no run yet")
		return nil
	}
	m.over = &grove{tree: tree.New(m.t), root: e}
	return nil
}

func (g *grove) rows(m *Model, width, height int) []string {
	return g.tree.Rows(g.root.line, width, height, m.now)
}

func (g *grove) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	return g.acted(m, g.tree.Key(k, g.root.line))
}

func (g *grove) acted(m *Model, act tree.Act) tea.Cmd {
	run := act.Run
	back := func(cmd tea.Cmd) tea.Cmd {
		m.over = g
		return cmd
	}
	switch act.Kind {
	case tree.Back:
		m.over = nil
	case tree.Open:
		return m.openChild(run)
	case tree.Answer:
		m.over = nil
		return m.toAsk(act.Ask, m.session)
	case tree.Message:
		m.ask("Message to the run", "It reads it before its next round.", "", func(m *Model, words string) tea.Cmd {
			return back(m.order(rein.Command{Kind: rein.CommandMessage, Run: run, Text: words}, "sent"))
		})
	case tree.Modify:
		m.ask("The new task of the run", "It interrupts the run, and all runs below it.", "", func(m *Model, words string) tea.Cmd {
			return back(m.order(rein.Command{Kind: rein.CommandModify, Run: run, Text: words}, "sent"))
		})
	case tree.Comment:
		m.ask("A comment on the run", "For people; the run does not see it.", "", func(m *Model, words string) tea.Cmd {
			return back(m.order(rein.Command{Kind: rein.CommandComment, Run: run, Text: words}, "written"))
		})
	case tree.Pause:
		return m.order(rein.Command{Kind: rein.CommandPause, Run: run}, "")
	case tree.Resume:
		return m.order(rein.Command{Kind: rein.CommandResume, Run: run}, "")
	case tree.Stop:
		return m.order(rein.Command{Kind: rein.CommandStop, Run: run}, "stopping")
	case tree.Delete:
		return m.confirm("Delete this run?", act.Confirm, func(m *Model) tea.Cmd {
			return back(m.order(rein.Command{Kind: rein.CommandDelete, Run: run}, "deleted"))
		})
	}
	return nil
}

func (g *grove) paste(string) {}
func (g *grove) wheel(_ *Model, by int) tea.Cmd {
	g.tree.Wheel(by)
	return nil
}

func (g *grove) cursor() (x, y int, ok bool) { return 0, 0, false }

func (g *grove) click(m *Model, row int) tea.Cmd { return g.acted(m, g.tree.Click(row)) }

// A branch is the timeline of a run below, over that of the session.
type branch struct {
	page *view.Page
	line *timeline.Timeline
	from overlay // where Esc goes back to
	top  int
	tail bool
	most int
}

// openChild shows the timeline of a run below.
func (m *Model) openChild(run rein.RunID) tea.Cmd {
	e := m.entry(run.Root())
	if e == nil || e.line == nil {
		return nil
	}
	line := below(e.line, run)
	switch {
	case run == e.info.ID:
		m.over = nil
	case line == nil:
		m.say("that run has no timeline yet")
	default:
		m.over = &branch{page: view.New(m.t), line: line, from: m.over, tail: true}
	}
	return nil
}

func (b *branch) rows(m *Model, width, height int) []string {
	b.page.Sync([]*timeline.Timeline{b.line}, min(width, widest), m.now)
	head := m.t.Spread(" "+m.t.Label("RUN")+"  "+view.Status(m.t, b.line.Status), m.t.Dim("o opens all · Esc back "), width)
	room := max(1, height-1)
	b.most = max(0, b.page.Height()-room)
	if b.tail {
		b.top = b.most
	}
	b.top = min(b.top, b.most)
	return append([]string{head}, b.page.Rows(b.top, room)...)
}

func (b *branch) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc", "q":
		m.over = b.from
	case "j", "down":
		b.scroll(1)
	case "k", "up":
		b.scroll(-1)
	case "pgdown", "space":
		b.scroll(10)
	case "pgup":
		b.scroll(-10)
	case "g", "home":
		b.scroll(-b.most)
	case "G", "end", "shift+g":
		b.scroll(b.most)
	case "o":
		b.page.ToggleAll()
	}
	return nil
}

func (b *branch) paste(string) {}

func (b *branch) wheel(_ *Model, by int) tea.Cmd {
	b.scroll(by)
	return nil
}

func (b *branch) scroll(by int) {
	b.top = min(max(0, b.top+by), b.most)
	b.tail = b.top == b.most
}

func (b *branch) click(m *Model, row int) tea.Cmd {
	b.page.Toggle(b.page.ItemAt(b.top + row - 1))
	return nil
}

func (b *branch) cursor() (x, y int, ok bool) { return 0, 0, false }
