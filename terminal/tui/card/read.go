package card

import "rein/internal/units"

// read takes down which rows of what is asked were on the screen, each after the one before it.
func (c *Card) read(above []row, from int) {
	if c.doing != deciding || c.confirm != nil || !c.hasKey {
		return // the keys, which may say what is offered, are not there
	}
	if c.total != c.of { // what stands behind the text is another thing now
		c.unread, c.of = min(c.unread, len(c.drawn.rows)), c.total
	}
	if from <= c.unread {
		c.unread = max(c.unread, from+c.window)
	}
	c.seen = c.seen || c.unread == c.total
}

// unseen says why nothing can be approved yet, and goes to what was not on the screen; empty: all of it was.
func (c *Card) unseen() string {
	switch {
	case c.cramped:
		return "make the window larger first"
	case c.seen:
		return ""
	case c.reading:
		c.top = c.unread
		return "read all of it first: row " + units.Number(int64(c.unread+1)) + " is the next one"
	}
	return "read all of it first (v)"
}

// readKey is for reading what does not fit into the box, and for what else is the same for every ask without text.
func (c *Card) readKey(key string) Act {
	switch {
	case key == "v":
		if !c.reading && c.window >= c.total {
			return c.says("this is all of it")
		}
		c.reading = !c.reading
		c.top = c.unread
		return Act{Taken: true}
	case key == "x" && c.masked:
		return Act{Reveal: true, Taken: true}
	case key == "esc" && c.reading:
		c.reading = false
		return Act{Taken: true}
	case key == "esc", key == "tab":
		return Act{Leave: true, Taken: true}
	case c.reading || c.isQuestion() && c.window < c.total:
		return Act{Taken: c.scroll(key)}
	}
	return Act{}
}

// scroll moves what is asked through the box.
func (c *Card) scroll(key string) bool {
	page, end := max(1, c.window-1), c.total-c.window
	switch key {
	case "j", "down":
		c.top++
	case "k", "up":
		c.top--
	case "pgdown", "space":
		c.top += page
	case "pgup":
		c.top -= page
	case "g", "home":
		c.top = 0
	case "G", "end":
		c.top = end
	default:
		return false
	}
	c.top = max(0, min(c.top, end))
	c.reading = true
	return true
}
