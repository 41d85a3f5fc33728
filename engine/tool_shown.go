package engine

import (
	"strconv"
	"strings"

	"rein"
	"rein/internal/digest"
)

// shownOf is the digest of everything that a person is shown of an ask. If the ask is about a call, o is
// what would be sent, with the fields that the person is not shown, and would is the text of its
// approval, which tells what the call would do now.
func shownOf(ask rein.Ask, o *order, would string) string {
	parts := append([]string{string(ask.Kind), ask.Text, strconv.Itoa(len(ask.Choices))}, ask.Choices...)
	if ask.Call != nil {
		parts = append(parts, ask.Call.Name, canonical(ask.Call.Args), string(ask.Schema))
	}
	if o != nil {
		parts = append(parts, o.tool.Name, string(o.tool.Effect), canonical(o.args), string(o.tool.Schema), would)
	}
	if !ask.Offers.IsZero() { // asks from before there were any have none
		parts = append(append(parts, "session", strconv.Itoa(len(ask.Offers.Session))), ask.Offers.Session...)
		parts = append(append(parts, "always"), ask.Offers.Always...)
	}
	if ask.Say != "" { // its parts are in the text too, but a client may show them by themselves
		parts = append(parts, "say", ask.Say, ask.Reason, ask.Details)
	}
	return rein.ShownMark + digest.Listed(20, parts...)
}

// isOf reports whether a recorded digest is of this ask and order. One from before every ask had a
// digest is of the call alone; what was agreed to then still holds if the call would be the same.
func isOf(shown string, ask rein.Ask, o *order, would string) bool {
	if strings.HasPrefix(shown, rein.ShownMark) {
		return shown == shownOf(ask, o, would)
	}
	return shown == digest.Listed(16, o.tool.Name, string(o.tool.Effect), canonical(o.args), string(o.tool.Schema), would)
}
