package cli

import (
	"rein"
	"rein/internal/visible"
)

// Texts of models, tools and people are data. Whatever they hold, a terminal that shows them does
// nothing but show them.

// safe returns a text for one line: what cannot be seen is spelled out.
func safe(s string) string { return visible.Line(s) }

// safeLines is safe for a text that may have more than one line.
func safeLines(s string) string { return visible.Lines(s) }

// short returns the beginning of a text on one line.
func short(s string, most int) string { return visible.Short(s, most) }

func (c *call) printJSON(v any) error { return c.out.PrintJSON(v) }

// after puts a text behind what leads to it, if there is one.
func after(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

// payload reads an event's payload; what cannot be read stays empty.
func payload[T any](e rein.Event) T {
	p, _ := rein.Payload[T](e)
	return p
}
