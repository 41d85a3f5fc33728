// Package card shows an ask and reads its answer: a box with what will happen, what exactly, and the keys that answer.
// It takes no key before it has stood still for a moment, and no approval before all that is approved was on the screen.
// It knows neither clock nor API: the answer is a value that it returns.
package card

import (
	"encoding/json"
	"slices"
	"time"

	"rein"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// still is how long a card must have stood still before it takes a key.
const still = 500 * time.Millisecond

// held is how long the key that answered the card before is taken for one that is still held down. Keyboards wait for up
// to a second before they repeat a key.
const held = 1200 * time.Millisecond

// Options say what an ask does not say itself.
type Options struct {
	Now  time.Time // when the card appeared
	From string    // what the run below that asks is to do; empty: the root asks
	Held string    // the key that answered the card before this one, as its String or Keystroke: it may still be held down
}

// A Card is an open ask on the screen. It has the keys until it gives them back.
type Card struct {
	theme    look.Theme
	ask      rein.Ask
	o        Options
	subject  string // of the ask, in a few words
	masked   bool   // it has labels in place of secrets
	editable bool   // the arguments of its call can be changed

	quiet  time.Time // since when it has stood still and no key went past it
	hasKey bool      // keys are for the card
	doing  doing
	hint   string // why the last key did nothing; rein's words
	sent   bool   // an answer has come out

	reply   field // an answer, or the reason of a rejection
	args    field // the arguments as they are being edited
	started bool  // args holds what somebody began to change
	mode    int   // which of the modes the work continues in
	picked  string
	confirm *rein.Answer // an answer that waits for Enter

	seen    bool // all that is asked was on the screen
	unread  int  // the first row of it that was not
	of      int  // so many
	cramped bool // the box is too small to show anything
	reading bool // the box is scrolled
	top     int  // the first row of what is asked that is on the screen
	window  int  // how many of them are
	total   int  // how many there are
	drawn   cache
}

// doing is what the keys are for.
type doing int

const (
	deciding doing = iota
	rejecting
	editing
)

// An Act is what a key led to.
type Act struct {
	Answer *rein.Answer // to what the card shows
	Edit   bool         // open Arguments in the person's editor, then call Edited
	Reveal bool         // read the ask with its secrets, then call Update
	Leave  bool         // the keys are for the input again
	Taken  bool         // the key is used up; else it is for somebody else
}

// New returns the card of an open ask.
func New(t look.Theme, ask rein.Ask, o Options) *Card {
	c := &Card{theme: t, o: o, quiet: o.Now, hasKey: true}
	c.hold(ask)
	return c
}

// hold makes the ask the one that is shown. What takes long to find out of a large one is found out once.
func (c *Card) hold(ask rein.Ask) {
	c.ask, c.subject, c.masked = ask, terminal.Subject(ask), terminal.Masked(ask)
	c.editable = ask.Kind == rein.AskApproval && ask.Call != nil && json.Valid(ask.Call.Args)
}

// Ask returns the ask as the card shows it.
func (c *Card) Ask() rein.Ask { return c.ask }

// Update shows the same ask as it is now. If it shows something else than before, it has to be read again.
func (c *Card) Update(ask rein.Ask, now time.Time) {
	if !sameLooks(c.ask, ask) {
		c.seen, c.reading, c.top, c.unread, c.drawn = false, false, 0, 0, cache{}
		c.sent, c.confirm, c.picked, c.mode = false, nil, "", 0
		c.Touched(now)
	}
	c.hold(ask)
}

// sameLooks reports whether two asks show the same to a person.
func sameLooks(a, b rein.Ask) bool {
	text, args := terminal.Parts(a)
	text2, args2 := terminal.Parts(b)
	return a.Shown == b.Shown && a.Kind == b.Kind && text == text2 && args == args2 &&
		terminal.Subject(a) == terminal.Subject(b) && terminal.Means(a) == terminal.Means(b) && a.InPerson == b.InPerson &&
		slices.Equal(a.Choices, b.Choices) && slices.Equal(a.Modes, b.Modes) &&
		slices.Equal(a.Offers.Session, b.Offers.Session) && slices.Equal(a.Offers.Always, b.Offers.Always)
}

// Refused says why the answer that came out was not accepted. The ask is open again, with what was typed.
func (c *Card) Refused(why string, now time.Time) {
	c.sent, c.hint = false, look.SafeLine(why)
	c.Touched(now)
}

// Focus gives the card the keys, or takes them.
func (c *Card) Focus(on bool, now time.Time) {
	if on != c.hasKey {
		c.hasKey = on
		c.Touched(now)
	}
}

// Touched says that a key was typed elsewhere, or that the card moved. It takes no key for a while.
func (c *Card) Touched(now time.Time) {
	if now.After(c.quiet) {
		c.quiet = now
	}
}

// Armed reports whether a key counts.
func (c *Card) Armed(now time.Time) bool { return !c.sent && now.Sub(c.quiet) >= still }

// Typing reports whether the card takes text.
func (c *Card) Typing() bool {
	return !c.sent && c.hasKey && (c.doing != deciding || c.ask.Kind == rein.AskQuestion)
}

// Paste adds a text to what is being typed.
func (c *Card) Paste(text string) {
	switch {
	case !c.Typing():
	case c.doing == editing:
		c.args.insert(look.Safe(text))
	default:
		c.reply.insert(oneLine(text))
	}
}

// decides reports whether the ask is to be approved or rejected.
func (c *Card) decides() bool {
	return c.ask.Kind == rein.AskApproval || c.ask.Kind == rein.AskConfirmation
}
