package task

import (
	"errors"
	"fmt"

	"rein"
	"rein/flow/internal/turn"
	"rein/flow/kit"
	"rein/internal/quote"
)

// Do does one thing for a person: observe what the model wants, plan, act, validate, commit. The
// model speaks a JSON protocol; a call that worked or a final message ends the task, a need for
// information keeps it open until the person has answered.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	task = turn.InHousehold(task, revision)
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	t, err := turn.New(run, task, kit.Seconds(set.AnswerTimeout), turn.Known(task, revision, turn.ContextBytes))
	if err != nil {
		return rein.Outcome{}, err
	}
	t.Explains = task.Revision >= revision
	out, err := Continue(t, set)
	if err == nil && out.Text == "" {
		out.Text = nothing(t)
	}
	return out, err
}

// An errand is a turn that does one thing.
type errand struct{ *turn.Turn }

// Continue does one thing in a turn that another flow began. An outcome without a text says that nothing
// came of it.
func Continue(t *turn.Turn, set Settings) (rein.Outcome, error) { return errand{t}.perform(set) }

// perform carries a task to its end. An outcome without a text says that nothing came of it.
func (t errand) perform(set Settings) (rein.Outcome, error) {
	t.Path, t.Tools = "task", t.Task.Tools
	state, err := t.pursue(State{Status: Open, Limits: set})
	switch {
	case errors.Is(err, rein.ErrBudget):
		return t.report(err)
	case err != nil:
		return rein.Outcome{}, err
	}
	switch state.Status {
	case Nothing:
		return t.End(rein.Outcome{End: rein.EndLimit}), nil
	case Failed:
		if state.Reason == reasonSecret {
			return t.Block(state.Blocked), nil
		}
		return t.End(rein.Outcome{End: rein.EndLimit, Text: t.failure(state)}), nil
	case Declined:
		return t.End(rein.Outcome{End: rein.EndDeclined, Text: say(t.Task, "declined")}), nil
	}
	if state.Message == "" {
		return t.report(nil)
	}
	return t.End(rein.Outcome{End: rein.EndDone, Text: state.Message}), nil
}

// pursue goes around the loop until the task is no longer open.
func (t errand) pursue(s State) (State, error) {
	for s.Status == Open {
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
		if s.Status != NeedsInfo {
			continue
		}
		answer, err := t.Ask(action.question(), s.Turns)
		if errors.Is(err, rein.ErrInterrupted) {
			s.Turns--
		} else if err != nil {
			return s, err
		}
		s.Asked = action.question()
		s = answered(s, answer, agrees(t.Task, answer.Text))
	}
	return s, nil
}

// next is the action of a turn: the decision that the person has just agreed to, or what the model
// wants.
func (t errand) next(s State) (Action, error) {
	if s.Pending != nil {
		return *s.Pending, nil
	}
	phase, human := "observe", "observing"
	if s.Correcting {
		phase, human = "validate", "correcting"
	}
	p := rein.Prompt{About: t.About(phase, s.Turns+1, say(t.Task, human)), Tools: t.Tools, Rendering: rein.RenderJSON}
	reply, err := t.Consult(p, t.Text(prompts, "task_protocol", nil), t.Whole)
	if err != nil {
		return Action{}, err
	}
	action := intention(parseOutput(reply.Text), t.Trace.Happened())
	action.Masked = t.MasksIn(action.shown())
	return action, nil
}

// execute does what an action says. Only calls and sub-goals do anything; what is wrong with the
// other ones the model is told.
func (t errand) execute(s *State, a Action) (Observation, error) {
	switch a.Kind {
	case ActionTool:
		results, err := t.Act("", []turn.Wanted{{Name: a.Tool, Args: a.Args, Why: a.Why}}, s.Turns+1)
		return Observation{Status: results[0].Status, Text: results[0].Text}, err
	case ActionSubGoal:
		return t.descend(s, a)
	case ActionInvalid, ActionIntention:
		t.Talk = append(t.Talk, t.Correction(prompts, "task_correct", a.Message, errors.New(a.Problem)))
	}
	return Observation{Text: a.Message}, nil
}

// maxDepth is how deep sub-goals may be nested.
const maxDepth = 2

// descend pursues a sub-goal as a task of its own, which shares the turns of the one above.
func (t errand) descend(s *State, a Action) (Observation, error) {
	if s.Depth >= maxDepth || s.Turns+1 >= s.Limits.Turns {
		t.Tell(fmt.Sprintf("This sub-goal was not begun: sub-goals are nested %d deep at most, and there are %d turns in all. Do it with what you have.", maxDepth, s.Limits.Turns))
		return Observation{Status: rein.ToolRefused}, nil
	}
	t.Tell("Do this first, and nothing else:\n" + quote.Escape(a.Goal))
	below, err := t.pursue(State{Status: Open, Limits: s.Limits, Depth: s.Depth + 1, Turns: s.Turns + 1})
	s.Turns = below.Turns - 1 // the turn that asked for it is counted by transition
	if err != nil {
		return Observation{}, err
	}
	ended := "The sub-goal ended as " + string(below.Status) + "."
	if below.Message != "" {
		ended += "\n" + quote.Untrusted("sub-goal", kit.Clip(below.Message, turn.OneFact))
	}
	t.Tell(ended + " Go on with the task itself.")
	return Observation{Status: rein.ToolOK, Text: below.Message}, nil
}

// report writes what the calls of a task gave, and looks at it before anyone sees it. What happened
// is told even if the model cannot.
func (t errand) report(spent error) (rein.Outcome, error) {
	text, limited, err := t.Write(false, spent)
	if kit.Ends(err) {
		return rein.Outcome{}, err
	}
	if err != nil {
		text = say(t.Task, "unsaid") + t.DidSay()
	}
	if kinds := t.SecretsIn(text); len(kinds) > 0 {
		return t.Block(kinds), nil
	}
	end := rein.EndDone
	if limited {
		end = rein.EndLimit
	}
	return t.End(rein.Outcome{End: end, Text: text}), nil
}
