package flow

import (
	"errors"
	"fmt"
	"strings"

	"rein"
	"rein/internal/quote"
)

// Task does one thing for a person: observe what the model wants, plan, act, validate, commit. The
// model speaks a JSON protocol; a call that worked or a final message ends the task, a need for
// information keeps it open until the person has answered.
func Task(run rein.Run, task rein.Task) (rein.Outcome, error) {
	task = inHousehold(task)
	set, _, err := readSettings("task", task.Settings, DefaultTask(), (*TaskSettings).fit, Ceiling{})
	if err != nil {
		return rein.Outcome{}, err
	}
	t, err := newTurn(run, task, seconds(set.AnswerTimeout), nothingKnown)
	if err != nil {
		return rein.Outcome{}, err
	}
	out, err := t.perform(set)
	if err == nil && out.Text == "" {
		out.Text = say(task, "task nothing")
	}
	return out, err
}

// perform carries a task to its end. An outcome without a text says that nothing came of it.
func (t *turn) perform(set TaskSettings) (rein.Outcome, error) {
	t.path, t.tools = "task", t.task.Tools
	state, err := t.pursue(TaskState{Status: TaskOpen, Limits: set})
	switch {
	case errors.Is(err, rein.ErrBudget):
		return t.report(err)
	case err != nil:
		return rein.Outcome{}, err
	}
	switch state.Status {
	case TaskNothing:
		return t.end(rein.Outcome{End: rein.EndLimit}), nil
	case TaskFailed:
		if state.Reason == reasonSecret {
			return t.block(state.Blocked), nil
		}
		return t.end(rein.Outcome{End: rein.EndLimit, Text: say(t.task, "task failed "+state.Reason)}), nil
	case TaskDeclined:
		return t.end(rein.Outcome{End: rein.EndDeclined, Text: say(t.task, "task declined")}), nil
	}
	if state.Message == "" {
		return t.report(nil)
	}
	return t.end(rein.Outcome{End: rein.EndDone, Text: state.Message}), nil
}

// pursue goes around the loop until the task is no longer open.
func (t *turn) pursue(s TaskState) (TaskState, error) {
	for s.Status == TaskOpen {
		action, err := t.next(s)
		if err != nil {
			return s, err
		}
		seen, err := t.execute(&s, action)
		if errors.Is(err, rein.ErrInterrupted) {
			s.Pending = nil
			continue // what to do instead is heard before the next turn, and this was none
		}
		if err != nil {
			return s, err
		}
		s = transition(s, action, seen, validate(action, seen))
		if s.Status != TaskNeedsInfo {
			continue
		}
		answer, err := t.ask(action.question(), s.Turns)
		if errors.Is(err, rein.ErrInterrupted) {
			s.Turns--
		} else if err != nil {
			return s, err
		}
		s = answered(s, answer, agrees(t.task, answer.Text))
	}
	return s, nil
}

// next is the action of a turn: the decision that the person has just agreed to, or what the model
// wants.
func (t *turn) next(s TaskState) (Action, error) {
	if s.Pending != nil {
		return *s.Pending, nil
	}
	phase, human := "observe", "task observing"
	if s.Correcting {
		phase, human = "validate", "task correcting"
	}
	p := rein.Prompt{About: t.about(phase, s.Turns+1, human), Tools: t.tools, Rendering: rein.RenderJSON}
	reply, err := t.consult(p, text(t.task, "task_protocol", nil), t.whole)
	if err != nil {
		return Action{}, err
	}
	action := intention(parseOutput(reply.Text), t.trace.happened())
	action.Masked = t.masksIn(action.shown())
	return action, nil
}

// execute does what an action says. Only calls and sub-goals do anything; what is wrong with the
// other ones the model is told.
func (t *turn) execute(s *TaskState, a Action) (Observation, error) {
	switch a.Kind {
	case ActionTool:
		results, err := t.act("", []Wanted{{a.Tool, a.Args}}, s.Turns+1)
		return Observation{Status: results[0].Status, Text: results[0].Text}, err
	case ActionSubGoal:
		return t.descend(s, a)
	case ActionInvalid, ActionIntention:
		t.talk = append(t.talk, t.correction("task_correct", a.Message, errors.New(a.Problem)))
	}
	return Observation{Text: a.Message}, nil
}

// maxDepth is how deep sub-goals may be nested.
const maxDepth = 2

// descend pursues a sub-goal as a task of its own, which shares the turns of the one above.
func (t *turn) descend(s *TaskState, a Action) (Observation, error) {
	if s.Depth >= maxDepth || s.Turns+1 >= s.Limits.Turns {
		t.tell(fmt.Sprintf("This sub-goal was not begun: sub-goals are nested %d deep at most, and there are %d turns in all. Do it with what you have.", maxDepth, s.Limits.Turns))
		return Observation{Status: rein.ToolRefused}, nil
	}
	t.tell("Do this first, and nothing else:\n" + quote.Escape(a.Goal))
	below, err := t.pursue(TaskState{Status: TaskOpen, Limits: s.Limits, Depth: s.Depth + 1, Turns: s.Turns + 1})
	s.Turns = below.Turns - 1 // the turn that asked for it is counted by transition
	if err != nil {
		return Observation{}, err
	}
	ended := "The sub-goal ended as " + string(below.Status) + "."
	if below.Message != "" {
		ended += "\n" + quote.Untrusted("sub-goal", clip(below.Message, oneFact))
	}
	t.tell(ended + " Go on with the task itself.")
	return Observation{Status: rein.ToolOK, Text: below.Message}, nil
}

// report writes what the calls of a task gave, and looks at it before anyone sees it. What happened
// is told even if the model cannot.
func (t *turn) report(spent error) (rein.Outcome, error) {
	text, limited, err := t.write(false, spent)
	if ends(err) {
		return rein.Outcome{}, err
	}
	if err != nil {
		text = say(t.task, "task unsaid") + t.didSay()
	}
	if kinds := t.secretsIn(text); len(kinds) > 0 {
		return t.block(kinds), nil
	}
	end := rein.EndDone
	if limited {
		end = rein.EndLimit
	}
	return t.end(rein.Outcome{End: end, Text: text}), nil
}

// block keeps a text from people and says why, and what was done all the same.
func (t *turn) block(kinds []string) rein.Outcome {
	t.blocked = kinds
	return t.end(rein.Outcome{End: rein.EndLimit, Text: say(t.task, "task blocked", strings.Join(kinds, ", ")) + t.didSay()})
}

// didSay is a sentence about what was done, if anything was.
func (t *turn) didSay() string {
	if done := t.trace.did(); len(done) > 0 {
		return " " + say(t.task, "task did", strings.Join(done, ", "))
	}
	return ""
}
