// Package turn is what the flows of a household share: one turn of a conversation, in which the model speaks
// JSON, calls tools and asks the person whose turn it is.
package turn

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"rein"
	"rein/flow/kit"
	"rein/internal/speech"
)

func (t *Turn) OrSorry(text string) string {
	if text == "" {
		return say(t.Task, "sorry")
	}
	return text
}

// Day is how long the flows of a household wait for an answer, in seconds: someone who is at work answers
// in the evening.
const Day = 24 * 3600

// A Turn is what the flows of a household share: whom it is for, the tools of its path, and what was
// said and done so far.
type Turn struct {
	Run   rein.Run
	Task  rein.Task
	Path  string
	Waits time.Duration  // for an answer to a question
	Tools []string       // those that the path may call
	Talk  []rein.Message // what was said and done, without the system prompt
	past  int            // so many of talk were there before the turn
	Trace Trace

	Explains  bool     // prompts are those of today, calls say why they are made, and failures what was tried: in older revisions none did
	Reasoning string   // what the model made of the request, for people who want to know
	Outline   string   // what it means to answer
	Ignored   []string // calls that it wrote beside an answer
	blocked   []string // kinds of secrets that kept a text from people
	masked    []string // kinds of secrets that were taken out of what the model said
}

// New begins a turn of a session. What is known of the person comes first, then what was said
// before, then the task.
func New(run rein.Run, task rein.Task, waits time.Duration, known func(rein.Run) ([]rein.Message, error)) (*Turn, error) {
	t := &Turn{Run: run, Task: task, Waits: waits}
	var background []rein.Message
	var before kit.Past
	err := t.heed(func() (err error) {
		if background, err = known(run); err == nil {
			before, err = kit.Recall(run, task)
		}
		return err
	})
	if err == nil {
		t.Task.Tools = before.Needed(task)
	}
	t.Talk = slices.Concat(background, before.About(t.Task), before.Talk, task.Messages, t.Talk)
	t.past = len(t.Talk)
	return t, err
}

// Text returns a prompt of a flow as this turn uses it.
func (t *Turn) Text(p kit.Prompts, name string, values map[string]string) string {
	if t.Explains {
		return p.Text(t.Task, name, values)
	}
	return p.Earlier(t.Task, name, values)
}

func NothingKnown(rein.Run) ([]rein.Message, error) { return nil, nil }

// InHousehold returns the task as the flows of a household take it: to someone who chose no language they speak that of
// the message, and English if it does not tell. A run of an older revision than since spoke Dutch then.
func InHousehold(task rein.Task, since int) rein.Task {
	switch {
	case task.Language != "":
	case task.Revision < since:
		task.Language = "nl"
	default:
		task.Language = cmp.Or(speech.Of(kit.LastAsked(task.Messages)), "en")
	}
	return task
}

// heed does what people may interrupt. What they want instead becomes part of the conversation, and
// it is done again.
func (t *Turn) heed(do func() error) error {
	for {
		var err error
		if t.Talk, err = kit.Hear(t.Run, t.Task, t.Talk); err == nil {
			err = do()
		}
		if !errors.Is(err, rein.ErrInterrupted) {
			return err
		}
	}
}

// Consult has the model answer, under a system prompt, what the view shows of the turn.
func (t *Turn) Consult(p rein.Prompt, system string, view func() []rein.Message) (reply rein.Message, err error) {
	p.Model, p.Compact = t.Task.Model, &rein.Compact{Messages: kit.ManyMessages}
	err = t.heed(func() (err error) {
		p.Messages = append([]rein.Message{{Role: rein.System, Text: kit.Persona(t.Task, system)}}, view()...)
		reply, err = t.Run.CallModel(p)
		return err
	})
	t.remember(reply.Redacted)
	return reply, err
}

// Whole is everything that was said and done.
func (t *Turn) Whole() []rein.Message { return slices.Clip(t.Talk) }

// spoken is the conversation without the work: what people said, and what they were told.
func (t *Turn) spoken() []rein.Message {
	said := slices.Clone(t.Talk[:t.past])
	for _, m := range t.Talk[t.past:] {
		if m.Role == rein.User || m.Role == rein.Assistant && len(m.Calls) == 0 {
			said = append(said, m)
		}
	}
	return said
}

// Tell adds something to the work that the model is told by rein.
func (t *Turn) Tell(text string) {
	t.Talk = append(t.Talk, rein.Message{Role: rein.Developer, Text: text})
}

// About says what a step of the turn is for.
func (t *Turn) About(phase string, round int, human string) rein.About {
	return rein.About{Phase: phase, Round: round, Human: human}
}

// Ask puts a question to the person whose turn it is. What was asked and answered becomes part of
// the conversation. Runs of revision 0 asked without a deadline.
func (t *Turn) Ask(question string, round int) (rein.Answer, error) {
	q := rein.Question{About: t.About("ask", round, say(t.Task, "asking")), Text: question, For: t.Task.User}
	if t.Task.Revision >= 1 {
		q.Timeout, q.OnExpiry = t.Waits, rein.ExpiryContinue
	}
	answer, err := t.Run.AskUser(q)
	if err != nil {
		return answer, err
	}
	t.Talk = append(t.Talk, rein.Message{Role: rein.Assistant, Text: question})
	if answer.State == rein.AskAnswered {
		t.Talk = append(t.Talk, rein.Message{Role: rein.User, Text: answer.Text})
	} else {
		t.Tell("The user did not answer this question (" + string(answer.State) + "). Do not ask it again.")
	}
	return answer, nil
}

// Data is what a turn adds to its outcome for machines.
type Data struct {
	Path      string   `json:"path"` // chat, research, code or task
	Reasoning string   `json:"reasoning,omitempty"`
	Tools     []Used   `json:"tools"`
	Actions   []string `json:"actions"`           // asks that are still open: none, once a turn has ended
	Ignored   []string `json:"ignored,omitempty"` // calls beside an answer
	Blocked   []string `json:"blocked,omitempty"` // kinds of secrets that were kept from people
}

// End completes an outcome with what machines want to know. A tag, which a model may write where there
// is nobody left to hand over to, is never shown.
func (t *Turn) End(out rein.Outcome) rein.Outcome {
	if tag, clean := Tags(out.Text); tag != "" {
		out.Text = t.OrSorry(clean)
	}
	data := Data{Path: t.Path, Reasoning: t.Reasoning, Tools: t.Trace.used(), Actions: []string{}, Ignored: t.Ignored, Blocked: t.blocked}
	out.Data, _ = json.Marshal(data) // strings always encode
	return out
}
