package flow

import (
	"errors"

	"rein"
)

// Assist is for the members of a household. What is known of them is read side by side, then one
// call without tools answers, or hands over with a tag on a line of its own: to research, to code or
// to a task. What it says beside a tag is provisional and never shown, so the reply is not streamed.
func Assist(run rein.Run, task rein.Task) (rein.Outcome, error) {
	task = inHousehold(task)
	set, _, err := readSettings("assist", task.Settings, DefaultAssist(), (*AssistSettings).fit, Ceiling{})
	if err != nil {
		return rein.Outcome{}, err
	}
	t, err := newTurn(run, task, seconds(set.AnswerTimeout), func(run rein.Run) ([]rein.Message, error) { return known(run, task, set.ContextBytes) })
	if err != nil {
		return rein.Outcome{}, err
	}
	if set.TaskMode {
		return t.taskOr("")
	}
	t.path = "chat"
	system := text(task, "assist_chat", map[string]string{"tools": toolList(t.task.Tools)})
	reply, err := t.consult(rein.Prompt{About: t.about("chat", 1, "assist chatting")}, system, t.whole)
	if errors.Is(err, rein.ErrBudget) {
		out, err := closing(run, task, t.lastPrompt(system), nil)
		if err == nil {
			_, clean := route(out.Text) // nothing can be handed over any more
			out.Text = t.orSorry(clean)
		}
		return t.end(out), err
	}
	if err != nil {
		return rein.Outcome{}, err
	}
	if isEmpty(reply) {
		return rein.Outcome{}, errEmptyReply
	}
	switch tag, clean := route(reply.Text); tag {
	case tagResearch:
		return t.research("research", set.Reflections)
	case tagCoding:
		return t.research("code", set.Reflections)
	case tagTask:
		return t.taskOr(clean)
	default:
		return t.end(rein.Outcome{End: rein.EndDone, Text: t.orSorry(clean)}), nil
	}
}

// lastPrompt is the prompt of a closing call about the conversation so far.
func (t *turn) lastPrompt(system string) rein.Prompt {
	messages := append([]rein.Message{{Role: rein.System, Text: persona(t.task, system)}}, t.whole()...)
	return rein.Prompt{Model: t.task.Model, Messages: messages}
}

func (t *turn) orSorry(text string) string {
	if text == "" {
		return say(t.task, "assist sorry")
	}
	return text
}

// taskOr goes the task's way. If nothing comes of it, the cleaned reply of the chat stands, or a
// sentence that says so.
func (t *turn) taskOr(clean string) (rein.Outcome, error) {
	out, err := t.perform(DefaultTask())
	if err != nil || out.Text != "" {
		return out, err
	}
	if kinds := t.secretsIn(clean); len(kinds) > 0 {
		return t.block(kinds), nil
	}
	out.End, out.Text = rein.EndDone, t.orSorry(clean)
	return out, nil
}
