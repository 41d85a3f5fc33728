package strict

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/household/shelf"
)

// A Translator turns the log of one run, event by event from its beginning, into messages. It knows
// nothing but the log and the pieces of text in between: the same log gives the same messages, on any
// socket and at any time.
type Translator struct {
	quiet  bool // agent mode is off: there are no phases to show
	round  int
	steps  map[rein.StepKey]*step // those under way
	wanted []rein.ToolCall        // of the newest reply, those that have not begun
	asks   map[rein.AskID]rein.Ask
	unread []rein.Item // what people said that the run has not read
	told   string      // the newest text that was shown in pieces
}

// NewTranslator returns a translator that has seen nothing.
func NewTranslator() *Translator {
	return &Translator{steps: map[rein.StepKey]*step{}, asks: map[rein.AskID]rein.Ask{}}
}

// quietFlows are those of agent mode off: they show their tools and their text, and no phases.
var quietFlows = []string{"answer", "chat", "operate"}

// Event returns the messages that an event gives, mostly none.
func (t *Translator) Event(e rein.Event) []Message {
	switch e.Kind {
	case rein.RunStarted:
		return t.started(read[rein.RunStart](e).Task)
	case rein.RunBlocked:
		return []Message{warning("the run waits for another version of rein: " + read[rein.Blocked](e).Reason)}
	case rein.CommandPause.EventKind():
		return []Message{warning("the run is paused: resume it to continue")}
	case rein.CommandResume.EventKind():
		return []Message{warning("the run continues")}
	case rein.StepStarted:
		return t.begun(e.Step, read[rein.StepStart](e))
	case rein.StepWaiting:
		return waiting(read[rein.Waiting](e))
	case rein.StepDone:
		return t.done(e.Step, read[rein.StepEnd](e))
	case rein.AskOpened:
		return t.asked(read[rein.Ask](e))
	case rein.CommandExpire.EventKind():
		return t.expired(read[rein.Command](e).Ask)
	case rein.CommandMessage.EventKind():
		if c := read[rein.Command](e); c.From == "" {
			t.unread = append(t.unread, rein.Item{Command: rein.NewCommandID(e.Run, e.Seq), Text: c.Text})
		}
	case rein.RunCompleted:
		return t.completed(read[rein.RunEnd](e))
	case rein.RunStopped:
		return append(t.unheard("the run was stopped"), update(agentStopped, 0), Message{Type: typeDone})
	case rein.RunFailed:
		return append(t.unheard("the run failed"), failure(read[rein.RunEnd](e)), Message{Type: typeDone})
	}
	return nil
}

// read returns the payload of an event; of one that was erased, an empty one.
func read[T any](e rein.Event) T {
	payload, err := rein.Payload[T](e)
	if err != nil {
		var empty T
		return empty
	}
	return payload
}

// defaultSteps is how many steps the flow takes where a task does not say.
const defaultSteps = 10

func (t *Translator) started(task rein.Task) (out []Message) {
	if t.quiet = slices.Contains(quietFlows, task.Flow); !t.quiet {
		var settings struct {
			MaxSteps int `json:"max_steps"`
		}
		if json.Unmarshal(task.Settings, &settings) != nil || settings.MaxSteps <= 0 {
			settings.MaxSteps = defaultSteps
		}
		start := update(agentStart, 0)
		start.MaxSteps = settings.MaxSteps
		out = append(out, start)
	}
	for _, notice := range task.Notices {
		out = append(out, warning(notice))
	}
	return out
}

func (t *Translator) begun(key rein.StepKey, start rein.StepStart) (out []Message) {
	s := &step{phase: start.Phase, round: start.Round, call: start.Call, server: start.Server}
	if p := start.Prompt; p != nil {
		s.shown, s.prose = p.Stream || p.Prose, p.Prose && !p.Stream
	}
	t.steps[key] = s
	if start.Round > t.round {
		if t.round = start.Round; !t.quiet {
			out = append(out, update(agentTurn, t.round))
		}
	}
	if s.call == nil || s.call.Internal {
		return out
	}
	if i := slices.IndexFunc(t.wanted, func(c rein.ToolCall) bool { return c.ID == s.call.ID }); i >= 0 {
		t.wanted = slices.Delete(t.wanted, i, i+1)
	}
	args := s.call.Args
	if start.Args != nil {
		args = start.Args
	}
	return append(out, t.ofCall(typeStart, *s.call, s.server, args))
}

