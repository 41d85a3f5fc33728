package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/internal/units"
)

// showAsk puts an ask on the terminal, whole.
func (w *watcher) showAsk(ask rein.Ask) {
	w.timeline.own(ask.Run, colourAsk, w.screen.signs.ask+" "+headline(ask))
	w.timeline.own("", "", strings.TrimSuffix(w.screen.whole(ask), "\n"))
	if masked(ask) {
		w.timeline.own("", colourQuiet, "  "+w.tip("answer "+string(ask.ID)+" --reveal")+" shows what is masked")
	}
}

// masked reports whether an ask shows labels in place of secrets.
func masked(ask rein.Ask) bool {
	return strings.Contains(ask.Text, rein.Mask) || ask.Call != nil && strings.Contains(string(ask.Call.Args), rein.Mask)
}

// printAsk writes an ask to standard output, whole, with what an answer must repeat.
func (c *call) printAsk(ask rein.Ask) {
	if ask.State == rein.AskPending {
		c.print("ask %s waits since %s\n", safe(string(ask.ID)), units.When(ask.Opened))
	} else {
		c.print("%s\n", safe(closedAsk(ask).Error()))
	}
	c.print("%s\n%s", headline(ask), c.screen.whole(ask))
	if ask.State != rein.AskPending {
		return
	}
	if ask.Shown != "" {
		c.print("shown %s\n", safe(ask.Shown))
	}
	if masked(ask) {
		c.note("%s shows what is masked", c.tip("answer "+string(ask.ID)+" --reveal"))
	}
	c.note("answer with %s", c.tip("answer "+string(ask.ID)+after(" --shown ", ask.Shown)+" "+fits(ask)))
}

// effects says what a call can do, to who is to approve it.
var effects = map[rein.Effect]string{
	rein.Pure:       " It changes nothing.",
	rein.Idempotent: " It can change something; doing it twice is like doing it once.",
	rein.Checkable:  " It can change something.",
	rein.Unsafe:     " It cannot be undone.",
}

// headline says in rein's own words what an ask wants.
func headline(ask rein.Ask) string {
	text := "A question:"
	call := "this"
	if ask.Call != nil {
		call = "this call of " + safe(ask.Call.Name)
	}
	switch ask.Kind {
	case rein.AskApproval:
		text = "Approve " + call + "?" + effects[ask.Effect]
	case rein.AskConfirmation:
		text = "Approve " + call + "?"
	case rein.AskUnknown:
		text = "Did " + call + " happen?"
	}
	if ask.Guessed != "" {
		text += " rein guessed it from what the model wrote (" + safe(ask.Guessed) + ")."
	}
	return text
}

// whole is all that an ask shows: its text, the arguments where the text does not have them, and the
// choices, which are numbered in rein's own lines.
func (s screen) whole(ask rein.Ask) string {
	var b strings.Builder
	b.WriteString(s.quoted(ask.Text))
	if ask.Call != nil && !strings.Contains(ask.Text, string(ask.Call.Args)) {
		b.WriteString("  with the arguments\n" + s.quoted(indented(ask.Call.Args)))
	}
	for i, choice := range ask.Choices {
		b.WriteString(s.folded(fmt.Sprintf("  %d) %s", i+1, safe(choice))) + "\n")
	}
	return b.String()
}

func indented(args json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, args, "", "  ") != nil {
		return string(args)
	}
	return b.String()
}
