package card

import (
	"strings"
	"time"

	"rein/internal/visible"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// below is what rein itself says under what is asked: what it means, who asks, and the keys.
func (c *Card) below(inner int, f form, now time.Time) (rows []row) {
	if !c.reading && c.doing == deciding {
		rows = c.facts(inner, f, now)
	}
	if !f.short && !c.decides() {
		rows = append(rows, c.choices(inner)...)
	}
	rows = append(rows, c.typing(inner)...)
	if c.hint != "" {
		rows = append(rows, c.painted(c.hint, inner, c.theme.Bad)...)
	}
	for _, text := range c.keys(inner, f, now) {
		rows = append(rows, row{text: text})
	}
	return rows
}

// facts are what a person should know before they answer.
func (c *Card) facts(inner int, f form, now time.Time) (rows []row) {
	if !f.within {
		rows = c.means(inner)
	}
	if f.bare {
		return rows
	}
	words := c.who()
	left, soon := c.left(now)
	if left != "" && !soon {
		words = append(words, left)
	}
	rows = append(rows, c.painted(strings.Join(words, " "+c.theme.Signs.Note+" "), inner, c.theme.Dim)...)
	if soon {
		rows = append(rows, c.painted(left, inner, c.theme.Bad)...)
	}
	return rows
}

// means says what a yes leads to.
func (c *Card) means(inner int) []row {
	rows := c.painted(terminal.Means(c.ask), inner, func(s string) string { return s })
	if c.ask.InPerson {
		rows = append(rows, c.painted("It gets something from outside its sandbox, so look closely.", inner, c.theme.Bad)...)
	}
	return rows
}

func (c *Card) painted(text string, inner int, paint func(string) string) (rows []row) {
	if text == "" {
		return nil
	}
	for _, part := range look.Break(text, inner) {
		rows = append(rows, row{text: paint(part)})
	}
	return rows
}

// who says in which mode the run is, who asks, and who is asked.
func (c *Card) who() (words []string) {
	for _, fact := range []struct{ lead, text string }{
		{"mode ", string(c.ask.Mode)}, {"asked by step ", string(c.ask.Step)}, {"in the run below: ", c.o.From}, {"for ", c.ask.Whom()},
	} {
		if fact.text != "" {
			words = append(words, fact.lead+visible.Short(fact.text, 80))
		}
	}
	return words
}

// typing is the field for an answer or a reason.
func (c *Card) typing(inner int) []row {
	lead := c.theme.Accent(c.theme.Signs.Person) + " "
	switch {
	case c.doing == rejecting:
		lead = "why not? " + lead
	case !c.isQuestion():
		return nil
	case c.reply.isEmpty():
		return []row{{text: lead + c.theme.Chosen(" ") + c.theme.Dim(" your answer")}}
	}
	return []row{{text: lead + c.reply.row(c.theme, inner-look.Cells(lead))}}
}
