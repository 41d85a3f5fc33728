package card

import (
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/internal/visible"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// keys are the keys that apply now.
func (c *Card) keys(inner int, f form, now time.Time) []string {
	var words []string
	for _, k := range c.keyWords(inner, f) {
		key, says := c.theme.Accent(k.key), " "+k.says
		if k.says == "" {
			says = ""
		}
		if !c.Armed(now) || !c.hasKey || c.mayBeHeld(k.name(), now) {
			key, says = c.theme.Dim(k.key), c.theme.Dim(says)
		}
		words = append(words, key+says)
	}
	return flow(words, "   ", inner)
}

type keyWord struct{ key, says string }

// name is how keys are called that are pressed.
func (k keyWord) name() string {
	if len(k.key) == 1 {
		return k.key
	}
	return strings.ToLower(strings.ReplaceAll(k.key, "Ctrl-", "ctrl+"))
}

func (c *Card) keyWords(inner int, f form) []keyWord {
	switch {
	case c.sent:
		return []keyWord{{"sending the answer", ""}}
	case !c.hasKey:
		return []keyWord{{"Tab", "answers"}}
	case c.doing == editing:
		return []keyWord{{"Ctrl-S", "shows what it does now"}, {"Esc", "back"}}
	case c.doing == rejecting:
		return []keyWord{{"Enter", "rejects; the model reads why"}, {"Esc", "back"}}
	case c.confirm != nil:
		return []keyWord{{"Enter", "allows it" + scopeSaid[c.confirm.Scope]}, {"Esc", "back"}}
	case c.isQuestion():
		return c.questionKeys(f)
	case c.ask.Kind == rein.AskUnknown:
		return append(c.unknownKeys(f), c.readKeys(f)...)
	}
	return append(c.decideKeys(inner, f), c.readKeys(f)...)
}

func (c *Card) decideKeys(inner int, f form) []keyWord {
	keys := []keyWord{{"a", c.yes(f)}}
	if len(c.ask.Modes) > 1 {
		keys = append(keys, keyWord{"m", "another mode"})
	}
	for _, key := range []string{"s", "A"} {
		if scope := scopeOf[key]; c.ask.Kind == rein.AskApproval && len(c.ask.Offers.Of(scope)) > 0 {
			says := scopeWords[scope]
			if f.short {
				says = string(scope)
			}
			keys = append(keys, keyWord{key, says + c.inline(key, inner, f)})
		}
	}
	if c.editable && f.short {
		keys = append(keys, keyWord{"e E", "edit"})
	} else if c.editable {
		keys = append(keys, keyWord{"e", "edit"}, keyWord{"E", "in $EDITOR"})
	}
	if f.short {
		return append(keys, keyWord{"r", "reject"})
	}
	return append(keys, keyWord{"r", "reject with a reason"})
}

var scopeWords = map[rein.RuleScope]string{rein.ScopeSession: "this session", rein.ScopeAlways: "always"}

// yes says what a plain yes does.
func (c *Card) yes(f form) string {
	switch {
	case len(c.ask.Modes) > 0:
		return "accept, mode " + visible.Short(string(c.ask.Modes[c.mode]), 20)
	case c.ask.Kind == rein.AskConfirmation:
		return "accept"
	case f.short:
		return "once"
	}
	return "allow once"
}

// inline is the only pattern of a scope, if its key has room for it; else it stands above.
func (c *Card) inline(key string, inner int, f form) string {
	patterns := c.ask.Offers.Of(scopeOf[key])
	if len(patterns) != 1 || f.short {
		return ""
	}
	pattern := ": " + look.SafeLine(patterns[0])
	if look.Cells(key+" "+scopeWords[scopeOf[key]]+pattern) > inner {
		return ""
	}
	return pattern
}

func (c *Card) questionKeys(f form) []keyWord {
	text := c.reply.trimmed()
	keys := []keyWord{{"Enter", "sends"}}
	if choice := terminal.Chosen(c.ask, text); f.short && choice != text {
		keys[0].says += ": " + visible.Short(choice, 40)
	}
	if n := len(c.ask.Choices); n > 0 && !f.short {
		keys = append(keys, keyWord{"a number", "chooses"})
	}
	if f.clipped {
		keys = append(keys, keyWord{"PgDn", "reads on"})
	}
	return append(keys, keyWord{"Ctrl-D", "no answer"}, keyWord{"Tab", "input"})
}

func (c *Card) unknownKeys(f form) []keyWord {
	keys := []keyWord{{"1 to " + strconv.Itoa(len(c.ask.Choices)), "choose"}}
	switch {
	case c.picked == "":
		return keys
	case f.short:
		return append(keys, keyWord{"Enter", "confirms: " + outcome(c.picked)})
	}
	return append(keys, keyWord{"Enter", "confirms"})
}

func (c *Card) readKeys(f form) (keys []keyWord) {
	switch {
	case c.reading && f.short:
		keys = []keyWord{{"j k PgDn g G", ""}, {"v", "back"}}
	case c.reading:
		keys = []keyWord{{"j k PgDn PgUp g G", "read"}, {"v", "back"}}
	case f.clipped && f.short:
		keys = []keyWord{{"v", "all"}}
	case f.clipped:
		keys = []keyWord{{"v", "view all"}}
	}
	if c.masked {
		keys = append(keys, keyWord{"x", "shows what is masked"})
	}
	if !f.short {
		keys = append(keys, keyWord{"Tab", "input"})
	}
	return keys
}

// flow puts words on rows, as many as fit on each.
func flow(words []string, between string, cells int) (rows []string) {
	line := ""
	for _, word := range words {
		switch {
		case line == "":
			line = word
		case look.Cells(line)+look.Cells(between)+look.Cells(word) <= cells:
			line += between + word
		default:
			rows, line = append(rows, line), word
		}
	}
	if line == "" {
		return rows
	}
	return append(rows, line)
}
