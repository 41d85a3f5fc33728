package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/internal/jsontext"
	"rein/internal/logtext"
)

// Ask puts an ask on the terminal, whole.
func (t *Timeline) Ask(ask rein.Ask) {
	t.Own(ask.Run, Ask, t.out.Screen.Folded(t.out.Screen.signs.ask+" "+Headline(ask)))
	t.Own("", "", strings.TrimSuffix(t.out.Screen.Whole(ask), "\n"))
	if Masked(ask) {
		t.Own("", Quiet, "  "+t.tip("answer "+string(ask.ID)+" --reveal")+" shows what is masked")
	}
}

// Mention puts an ask on the terminal in a line.
func (t *Timeline) Mention(ask rein.Ask) {
	t.Say(ask.Run, Ask, t.out.Screen.signs.ask+" "+short(ask.Text, 160))
}

// Masked reports whether an ask shows labels in place of secrets.
func Masked(ask rein.Ask) bool {
	return strings.Contains(ask.Text, rein.Mask) || ask.Call != nil && strings.Contains(string(ask.Call.Args), rein.Mask)
}

// effects says what a call can do, to the person who is to approve it.
var effects = map[rein.Effect]string{
	rein.Pure:       "It changes nothing.",
	rein.Idempotent: "It can change something; doing it twice is like doing it once.",
	rein.Checkable:  "It can change something.",
	rein.Unsafe:     "It can change something, and rein may not be able to undo all of it.",
}

// Headline says in rein's own words what an ask wants.
func Headline(ask rein.Ask) string {
	text := Wants(ask)
	if ask.Kind == rein.AskApproval && ask.Say == "" {
		text += after(" ", effects[ask.Effect]) + after(" Mode: ", safe(string(ask.Mode)))
	}
	if ask.For == rein.ForAdults {
		text += " " + safe(ask.Asker) + " wants it; an adult of the household decides."
	}
	return text + after(" ", guess(ask))
}

// Wants is the question that an ask puts, in rein's own words.
func Wants(ask rein.Ask) string {
	call := "this"
	if ask.Call != nil {
		call = "this call of " + safe(ask.Call.Name)
	}
	switch {
	case ask.Say != "":
		return safe(ask.Say)
	case ask.Kind == rein.AskConfirmation && len(ask.Modes) > 0:
		return "Accept this plan? Nothing was changed so far."
	case ask.Kind == rein.AskApproval, ask.Kind == rein.AskConfirmation:
		return "Approve " + call + "?"
	case ask.Kind == rein.AskUnknown:
		return "Did " + call + " happen?"
	}
	return "A question:"
}

// Means says what the call of an ask can do, and that rein guessed it; empty: there is nothing to say.
func Means(ask rein.Ask) string {
	if ask.Call == nil || ask.Say != "" {
		return guess(ask)
	}
	return strings.TrimSpace(effects[ask.Effect] + after(" ", guess(ask)))
}

func guess(ask rein.Ask) string {
	if ask.Guessed == "" {
		return ""
	}
	return "rein guessed it from what the model wrote (" + safe(ask.Guessed) + ")."
}

// Subject names in a few words what an ask is about: the call, with the argument that says most; empty: it has none.
func Subject(ask rein.Ask) string {
	if ask.Call == nil {
		return ""
	}
	call := *ask.Call
	if ask.Answer.Args != nil {
		call.Args = ask.Answer.Args
	}
	return chipName(call)
}

// Whole is all that an ask shows: its text, the arguments where the text does not have them, and the
// choices, which are numbered in rein's own lines.
func (s Screen) Whole(ask rein.Ask) string {
	var b strings.Builder
	text, args := Parts(ask)
	b.WriteString(s.Quoted(text))
	if args != "" {
		b.WriteString("  " + WithArguments + "\n" + s.Quoted(args))
	}
	for i, choice := range ask.Choices {
		b.WriteString(s.Folded(fmt.Sprintf("  %d) %s", i+1, safe(choice))) + "\n")
	}
	b.WriteString(s.offers(ask.Offers))
	return b.String()
}

// WithArguments stands between the text of an ask and the arguments of its call.
const WithArguments = "with the arguments"

// Parts returns what an ask shows: its text, without what Headline says, and the arguments as JSON on many lines if the
// text does not have all of them. Neither is safe to show.
func Parts(ask rein.Ask) (text, args string) {
	if ask.Call != nil && ask.Say == "" && !hasArguments(ask.Text, ask.Call.Args) {
		args = indented(ask.Call.Args)
	}
	return withoutHeadline(ask), args
}

// Allows says what an approval with a scope allows; its patterns follow.
func Allows(scope rein.RuleScope) string {
	switch scope {
	case rein.ScopeSession:
		return "exactly this again, in this session"
	case rein.ScopeAlways:
		return "what fits, in this workspace from now on"
	}
	return "this call"
}

// offers is what a person can allow beyond this call, each as it would be kept.
func (s Screen) offers(o rein.Offers) string {
	var b strings.Builder
	for _, scope := range o.Scopes() {
		if !scope.Lasts() {
			continue
		}
		b.WriteString(s.Folded("  "+string(scope)+" allows "+Allows(scope)+":") + "\n")
		b.WriteString(s.Quoted(strings.Join(o.Of(scope), "\n")))
	}
	return b.String()
}

// withoutHeadline is the text of an ask without the line that Headline says in its own words.
func withoutHeadline(ask rein.Ask) string {
	if rest, ok := strings.CutPrefix(ask.Text, ask.Say+"\n"); ok && ask.Say != "" {
		return rest
	}
	if ask.Kind == rein.AskApproval && ask.Call != nil {
		if _, ok := logtext.Shown(ask.Call.Name, ask.Text); ok {
			_, rest, _ := strings.Cut(ask.Text, "\n")
			return rest
		}
	}
	return ask.Text
}

// hasArguments reports whether a text has every value of the arguments, line by line.
func hasArguments(text string, args json.RawMessage) bool {
	if strings.Contains(text, string(args)) {
		return true
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var value any
	return d.Decode(&value) == nil && hasValue(text, value)
}

func hasValue(text string, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, of := range v {
			if !hasValue(text, of) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(of any) bool { return !hasValue(text, of) })
	case string:
		for line := range strings.Lines(v) {
			if !strings.Contains(text, strings.TrimRight(line, "\r\n")) {
				return false
			}
		}
		return true
	case json.Number:
		return strings.Contains(text, v.String())
	}
	return value == nil || value == false
}

// indented is JSON for people: on many lines, and with <, > and & as they are.
func indented(args json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, args, "", "  ") != nil {
		return string(args)
	}
	return jsontext.ForPeople(b.String())
}

// Editable is JSON on many lines in which everything can be seen, and which still means the same.
func Editable(args json.RawMessage) string {
	lines := strings.Split(indented(args), "\n")
	for i := range lines {
		lines[i] = seen(lines[i])
	}
	return strings.Join(lines, "\n")
}
