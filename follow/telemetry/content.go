package telemetry

import (
	"encoding/json"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"rein"
)

// content adds to spans what people, models and tools said. All of it goes through the redactor
// before it is clipped, so that no half of a secret is left. A nil content adds nothing.
type content struct{ redact func(string) string }

// maxContent bounds one attribute.
const maxContent = 16 << 10

func (c *content) text(key attribute.Key, s string) []attribute.KeyValue {
	if s == "" {
		return nil
	}
	return []attribute.KeyValue{key.String(rein.Clip(c.redact(s), maxContent))}
}

// json is for what is JSON: its texts are redacted as they are, without the escapes that could hide
// a secret.
func (c *content) json(key attribute.Key, raw json.RawMessage) []attribute.KeyValue {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return c.text(key, string(raw))
	}
	data, err := json.Marshal(c.value(v))
	if err != nil {
		return nil
	}
	return c.text(key, string(data))
}

func (c *content) value(v any) any {
	switch v := v.(type) {
	case string:
		return c.redact(v)
	case []any:
		for i := range v {
			v[i] = c.value(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = c.value(v[key])
		}
	}
	return v
}

func (c *content) failure(f *rein.Failure) []attribute.KeyValue {
	if f == nil {
		return nil
	}
	return c.text("rein.error.message", f.Msg)
}

func (c *content) ofRun(s span, h *history, end rein.RunEnd) span {
	if c != nil {
		s.about = append(s.about, c.json(semconv.GenAIInputMessagesKey, h.task)...)
		s.about = append(s.about, c.text(semconv.GenAIOutputMessagesKey, end.Text)...)
		s.about = append(s.about, c.failure(end.Failure)...)
	}
	return s
}

func (c *content) ofStep(told span, s *step) span {
	if c == nil {
		return told
	}
	if s.Start != nil && s.Start.Prompt != nil { // only what is new in the prompt; the rest is that of the step before
		told.about = append(told.about, c.json(semconv.GenAIInputMessagesKey, s.asked)...)
	}
	if m := s.over().Message; m != nil {
		told.about = append(told.about, c.text(semconv.GenAIOutputMessagesKey, m.Text)...)
	}
	if s.Verb == rein.VerbTool {
		told.about = append(told.about, c.json(semconv.GenAIToolCallArgumentsKey, s.Args())...)
	}
	if r := s.over().Result; r != nil {
		told.about = append(told.about, c.text(semconv.GenAIToolCallResultKey, r.Text)...)
	}
	told.about = append(told.about, c.failure(s.over().Failure)...)
	return told
}

func (c *content) ofAsk(s span, a rein.Ask) span {
	if c != nil {
		s.about = append(s.about, c.text("rein.ask.text", a.Text)...)
		s.about = append(s.about, c.text("rein.ask.answer", a.Answer.Text)...)
	}
	return s
}
