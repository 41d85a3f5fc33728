package flow

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"rein"
)

// A turn is what the flows of a household share: whom it is for, the tools of its path, and what was
// said and done so far.
type turn struct {
	run   rein.Run
	task  rein.Task
	path  string
	waits time.Duration  // for an answer to a question
	tools []string       // those that the path may call
	talk  []rein.Message // what was said and done, without the system prompt
	past  int            // so many of talk were there before the turn
	trace Trace

	reasoning string   // what the model made of the request, for people who want to know
	outline   string   // what it means to answer
	ignored   []string // calls that it wrote beside an answer
	blocked   []string // kinds of secrets that kept a text from people
	masked    []string // kinds of secrets that were taken out of what the model said
}

// newTurn begins a turn of a session. What is known of the person comes first, then what was said
// before, then the task.
func newTurn(run rein.Run, task rein.Task, waits time.Duration, known func(rein.Run) ([]rein.Message, error)) (*turn, error) {
	t := &turn{run: run, task: task, waits: waits}
	var background []rein.Message
	var before before
	err := t.heed(func() (err error) {
		if background, err = known(run); err == nil {
			before, err = recall(run, task)
		}
		return err
	})
	if err == nil {
		t.task.Tools = before.needed(task)
	}
	t.talk = slices.Concat(background, before.about(t.task), before.talk, task.Messages, t.talk)
	t.past = len(t.talk)
	return t, err
}

func nothingKnown(rein.Run) ([]rein.Message, error) { return nil, nil }

// inHousehold returns the task as the flows of a household take it: they speak Dutch to someone who
// chose no language.
func inHousehold(task rein.Task) rein.Task {
	if task.Language == "" {
		task.Language = "nl"
	}
	return task
}

// heed does what people may interrupt. What they want instead becomes part of the conversation, and
// it is done again.
func (t *turn) heed(do func() error) error {
	for {
		var err error
		if t.talk, err = hear(t.run, t.task, t.talk); err == nil {
			err = do()
		}
		if !errors.Is(err, rein.ErrInterrupted) {
			return err
		}
	}
}

// consult has the model answer, under a system prompt, what the view shows of the turn.
func (t *turn) consult(p rein.Prompt, system string, view func() []rein.Message) (reply rein.Message, err error) {
	p.Model, p.Compact = t.task.Model, &rein.Compact{Messages: manyMessages}
	err = t.heed(func() (err error) {
		p.Messages = append([]rein.Message{{Role: rein.System, Text: persona(t.task, system)}}, view()...)
		reply, err = t.run.CallModel(p)
		return err
	})
	t.remember(reply.Redacted)
	return reply, err
}

// manyMessages keeps a conversation from being summed up because of its length alone: only the
// model's window counts, so that small talk is one call.
const manyMessages = 10_000

// whole is everything that was said and done.
func (t *turn) whole() []rein.Message { return slices.Clip(t.talk) }

// spoken is the conversation without the work: what people said, and what they were told.
func (t *turn) spoken() []rein.Message {
	said := slices.Clone(t.talk[:t.past])
	for _, m := range t.talk[t.past:] {
		if m.Role == rein.User || m.Role == rein.Assistant && len(m.Calls) == 0 {
			said = append(said, m)
		}
	}
	return said
}

// tell adds something to the work that the model is told by rein.
func (t *turn) tell(text string) {
	t.talk = append(t.talk, rein.Message{Role: rein.Developer, Text: text})
}

func (t *turn) about(phase string, round int, key string, args ...any) rein.About {
	return rein.About{Phase: phase, Round: round, Human: say(t.task, key, args...)}
}

// ask puts a question to the person whose turn it is. What was asked and answered becomes part of
// the conversation. Runs of revision 0 asked without a deadline.
func (t *turn) ask(question string, round int) (rein.Answer, error) {
	q := rein.Question{About: t.about("ask", round, "assist asking"), Text: question, For: t.task.User}
	if t.task.Revision >= 1 {
		q.Timeout, q.OnExpiry = t.waits, rein.ExpiryContinue
	}
	answer, err := t.run.AskUser(q)
	if err != nil {
		return answer, err
	}
	t.talk = append(t.talk, rein.Message{Role: rein.Assistant, Text: question})
	if answer.State == rein.AskAnswered {
		t.talk = append(t.talk, rein.Message{Role: rein.User, Text: answer.Text})
	} else {
		t.tell("The user did not answer this question (" + string(answer.State) + "). Do not ask it again.")
	}
	return answer, nil
}

// TurnData is what a turn adds to its outcome for machines.
type TurnData struct {
	Path      string   `json:"path"` // chat, research, code or task
	Reasoning string   `json:"reasoning,omitempty"`
	Tools     []Used   `json:"tools"`
	Actions   []string `json:"actions"`           // asks that are still open: none, once a turn has ended
	Ignored   []string `json:"ignored,omitempty"` // calls beside an answer
	Blocked   []string `json:"blocked,omitempty"` // kinds of secrets that were kept from people
}

// end completes an outcome with what machines want to know. A tag, which a model may write where there
// is nobody left to hand over to, is never shown.
func (t *turn) end(out rein.Outcome) rein.Outcome {
	if tag, clean := tags(out.Text); tag != "" {
		out.Text = t.orSorry(clean)
	}
	data := TurnData{Path: t.path, Reasoning: t.reasoning, Tools: t.trace.used(), Actions: []string{}, Ignored: t.ignored, Blocked: t.blocked}
	out.Data, _ = json.Marshal(data) // strings always encode
	return out
}
