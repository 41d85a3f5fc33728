package assist

import (
	"rein"
	"rein/journal"
	"rein/journal/feed"
)

// A Translator turns the feed of a run into the chunks of a turn, and knows when the turn is over: when the
// run has ended, or waits for a person. It never makes the last chunk, because only its caller knows whether
// more will come.
type Translator struct {
	run      rein.RunID
	language string

	log    journal.Steps
	tools  map[*journal.Step]bool // calls that were told to have started
	asks   journal.Asks
	ended  bool
	reply  Reply
	status string // the last one that was shown
	shown  string // what was shown of the reply

	text    rein.StepKey // of the root: the step whose text is being written
	attempt int
	curtain curtain
	visible string // what of that text may be seen
}

// NewTranslator begins a turn of the run in the language of its user.
func NewTranslator(run rein.RunID, language string) *Translator {
	return &Translator{run: run, language: language, tools: map[*journal.Step]bool{}}
}

// Begin is the first chunk of a turn.
func (t *Translator) Begin() []Chunk { return t.say(in(t.language, workingWords)) }

// Recall takes an event from before the turn.
func (t *Translator) Recall(e rein.Event) {
	t.event(e)
	t.status = ""
}

// Over reports whether the turn is over, and with what reply.
func (t *Translator) Over() (Reply, bool) {
	open := t.asks.Open()
	if t.ended || len(open) == 0 {
		return t.reply, t.ended
	}
	return Reply{Message: open[len(open)-1].Text, Reasoning: t.reply.Reasoning, asks: open}, true
}

// See takes the next line and returns the chunks for the client, often none.
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
	t.asks.See(e)
	step := t.log.See(e)
	switch {
	case e.Kind == rein.RunStarted && e.Run == t.run:
		return t.Begin()
	case step != nil:
		return t.step(e.Kind, step)
	case e.Kind == rein.CommandPause.EventKind() && e.Run == t.run:
		return t.say(in(t.language, pausedWords))
	case e.Kind == rein.CommandResume.EventKind() && e.Run == t.run:
		return t.Begin()
	case e.Kind.Ends() || e.Kind == rein.RunBlocked:
		return t.end(e)
	}
	return nil
}

func (t *Translator) step(kind rein.Kind, s *journal.Step) []Chunk {
	switch kind {
	case rein.StepStarted:
		return t.started(s)
	case rein.StepAttempt:
		return t.dispatched(s)
	case rein.StepWaiting:
		return t.say(s.Waiting.Why)
	case rein.StepDone:
		return t.done(s)
	}
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

// started tells what a step is for; a tool has started once its call is sent.
func (t *Translator) started(s *journal.Step) []Chunk {
	switch {
	case s.Call() == nil:
		return t.say(s.Human)
	case s.Bound.ToolCalls > 0:
		return t.startTool(s)
	}
	return nil // a person is asked first
}

func (t *Translator) dispatched(s *journal.Step) []Chunk {
	if s.Call() == nil || t.tools[s] {
		return nil
	}
	return t.startTool(s)
}

func (t *Translator) startTool(s *journal.Step) []Chunk {
	t.tools[s] = true
	return []Chunk{{Type: ToolStart, Tool: s.Tool}}
}

// maxOutput is how much of a thought or a result a stream shows.
const maxOutput = 4000

// done tells what a step gave: a thought, or the result of a tool. What a task's model says is not shown:
// it is looked through for secrets first, and what may be seen of it is the reply.
func (t *Translator) done(s *journal.Step) []Chunk {
	switch result, said := s.End.Result, s.End.Message; {
	case result != nil && (s.Call() != nil || s.Start == nil && s.Verb == rein.VerbTool):
		return t.toolDone(s, result.Text)
	case said != nil && (s.Phase == "plan" || s.Phase == "reflect"):
		return []Chunk{output(s.Phase, "", said.Text)}
	}
	return nil
}

// toolDone tells the result of a call. One that was never sent, because it was refused, has no tool_start
// and so no tool_done either.
func (t *Translator) toolDone(s *journal.Step, text string) []Chunk {
	if !t.tools[s] {
		name := s.Tool
		if call := s.Call(); call != nil {
			name = call.Name
		}
		return []Chunk{output("tool_result", name, text)}
	}
	delete(t.tools, s)
	return []Chunk{{Type: ToolDone, Tool: s.Tool}, output("tool_result", s.Tool, text)}
}

func output(phase, tool, content string) Chunk {
	content = rein.Clip(content, maxOutput)
	return Chunk{Type: StepOutput, Phase: phase, Tool: tool, Content: &content}
}
