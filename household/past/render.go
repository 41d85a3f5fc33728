package past

import (
	"fmt"
	"strings"

	"rein"
	"rein/engine/guard"
	"rein/internal/quote"
)

// How much of a run is in a prompt, in bytes. These numbers never depend on who reads, so that a run
// reads the same in every prompt after it. What is left out can be read with a handle.
const (
	maxAsked  = 6000 // of all that people asked for
	maxAsides = 4000 // of all questions on the way, with their answers
	maxArgs   = 300  // of the arguments of a call
	maxResult = 800  // of the result of a call
	maxWork   = 6000 // of all calls together
	maxAnswer = 8000
)

// Parts of a run that a handle can name: "r1:answer".
const (
	partAsked  = "asked"
	partAsides = "asides"
	partWork   = "work"
	partAnswer = "answer"
)

func (r Run) handle(part string) string { return string(r.ID) + ":" + part }

// Messages renders the run for a prompt: what was asked, what was done for it, and what came of it.
// What tools returned is quoted as data.
func (r Run) Messages() []rein.Message {
	var all []rein.Message
	say := func(role rein.Role, text string) {
		if text != "" {
			all = append(all, rein.Message{Role: role, Text: text, Past: &rein.Past{Run: r.ID}})
		}
	}
	for _, text := range r.asked() {
		say(rein.User, text)
	}
	if asides := r.asides(); len(asides) > maxAsides {
		clipped, _ := guard.ClipResult(asides, maxAsides, r.handle(partAsides))
		say(rein.Developer, "Questions that came up, and their answers:\n"+quote.Untrusted("earlier run", clipped))
	} else {
		for _, a := range r.Asides {
			say(rein.Assistant, a.Question)
			say(rein.User, a.Answer)
		}
	}
	say(rein.Developer, r.worked())
	answer, _ := guard.ClipResult(r.Answer, maxAnswer, r.handle(partAnswer))
	say(rein.Assistant, answer)
	if !r.End.Completed() {
		say(rein.Developer, r.unfinished())
	}
	return all
}

// asked returns what people asked for, each by itself if there is room for all of it.
func (r Run) asked() []string {
	joined := strings.Join(r.Asked, "\n\n")
	if clipped, was := guard.ClipResult(joined, maxAsked, r.handle(partAsked)); was {
		return []string{clipped}
	}
	return r.Asked
}

func (r Run) asides() string {
	var lines []string
	for _, a := range r.Asides {
		lines = append(lines, "Question: "+a.Question+"\nAnswer: "+a.Answer)
	}
	return strings.Join(lines, "\n")
}

// worked lists the calls with their results.
func (r Run) worked() string {
	if len(r.Calls) == 0 {
		return ""
	}
	var lines []string
	for _, c := range r.Calls {
		lines = append(lines, c.short())
	}
	work, _ := guard.ClipResult(strings.Join(lines, "\n"), maxWork, r.handle(partWork))
	return "What was done for this:\n" + quote.Untrusted("earlier run", work)
}

func (c Call) short() string {
	text, _ := guard.ClipResult(c.all(), maxResult, string(c.Run)+":"+string(c.Step))
	return c.line(guard.Clip(c.Args, maxArgs), text)
}

// all is the whole text of the result.
func (c Call) all() string {
	if c.Whole != "" {
		return c.Whole
	}
	return c.Text
}

func (c Call) line(args, text string) string {
	return fmt.Sprintf("%s: %s\n  %s", strings.TrimSpace(c.Name+" "+args), c.Status, strings.ReplaceAll(text, "\n", "\n  "))
}

func (r Run) unfinished() string {
	text := "The work on this ended as " + string(r.End) + " before it was done."
	if r.Answer != "" {
		text += " The text above is what had been said by then."
	}
	if len(r.Calls) == 0 {
		text += " No tool had been used by then."
	}
	return text
}

// Whole returns a part of the run in full, as a handle names it.
func (r Run) Whole(part string) (text string, ok bool) {
	switch part {
	case partAsked:
		return strings.Join(r.Asked, "\n\n"), true
	case partAsides:
		return r.asides(), true
	case partAnswer:
		return r.Answer, true
	case partWork:
		var lines []string
		for _, c := range r.Calls {
			lines = append(lines, c.line(c.Args, c.all()))
		}
		return strings.Join(lines, "\n"), true
	}
	return "", false
}
