package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/card"
	"rein/terminal/tui/edit"
	"rein/terminal/tui/view"
)

// key takes one key. What lies on top gets it first.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if k.Code == tea.KeyEscape && k.Mod == tea.ModAlt { // Esc Esc, which arrived together
		k.Mod = 0
		return tea.Batch(m.key(k), m.key(k))
	}
	m.notice = notice{}
	if cmd, done := m.always(k); done {
		return cmd
	}
	m.leaving = time.Time{}
	if m.over != nil {
		m.touchCard()
		return m.over.key(m, k)
	}
	switch m.focus {
	case onCard:
		return m.cardKey(k)
	case onPage:
		m.touchCard()
		return m.pageKey(k)
	}
	m.touchCard()
	return m.inputKey(k)
}

// always are the keys that mean the same everywhere.
func (m *Model) always(k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "ctrl+c":
		return m.leaveOrClear(), true
	case "ctrl+z":
		return tea.Suspend, true
	case "ctrl+l":
		return tea.ClearScreen, true
	case "f1":
		m.over = newHelp()
		return nil, true
	case "ctrl+k":
		return m.palette(""), true
	case "ctrl+t":
		return m.openTree(), true
	case "ctrl+o":
		m.page.ToggleAll()
		return nil, true
	case "shift+tab":
		return m.nextMode(), true
	case "pgup", "pgdown", "ctrl+home", "ctrl+end", "ctrl+up", "ctrl+down":
		if m.over == nil && !(m.focus == onCard && (k.String() == "pgup" || k.String() == "pgdown")) {
			return m.scrollKey(k.String()), true
		}
	}
	return nil, false
}

// leaveOrClear leaves at the second Ctrl-C; runs go on.
func (m *Model) leaveOrClear() tea.Cmd {
	if m.now.Sub(m.leaving) < 3*time.Second {
		m.quitting = true
		return tea.Quit
	}
	m.leaving = m.now
	m.over = nil
	if !m.input.IsEmpty() {
		m.input.Remember(m.input.Text())
		m.input.Set("")
	}
	m.say("Ctrl+C again leaves" + m.goesOn())
	return nil
}

func (m *Model) goesOn() string {
	switch {
	case m.cards.shown != nil:
		return "; what waits for you stays open"
	case m.active() != nil && m.o.Alone != nil && m.o.Alone():
		return "; the run waits until somebody opens it again"
	case m.active() != nil:
		return "; the run continues"
	}
	return ""
}

func (m *Model) inputKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc":
		if len(m.input.Menu(m.width, 1)) > 0 {
			break
		}
		return m.stop()
	case "tab":
		if len(m.input.Menu(m.width, 1)) == 0 {
			m.nextFocus()
			return nil
		}
	case "ctrl+d":
		if m.input.IsEmpty() {
			m.quitting = true
			return tea.Quit
		}
	case "end", "home":
		if m.input.IsEmpty() {
			return m.scrollKey("ctrl+" + k.String())
		}
	case "?":
		if m.input.IsEmpty() {
			m.over = newHelp()
			return nil
		}
	}
	m.typed = m.now
	return m.typedEvent(m.input.Key(k))
}

func (m *Model) typedEvent(e edit.Event) tea.Cmd {
	switch {
	case e.Send != nil:
		return m.send(*e.Send)
	case e.Palette:
		return m.palette("")
	case e.Wants != nil:
		return m.complete(*e.Wants)
	case e.Edit:
		return m.editInput()
	}
	return nil
}

func (m *Model) paste(text string) tea.Cmd {
	switch {
	case m.over != nil:
		m.touchCard()
		m.over.paste(text)
	case m.focus == onCard && m.cards.shown != nil && m.cards.shown.Typing():
		m.cards.shown.Paste(text)
	default:
		m.touchCard()
		m.focus = onInput
		m.typed = m.now
		m.input.Paste(text)
	}
	return nil
}

// cardKey takes a key for the ask that is shown. What the card does not take is for the input: what was typed before the
// card appeared answers nothing, and is not lost.
func (m *Model) cardKey(k tea.KeyPressMsg) tea.Cmd {
	c := m.cards.shown
	if c == nil {
		m.focus = onInput
		return m.inputKey(k)
	}
	act := c.Key(k, m.now)
	switch {
	case act.Answer != nil:
		m.lastKey = k.String()
		return m.answer(c.Ask(), *act.Answer)
	case act.Edit:
		return m.editArguments(c)
	case act.Reveal:
		return m.reveal(c.Ask().ID)
	case act.Leave:
		m.focus = onInput
	case act.Taken:
	case k.String() == "tab":
		m.nextFocus()
	case k.String() == "esc":
		m.focus = onInput
	default:
		m.focus = onInput
		return m.inputKey(k)
	}
	return nil
}

// nextFocus moves the keys from the input to the ask, from there to the timeline, and back.
func (m *Model) nextFocus() {
	switch {
	case m.focus == onInput && m.cards.shown != nil:
		m.focus = onCard
		m.touchCard()
	case m.focus != onPage && m.page.Height() > 0:
		m.focus = onPage
		m.choose(0)
	default:
		m.toInput()
	}
}

func (m *Model) toInput() {
	m.focus = onInput
	m.page.Choose(nil)
}

