package telegram

import (
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/internal/consent"
	"rein/internal/visible"
)

// mostParts is how many messages an ask may take. Nobody can agree here to what is longer: it would not be read.
const mostParts = 4

// askText is what a person reads of an ask: its sentence, why, its details, and the exact arguments. Everything in it can be seen.
func askText(ask rein.Ask) string { return visible.Lines(strings.TrimSpace(ask.Text)) }

// isLong reports whether nobody can agree to an ask here, since it is too long to be shown.
func isLong(ask rein.Ask) bool {
	return ask.Kind != rein.AskQuestion && len(split(askText(ask))) > mostParts
}

// choices are what the buttons of an ask say, in order; none: it has no buttons.
func choices(ask rein.Ask, language string) []string {
	if isLong(ask) {
		return nil
	}
	if consent.IsFor(ask) {
		return []string{words.Say(language, "yes"), words.Say(language, "no")}
	}
	all := make([]string, 0, len(ask.Choices))
	for _, c := range ask.Choices {
		if ask.Kind == rein.AskUnknown {
			c = words.Say(language, c)
		}
		all = append(all, clip(visible.Line(c), 60))
	}
	return all
}

// buttons makes the keyboard of an ask. What comes back from a button names the post by its nonce, and the choice.
func buttons(ask rein.Ask, language, nonce string) *keyboard {
	var k keyboard
	for i, label := range choices(ask, language) {
		b := button{Text: label, Data: nonce + ":" + strconv.Itoa(i)}
		if consent.IsFor(ask) && i > 0 {
			k.Rows[0] = append(k.Rows[0], b) // yes and no side by side
			continue
		}
		k.Rows = append(k.Rows, []button{b})
	}
	if len(k.Rows) == 0 {
		return nil
	}
	return &k
}

// answerOf is the answer that a choice stands for; ok is false if there is no such choice.
func answerOf(ask rein.Ask, choice int) (answer rein.Answer, ok bool) {
	switch {
	case choice < 0 || isLong(ask):
		return answer, false
	case consent.IsFor(ask) && choice == 0:
		return rein.Answer{State: rein.AskApproved}, true
	case consent.IsFor(ask) && choice == 1:
		return rein.Answer{State: rein.AskRejected}, true
	case !consent.IsFor(ask) && choice < len(ask.Choices):
		return rein.Answer{State: rein.AskAnswered, Text: ask.Choices[choice]}, true
	}
	return answer, false
}

// decided is what became of an ask, for below its text.
func decided(ask rein.Ask, language string) string {
	by := visible.Line(ask.Answer.By)
	switch ask.State {
	case rein.AskAnswered:
		return words.Say(language, string(ask.State), by, clip(visible.Line(ask.Answer.Text), 200))
	case rein.AskExpired, rein.AskWithdrawn:
		return words.Say(language, string(ask.State))
	}
	return words.Say(language, string(ask.State), by)
}

// endText is what a person reads when a run has ended.
func endText(info rein.RunInfo, language string) string {
	end := info.End()
	text := strings.TrimSpace(end.Text)
	switch {
	case info.Erased:
		return words.Say(language, "erased")
	case end.End.Completed() && text != "":
		return text
	case end.End.Completed():
		return words.Say(language, "end")
	}
	said := words.Say(language, "end "+string(end.End))
	if end.Failure != nil {
		said += " " + end.Failure.Msg
	}
	if text == "" {
		return said
	}
	return text + "\n\n" + said
}

// buttonLife is how long buttons work. What is asked longer can be answered elsewhere.
const buttonLife = 7 * 24 * time.Hour

// lifeOf is when the buttons of an ask stop working.
func lifeOf(ask rein.Ask, now time.Time) time.Time {
	until := now.Add(buttonLife)
	if !ask.Deadline.IsZero() && ask.Deadline.Before(until) {
		return ask.Deadline
	}
	return until
}
