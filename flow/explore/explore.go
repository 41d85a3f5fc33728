package explore

import (
	"errors"
	"strings"

	"rein"
	"rein/flow/kit"
)

// Do is for a large question. It makes sure what is meant (clarify) and that nothing needed is
// missing (question), gives independent parts of the work to children (split), works on the whole
// itself while they run (act), and puts together what all of them found (summary). What people
// change meanwhile is heeded at once. A child's end, whatever it is, is a result and nothing more.
//
// The children run beside the main agent because they are runs of their own. They are waited for
// after its loop and not in branches of a Parallel: there it could not hear what people say.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	if !hasText(task.Messages) {
		return rein.Outcome{}, rein.Errorf(rein.CodeInvalid, "explore: there is neither a prompt nor a message with text: say what to explore")
	}
	x := &exploration{run: run, task: task, set: set, said: []string{kit.LastAsked(task.Messages)}}
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
	set  Settings

	talk      []rein.Message
	said      []string // by people about the task, for children
	asked     []string // of people
	parts     []part
	round     int
	main      rein.Outcome // the main agent's answer
	failed    error        // why there is none
	settled   bool         // the last question was asked and answered
	uncertain bool
	unheard   string           // the question that nobody answered in time
	asks      string           // what people want of this run since they changed it
	whole     string           // what they want of the run that this one works for, since they changed that
	gone      rein.AgentStatus // what becomes of children that were not waited for, now that the run is ended
}

// Since revision 1 questions have a deadline, a parent learns of a change of its child, and children that end
// with their parent are told as ended.
func (x *exploration) first() bool { return x.task.Revision == 0 }

// open begins the conversation.
func (x *exploration) open() (*rein.Outcome, error) {
	talk, err := kit.Opening(x.run, &x.task, text(x.task, "explore", nil))
	for errors.Is(err, rein.ErrInterrupted) {
		if _, err = x.hear(); err == nil {
			talk, err = kit.Opening(x.run, &x.task, text(x.task, "explore", nil))
		}
	}
	x.talk = append(talk, x.talk...)
	return nil, err
}

// hear adds what people said to the conversation and reports whether they said anything.
func (x *exploration) hear() (heard bool, err error) {
	items, err := x.run.Inbox()
	for _, item := range items {
		switch {
		case item.Cause != "":
			x.whole = item.Text
		case item.Kind == rein.CommandModify:
			x.asks, x.whole = item.Text, ""
		}
		told := kit.Told(x.task, item)
		x.talk = append(x.talk, told)
		x.said = append(x.said, told.Text)
	}
	return len(items) > 0, err
}

// cut ends the exploration because of an error: with a closing answer if the budget is spent, else
// with what was said by then.
func (x *exploration) cut(err error) (rein.Outcome, error) {
	out := rein.Outcome{Text: kit.LastSaid(x.talk)}
	x.ended(err)
	switch {
	case errors.Is(err, rein.ErrDeleted) && out.Text == "":
		out.Text = say(x.task, "deleted")
	case errors.Is(err, rein.ErrBudget):
		out, err = kit.Close(x.run, x.task, rein.Prompt{Model: x.task.Model, Messages: x.talk, Stream: true}, err)
	}
	out.Data = x.data()
	return out, err
}

// ended notes what becomes of the children now that a person has ended the run: with it they end too.
func (x *exploration) ended(err error) {
	switch {
	case x.first():
	case errors.Is(err, rein.ErrDeleted):
		x.gone = rein.AgentDeleted
	case kit.Ends(err):
		x.gone = rein.AgentCompleted
	}
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
