package flow

import (
	"errors"
	"strings"

	"rein"
)

// Explore is for a large question. It makes sure what is meant (clarify) and that nothing needed is
// missing (question), gives independent parts of the work to children (split), works on the whole
// itself while they run (act), and puts together what all of them found (summary). What people
// change meanwhile is heeded at once. A child's end, whatever it is, is a result and nothing more.
//
// The children run beside the main agent because they are runs of their own. They are waited for
// after its loop and not in branches of a Parallel: there it could not hear what people say.
func Explore(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := readSettings("explore", task.Settings, DefaultExplore(), (*ExploreSettings).fit, Ceiling{})
	if err != nil {
		return rein.Outcome{}, err
	}
	if !hasText(task.Messages) {
		return rein.Outcome{}, rein.Errorf(rein.CodeInvalid, "explore: there is neither a prompt nor a message with text: say what to explore")
	}
	x := &exploration{run: run, task: task, set: set, said: []string{lastAsked(task.Messages)}}
	for _, step := range []func() (*rein.Outcome, error){x.open, x.clarify, x.inquire, x.split, x.work} {
		out, err := step()
		if err != nil {
			return x.cut(err)
		}
		if out != nil {
			out.Data = x.data()
			return *out, nil
		}
	}
	return rein.Outcome{}, rein.Errorf(rein.CodeInternal, "explore: its last step came to nothing")
}

// An exploration is what is known while one run explores. Its steps return the outcome if the run
// ends with them, and an error only if it concerns the run.
type exploration struct {
	run  rein.Run
	task rein.Task
	set  ExploreSettings

	talk      []rein.Message
	said      []string // by people about the task, for children
	asked     []string // of people
	parts     []part
	round     int
	main      rein.Outcome // the main agent's answer
	failed    error        // why there is none
	settled   bool         // the last question was asked and answered
	uncertain bool
}

// open begins the conversation.
func (x *exploration) open() (*rein.Outcome, error) {
	talk, err := opening(x.run, &x.task, text(x.task, "explore", nil))
	for errors.Is(err, rein.ErrInterrupted) {
		if _, err = x.hear(); err == nil {
			talk, err = opening(x.run, &x.task, text(x.task, "explore", nil))
		}
	}
	x.talk = append(talk, x.talk...)
	return nil, err
}

// hear adds what people said to the conversation and reports whether they said anything.
func (x *exploration) hear() (heard bool, err error) {
	before := len(x.talk)
	x.talk, err = hear(x.run, x.task, x.talk)
	for _, m := range x.talk[before:] {
		x.said = append(x.said, m.Text)
	}
	return len(x.talk) > before, err
}

// cut ends the exploration because of an error: with a closing answer if the budget is spent, else
// with what was said by then.
func (x *exploration) cut(err error) (rein.Outcome, error) {
	out := rein.Outcome{Text: lastSaid(x.talk)}
	switch {
	case errors.Is(err, rein.ErrDeleted) && out.Text == "":
		out.Text = say(x.task, "explore deleted")
	case errors.Is(err, rein.ErrBudget):
		out, err = closing(x.run, x.task, rein.Prompt{Model: x.task.Model, Messages: x.talk, Stream: true}, err)
	}
	out.Data = x.data()
	return out, err
}

// hasText reports whether somebody says anything in the messages.
func hasText(messages []rein.Message) bool {
	for _, m := range messages {
		if strings.TrimSpace(m.Text) != "" {
			return true
		}
	}
	return false
}

// lastAsked is the newest text of a person.
func lastAsked(talk []rein.Message) string {
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].Role == rein.User && strings.TrimSpace(talk[i].Text) != "" {
			return talk[i].Text
		}
	}
	return ""
}
