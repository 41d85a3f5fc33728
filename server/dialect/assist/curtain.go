package assist

import (
	"slices"
	"strings"
)

// handOver are the tags by which a reply hands over. They never reach a person.
var handOver = []string{"[NEED_RESEARCH]", "[NEED_CODING]", "[NEED_TASK]"}

// A curtain lets pass what a person may see of a text that is still being written.
//
// Flows stream only a text that stands as the reply; what assist says before it is known whether it hands
// over is not streamed at all, so it cannot be shown. What remains is a writer that misbehaves: it may
// write a tag on a line of its own, which the reply will not have, or wrap the reply as {"message": …}.
// So a line is held while it may become a tag, and at a tag, as at a wrapped reply, the curtain stays
// shut: what is missing is shown when the reply is whole.
type curtain struct {
	begun   bool
	shut    bool
	midLine bool
	held    string
}

// pass takes the next piece and returns what can be shown now.
func (c *curtain) pass(piece string) string {
	if c.shut {
		return ""
	}
	c.held += piece
	if !c.begun {
		c.held = strings.TrimLeft(c.held, " \t\r\n")
		if c.held == "" {
			return ""
		}
		c.begun, c.shut = true, c.held[0] == '{' || c.held[0] == '`'
	}
	var out strings.Builder
	for c.held != "" && !c.shut && c.passLine(&out) {
	}
	return out.String()
}

// passLine lets a line pass, or what there is of it. It reports whether there may be more.
func (c *curtain) passLine(out *strings.Builder) bool {
	line, whole := c.held, false
	if end := strings.IndexByte(c.held, '\n'); end >= 0 {
		line, whole = c.held[:end+1], true
	}
	if !c.midLine {
		bare := strings.ToUpper(strings.TrimSpace(line))
		switch {
		case whole && slices.Contains(handOver, bare):
			c.shut = true
			return false
		case !whole && slices.ContainsFunc(handOver, func(tag string) bool { return strings.HasPrefix(tag, bare) }):
			return false
		}
	}
	out.WriteString(line)
	c.held, c.midLine = c.held[len(line):], !whole
	return whole
}
