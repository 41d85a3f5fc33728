package kit

import (
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// Close asks for an answer without tools, when a limit is reached or, as the error then says, the
// budget is spent. If there is none, the run still ends with what was said by then.
func Close(run rein.Run, task rein.Task, p rein.Prompt, spent error, findings ...string) (rein.Outcome, error) {
	p.About = rein.About{Phase: "closing", Human: Say(task, "closing")}
	p.Tools, p.Closing = nil, true
	talk := p.Messages
	var reply rein.Message
	err := error(rein.ErrInterrupted)
	for refused := 0; errors.Is(err, rein.ErrInterrupted) || errors.Is(err, rein.ErrBudget) && refused < 2; {
		if talk, err = Hear(run, task, talk); err == nil || errors.Is(err, rein.ErrBudget) {
			p.Messages = talk[:len(talk):len(talk)]
			if isSpent(spent) {
				p.Messages, p.Compact = Brief(task, talk, findings...), nil
			}
			p.Messages = append(p.Messages, rein.Message{Role: rein.Developer, Text: Shared.Text(task, "closing", nil)})
			reply, err = run.CallModel(p)
		}
		if errors.Is(err, rein.ErrBudget) {
			spent = err
			refused++ // once refused for the budget, the reserve still pays for one call
		}
	}
	said := LastSaid(Since(task, talk))
	if err == nil && strings.TrimSpace(reply.Text) != "" {
		return rein.Outcome{End: rein.EndLimit, Text: reply.Text}, nil
	}
	if Ends(err) {
		return rein.Outcome{Text: said}, err
	}
	if said == "" {
		said = Say(task, "no answer")
	}
	return rein.Outcome{End: rein.EndLimit, Text: said}, nil
}

// isSpent reports whether the error says that only the reserve is left. A run that may only close because
// its model repeats itself still has its budget.
func isSpent(err error) bool {
	e, ok := errors.AsType[*rein.Error](err)
	return ok && e.Code == rein.CodeBudget && e.Dim != rein.DimRepeats
}

// How much of what people want and of what was found is in a prompt that the reserve has to pay for,
// in bytes. More would be cut off by the engine, which does not know what matters.
const briefAsked, briefFound, BriefSaid = 700, 1000, 300

// Brief is the conversation in so few words that the reserve pays for it: what people want, the newest
// of what was found, and what the model said last. Findings that are not part of the conversation are
// newer than those that are.
func Brief(task rein.Task, talk []rein.Message, findings ...string) []rein.Message {
	var short []rein.Message
	if len(talk) > 0 && talk[0].Role == rein.System {
		short = append(short, talk[0]) // the engine cuts it down to the room that is left
	}
	var asked, found []string
	if text := LastAsked(task.Messages); text != "" {
		asked = append(asked, text)
	}
	talk = Since(task, talk)
	for _, m := range talk {
		m = m.Described()
		switch {
		case m.Role == rein.User || m.FromPerson:
			asked = append(asked, m.Text)
		case m.Role == rein.ToolRole && m.Status == rein.ToolOK:
			found = append(found, m.Text)
		case m.Role == rein.ToolRole && m.Status != rein.ToolSkipped:
			found = append(found, string(m.Status)+": "+m.Text)
		}
	}
	known := newestLines(append(found, findings...), LastSaid(talk))
	if len(known) == 0 {
		known = []string{"nothing"}
	}
	short = append(short, rein.Message{Role: rein.Developer, Text: quote.Untrusted("found so far", strings.Join(known, "\n"))})
	if len(asked) > 0 {
		short = append(short, rein.Message{Role: rein.User, Text: Clip(strings.Join(asked, "\n\n"), briefAsked)})
	}
	return short
}

// newestLines cuts texts down to a line each, as many of the newest as there is room for, and adds what
// was said last.
func newestLines(texts []string, said string) []string {
	var lines []string
	each, left := briefFound/min(max(len(texts), 2), 4), briefFound
	for _, text := range slices.Backward(texts) {
		line := Line(text, each)
		if left -= len(line); left < 0 {
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return slices.DeleteFunc(append(lines, Line(said, BriefSaid)), func(line string) bool { return line == "" })
}

// Since is the conversation after the task: what was said before it is another run's.
func Since(task rein.Task, talk []rein.Message) []rein.Message {
	if len(task.Messages) == 0 {
		return talk
	}
	last := task.Messages[len(task.Messages)-1]
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].Role == last.Role && talk[i].Text == last.Text {
			return talk[i+1:]
		}
	}
	return talk
}

// LastSaid is the newest text of the model.
func LastSaid(talk []rein.Message) string {
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].Role == rein.Assistant && strings.TrimSpace(talk[i].Text) != "" {
			return talk[i].Text
		}
	}
	return ""
}

// LastAsked is the newest text of a person.
func LastAsked(talk []rein.Message) string {
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].Role == rein.User && strings.TrimSpace(talk[i].Text) != "" {
			return talk[i].Text
		}
	}
	return ""
}
