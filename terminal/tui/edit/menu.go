package edit

import (
	"strings"

	"rein/terminal/tui/pick"
)

// Suggest brings what may be meant by what is being completed: all there is, or what the program found for its prefix.
// What does not match what is there by now is not shown. It is free to give the same list again with each key.
func (i *Input) Suggest(c Completing, found []Suggestion) {
	if i.now == nil || i.closed || i.now.Kind != c.Kind || i.now.at != c.at || !strings.HasPrefix(i.now.Prefix, c.Prefix) || i.menu != nil && same(i.found, found) {
		return
	}
	items := make([]pick.Item, 0, len(found))
	for _, s := range found {
		if _, ok := c.written(s.Text); ok {
			items = append(items, pick.Item{Key: s.Text, Title: c.title(s.Text), About: s.About})
		}
	}
	i.found = found
	if i.menu == nil {
		i.menu = pick.New(i.theme, "", nil)
		i.menu.Search(i.now.searched())
	}
	i.menu.SetItems(items)
}

// title is how a name is listed.
func (c *Completing) title(name string) string {
	if c.Kind == Command {
		return "/" + name
	}
	return name
}

// same reports whether two lists are one list.
func same(a, b []Suggestion) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// isOpen reports whether there is a menu to choose from.
func (i *Input) isOpen() bool {
	return i.now != nil && !i.closed && i.menu != nil && i.menu.Current() != nil
}

// Menu draws what may be meant, for above the input, in at most a number of rows. There are none if there is nothing to
// choose from.
func (i *Input) Menu(width, most int) []string {
	if !i.isOpen() || width < 4 || most < 1 {
		return nil
	}
	return i.menu.Bare(width, most)
}

// inMenu takes the keys of the menu, if it is open.
func (i *Input) inMenu(key string) (Event, bool) {
	if !i.isOpen() {
		return Event{}, false
	}
	e := Event{Taken: true}
	switch key {
	case "up", "ctrl+p":
		i.menu.Move(-1)
	case "down", "ctrl+n":
		i.menu.Move(1)
	case "esc":
		i.closed = true
	case "tab":
		e.Wants = i.take()
	case "enter":
		if i.isWritten() {
			return Event{}, false
		}
		e.Wants = i.take()
	default:
		return Event{}, false
	}
	return e, true
}

// isWritten reports whether what is chosen stands there already.
func (i *Input) isWritten() bool {
	return i.menu.Current().Key == i.now.Prefix
}

// take writes what is chosen, and returns what is to be completed then: a name in a folder.
func (i *Input) take() *Completing {
	c, name := i.now, i.menu.Current().Key
	text, _ := c.written(name)
	to := i.pos
	if c.quoted && to < len(i.glyphs) && i.glyphs[to].text == `"` {
		to++
	}
	i.last, i.group = anything, i.group+1
	i.replace(c.at, to, segment(text))
	if c.Kind == Command || !isFolder(name) {
		i.space()
	}
	return i.track()
}

// space goes behind the next space, or writes one where the line ends.
func (i *Input) space() {
	switch {
	case i.pos == len(i.glyphs) || i.glyphs[i.pos].isNewline():
		i.insert(segment(" "))
	case i.glyphs[i.pos].text == " ":
		i.pos++
	}
}

// reopen shows a menu again that was closed.
func (i *Input) reopen() bool {
	if i.now == nil || !i.closed {
		return false
	}
	i.closed = false
	if i.menu != nil {
		i.menu.Search(i.now.searched())
	}
	return true
}
