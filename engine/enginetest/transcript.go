package enginetest

import (
	"fmt"

	"rein"
)

// ValidTranscripts checks every prompt of a log as a provider would: each call has exactly one
// result, in the order of the calls, right after the message that made them.
func ValidTranscripts(log []rein.Event) error {
	prompts := map[rein.StepKey][]rein.Message{}
	for _, e := range log {
		if e.Kind != rein.StepStarted {
			continue
		}
		start, err := rein.Payload[rein.StepStart](e)
		if err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if start.Prompt == nil {
			continue
		}
		base := prompts[start.Prompt.Base]
		if start.Prompt.Keep > len(base) {
			return fmt.Errorf("step %s keeps %d of %d messages", e.Step, start.Prompt.Keep, len(base))
		}
		messages := append(base[:start.Prompt.Keep:start.Prompt.Keep], start.Prompt.Add...)
		prompts[e.Step] = messages
		if err := ValidTranscript(messages); err != nil {
			return fmt.Errorf("step %s: %w", e.Step, err)
		}
	}
	return nil
}

// ValidTranscript checks one prompt.
func ValidTranscript(messages []rein.Message) error {
	var open []rein.ToolCall
	for i, m := range messages {
		if m.Role == rein.ToolRole {
			if len(open) == 0 || open[0].ID != m.CallID {
				return fmt.Errorf("message %d answers call %q, which is not the next one open", i, m.CallID)
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d comes before the result of call %q", i, open[0].ID)
		}
		open = m.Calls
	}
	if len(open) > 0 {
		return fmt.Errorf("call %q has no result", open[0].ID)
	}
	return nil
}
