package card

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/terminal"
	"rein/terminal/tui/look"
)

func (c *Card) decideKey(key string) Act {
	switch key {
	case "a":
		answer := rein.Answer{State: rein.AskApproved}
		if len(c.ask.Modes) > 0 {
			answer.Mode = c.ask.Modes[c.mode]
		}
		return c.approve(answer)
	case "s", "A":
		scope := scopeOf[key]
		if c.ask.Kind == rein.AskApproval && len(c.ask.Offers.Of(scope)) > 0 {
			return c.approve(rein.Answer{State: rein.AskApproved, Scope: scope})
		}
	case "r":
		c.doing = rejecting
		return Act{Taken: true}
	case "m":
		if len(c.ask.Modes) > 1 {
			c.mode = (c.mode + 1) % len(c.ask.Modes)
			return Act{Taken: true}
		}
	case "e", "E":
		if c.editable {
			return c.edit(key == "E")
		}
	}
	return Act{}
}

var scopeOf = map[string]rein.RuleScope{"s": rein.ScopeSession, "A": rein.ScopeAlways}

// approve answers with a yes, if all of what it is for was on the screen. What gets something from outside its sandbox
// takes a second key.
func (c *Card) approve(answer rein.Answer) Act {
	if why := c.unseen(); why != "" {
		return c.says(why)
	}
	if c.ask.InPerson {
		c.confirm = &answer
		return Act{Taken: true}
	}
	return c.emit(answer)
}

func (c *Card) confirmKey(key string) Act {
	answer := *c.confirm
	switch key {
	case "enter":
		c.confirm = nil
		return c.emit(answer)
	case "esc":
		c.confirm = nil
		return Act{Taken: true}
	}
	c.confirm = nil
	return Act{}
}

// reasonKey is for the reason of a rejection.
func (c *Card) reasonKey(key string, k tea.KeyPressMsg, now time.Time) Act {
	switch key {
	case "enter":
		if !c.Armed(now) {
			return c.early(now)
		}
		return c.emit(rein.Answer{State: rein.AskRejected, Text: c.reply.trimmed()})
	case "esc":
		c.doing = deciding
		return Act{Taken: true}
	case "tab":
		return Act{Leave: true, Taken: true}
	}
	return Act{Taken: c.reply.key(key, k)}
}

// early is for a key that would have answered if the card had not just moved.
func (c *Card) early(now time.Time) Act {
	c.Touched(now)
	return c.says("it only just appeared or moved: press again if you mean it")
}

// questionKey is for the answer to a question. A number stands for the choice that has it.
func (c *Card) questionKey(key string, k tea.KeyPressMsg, now time.Time) Act {
	switch key {
	case "enter", "ctrl+d":
		if !c.Armed(now) {
			return c.early(now)
		}
		if key == "ctrl+d" {
			return c.emit(rein.Answer{State: rein.AskDeclined})
		}
		if text := c.reply.trimmed(); text != "" {
			return c.emit(rein.Answer{State: rein.AskAnswered, Text: terminal.Chosen(c.ask, text)})
		}
		return Act{Taken: true}
	case "esc", "tab":
		return Act{Leave: true, Taken: true}
	case "pgdown", "pgup":
		return c.readKey(key)
	}
	return Act{Taken: c.reply.key(key, k)}
}

// unknownKey chooses what became of a call. Enter confirms: to run something again is never one key.
func (c *Card) unknownKey(key string) Act {
	if n, err := strconv.Atoi(key); err == nil && n >= 1 && n <= len(c.ask.Choices) {
		c.picked = c.ask.Choices[n-1]
		return Act{Taken: true}
	}
	if key != "enter" || c.picked == "" {
		return Act{}
	}
	if why := c.unseen(); why != "" {
		return c.says(why)
	}
	return c.emit(rein.Answer{State: rein.AskAnswered, Text: c.picked})
}

func (c *Card) says(hint string) Act {
	c.hint = hint
	return Act{Taken: true}
}

// emit lets an answer out, once. The ask itself has the last word about it.
func (c *Card) emit(answer rein.Answer) Act {
	answer.Shown = c.ask.Shown
	as := answer
	as.By = c.ask.For
	if err := c.ask.Accepts(as); err != nil {
		return c.says(look.SafeLine(err.Error()))
	}
	c.sent = true
	return Act{Answer: &answer, Taken: true}
}
