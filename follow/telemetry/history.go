package telemetry

import (
	"encoding/json"
	"time"

	"rein"
	"rein/journal"
)

// A history is what is known of an unfinished run from its log: enough to tell of each thing when it
// ends. It can always be read from the log again.
type history struct {
	id      rein.RunID
	content bool // what was said is wanted
	flow    string
	session string
	task    json.RawMessage // what was asked; see keep
	tools   map[string]bool // what the run may use
	after   rein.RunID      // the run of the session that this one goes on from
	began   time.Time
	read    int64 // the sequence number of the last event that was read
	log     journal.Steps
	steps   map[rein.StepKey]*step // those that are under way
	asks    journal.Asks
	moments []moment
	ended   bool
}

// maxKept bounds each thing of content that is kept until its span ends. More of it is not told.
const maxKept = 256 << 10

// keep returns what is kept of content until its span ends.
func (h *history) keep(messages []rein.Message) json.RawMessage {
	if !h.content || len(messages) == 0 {
		return nil
	}
	raw, err := json.Marshal(messages)
	if err != nil || len(raw) > maxKept {
		return nil
	}
	return raw
}

// trim keeps of an ask what is told of it.
func (h *history) trim(a *rein.Ask) {
	kept := rein.Ask{ID: a.ID, Run: a.Run, Step: a.Step, Kind: a.Kind, State: a.State, Opened: a.Opened}
	if h.content && len(a.Text) <= maxKept {
		kept.Text = a.Text
	}
	*a = kept
}

// A moment is something that took no time.
type moment struct {
	what  string
	at    time.Time
	about []fact
}

// A fact is one thing that is known of a moment: a text that is no content, or a number.
type fact struct {
	name  string
	text  string
	count int64
}

// maxMoments bounds what is kept of one run or step; later ones are left out.
const maxMoments = 128

// A step is one that has begun.
type step struct {
	*journal.Step
	asked   json.RawMessage // what is new in its prompt; see keep
	moments []moment
}

func newHistory(id rein.RunID, content bool) *history {
	h := &history{id: id, content: content, steps: map[rein.StepKey]*step{}, tools: map[string]bool{}}
	h.asks.Trim = h.trim
	return h
}

func (h *history) moment(what string, at time.Time, about ...fact) {
	if len(h.moments) < maxMoments {
		h.moments = append(h.moments, moment{what, at, about})
	}
}

func (s *step) moment(what string, at time.Time, about ...fact) {
	if len(s.moments) < maxMoments {
		s.moments = append(s.moments, moment{what, at, about})
	}
}

// step returns what is told of a step.
func (h *history) step(known *journal.Step) *step {
	s := h.steps[known.Key]
	if s == nil {
		s = &step{Step: known}
		h.steps[known.Key] = s
	}
	return s
}

// tries is how often the step was sent.
func (s *step) tries() int { return max(s.Attempts, 1) }

// over is how the step ended; empty: it has not.
func (s *step) over() rein.StepEnd {
	if s.End == nil {
		return rein.StepEnd{}
	}
	return *s.End
}

// tool is the name of the tool that a call came to. A name that only a model made up is content, and
// is not told.
func (h *history) tool(s *step) string {
	ran := s.over().Result != nil && s.over().Result.Status == rein.ToolOK
	if s.Tool == "" || !h.tools[s.Tool] && !ran {
		return other
	}
	return s.Tool
}

// lighten lets go of what is not told of a step, and of arguments that are too long to be kept.
func (s *step) lighten(h *history) {
	if s.Start != nil && s.Start.Prompt != nil && s.Start.Prompt.Add != nil {
		s.asked = h.keep(s.Start.Prompt.Add)
		s.Start.Prompt.Add, s.Start.Prompt.Schema = nil, nil
	}
	args := []*json.RawMessage{&s.Mend.Args}
	if s.Intent != nil {
		args = append(args, &s.Intent.Args)
	}
	if s.Start != nil {
		args = append(args, &s.Start.Args)
	}
	for _, args := range args {
		if len(*args) > maxKept {
			*args = json.RawMessage(`{}`)
		}
	}
	if s.Start != nil && s.Start.Call != nil && len(s.Start.Call.Args) > maxKept {
		s.Start.Call.Args = nil
	}
}

// requested is the name of the model that was asked first; empty is the default one.
func (s *step) requested() string {
	if s.Start != nil && s.Start.Prompt != nil {
		return s.Start.Prompt.Model
	}
	return ""
}

// outcome is one word for how a step ended: ok, the status of a tool's result, or the code of its
// failure.
func (s *step) outcome() string {
	switch {
	case s.End == nil:
		return "unfinished"
	case s.End.Failure != nil:
		return string(s.End.Failure.Code)
	case s.End.Result != nil:
		return string(s.End.Result.Status)
	}
	return "ok"
}

// failed reports whether the outcome is an error.
func (s *step) failed() bool {
	over := s.over()
	return over.Failure != nil || over.Result != nil && over.Result.Status.Failed()
}
