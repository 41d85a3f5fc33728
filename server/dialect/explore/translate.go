package explore

import (
	"slices"
	"strings"

	"rein"
	"rein/journal"
	"rein/journal/feed"
)

// A Translator turns the feed of a tree into chunks. What a client gets depends only on the log, and on the
// pieces of text that a model is writing.
type Translator struct {
	root   rein.RunID
	cursor string
	agents map[rein.RunID]*agentLog
	texts  map[textKey]*text
	begun  bool    // the client knows that the root runs
	early  []Chunk // of children, until the root's start is known

	recalled []rein.Ask // that a client was shown which comes back now
}

// An agentLog is what the translator remembers of a run.
type agentLog struct {
	portrait
	steps map[rein.StepKey]rein.StepStart // under way
	calls []rein.ToolCall                 // that the model wants and that have not begun
	said  string                          // the newest whole text that was shown and was no draft
}

// NewTranslator begins the stream of a tree.
func NewTranslator(root rein.RunID) *Translator {
	return &Translator{root: root, cursor: "0", agents: map[rein.RunID]*agentLog{}, texts: map[textKey]*text{}}
}

// Recall takes an event that the client has already seen.
func (t *Translator) Recall(e rein.Event) {
	for _, c := range t.event(e) {
		if c.ask != nil {
			t.recalled = append(t.recalled, *c.ask)
		}
	}
}

// resume goes on where a client was, after everything before was recalled.
func (t *Translator) resume(p place) {
	t.cursor, t.begun = p.cursor, len(t.agents) > 0
	clear(t.texts)
	for key, r := range p.texts {
		t.texts[key] = &text{reach: r, blind: true, class: t.classOf(key)}
	}
}

func (t *Translator) place() place {
	p := place{run: t.root, cursor: t.cursor, texts: map[textKey]reach{}}
	for key, x := range t.texts {
		p.texts[key] = x.reach
	}
	return p
}

// See takes the next line and returns the chunks for the client, often none.
func (t *Translator) See(line feed.Line) []Chunk {
	switch {
	case line.Delta != nil:
		return t.piece(*line.Delta)
	case line.Event == nil:
		return nil
	}
	chunks := t.event(*line.Event)
	if !t.begun { // a feed that is behind tells of children first
		t.early = append(t.early, chunks...)
		if line.Event.Run != t.root {
			return nil
		}
		chunks, t.early, t.begun = append(t.beginning(), t.early...), nil, true
	}
	t.cursor = line.Cursor
	if len(chunks) > 0 {
		chunks[len(chunks)-1].EventID = t.place().String()
	}
	return chunks
}

func (t *Translator) event(e rein.Event) []Chunk {
	a := t.agent(e.Run)
	states := a.see(e)
	var out []Chunk
	switch e.Kind {
	case rein.StepStarted:
		out = a.started(e)
	case rein.StepAttempt:
		if x := t.texts[textKey{e.Run, e.Step}]; x != nil {
			x.stale = true
		}
	case rein.StepDone:
		out = t.done(e, a)
	case rein.AskOpened:
		out = asked(e)
	}
	var end rein.RunEnd
	if e.Kind.Ends() {
		end, _ = rein.Payload[rein.RunEnd](e) // an erased end has no text
		out = append(out, t.ended(e, a, end)...)
	}
	for _, status := range states {
		if e.Kind == rein.RunStarted && e.Run == t.root {
			break // it was told: see beginning
		}
		out = append(out, Chunk{Type: AgentState, AgentID: e.Run, State: a.state(status)})
	}
	return out
}

// agent returns what is known of a run.
func (t *Translator) agent(run rein.RunID) *agentLog {
	if a := t.agents[run]; a != nil {
		return a
	}
	a := &agentLog{portrait: *newPortrait(rein.RunInfo{ID: run}), steps: map[rein.StepKey]rein.StepStart{}}
	t.agents[run] = a
	return a
}

// beginning is what every stream begins with.
func (t *Translator) beginning() []Chunk {
	now := t.agent(t.root).state(rein.AgentRunning)
	now.Subagents = []rein.RunID{} // each of them is told of when it starts
	return []Chunk{
		{Type: AgentState, AgentID: t.root, State: now},
		{Type: Start, AgentID: t.root, MessageID: string(t.root)},
	}
}

// started tells of a tool call. What flows read for themselves is none.
func (a *agentLog) started(e rein.Event) []Chunk {
	_, again := a.steps[e.Step]
	start, err := rein.Payload[rein.StepStart](e)
	if err != nil {
		return nil
	}
	a.steps[e.Step] = start
	if again || start.Call == nil || start.Call.Internal {
		return nil
	}
	a.calls = slices.DeleteFunc(a.calls, func(c rein.ToolCall) bool { return c.ID == start.Call.ID })
	return []Chunk{callChunk(e, start)}
}

func callChunk(e rein.Event, start rein.StepStart) Chunk {
	c := Chunk{Type: ToolCall, AgentID: e.Run, ToolCallID: start.Call.ID, ToolName: start.Call.Name, Args: validJSON(start.Call.Args)}
	if start.Tool != "" {
		c.ToolName = start.Tool
	}
	if len(start.Mend.Args) > 0 {
		c.Args = validJSON(start.Mend.Args)
	}
	c.Input = c.Args
	return c
}

