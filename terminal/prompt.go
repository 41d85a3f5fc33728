package terminal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/internal/consent"
	"rein/internal/speech"
)

// A Prompt is an ask that the person at a terminal has before them.
type Prompt struct {
	Ask      rein.Ask
	Language string // of the words that decide, besides English, if the ask says none
	editing  bool   // the next line is the arguments
}

// Hint says what can be typed.
func (p *Prompt) Hint() string {
	if p.Ask.Say != "" && len(p.scopes()) == 0 {
		return sentenceHints.Say(p.Ask.Language, "hint")
	}
	decide := `yes approves once, no refuses ("no: WHY" gives a reason)`
	if p.isPure() {
		decide = `y approves once, n refuses ("no: WHY" gives a reason)`
	}
	switch p.Ask.Kind {
	case rein.AskApproval:
		if scopes := p.scopes(); len(scopes) > 0 {
			return `yes approves once, ` + strings.Join(scopes, " or ") + ` as shown, no refuses ("no: WHY"), e edits`
		}
		return decide + ", e edits it"
	case rein.AskConfirmation:
		if len(p.Ask.Modes) > 0 {
			return p.planHint()
		}
		return decide
	case rein.AskUnknown:
		return "did it happen? happened, skip, or again in full: it is run once more"
	}
	return "your answer, or the number of a choice; an empty line declines"
}

// sentenceHints say what can be typed below a sentence that a tool made.
var sentenceHints = speech.Words{
	"en": {"hint": `yes does it, no leaves it ("no: WHY" gives a reason), e edits it`},
	"nl": {"hint": `ja voert het uit, nee niet ("nee: WAAROM" geeft een reden), e past het aan`},
}

// language is that of the words that decide.
func (p *Prompt) language() string { return cmp.Or(p.Ask.Language, p.Language) }

// scopes lists the words that approve for longer than once.
func (p *Prompt) scopes() (words []string) {
	for _, s := range p.Ask.Offers.Scopes() {
		if s.Lasts() {
			words = append(words, string(s))
		}
	}
	return words
}

// planHint says how a plan is accepted.
func (p *Prompt) planHint() string {
	hint := `yes accepts it and carries it out`
	for _, m := range p.Ask.Modes[1:] {
		hint += fmt.Sprintf(`, "yes %s" in mode %[1]s`, m)
	}
	return hint + `; no declines it ("no: WHY" gives a reason)`
}

// chosenMode takes the mode off the end of a line that accepts a plan in it.
func (p *Prompt) chosenMode(text string) (rest string, mode rein.Mode) {
	i := strings.LastIndexByte(text, ' ')
	if m := rein.Mode(strings.ToLower(text[i+1:])); i > 0 && !strings.Contains(text, ":") && slices.Contains(p.Ask.Modes, m) {
		return strings.TrimSpace(text[:i]), m
	}
	return text, ""
}

// isPure reports whether what is to be approved changes nothing. Then a letter is enough. A tool that makes a sentence of
// its approval changes rein's own tables, and its effect is pure all the same.
func (p *Prompt) isPure() bool { return p.Ask.Effect == rein.Pure && p.Ask.Say == "" }

// Read makes an answer of a line, or says what would be one. Then the ask stays open.
func (p *Prompt) Read(line string) (answer rein.Answer, again string) {
	text := strings.TrimSpace(line)
	switch {
	case p.editing:
		return p.edited(text)
	case p.Ask.Kind == rein.AskQuestion && text == "":
		return rein.Answer{State: rein.AskDeclined}, ""
	case p.Ask.Kind == rein.AskQuestion:
		return rein.Answer{State: rein.AskAnswered, Text: Chosen(p.Ask, text)}, ""
	case p.Ask.Kind == rein.AskUnknown:
		if choice, ok := OneOf(p.Ask, text); ok {
			return rein.Answer{State: rein.AskAnswered, Text: choice}, ""
		}
		return answer, "one of: " + safe(strings.Join(p.Ask.Choices, ", "))
	case text == "":
		return answer, p.Hint()
	case p.Ask.Kind == rein.AskApproval && p.Ask.Call != nil && slices.Contains([]string{"e", "edit"}, strings.ToLower(text)):
		p.editing = true
		return answer, "the arguments as a line of JSON; an empty line goes back. Now: " + safe(string(p.Ask.Call.Args))
	}
	if scope := rein.RuleScope(strings.ToLower(text)); scope == rein.ScopeOnce || len(p.Ask.Offers.Of(scope)) > 0 {
		if p.Ask.Kind == rein.AskApproval && !p.Ask.Offers.IsZero() {
			return rein.Answer{State: rein.AskApproved, Scope: scope}, ""
		}
	}
	return p.decided(text)
}

// edited reads the arguments that the call is to be made with instead.
func (p *Prompt) edited(text string) (answer rein.Answer, again string) {
	switch {
	case text == "":
		p.editing = false
		return answer, p.Hint()
	case !json.Valid([]byte(text)):
		return answer, "that is not JSON; the arguments as a line of JSON, or an empty line to go back"
	}
	return rein.Answer{State: rein.AskEdited, Args: json.RawMessage(text)}, ""
}

// decided reads a yes or a no. Words that are not on the list decide nothing.
func (p *Prompt) decided(text string) (answer rein.Answer, again string) {
	text, mode := p.chosenMode(text)
	word, why := consent.Read(p.language(), text), ""
	if before, after, ok := strings.Cut(text, ":"); ok && consent.Read(p.language(), before) == consent.No {
		word, why = consent.No, strings.TrimSpace(after)
	}
	switch {
	case word == consent.No:
		return rein.Answer{State: rein.AskRejected, Text: why}, ""
	case word == consent.Yes && (p.isPure() || utf8.RuneCountInString(strings.Trim(text, ".! ")) > 1):
		return rein.Answer{State: rein.AskApproved, Mode: mode}, ""
	case word == consent.Yes:
		return answer, "a letter is not enough, because it can change something: " + p.Hint()
	}
	again = fmt.Sprintf("%q is neither a yes nor a no, so nothing is decided: %s", short(text, 40), p.Hint())
	if strings.EqualFold(text, "always") && p.Ask.Call != nil {
		again += "; --yes-to " + safe(p.Ask.Call.Name) + " allows every call of it in a run"
	}
	return answer, again
}
