package telemetry

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"rein"
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
	steps   map[rein.StepKey]*step
	asks    map[rein.AskID]*ask
	moments []moment
	ended   bool
}

// maxKept bounds each thing of content that is kept until its span ends. More of it is not told.
const maxKept = 256 << 10

// keep returns what is kept of content until its span ends.
func (h *history) keep(raw json.RawMessage) json.RawMessage {
	if !h.content || len(raw) > maxKept {
		return nil
	}
	return raw
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
	key   rein.StepKey
	kind  kind
	sub   bool // a model call inside another step
	began time.Time
	start stepStart
	mend  rein.Mend
	args  json.RawMessage // of an intent: what the tool is given
	model string          // who is asked now
	tries int             // how often it was sent
	over  stepEnd
	ended time.Time // zero: the run ended before it did

	moments []moment
}

// kind says what a step does.
type kind string

const (
	modelStep kind = "model"
	toolStep  kind = "tool"
	askStep   kind = "ask"
	waitStep  kind = "wait"
	spawnStep kind = "spawn"
	inboxStep kind = "inbox"
)

// kindOf reads the first word of a signature.
func kindOf(sig string) kind {
	word, _, _ := strings.Cut(sig, " ")
	return kind(word)
}

// An ask is one that has been opened.
type ask struct {
	rein.Ask
	step   *step // nil: of a step that is not known
	closed time.Time
}

func newHistory(id rein.RunID, content bool) *history {
	return &history{id: id, content: content, steps: map[rein.StepKey]*step{}, asks: map[rein.AskID]*ask{}, tools: map[string]bool{}}
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

// step returns the step of the key; it begins now if it has not.
func (h *history) step(key rein.StepKey, at time.Time) *step {
	s := h.steps[key]
	if s == nil {
		s = &step{key: key, began: at, tries: 1}
		h.steps[key] = s
	}
	return s
}

// tool is the name of the tool that a call came to. A name that only a model made up is content, and
// is not told.
func (h *history) tool(s *step) string {
	name := s.mend.Tool
	if s.start.Call != nil {
		name = cmp.Or(name, s.start.Call.Name)
	}
	if name == "" { // it was over as soon as it began: its signature is "tool phase name digest"
		if words := strings.Split(s.over.Sig, " "); len(words) == 4 {
			name = words[2]
		}
	}
	ran := s.over.Result != nil && s.over.Result.Status == rein.ToolOK
	if name == "" || !h.tools[name] && !ran {
		return other
	}
	return name
}

// sent returns the arguments that the tool was given.
func (s *step) sent() json.RawMessage {
	switch {
	case s.args != nil:
		return s.args
	case s.mend.Args != nil:
		return s.mend.Args
	case s.start.Call != nil:
		return s.start.Call.Args
	}
	return nil
}

// lighten lets go of arguments that are too long to be kept.
func (s *step) lighten() {
	for _, args := range []*json.RawMessage{&s.args, &s.mend.Args, &s.start.Mend.Args} {
		if len(*args) > maxKept {
			*args = json.RawMessage(`{}`)
		}
	}
	if c := s.start.Call; c != nil && len(c.Args) > maxKept {
		c.Args = nil
	}
}

// requested is the name of the model that was asked first; empty is the default one.
func (s *step) requested() string {
	if s.start.Prompt != nil {
		return s.start.Prompt.Model
	}
	return ""
}

// outcome is one word for how a step ended: ok, the status of a tool's result, or the code of its
// failure.
func (s *step) outcome() string {
	switch {
	case s.ended.IsZero():
		return "unfinished"
	case s.over.Failure != nil:
		return string(s.over.Failure.Code)
	case s.over.Result != nil:
		return string(s.over.Result.Status)
	}
	return "ok"
}

// failed reports whether the outcome is an error.
func (s *step) failed() bool {
	return s.over.Failure != nil || s.over.Result != nil && s.over.Result.Status.Failed()
}
