package assist

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/feed"
)

// A Translator turns the feed of a run into the chunks of a turn, and knows when the turn is over: when
// the run has ended, or waits for a person. It does nothing else. It never makes the last chunk: whoever
// follows decides whether there is more to come.
type Translator struct {
	run      rein.RunID
	language string

	steps  map[stepOf]*step
	asks   []rein.Ask // open ones, oldest first
	ended  bool
	reply  Reply
	status string // the last one that was shown
	shown  string // what was shown of the reply

	text    stepOf // the step whose text is being written
	attempt int
	curtain curtain
	visible string // what of that text may be seen
}

type stepOf struct {
	run rein.RunID
	key rein.StepKey
}

// A step is one under way.
type step struct {
	rein.StepStart
	tool string // the tool that was told to have started
}

// NewTranslator begins a turn of the run in the language of its user.
func NewTranslator(run rein.RunID, language string) *Translator {
	return &Translator{run: run, language: language, steps: map[stepOf]*step{}}
}

// Begin is the first chunk of a turn.
func (t *Translator) Begin() []Chunk { return t.say(in(t.language, workingWords)) }

// Recall takes an event of before the turn.
func (t *Translator) Recall(e rein.Event) {
	t.event(e)
	t.status = ""
}

// Over reports whether the turn is over, and with what reply.
func (t *Translator) Over() (Reply, bool) {
	if t.ended || len(t.asks) == 0 {
		return t.reply, t.ended
	}
	return Reply{Message: t.asks[len(t.asks)-1].Text, Reasoning: t.reply.Reasoning, asks: slices.Clone(t.asks)}, true
}

// See takes the next line and returns what the client is sent: often nothing.
func (t *Translator) See(line feed.Line) []Chunk {
	switch {
	case line.Delta != nil:
		return t.piece(*line.Delta)
	case line.Event != nil:
		return t.event(*line.Event)
	}
	return nil
}

func (t *Translator) event(e rein.Event) []Chunk {
	switch {
	case e.Kind == rein.RunStarted && e.Run == t.run:
		return t.Begin()
	case e.Kind == rein.StepStarted:
		return t.started(e)
	case e.Kind == rein.StepAttempt:
		return t.dispatched(e)
	case e.Kind == rein.StepWaiting:
		var w rein.Waiting
		_ = json.Unmarshal(e.Data, &w)
		return t.say(w.Why)
	case e.Kind == rein.StepDone:
		return t.done(e)
	case e.Kind == rein.CommandPause.EventKind() && e.Run == t.run:
		return t.say(in(t.language, pausedWords))
	case e.Kind == rein.CommandResume.EventKind() && e.Run == t.run:
		return t.Begin()
	case e.Kind.Ends() || e.Kind == rein.RunBlocked:
		return t.end(e)
	}
	t.noteAsk(e)
	return nil
}

// say shows a status, unless it is shown already.
func (t *Translator) say(status string) []Chunk {
	if status == "" || status == t.status {
		return nil
	}
	t.status = status
	return []Chunk{{Type: StatusChunk, Text: status}}
}

// noteAsk keeps what is open.
func (t *Translator) noteAsk(e rein.Event) {
	if e.Kind == rein.AskOpened {
		var ask rein.Ask
		if json.Unmarshal(e.Data, &ask) == nil && ask.State == rein.AskPending {
			t.asks = append(t.asks, ask)
		}
		return
	}
	var c rein.Command
	kind := e.Kind.Command()
	if kind == "" || json.Unmarshal(e.Data, &c) != nil {
		return
	}
	t.asks = slices.DeleteFunc(t.asks, func(ask rein.Ask) bool {
		switch {
		case kind == rein.CommandAnswer || kind == rein.CommandExpire:
			return ask.ID == c.Ask
		case kind == rein.CommandModify || kind.Force() > 0: // what is open is withdrawn
			return ask.Run == e.Run
		}
		return false
	})
}

// started tells what a step is for; a tool has started once its call is sent.
func (t *Translator) started(e rein.Event) []Chunk {
	var start rein.StepStart
	if json.Unmarshal(e.Data, &start) != nil {
		return nil
	}
	at := stepOf{e.Run, e.Step}
	t.steps[at] = &step{StepStart: start}
	switch {
	case start.Call == nil || start.Call.Internal:
		return t.say(start.Human)
	case start.Bound.ToolCalls > 0:
		return t.startTool(t.steps[at])
	}
	return nil // a person is asked first
}

func (t *Translator) dispatched(e rein.Event) []Chunk {
	s := t.steps[stepOf{e.Run, e.Step}]
	if s == nil || s.Call == nil || s.Call.Internal || s.tool != "" {
		return nil
	}
	return t.startTool(s)
}

func (t *Translator) startTool(s *step) []Chunk {
	if s.tool = s.Call.Name; s.Tool != "" {
		s.tool = s.Tool
	}
	return []Chunk{{Type: ToolStart, Tool: s.tool}}
}

// maxOutput is how much of a thought or a result a stream shows.
const maxOutput = 4000

// done tells what a step gave: a thought, or the result of a tool. What a task's model says is not shown:
// it is looked through for secrets first, and what may be seen of it is the reply.
func (t *Translator) done(e rein.Event) []Chunk {
	var end rein.StepEnd
	_ = json.Unmarshal(e.Data, &end)
	at := stepOf{e.Run, e.Step}
	s := t.steps[at]
	delete(t.steps, at)
	switch {
	case end.Result != nil && s == nil:
		return t.refused(end)
	case end.Result != nil && s.Call != nil && !s.Call.Internal:
		return t.toolDone(s, end.Result.Text)
	case end.Message != nil && s != nil && (s.Phase == "plan" || s.Phase == "reflect"):
		return []Chunk{output(s.Phase, "", end.Message.Text)}
	}
	return nil
}

// toolDone tells the result of a call. One that was never sent, because it was refused, has no tool_start
// and so no tool_done either.
func (t *Translator) toolDone(s *step, text string) []Chunk {
	if s.tool == "" {
		return []Chunk{output("tool_result", s.Call.Name, text)}
	}
	return []Chunk{{Type: ToolDone, Tool: s.tool}, output("tool_result", s.tool, text)}
}

// refused tells of a call that was over as soon as it began. It is recorded by its signature only, which
// is the word tool, the phase, the name and a digest.
func (t *Translator) refused(end rein.StepEnd) []Chunk {
	words := strings.Split(end.Sig, " ")
	if len(words) < 4 || words[0] != "tool" {
		return nil
	}
	name := strings.Join(words[2:len(words)-1], " ")
	return t.toolDone(&step{StepStart: rein.StepStart{Call: &rein.ToolCall{Name: name}}}, end.Result.Text)
}

func output(phase, tool, content string) Chunk {
	if len(content) > maxOutput {
		content = strings.ToValidUTF8(content[:maxOutput], "") + "…"
	}
	return Chunk{Type: StepOutput, Phase: phase, Tool: tool, Content: &content}
}
