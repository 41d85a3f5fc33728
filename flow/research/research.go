package research

import (
	"errors"

	"rein"
	"rein/flow/internal/turn"
	"rein/flow/kit"
	"rein/internal/quote"
)

// Research looks things up: it plans, calls tools and reflects on what they gave, until it can answer.
// It cannot call the tools that look into code.
func Research(run rein.Run, task rein.Task) (rein.Outcome, error) {
	return as("research", run, task)
}

// Code is Research with the tools that look into code.
func Code(run rein.Run, task rein.Task) (rein.Outcome, error) {
	return as("code", run, task)
}

func as(path string, run rein.Run, task rein.Task) (rein.Outcome, error) {
	task = turn.InHousehold(task, Revision)
	set, _, err := settings(path).Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	t, err := turn.New(run, task, kit.Seconds(set.AnswerTimeout), turn.Known(task, Revision, turn.ContextBytes))
	if err != nil {
		return rein.Outcome{}, err
	}
	t.Explains = task.Revision >= Revision
	return Continue(t, path, set.Reflections)
}

// A study is a turn that looks things up.
type study struct{ *turn.Turn }

// Continue looks things up in a turn that another flow began, as research or as code.
func Continue(t *turn.Turn, path string, reflections int) (rein.Outcome, error) {
	return study{t}.work(path, reflections)
}

// work is plan, act, then reflect and act as often as it may, then write. What the model asks the
// person on the way, and what it revises, takes the place of an act.
func (t study) work(path string, most int) (rein.Outcome, error) {
	t.Path, t.Tools = path, allowedTools(path, t.Task)
	move, err := t.think("plan", 1)
	for reflections := 0; err == nil && move.Kind != moveRespond; {
		err = t.carryOut(move, reflections+1)
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			err = nil // what to do instead is heard before the next thought, and that is no round
		case reflections == most:
			return t.answer(rein.EndLimit, err)
		default:
			reflections++
		}
		if err == nil {
			move, err = t.think("reflect", reflections+1)
		}
	}
	return t.answer(rein.EndDone, err)
}

// think has the model plan, or reflect on what it sees, and decides what that means. A reply that
// cannot be read is put to it once more; then there is nothing left but to respond.
func (t study) think(phase string, round int) (Move, error) {
	p := rein.Prompt{About: t.About(phase, round, say(t.Task, phase)), Tools: t.Tools, Rendering: rein.RenderJSON}
	system := t.Text(prompts, "research_"+phase, nil)
	reply, err := t.Consult(p, system, t.Whole)
	if err != nil {
		return Move{}, err
	}
	thought, wrong := parseThought(reply.Text)
	if wrong != nil {
		p.About = t.About(phase, round, say(t.Task, "mending"))
		reply, err = t.Consult(p, system, func() []rein.Message {
			return append(t.Whole(), t.Correction(prompts, "research_repair", reply.Text, wrong))
		})
		if err != nil {
			return Move{}, err
		}
		if thought, wrong = parseThought(reply.Text); wrong != nil {
			return Move{Kind: moveRespond}, nil
		}
	}
	move := decide(thought)
	t.learn(thought, move)
	return move, nil
}

// learn keeps what later steps and people want to know of a thought.
func (t study) learn(thought Thought, move Move) {
	if why := thought.why(); why != "" {
		t.Reasoning = why
	}
	t.Outline = thought.Outline
	for _, call := range move.Ignored {
		t.Ignored = append(t.Ignored, call.Name)
	}
}

// carryOut does what was decided.
func (t study) carryOut(move Move, round int) error {
	switch move.Kind {
	case moveAsk:
		_, err := t.Ask(move.Question, round)
		return err
	case moveRevise:
		t.Tell("The plan is now:\n" + quote.Escape(move.Text))
		return nil
	default:
		_, err := t.Act(move.Text, move.Calls, round)
		return err
	}
}

// answer writes the reply, unless the run has ended. With a spent budget it is the closing call.
func (t study) answer(end rein.End, err error) (rein.Outcome, error) {
	if err != nil && !errors.Is(err, rein.ErrBudget) {
		return rein.Outcome{}, err
	}
	text, limited, err := t.Write(true, err)
	if limited {
		end = rein.EndLimit
	}
	if err != nil {
		return t.End(rein.Outcome{Text: text}), err
	}
	return t.End(rein.Outcome{End: end, Text: text}), nil
}
