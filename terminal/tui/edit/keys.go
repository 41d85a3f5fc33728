package edit

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Key takes a key.
func (i *Input) Key(k tea.KeyPressMsg) Event {
	key := k.Keystroke()
	if e, done := i.inMenu(key); done {
		return e
	}
	e := i.press(key, k)
	if wants := i.track(); wants != nil {
		e.Wants = wants
	}
	return e
}

// press does what a key means for the text.
func (i *Input) press(key string, k tea.KeyPressMsg) Event {
	last, chord := i.last, i.chord
	i.last, i.chord = anything, false
	if e, done := i.order(key, k.Text, chord); done {
		return e
	}
	switch key {
	case "up", "ctrl+p", "down", "ctrl+n":
		i.vertical(key == "up" || key == "ctrl+p", last == moved)
		i.last = moved
		return Event{Taken: true}
	}
	if i.move(key) {
		return Event{Taken: true}
	}
	i.last = last
	done, now := i.change(key, k)
	i.last = now
	return Event{Taken: done}
}

// order takes the keys that mean something to the program.
func (i *Input) order(key, text string, chord bool) (Event, bool) {
	switch {
	case key == "enter":
		return i.enter(), true
	case key == "ctrl+g", key == "ctrl+e" && chord:
		return Event{Edit: true, Taken: true}, true
	case key == "ctrl+x":
		i.chord = true
		return Event{Taken: true}, true
	case (text == "/" || key == "ctrl+k") && i.IsEmpty() && !i.plain:
		return Event{Palette: true, Taken: true}, true
	case key == "tab" && i.reopen():
		return Event{Wants: i.now, Taken: true}, true
	}
	return Event{}, false
}

// change takes the keys that change the text, and says what they did.
func (i *Input) change(key string, k tea.KeyPressMsg) (done bool, did act) {
	switch key {
	case "ctrl+z", "ctrl+_", "ctrl+/", "ctrl+shift+-":
		i.undo()
		return true, anything
	case "shift+enter", "alt+enter", "ctrl+enter", "ctrl+j":
		return i.apart(func() { i.insert(segment("\n")) }), anything
	case "ctrl+y":
		return i.apart(func() { i.insert(i.killed) }), anything
	}
	if k.Text != "" && !k.Mod.Contains(tea.ModAlt) {
		i.write(k.Text)
		return true, typed
	}
	group := i.group
	i.group++
	switch {
	case i.remove(key):
		return true, anything
	case i.cut(key):
		return true, killed
	}
	i.group = group
	return false, anything
}

// apart makes a change that is undone alone.
func (i *Input) apart(change func()) bool {
	i.group++
	change()
	return true
}

// write inserts what a key typed. Words are undone one by one.
func (i *Input) write(text string) {
	glyphs := segment(keyed(text, i.before()))
	if len(glyphs) == 0 {
		return
	}
	if i.last != typed || !glyphs[0].isSpace() && i.pos > 0 && i.glyphs[i.pos-1].isSpace() {
		i.group++
	}
	i.insert(glyphs)
}

// before is the character before the position, or -1.
func (i *Input) before() rune {
	if i.pos == 0 {
		return -1
	}
	r, _ := utf8.DecodeLastRuneInString(i.glyphs[i.pos-1].text)
	return r
}
