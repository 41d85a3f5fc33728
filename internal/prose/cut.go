package prose

import (
	"slices"
	"strings"
)

// A Cut passes on a reply while it is written, up to a line by which the reply hands over to other work. Then nothing more
// is passed on, and what was is withdrawn. In fenced code such a line is text like any other.
type Cut struct {
	Lines    []string // in capitals
	Show     func(text string)
	Withdraw func()

	held    string // of the line that may be one of them
	midLine bool   // the line that held continues is not one of them
	fence   string
	over    bool
}

// Write takes the next piece of the reply.
func (c *Cut) Write(text string) {
	c.held += text
	for c.held != "" && !c.over {
		end := strings.IndexByte(c.held, '\n')
		if end < 0 {
			c.writePart()
			return
		}
		c.writeLine(c.held[:end+1])
	}
}

// writeLine takes the rest of a line.
func (c *Cut) writeLine(line string) {
	bare := strings.TrimSpace(line)
	switch {
	case c.midLine:
	case c.fence == "" && slices.Contains(c.Lines, strings.ToUpper(bare)):
		c.end()
		return
	default:
		c.fence = FenceAfter(c.fence, bare)
	}
	c.pass(len(line))
	c.midLine = false
}

// writePart takes the beginning of a line, as far as it is clear what it is.
func (c *Cut) writePart() {
	bare := strings.ToUpper(strings.TrimSpace(c.held))
	const longest = 200 // of a line that opens a fence
	mayBe := c.fence == "" && slices.ContainsFunc(c.Lines, func(line string) bool { return strings.HasPrefix(line, bare) })
	fence := bare != "" && strings.Contains("`~", bare[:1]) && len(c.held) < longest
	if !c.midLine && (mayBe || fence || bare == "") {
		return
	}
	c.pass(len(c.held))
	c.midLine = true
}

func (c *Cut) pass(n int) {
	c.Show(c.held[:n])
	c.held = c.held[n:]
}

func (c *Cut) end() {
	c.over, c.held = true, ""
	c.Withdraw()
}

// Close ends the reply. Its last line needs no end.
func (c *Cut) Close() {
	if c.over || c.held == "" {
		return
	}
	if !c.midLine && c.fence == "" && slices.Contains(c.Lines, strings.ToUpper(strings.TrimSpace(c.held))) {
		c.end()
		return
	}
	c.pass(len(c.held))
}

// FenceAfter returns the fence that is open after a line without its blanks, "" if there is none. open is the one before
// the line.
func FenceAfter(open, line string) string {
	for _, mark := range []string{"`", "~"} {
		size := len(line) - len(strings.TrimLeft(line, mark))
		switch {
		case size < 3:
		case open == "":
			return line[:size]
		case strings.HasPrefix(line, open) && size == len(line):
			return ""
		}
	}
	return open
}
