package tui

import (
	tea "charm.land/bubbletea/v2"

	"rein/terminal/tui/look"
	"rein/terminal/tui/pick"
)

// themeWords says what the colours mean.
var themeWords = map[look.Colours]string{
	look.Auto:  "as suits the background, if the terminal says which it has",
	look.Light: "for a light background",
	look.Dark:  "for a dark background",
	look.None:  "no colours; bold and dim text stay",
}

// pickTheme changes the colours, for this screen and the next ones.
func (m *Model) pickTheme(name string) tea.Cmd {
	var names []string
	var items []pick.Item
	for _, c := range look.Every() {
		names = append(names, string(c))
		items = append(items, pick.Item{Key: string(c), Title: string(c), About: themeWords[c], Now: c == m.o.Colours})
	}
	return m.chooseBy("Theme", "theme", name, names, items, func(m *Model, name string) tea.Cmd { return m.setTheme(look.Colours(name)) })
}

func (m *Model) setTheme(c look.Colours) tea.Cmd {
	m.o.Colours = c
	m.repaint()
	m.say("theme " + string(c) + ": " + themeWords[c])
	if m.o.Remember == nil {
		return nil
	}
	keep := m.o.Remember
	return func() tea.Msg {
		err := keep(c)
		return didMsg(func(m *Model) tea.Cmd {
			m.wrong(err)
			return nil
		})
	}
}

// onGround takes in which background the terminal has.
func (m *Model) onGround(msg tea.BackgroundColorMsg) {
	m.ground = look.Light
	if msg.IsDark() {
		m.ground = look.Dark
	}
	m.repaint()
}

// repaint draws everything with the colours that are set now.
func (m *Model) repaint() {
	m.t.Paint(m.o.Colours, m.ground)
	m.page.Redraw()
}
