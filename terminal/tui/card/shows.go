package card

import (
	"strings"
	"unicode"

	"rein"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// A cache keeps what is asked in rows of one width.
type cache struct {
	width int
	rows  []row
}

// above is what exactly is asked, for everybody to read before they answer.
func (c *Card) above(inner int, f form) []row {
	if c.drawn.width != inner {
		c.drawn, c.unread = cache{inner, c.asked(inner)}, 0
	}
	rows := c.drawn.rows[:len(c.drawn.rows):len(c.drawn.rows)]
	if f.short && !c.decides() && len(c.ask.Choices) > 0 {
		rows = append(append(rows, row{"choices", true}), c.choices(inner)...)
	}
	if c.decides() {
		rows = append(rows, c.patterns(inner, f)...)
	}
	if means := c.means(inner); (f.within || c.reading) && len(means) > 0 {
		rows = append(append(rows, row{"what it can do", true}), means...)
	}
	return rows
}

// asked is the text of the ask, and the arguments that it does not have.
func (c *Card) asked(inner int) []row {
	text, args := terminal.Parts(c.ask)
	text = strings.Trim(text, "\n")
	var rows []row
	if rest, ok := c.onlyArguments(text); ok { // on one line they are hard to read
		rows, text = plain(look.Break(look.Safe(terminal.Editable(c.ask.Call.Args)), inner)), strings.Trim(rest, "\n")
	}
	if text != "" {
		rows = append(rows, plain(c.body(text, inner))...)
	}
	if args != "" {
		rows = append(rows, row{terminal.WithArguments, true})
		rows = append(rows, plain(look.Break(look.Safe(args), inner))...)
	}
	return rows
}

// onlyArguments reports whether the text is nothing but the arguments, as of a tool that shows nothing itself, and what
// follows them.
func (c *Card) onlyArguments(text string) (rest string, ok bool) {
	if !c.editable {
		return "", false
	}
	return strings.CutPrefix(text, "Allow "+c.ask.Call.Name+" "+string(c.ask.Call.Args)+"?")
}

func (c *Card) body(text string, inner int) []string {
	switch {
	case c.isQuestion() || c.ask.Call == nil:
		return look.Break(look.Safe(text), inner)
	case c.ask.Call.Name == "execute_command" && strings.Contains(text, "\n  | "):
		return c.command(text, inner)
	}
	return c.theme.Diff(text, inner)
}

// command is what the tool for commands shows. The line that would run stands out, and so does what must not be
// missed.
func (c *Card) command(text string, inner int) (rows []string) {
	for line := range strings.SplitSeq(look.Safe(text), "\n") {
		paint := func(s string) string { return s }
		switch {
		case strings.HasPrefix(line, "  | "):
			paint = c.theme.Fact
		case isLoud(line):
			paint = c.theme.Bad
		}
		for _, part := range look.Break(line, inner) {
			rows = append(rows, paint(part))
		}
	}
	return rows
}

// isLoud reports whether a line begins with capitals: tools write so what must not be missed.
func isLoud(line string) bool {
	const enough = 5
	return len(line) > enough && !strings.ContainsFunc(line[:enough], func(r rune) bool { return r != ' ' && !unicode.IsUpper(r) })
}

func plain(texts []string) []row {
	rows := make([]row, len(texts))
	for i, text := range texts {
		rows[i].text = text
	}
	return rows
}

// unframed is a text for the edge of the box, without what could look like its end.
func unframed(t look.Theme, s string) string { return strings.ReplaceAll(s, t.Signs.Flat, "-") }

func (c *Card) isQuestion() bool { return c.ask.Kind == rein.AskQuestion }
