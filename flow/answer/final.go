package answer

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/quote"
)

// conclude asks for the answer itself. It returns ErrInterrupted if people said something that may
// have to be looked up first.
func (q *inquiry) conclude(run rein.Run) (rein.Message, error) {
	if q.spoken != nil {
		return *q.spoken, nil
	}
	before := len(q.talk)
	var err error
	q.talk, err = kit.Hear(run, q.task, q.talk)
	if err == nil && len(q.talk) > before && !q.why.isLimit() && len(q.task.Tools) > 0 {
		return rein.Message{}, rein.ErrInterrupted
	}
	if err == nil {
		var reply rein.Message
		if reply, err = run.CallModel(q.last()); !errors.Is(err, rein.ErrBudget) {
			return reply, err
		}
	}
	if !errors.Is(err, rein.ErrBudget) {
		return rein.Message{}, err
	}
	q.why = stopBudget
	return run.CallModel(q.closing())
}

// last is the prompt for the answer.
func (q *inquiry) last() rein.Prompt {
	p := q.prompt("final", say(q.task, "answering"))
	p.Messages = append(slices.Clone(q.talk), rein.Message{Role: rein.Developer, Text: q.instruction(q.sourceList())})
	p.Stream = true
	return p
}

// closing is the prompt for the answer when the budget is spent. What is left then has room for a few
// thousand characters: the question and the best of what was found, in place of the conversation.
func (q *inquiry) closing() rein.Prompt {
	p := q.last()
	p.Closing, p.Compact = true, nil
	p.Messages = []rein.Message{
		{Role: rein.Developer, Text: q.instruction(q.digest(1400))},
		{Role: rein.User, Text: clipRunes(q.asked(), 500)},
	}
	return p
}

// asked is what people want to know: the task's last message, and what was said since.
func (q *inquiry) asked() string {
	var said []string
	for _, m := range q.talk[min(q.start, len(q.talk)):] {
		if m.Role == rein.User {
			said = append(said, m.Text)
		}
	}
	return strings.Join(said, "\n\n")
}

// digest is the beginning of each passage with its source, the newest first, in so many bytes.
func (q *inquiry) digest(most int) string {
	var lines []string
	for _, p := range slices.Backward(q.found.passages) {
		line := clipLine(p.text, 300)
		if p.Path != "" {
			line = "[" + p.String() + "] " + line
		}
		if most -= len(line) + 1; most < 0 && len(lines) > 0 {
			break
		}
		lines = append(lines, line)
	}
	return quote.Untrusted("sources", strings.Join(lines, "\n"))
}

// instruction tells the model what the answer must be made of.
func (q *inquiry) instruction(sources string) string {
	parts := []string{""}
	switch {
	case len(q.found.passages) > 0:
		parts[0] = text(q.task, "answer_final", map[string]string{"sources": sources})
	case q.calls == 0 && q.changes > 0:
		parts[0] = text(q.task, "answer_changed", nil)
	case q.calls > 0:
		parts[0] = text(q.task, "answer_nothing", nil)
	default:
		parts[0] = text(q.task, "answer_unasked", nil)
	}
	if q.changes > 0 && (q.calls > 0 || len(q.found.passages) > 0) {
		parts = append(parts, text(q.task, "answer_changed", nil))
	}
	switch {
	case q.why.isLimit():
		parts = append(parts, text(q.task, "answer_limit", nil))
	case len(q.found.passages) > 0 && (q.why != stopEnough || q.control.Confidence == "low" || !q.control.Enough):
		parts = append(parts, text(q.task, "answer_unsure", nil))
	}
	return strings.Join(parts, "\n\n")
}

// maxListed is how many sources are listed. Older ones can be cited too: they are in the results.
const maxListed = 100

// sourceList names what may be cited. The names are a tool's words, and so are quoted.
func (q *inquiry) sourceList() string {
	var lines []string
	all := q.found.sources()
	for _, s := range all[max(0, len(all)-maxListed):] {
		lines = append(lines, "["+s.String()+"]")
	}
	if len(lines) == 0 {
		return "(There is nothing to cite: cite nothing.)"
	}
	return quote.Untrusted("sources", strings.Join(lines, "\n"))
}

// outcome makes the end of the run out of the last reply. Where the answer could not be written
// people are left with the places that were found, never with what tools returned.
func (q *inquiry) outcome(reply rein.Message, err error) (rein.Outcome, error) {
	if kit.Ends(err) {
		return rein.Outcome{}, err
	}
	answer := strings.TrimSpace(withoutControl(reply.Text))
	if err == nil && answer == "" {
		err = kit.ErrEmpty
	}
	out := rein.Outcome{End: rein.EndDone}
	if q.why.isLimit() {
		out.End = rein.EndLimit
	}
	var all []citation
	var doubtful []claim
	if err == nil {
		out.Text, all, doubtful = q.found.cited(q.task, answer)
	} else {
		out.Text = q.unwritten()
	}
	data, wrong := q.data(all, doubtful)
	if wrong != nil {
		return out, wrong
	}
	out.Data = data
	if err != nil && q.why != stopBudget {
		return out, rein.Errorf(rein.CodeOf(err), "answer: the model could not write the answer: %w", err)
	}
	return out, nil
}

// broken is the end of a run that comes to no answer.
func (q *inquiry) broken(err error) (rein.Outcome, error) {
	if kit.Ends(err) {
		return rein.Outcome{}, err
	}
	return rein.Outcome{Text: q.unwritten()}, err
}

// unwritten is what people are told if there is no answer.
func (q *inquiry) unwritten() string {
	sources := q.found.sources()
	if len(sources) == 0 {
		return say(q.task, "unwritten")
	}
	lines := []string{say(q.task, "unwritten sources")}
	for _, s := range sources {
		lines = append(lines, "- ["+s.String()+"]")
	}
	return strings.Join(lines, "\n")
}

// data is what an outcome holds for machines.
type data struct {
	Citations   []citation `json:"citations"`
	Unsupported []string   `json:"unsupported"`        // citations that nothing in this run supports
	Doubtful    []claim    `json:"doubtful,omitempty"` // sentences of which their source has few of the words
	Files       []string   `json:"files"`              // that are cited, each once
	ToolCalls   int        `json:"tool_calls"`
	Confidence  string     `json:"confidence"`
	Stopped     stop       `json:"stopped"`
	Notices     []string   `json:"notices,omitempty"`
}

func (q *inquiry) data(all []citation, doubtful []claim) (json.RawMessage, error) {
	d := data{
		Citations: append([]citation{}, all...), Unsupported: []string{}, Doubtful: doubtful, Files: []string{},
		ToolCalls: q.calls + q.changes, Confidence: q.control.Confidence, Stopped: q.why, Notices: q.notices,
	}
	for _, c := range all {
		if !c.OK {
			d.Unsupported = append(d.Unsupported, c.String())
		} else if !slices.Contains(d.Files, c.Path) {
			d.Files = append(d.Files, c.Path)
		}
	}
	return json.Marshal(d)
}
