package strict

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/flow/kit"
)

// Do works in steps that people can follow: reason (a plain call), act (the tools, and questions
// to the person), observe (a plain call). The first and the last of them say in a JSON block whether
// the work is done. After the last step the model may answer once more.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	w := &work{run: run, task: task, set: set}
	err = w.begin()
	for step := 1; err == nil && step <= set.MaxSteps; step++ {
		w.step = step
		var answer string
		answer, err = w.takeStep()
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			step-- // what to do instead is in the inbox
			err = nil
		case answer != "":
			return w.outcome(rein.EndDone, answer), nil
		}
	}
	switch {
	case err == nil:
		w.exit = "limit"
		return w.close(nil)
	case errors.Is(err, rein.ErrBudget):
		w.exit = "budget"
		return w.close(err)
	}
	w.exit = string(rein.CodeOf(err))
	return w.outcome("", kit.LastSaid(w.talk[w.before:])), err
}

// toldPlans is the revision since which act is told what reason planned.
const toldPlans = 1

// work is a run under way.
type work struct {
	run      rein.Run
	task     rein.Task
	set      Settings
	talk     []rein.Message
	before   int        // so much of the talk was there before this run said anything
	files    []kit.File // that the model is told of
	question string     // what people want of this run
	searched string     // what the notes were searched for
	observed []int      // where the observations stand in the talk
	plan     string     // of this step
	seen     string     // the last observation
	step     int
	exit     string // what ended the loop
}

// begin makes the conversation: what was said before, the task, the files.
func (w *work) begin() error {
	var heard []rein.Message
	var err error
	for {
		w.talk, err = w.open(text(w.task, "strict_system", map[string]string{
			"tools": firstOf(strings.Join(w.task.Tools, ", "), "none"),
		}))
		if !errors.Is(err, rein.ErrInterrupted) {
			break
		}
		if heard, err = kit.Hear(w.run, w.task, heard); err != nil {
			break
		}
	}
	w.talk = append(w.talk, heard...)
	w.question = lastAsked(append(slices.Clone(w.task.Messages), heard...))
	w.before = len(w.talk)
	return err
}

// open is opening with the files that came with the task beside those of the session.
func (w *work) open(prompt string) ([]rein.Message, error) {
	before, err := kit.Recall(w.run, w.task)
	for _, f := range w.set.Files {
		if !slices.ContainsFunc(before.Files, func(has kit.File) bool { return has.Name == f.Name }) {
			before.Files = append(before.Files, f)
		}
	}
	w.files = before.Files
	system := rein.Message{Role: rein.System, Text: kit.Persona(w.task, prompt)}
	return slices.Concat([]rein.Message{system}, before.Talk, w.task.Messages, before.About(w.task)), err
}

// lastAsked is what people said last, since the assistant spoke.
func lastAsked(messages []rein.Message) string {
	var texts []string
	for i := len(messages) - 1; i >= 0 && messages[i].Role == rein.User; i-- {
		texts = append(texts, messages[i].Text)
	}
	slices.Reverse(texts)
	return strings.Join(texts, "\n\n")
}

// takeStep goes through the phases of one step. The answer is empty if the work goes on.
func (w *work) takeStep() (answer string, err error) {
	if err := w.hear(); err != nil {
		return "", err
	}
	if err := w.retrieve(); err != nil {
		return "", err
	}
	if answer, err = w.reason(); answer != "" || err != nil {
		return answer, err
	}
	summaries, err := w.act()
	if err != nil {
		return "", err
	}
	return w.observe(summaries)
}

// hear adds what people said meanwhile to what they want.
func (w *work) hear() error {
	known := len(w.talk)
	var err error
	w.talk, err = kit.Hear(w.run, w.task, w.talk)
	for _, m := range w.talk[known:] {
		w.question += "\n\n" + m.Text
	}
	return err
}

// end returns the answer, if the verdict ends the work. If there is none yet, the model is asked for it.
func (w *work) end(exit string, v verdict) (answer string, err error) {
	if !v.ends {
		return "", nil
	}
	w.exit = exit
	if v.final != "" {
		return v.final, nil
	}
	p := w.prompt(w.about("closing", say(w.task, "answering")), text(w.task, "strict_answer", nil))
	p.Stream = true
	reply, err := w.run.CallModel(p)
	if err != nil {
		return "", err
	}
	return firstOf(reply.Text, kit.LastSaid(w.talk[w.before:]), say(w.task, "nothing")), nil
}

// close asks for an answer where the steps or the budget have come to their end.
func (w *work) close(spent error) (rein.Outcome, error) {
	p := w.prompt(rein.About{}, "")
	p.Messages, p.Stream = w.talk, true
	out, err := kit.Close(w.run, w.task, p, spent)
	if err != nil {
		w.exit = string(rein.CodeOf(err))
	}
	return w.outcome(out.End, out.Text), err
}

// prompt is a call of a phase: the conversation, and at its end what the phase is for.
func (w *work) prompt(about rein.About, instruction string) rein.Prompt {
	return rein.Prompt{
		About:    about,
		Model:    w.task.Model,
		Messages: append(w.talk[:len(w.talk):len(w.talk)], rein.Message{Role: rein.Developer, Text: instruction}),
		Compact:  &rein.Compact{Messages: mostMessages},
	}
}

// mostMessages is so high that only a model's window makes a summary of the conversation:
// collapsed observations are what keeps it short.
const mostMessages = 1000

func (w *work) about(phase, human string) rein.About {
	return rein.About{Phase: phase, Round: w.step, Human: human}
}

// Data is what an outcome of strict holds for machines. Exit is what ended the loop: finish (in
// reason), observe, limit (of steps), budget, or the code of the error.
type Data struct {
	Steps int    `json:"steps"`
	Exit  string `json:"exit"`
}

func (w *work) outcome(end rein.End, answer string) rein.Outcome {
	data, err := json.Marshal(Data{w.step, w.exit})
	if err != nil {
		data = nil // it cannot fail: a number and a word
	}
	return rein.Outcome{End: end, Text: answer, Data: data}
}