// waiting tells why nothing happens.
func waiting(w rein.Waiting) []Message {
	m := warning("waiting: " + w.Why)
	if !w.Until.IsZero() {
		m.Until = w.Until.UTC().Format("2006-01-02T15:04:05Z07:00")
	}
	return []Message{m}
}

func (t *Translator) done(key rein.StepKey, end rein.StepEnd) (out []Message) {
	for _, item := range end.Items {
		t.unread = slices.DeleteFunc(t.unread, func(i rein.Item) bool { return i.Command == item.Command })
	}
	s := t.steps[key]
	if delete(t.steps, key); s == nil {
		return t.refused(end)
	}
	if end.Message != nil {
		t.wanted = slices.Clone(end.Message.Calls)
	}
	switch {
	case s.shown:
		t.told = s.text(end)
		return s.rest(t.told)
	case s.call != nil && !s.call.Internal && end.Result != nil:
		return []Message{t.result(*s.call, s.server, *end.Result)}
	case end.Message != nil && !t.quiet:
		return s.thought(end.Message.Text)
	}
	return nil
}

// refused tells of a call that was over before it began: the log has its name only, so which one of
// the reply it was is found by that.
func (t *Translator) refused(end rein.StepEnd) []Message {
	if end.Result == nil || end.Verb != rein.VerbTool {
		return nil
	}
	i := slices.IndexFunc(t.wanted, func(c rein.ToolCall) bool { return c.Name == end.Tool })
	if i < 0 {
		return nil
	}
	call := t.wanted[i]
	t.wanted = slices.Delete(t.wanted, i, i+1)
	return []Message{t.ofCall(typeStart, call, end.Server, call.Args), t.result(call, end.Server, *end.Result)}
}

func (t *Translator) ofCall(kind string, call rein.ToolCall, server string, args json.RawMessage) Message {
	return Message{Type: kind, CallID: call.ID, Tool: call.Name, Server: cmp.Or(server, ownServer), Arguments: showArguments(args), Step: t.now()}
}

// ownServer is whose tools those are that belong to no MCP server.
const ownServer = "rein"

func (t *Translator) result(call rein.ToolCall, server string, result rein.ToolResult) Message {
	success := result.Status == rein.ToolOK
	m := Message{Type: typeComplete, CallID: call.ID, Tool: call.Name, Server: cmp.Or(server, ownServer), Success: &success, Step: t.now()}
	for _, f := range result.Files {
		m.Files = append(m.Files, File{Name: shelf.BaseName(f.Name), Type: f.Type, Size: f.Size})
	}
	for _, i := range result.Images {
		m.Images = append(m.Images, Image{Name: i.Name, Type: i.Type, Size: i.Size, Width: i.Width, Height: i.Height, SHA256: i.SHA256.String()})
	}
	if text := showResult(result.Text); success {
		m.Result = &text
	} else {
		m.Type, m.Error = typeError, fmt.Sprintf("%s: %s", result.Status, text)
	}
	return m
}

// now is the number of the present step, for those who are shown steps.
func (t *Translator) now() int {
	if t.quiet {
		return 0
	}
	return t.round
}

// unheard tells of what people said too late for a run that did not come to its end.
func (t *Translator) unheard(what string) (out []Message) {
	for _, item := range t.unread {
		out = append(out, warning(fmt.Sprintf("%s before it read your message %q: send it again", what, rein.Clip(item.Text, 80))))
	}
	return out
}

func failure(end rein.RunEnd) Message {
	if end.Failure == nil {
		end.Failure = &rein.Failure{Code: rein.CodeInternal, Msg: "the run failed"}
	}
	return failed(end.Failure)
}

// completed tells the answer, unless it was shown while it was written, and that all is done.
func (t *Translator) completed(end rein.RunEnd) (out []Message) {
	if answer := strings.TrimSpace(end.Text); answer != "" && answer != strings.TrimSpace(t.told) {
		out = append(out, response(end.Text))
	}
	if !t.quiet {
		m, steps := update(agentCompletion, 0), t.round
		var data struct {
			Steps *int `json:"steps"`
		}
		if json.Unmarshal(end.Data, &data) == nil && data.Steps != nil {
			steps = *data.Steps
		}
		m.Steps = &steps
		out = append(out, m)
	}
	return append(out, Message{Type: typeDone})
}
