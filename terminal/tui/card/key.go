package card

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
)

// Key takes a key. One that is not taken makes the card wait again: typing without a pause never answers.
func (c *Card) Key(k tea.KeyPressMsg, now time.Time) Act {
	if c.sent || !c.hasKey {
		return Act{}
	}
	key := keyName(k)
	if !c.engaged() && (!c.Armed(now) || c.isHeld(k, now)) {
		c.Touched(now)
		return Act{}
	}
	c.hint = ""
	act := c.press(key, k, now)
	if !act.Taken {
		c.Touched(now)
	}
	return act
}

// isHeld reports whether a key may still be down since it answered the card before.
func (c *Card) isHeld(k tea.KeyPressMsg, now time.Time) bool {
	return c.mayBeHeld(k.String(), now) || c.mayBeHeld(k.Keystroke(), now)
}

// mayBeHeld reports whether the key of that name may still be down. It is dim as long as it does not count.
func (c *Card) mayBeHeld(name string, now time.Time) bool {
	return c.o.Held == name && now.Sub(c.o.Now) < held
}

// keyName is how a key is called. Held with Ctrl or Alt, a letter is another key.
func keyName(k tea.KeyPressMsg) string {
	if k.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModHyper|tea.ModSuper) != 0 {
		return k.Keystroke()
	}
	return k.String()
}

// engaged reports whether somebody is writing in the card. Then letters are for it even if it has just moved.
func (c *Card) engaged() bool {
	return c.doing != deciding || c.ask.Kind == rein.AskQuestion && !c.reply.isEmpty()
}

// press finds out what a key is for.
func (c *Card) press(key string, k tea.KeyPressMsg, now time.Time) Act {
	switch {
	case k.IsRepeat && c.decisive(key): // it is still held down from before
		return Act{Taken: true}
	case c.doing == editing:
		return c.editKey(key, k, now)
	case c.doing == rejecting:
		return c.reasonKey(key, k, now)
	case c.ask.Kind == rein.AskQuestion:
		return c.questionKey(key, k, now)
	}
	if c.confirm != nil {
		return c.confirmKey(key)
	}
	if act := c.readKey(key); act.Taken {
		return act
	}
	if c.ask.Kind == rein.AskUnknown {
		return c.unknownKey(key)
	}
	return c.decideKey(key)
}

// decisive reports whether a key may answer.
func (c *Card) decisive(key string) bool {
	return key == "enter" || key == "ctrl+s" || key == "ctrl+d" || c.doing == deciding && slices.Contains([]string{"a", "s", "A"}, key)
}
