package flow

import (
	"errors"

	"rein"
	"rein/internal/quote"
)

// Research looks things up: it plans, calls tools and reflects on what they gave, until it can answer.
// It cannot call the tools that look into code.
func Research(run rein.Run, task rein.Task) (rein.Outcome, error) {
	return researchAs("research", run, task)
}

// Code is Research with the tools that look into code.
func Code(run rein.Run, task rein.Task) (rein.Outcome, error) {
	return researchAs("code", run, task)
}

func researchAs(path string, run rein.Run, task rein.Task) (rein.Outcome, error) {
	task = inHousehold(task)
	set, _, err := readSettings(path, task.Settings, DefaultResearch(), (*ResearchSettings).fit, Ceiling{})
	if err != nil {
		return rein.Outcome{}, err
	}
	t, err := newTurn(run, task, seconds(set.AnswerTimeout), nothingKnown)
	if err != nil {
		return rein.Outcome{}, err
	}
	return t.research(path, set.Reflections)
}

// research is plan, act, then reflect and act as often as it may, then write. What the model asks the
// person on the way, and what it revises, takes the place of an act.
func (t *turn) research(path string, most int) (rein.Outcome, error) {
	t.path, t.tools = path, allowedTools(path, t.task.Tools)
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
func (t *turn) think(phase string, round int) (Move, error) {
	p := rein.Prompt{About: t.about(phase, round, "research "+phase), Tools: t.tools, Rendering: rein.RenderJSON}
	system := text(t.task, "research_"+phase, nil)
	reply, err := t.consult(p, system, t.whole)
	if err != nil {
		return Move{}, err
	}
	thought, wrong := parseThought(reply.Text)
	if wrong != nil {
		p.About = t.about(phase, round, "research mending")
		reply, err = t.consult(p, system, func() []rein.Message { return append(t.whole(), t.correction("research_repair", reply.Text, wrong)) })
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

// correction shows the model a reply of its own that cannot be used, and says why.
func (t *turn) correction(prompt, reply string, wrong error) rein.Message {
	return rein.Message{Role: rein.Developer, Text: text(t.task, prompt, map[string]string{
		"reply": quote.Untrusted("your reply", clip(reply, 4000)), "problem": wrong.Error(),
	})}
}

// learn keeps what later steps and people want to know of a thought.
func (t *turn) learn(thought Thought, move Move) {
	if why := thought.why(); why != "" {
		t.reasoning = why
	}
	t.outline = thought.Outline
	for _, call := range move.Ignored {
		t.ignored = append(t.ignored, call.Name)
	}
}

// carryOut does what was decided.
func (t *turn) carryOut(move Move, round int) error {
	switch move.Kind {
	case moveAsk:
		_, err := t.ask(move.Question, round)
		return err
	case moveRevise:
		t.tell("The plan is now:\n" + quote.Escape(move.Text))
		return nil
	default:
		_, err := t.act(move.Text, move.Calls, round)
		return err
	}
}

// answer writes the reply, unless the run has ended. With a spent budget it is the closing call.
func (t *turn) answer(end rein.End, err error) (rein.Outcome, error) {
	if err != nil && !errors.Is(err, rein.ErrBudget) {
		return rein.Outcome{}, err
	}
	text, limited, err := t.write(true, err)
	if limited {
		end = rein.EndLimit
	}
	if err != nil {
		return t.end(rein.Outcome{Text: text}), err
	}
	return t.end(rein.Outcome{End: end, Text: text}), nil
}
