package card

import (
	"fmt"
	"strings"

	"rein"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// patterns lists what can be allowed beyond this call, where the keys do not say it.
func (c *Card) patterns(inner int, f form) (rows []row) {
	for _, key := range []string{"s", "A"} {
		scope := scopeOf[key]
		patterns := c.ask.Offers.Of(scope)
		if len(patterns) == 0 || c.inline(key, inner, f) != "" {
			continue
		}
		name, allows := key+" "+string(scope), " allows "+terminal.Allows(scope)
		if look.Cells(name+allows)+2 <= inner {
			rows = append(rows, row{name + allows, true})
		} else {
			rows = append(rows, row{name, true})
			rows = append(rows, plain(look.Break(strings.TrimSpace(allows)+":", inner))...)
		}
		for _, pattern := range patterns {
			rows = append(rows, plain(c.listed("- ", look.SafeLine(pattern), inner))...)
		}
	}
	return rows
}

// listed is one entry of a list, with what begins it set apart.
func (c *Card) listed(lead, text string, inner int) (rows []string) {
	next := strings.Repeat(" ", look.Cells(lead)-2) + c.theme.Signs.Fold + " "
	for _, part := range look.Break(text, inner-look.Cells(lead)) {
		rows = append(rows, lead+part)
		lead = next
	}
	return rows
}

// choices numbers what a question can be answered with.
func (c *Card) choices(inner int) (rows []row) {
	chosen, picked := "", c.reply.trimmed()
	if picked != "" {
		chosen = terminal.Chosen(c.ask, picked)
	}
	if c.ask.Kind == rein.AskUnknown {
		chosen = c.picked
	}
	for i, choice := range c.ask.Choices {
		lead, words := fmt.Sprintf("  %d ", i+1), choice
		if c.ask.Kind == rein.AskUnknown {
			words = outcome(choice)
		}
		if choice == chosen {
			lead = c.theme.Signs.Shut + lead[1:]
		}
		for _, text := range c.listed(lead, look.SafeLine(words), inner) {
			if choice == chosen {
				text = c.theme.Strong(text)
			}
			rows = append(rows, row{text: text})
		}
	}
	return rows
}

// outcomes says what the answers about an unknown outcome mean.
var outcomes = map[string]string{
	rein.ItHappened: "it happened",
	rein.RunAgain:   "it did not: run it again",
	rein.SkipIt:     "skip it",
}

func outcome(choice string) string {
	if words := outcomes[choice]; words != "" {
		return words
	}
	return look.SafeLine(choice)
}
