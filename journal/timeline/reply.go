package timeline

import (
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/internal/lenient"
	"rein/internal/prose"
	"rein/journal"
)

// replied completes what a model said.
func (t *Timeline) replied(e rein.Event, step *journal.Step, o *open) {
	end := step.End
	failure := end.Failure
	if failure != nil && failure.Code.Interrupts() {
		failure = nil
	}
	switch item := o.item.(type) {
	case *Phase:
		item.Live, item.Failure = false, failure
		if end.Message != nil {
			item.Text = thought(end.Message.Text)
		}
		item.changed()
	case *Model:
		item.Live, item.Failure, item.Text = false, failure, t.shown(step)
		if strings.TrimSpace(item.Text) == "" && failure == nil {
			t.drop(item)
			return
		}
		item.Final = end.Message != nil && len(end.Message.Calls) == 0
		switch {
		case end.Message != nil && end.Message.Stop != "":
			item.Stopped = string(end.Message.Stop)
		case failure == nil && end.Failure != nil:
			item.Stopped = string(end.Failure.Code)
		}
		item.changed()
	default:
		if failure != nil {
			t.remark(e, 0, RemarkNotice, "the model failed", failureWords(failure))
		}
	}
}

func failureWords(f *rein.Failure) string { return fmt.Sprintf("%s (%s)", f.Msg, f.Code) }

// checksDrafts reports whether the text of the run's answers is checked before it counts, and may end with an object.
func (t *Timeline) checksDrafts() bool { return t.Flow == "answer" }

// shown is what people see of a whole reply, or of one that was cut off.
func (t *Timeline) shown(step *journal.Step) string {
	text := step.End.Partial
	if m := step.End.Message; m != nil {
		if p := step.Start.Prompt; p.Prose && !p.Stream {
			text, _ = journal.Prose(*m)
			return text
		}
		text = m.Text
	}
	if t.checksDrafts() {
		return prose.WithoutTail(text)
	}
	return text
}

// thought is what a model said to itself: the prose or, if there is none, what the block for the flow says.
func thought(text string) string {
	block, err := lenient.Last(text)
	if err != nil {
		return strings.TrimSpace(text)
	}
	if strings.TrimSpace(text[block.End:]) != "" {
		return strings.TrimSpace(text)
	}
	if said := strings.TrimSpace(text[:block.Start]); said != "" {
		return said
	}
	var told struct{ Plan, Observation, Thought, Reason any }
	if json.Unmarshal(block.JSON, &told) != nil {
		return ""
	}
	for _, field := range []any{told.Plan, told.Observation, told.Thought, told.Reason} {
		if said, ok := field.(string); ok && said != "" {
			return said
		}
	}
	return ""
}
