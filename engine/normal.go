package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/engine/guard"
)

// A verb returns exactly what it recorded. These functions bring what models, tools and people
// return into the form that survives being written and read again.

// normalText makes a text valid UTF-8, which JSON needs, of a length that can be recorded.
func normalText(s string) string { return guard.Clip(strings.ToValidUTF8(s, "\uFFFD"), maxText) }

// maxText is the most of one text that a log holds. It is far beyond what any model can read; it is
// there so that no result is too large to be recorded.
// A byte takes six at most when it is written as JSON, and a payload may have 16 MiB.
const maxText = 2 << 20

// normalJSON returns the JSON as an encoder writes it; what is not JSON is kept as valid text.
func normalJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	data, err := json.Marshal(raw)
	if err != nil {
		return json.RawMessage(normalText(string(raw)))
	}
	return data
}

// normalMessage is a model's reply as it is recorded. A model cannot mark its calls as internal, nor pass
// on hidden data that is not JSON.
func normalMessage(m rein.Message) rein.Message {
	m.Text = normalText(m.Text)
	m.CallID = normalText(m.CallID)
	if m.Raw != nil {
		raw := rein.Raw{API: m.Raw.API, Data: normalJSON(m.Raw.Data)}
		m.Raw = &raw
		if !json.Valid(raw.Data) || len(raw.Data) > maxText {
			m.Raw = nil // the transcript has what was said; only what is hidden in it is lost
		}
	}
	m.Calls = slices.Clone(m.Calls)
	for i, c := range m.Calls {
		c.Internal, c.Why = false, "" // those are a flow's alone
		m.Calls[i] = normalCall(c)
	}
	return m
}

// maxName is the most of a call's name and ID that is kept: they are written into many events.
const maxName = 1000

// maxWhy is the most of a call's reason that is kept.
const maxWhy = 2000

// normalCall is a call as it is recorded, whatever a model wrote.
func normalCall(c rein.ToolCall) rein.ToolCall {
	c.ID, c.Name = guard.Clip(normalText(c.ID), maxName), guard.Clip(normalText(c.Name), maxName)
	c.Args, c.Why = normalJSON(c.Args), guard.Clip(normalText(c.Why), maxWhy)
	return c
}

const tooMuchData = "the tool returned more data than can be recorded"

// normalResult is a result as it is recorded. If its data cannot be, the call has failed: half of it would
// mislead whoever reads it.
func normalResult(r rein.ToolResult) rein.ToolResult {
	r.Text = normalText(r.Text)
	valid := json.Valid(r.Data)
	data := normalJSON(r.Data)
	switch {
	case len(data) > maxText:
		r.Status, r.Data = rein.ToolFailed, nil
		r.Text = tooMuchData
	case r.Data != nil && !valid:
		r.Status, r.Data = rein.ToolFailed, nil
		r.Text = "the tool returned data that is not JSON"
	default:
		r.Data = data
	}
	return r
}

// normalOutcome is what a flow returned, as it is recorded. Data that cannot be recorded is left out; the
// text is what people read.
func normalOutcome(o rein.Outcome) rein.Outcome {
	o.Text = normalText(o.Text)
	if !json.Valid(o.Data) {
		o.Data = nil
	}
	if o.Data = normalJSON(o.Data); len(o.Data) > maxText {
		o.Data = nil
	}
	return o
}
