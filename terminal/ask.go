package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/internal/logtext"
)

// Ask puts an ask on the terminal, whole.
func (t *Timeline) Ask(ask rein.Ask) {
	t.Own(ask.Run, Ask, t.out.Screen.signs.ask+" "+Headline(ask))
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
	rein.Pure:       " It changes nothing.",
	rein.Idempotent: " It can change something; doing it twice is like doing it once.",
	rein.Checkable:  " It can change something.",
	rein.Unsafe:     " It cannot be undone.",
}

// Headline says in rein's own words what an ask wants.
func Headline(ask rein.Ask) string {
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
		if len(ask.Modes) > 0 {
			text = "Accept this plan? Nothing was changed so far."
		}
	case rein.AskUnknown:
		text = "Did " + call + " happen?"
	}
	if ask.Kind == rein.AskApproval {
		text += after(" Mode: ", safe(string(ask.Mode)))
	}
	if ask.Guessed != "" {
		text += " rein guessed it from what the model wrote (" + safe(ask.Guessed) + ")."
	}
	return text
}

// Whole is all that an ask shows: its text, the arguments where the text does not have them, and the
// choices, which are numbered in rein's own lines.
func (s Screen) Whole(ask rein.Ask) string {
	var b strings.Builder
	b.WriteString(s.Quoted(withoutHeadline(ask)))
	if ask.Call != nil && !hasArguments(ask.Text, ask.Call.Args) {
		b.WriteString("  with the arguments\n" + s.Quoted(indented(ask.Call.Args)))
	}
	for i, choice := range ask.Choices {
		b.WriteString(s.Folded(fmt.Sprintf("  %d) %s", i+1, safe(choice))) + "\n")
	}
	b.WriteString(s.offers(ask.Offers))
	return b.String()
}

// offers is what a person can allow beyond this call, each as it would be kept.
func (s Screen) offers(o rein.Offers) string {
	var b strings.Builder
	for _, part := range []struct {
		scope rein.RuleScope
		says  string
	}{{rein.ScopeSession, "exactly this again, in this session"}, {rein.ScopeAlways, "what fits, in this workspace from now on"}} {
		patterns := o.Of(part.scope)
		if len(patterns) == 0 {
			continue
		}
		b.WriteString(s.Folded("  "+string(part.scope)+" allows "+part.says+":") + "\n")
		b.WriteString(s.Quoted(strings.Join(patterns, "\n")))
	}
	return b.String()
}

// withoutHeadline is the text of an ask without the line that Headline says in its own words.
func withoutHeadline(ask rein.Ask) string {
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
	return unescaped.Replace(b.String())
}

// unescaped leaves a backslash that is escaped itself alone, and what follows it.
var unescaped = strings.NewReplacer(`\\`, `\\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")
