package assist

import (
	"errors"
	"strings"

	"rein"
	"rein/flow/internal/turn"
	"rein/flow/kit"
	"rein/flow/research"
	errand "rein/flow/task"
)

// Do is for the members of a household. What is known of them is read side by side, then one
// call without tools answers, or hands over with a tag on a line of its own: to research, to code or
// to a task. An answer is shown while it is written. What the model says beside a tag is provisional: a reply that begins
// with one is not shown, and one in which it comes later is withdrawn.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	task = turn.InHousehold(task, research.Revision)
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	t, err := turn.New(run, task, kit.Seconds(set.AnswerTimeout), turn.KnownAtAll(task, research.Revision, set.ContextBytes))
	if err != nil {
		return rein.Outcome{}, err
	}
	t.Explains = task.Revision >= research.Revision
	if set.TaskMode {
		return taskOr(t, "")
	}
	t.Path = "chat"
	system := t.Text(prompts, "assist_chat", map[string]string{"ways": ways(t.Task), "tools": toolList(t)})
	p := rein.Prompt{About: t.About("chat", 1, say(task, "chatting"))}
	if t.Explains { // before, no answer was shown while it was written
		p.Prose, p.HandOver = true, handOver()
	}
	reply, err := t.Consult(p, system, t.Whole)
	if errors.Is(err, rein.ErrBudget) {
		out, err := kit.Close(run, task, lastPrompt(t, system), nil)
		if err == nil {
			_, clean := route(out.Text) // nothing can be handed over any more
			out.Text = t.OrSorry(clean)
		}
		return t.End(out), err
	}
	if err != nil {
		return rein.Outcome{}, err
	}
	if kit.IsEmpty(reply) {
		return rein.Outcome{}, kit.ErrEmpty
	}
	switch tag, clean := route(reply.Text); tag {
	case turn.TagResearch:
		return research.Continue(t, "research", set.Reflections)
	case turn.TagCoding:
		return research.Continue(t, "code", set.Reflections)
	case turn.TagTask:
		return taskOr(t, clean)
	default:
		return t.End(rein.Outcome{End: rein.EndDone, Text: t.OrSorry(clean)}), nil
	}
}

// lastPrompt is the prompt of a closing call about the conversation so far.
func lastPrompt(t *turn.Turn, system string) rein.Prompt {
	messages := append([]rein.Message{{Role: rein.System, Text: kit.Persona(t.Task, system)}}, t.Whole()...)
	return rein.Prompt{Model: t.Task.Model, Messages: messages}
}

// taskOr goes the task's way. If nothing comes of it, the cleaned reply of the chat stands, or a
// sentence that says so.
func taskOr(t *turn.Turn, clean string) (rein.Outcome, error) {
	out, err := errand.Continue(t, errand.Default())
	if err != nil || out.Text != "" {
		return out, err
	}
	if kinds := t.SecretsIn(clean); len(kinds) > 0 {
		return t.Block(kinds), nil
	}
	out.End, out.Text = rein.EndDone, t.OrSorry(clean)
	return out, nil
}

// toolList says what tools are for, a line each. In older revisions it gave their names.
func toolList(t *turn.Turn) string {
	switch {
	case t.Explains:
		return turn.FamilyList(turn.Usable(t.Task))
	case len(t.Task.Tools) == 0:
		return "(none)"
	}
	return "- " + strings.Join(t.Task.Tools, "\n- ")
}

// handOver are the lines by which the chat call hands over. Nothing of such a reply is shown.
func handOver() (lines []string) {
	for _, tag := range turn.Precedence {
		lines = append(lines, string(tag))
	}
	return lines
}