// done tells how a step ended: the rest of a text, or the result of a call.
func (t *Translator) done(e rein.Event, a *agentLog) []Chunk {
	end, _ := rein.Payload[rein.StepEnd](e) // an erased one has nothing to tell
	start, begun := a.steps[e.Step]
	delete(a.steps, e.Step)
	key := textKey{e.Run, e.Step}
	if end.Child != "" && !slices.Contains(a.Subagents, end.Child) {
		// Its own log says which children it has: theirs may come earlier or later.
		a.Subagents = append(a.Subagents, end.Child)
	}
	if end.Message != nil {
		a.calls = slices.Clone(end.Message.Calls)
	}
	switch {
	case end.Message != nil && start.Prompt != nil && isShown(*start.Prompt, *end.Message):
		text := end.Message.Text
		if !start.Prompt.Stream {
			text, _ = journal.Prose(*end.Message)
		}
		if a.steps[e.Step] = start; t.classOf(key).kind != "reasoning" {
			a.said = text
		}
		out := t.whole(key, text)
		delete(a.steps, e.Step)
		return out
	case end.Result != nil && begun && start.Call != nil && !start.Call.Internal:
		return []Chunk{resultChunk(callChunk(e, start), *end.Result)}
	case end.Result != nil && !begun:
		return a.refused(e, end)
	}
	return t.cut(key)
}

// isShown reports whether people are shown a reply while it is written.
func isShown(p rein.PromptRecord, reply rein.Message) bool {
	_, prose := journal.Prose(reply)
	return p.Stream || p.Prose && prose
}

func resultChunk(call Chunk, result rein.ToolResult) Chunk {
	call.Type, call.Result, call.Output, call.IsError = ToolResult, &result.Text, &result.Text, result.Status.Failed()
	return call
}

// refused tells of a call that was over as soon as it began. Only its tool is recorded: the rest is in
// what the model said.
func (a *agentLog) refused(e rein.Event, end rein.StepEnd) []Chunk {
	if end.Verb != rein.VerbTool {
		return nil
	}
	wanted := rein.ToolCall{ID: string(e.Step), Name: end.Tool}
	if i := slices.IndexFunc(a.calls, func(c rein.ToolCall) bool { return c.Name == wanted.Name }); i >= 0 {
		wanted = a.calls[i]
		a.calls = slices.Delete(a.calls, i, i+1)
	}
	call := callChunk(e, rein.StepStart{Call: &wanted})
	return []Chunk{call, resultChunk(call, *end.Result)}
}

// asked tells what a person is asked.
func asked(e rein.Event) []Chunk {
	ask, err := rein.Payload[rein.Ask](e)
	if err != nil || ask.State != rein.AskPending {
		return nil
	}
	ask.Run = e.Run
	return []Chunk{query(ask)}
}

// query is what a person is asked. Its ID is the connection's to give.
func query(ask rein.Ask) Chunk {
	c := Chunk{Type: UserQuery, AgentID: ask.Run, Kind: ask.Kind, Prompt: ask.Text, Choices: ask.Choices, ask: &ask}
	if ask.Call != nil {
		c.ToolCallID, c.ToolName, c.Args = ask.Call.ID, ask.Call.Name, validJSON(ask.Call.Args)
		c.Input = c.Args
	}
	return c
}

// ended tells the result of an agent, unless it was the last text that was shown, and of the root that
// the stream is over.
func (t *Translator) ended(e rein.Event, a *agentLog, end rein.RunEnd) []Chunk {
	var out []Chunk
	for _, key := range sortedTexts(t.texts) { // of a step that was cut with the run
		if key.run == e.Run && key.step != outcomeStep {
			out = append(out, t.cut(key)...)
		}
	}
	out = append(out, t.whole(textKey{e.Run, outcomeStep}, unsaid(end.Text, a.said))...)
	a.said, a.calls = "", nil
	clear(a.steps)
	if e.Run != t.root {
		return out
	}
	if e.Kind == rein.RunFailed && end.Failure != nil {
		out = append(out, Chunk{Type: Error, AgentID: e.Run, Error: end.Failure.Msg, ErrorText: end.Failure.Msg, Code: end.Failure.Code})
	}
	return append(out, Chunk{Type: Finish, AgentID: e.Run, Result: &end.Text, FinishReason: finishReason(e.Kind, end.End)})
}

// unsaid is what of a result was not shown: what stands behind the text that was shown last, or all of it.
func unsaid(result, said string) string {
	if said = strings.TrimSpace(said); said == "" {
		return result
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(result), said); ok {
		return rest
	}
	return result
}

func finishReason(kind rein.Kind, end rein.End) string {
	switch {
	case kind == rein.RunFailed:
		return "error"
	case kind == rein.RunStopped:
		return "other"
	case end == rein.EndLimit:
		return "length"
	}
	return "stop"
}