// pageKey takes a key for the timeline.
func (m *Model) pageKey(k tea.KeyPressMsg) tea.Cmd {
	item := m.page.Chosen()
	switch key := k.String(); key {
	case "j", "down":
		m.choose(1)
	case "k", "up":
		m.choose(-1)
	case "g", "home":
		return m.scrollKey("ctrl+home")
	case "G", "shift+g", "end":
		return m.scrollKey("ctrl+end")
	case "o", "enter", "space":
		return m.openItem(item)
	case "y":
		return m.copyItem(item)
	case "/":
		m.over = newFind(m)
	case "n":
		m.findNext(false)
	case "N", "shift+n":
		m.findNext(true)
	case "s":
		return m.openSteps(item)
	case "t":
		return m.openTree()
	case "u":
		return m.undo()
	case "esc", "i", "tab", "q":
		m.toInput()
	case "?":
		m.over = newHelp()
	}
	return nil
}

// openItem opens or folds an item; of a run below, its timeline.
func (m *Model) openItem(item timeline.Item) tea.Cmd {
	if child, ok := item.(*timeline.Child); ok {
		return m.openChild(child.Child)
	}
	m.page.Toggle(item)
	return nil
}

func (m *Model) copyItem(item timeline.Item) tea.Cmd {
	if item == nil {
		return nil
	}
	m.say("copied")
	return tea.SetClipboard(view.Text(item))
}

// choose moves the cursor of the timeline, and shows where it is.
func (m *Model) choose(by int) {
	last := m.top + m.pageRows() - 1
	first, rows := m.page.Step(by, last)
	switch {
	case rows == 0:
	case first < m.top:
		m.scrollTo(first)
	case first+min(rows, m.pageRows()) > m.top+m.pageRows():
		m.scrollTo(first + min(rows, m.pageRows()) - m.pageRows())
	}
}

func (m *Model) scrollKey(key string) tea.Cmd {
	rows := m.pageRows()
	switch key {
	case "pgup":
		return m.scroll(-max(1, rows-2))
	case "pgdown":
		return m.scroll(max(1, rows-2))
	case "ctrl+up":
		return m.scroll(-1)
	case "ctrl+down":
		return m.scroll(1)
	case "ctrl+home":
		return m.scroll(-m.page.Height())
	}
	return m.scroll(m.page.Height())
}

// scroll moves the timeline. At its end it follows what is added; at its beginning it reads what came before.
func (m *Model) scroll(by int) tea.Cmd {
	m.scrollTo(m.top + by)
	if m.top == 0 && by < 0 && m.older {
		return m.readOlder()
	}
	return nil
}

func (m *Model) scrollTo(row int) {
	height, rows := m.page.Height(), m.pageRows()
	bottom := max(0, height-rows)
	was := m.tail
	m.top = min(max(0, row), bottom)
	m.tail = m.top == bottom
	if was && !m.tail {
		m.seen = height
	}
}

func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	by := 3
	if msg.Button == tea.MouseWheelUp {
		by = -3
	}
	if m.over != nil {
		return m.over.wheel(m, by)
	}
	return m.scroll(by)
}

// click opens the item that was clicked, or folds it. A click never answers anything.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	m.touchCard()
	if msg.Button != tea.MouseLeft {
		return nil
	}
	if m.over != nil {
		return m.over.click(m, msg.Y-1)
	}
	row := msg.Y - 1
	if row < 0 || row >= m.pageRows() {
		if c := m.cards.shown; c != nil && row < m.pageRows()+len(m.below()) {
			m.focus = onCard
		}
		return nil
	}
	return m.openItem(m.page.ItemAt(m.top + row))
}

// touchCard makes the ask inert for a moment: somebody types, or it moved.
func (m *Model) touchCard() {
	if c := m.cards.shown; c != nil {
		c.Touched(m.now)
	}
}

// syncCards shows the oldest ask that is open.
func (m *Model) syncCards() {
	m.cards.open = m.cards.open[:0]
	for _, e := range m.entries {
		if e.line == nil {
			continue
		}
		for _, ask := range e.line.Asks() {
			if ask.ID != m.cards.sent {
				m.cards.open = append(m.cards.open, ask)
			}
		}
	}
	switch {
	case len(m.cards.open) == 0:
		m.cards.shown = nil
		if m.focus == onCard {
			m.focus = onInput
		}
	case m.cards.shown == nil || !m.isOpen(m.cards.shown.Ask().ID):
		m.show(m.cards.open[0])
	}
	if c := m.cards.shown; c != nil {
		c.Focus(m.focus == onCard && m.over == nil, m.now)
	}
}

func (m *Model) isOpen(id rein.AskID) bool {
	for _, ask := range m.cards.open {
		if ask.ID == id {
			return true
		}
	}
	return false
}

// show puts an ask on the screen. It gets the keys if nobody is typing, and counts none of them for a moment.
func (m *Model) show(ask rein.Ask) {
	m.cards.shown = card.New(m.t, ask, card.Options{Now: m.now, From: m.questionOf(ask.Run), Held: m.lastKey})
	if m.input.IsEmpty() && m.over == nil && m.focus == onInput {
		m.focus = onCard
	}
}

// questionOf is what a run below was asked; of the root it goes without saying.
func (m *Model) questionOf(run rein.RunID) string {
	e := m.entry(run.Root())
	if e == nil || e.info.ID == run {
		return ""
	}
	if line := below(e.line, run); line != nil {
		return line.Title
	}
	return string(run)
}

// below finds the timeline of a run of the tree.
func below(line *timeline.Timeline, run rein.RunID) *timeline.Timeline {
	if line == nil || line.Run == run {
		return line
	}
	for _, child := range line.Children {
		if found := below(child, run); found != nil {
			return found
		}
	}
	return nil
}
