package anthropic

import (
	"encoding/json"
	"strings"

	"rein"
)

// received is a reply as it came.
type received struct {
	blocks []block
	stop   string
	usage  usage
}

// Reasons for which a reply may end in the middle of a block.
const (
	stopMaxTokens = "max_tokens"
	stopWindow    = "model_context_window_exceeded"
)

// stops are the reasons for which a reply is not whole. A paused turn is one too: the provider
// pauses its own tools only, of which we offer none, and whoever sends the reply back goes on
// with it, as after any other that was too long.
var stops = map[string]rein.Stop{
	stopMaxTokens: rein.StopLength,
	stopWindow:    rein.StopLength,
	"pause_turn":  rein.StopLength,
	"refusal":     rein.StopRefusal,
}

// cut reports whether the last block may be half a block.
func (r *received) cut() bool {
	return len(r.blocks) > 0 && (r.stop == stopMaxTokens || r.stop == stopWindow)
}

// reply turns it into the vocabulary. Texts are joined as they are: the API splits one text into
// blocks where citations begin and end.
func (r *received) reply(names nameTable) rein.ModelReply {
	msg := rein.Message{Role: rein.Assistant, Stop: stops[r.stop]}
	var text strings.Builder
	var raw []json.RawMessage
	for _, b := range r.blocks {
		switch b.Type {
		case kindText:
			text.WriteString(b.Text)
		case kindCall:
			msg.Calls = append(msg.Calls, rein.ToolCall{ID: b.ID, Name: names.back(b.Name), Args: b.args})
		}
		raw = append(raw, b.raw)
	}
	msg.Text = text.String()
	if data, err := json.Marshal(raw); err == nil && len(raw) > 0 {
		msg.Raw = &rein.Raw{API: API, Data: data}
	}
	return rein.ModelReply{Message: msg, Usage: r.usage.total()}
}

// usage counts as the provider does: input that was cached is not part of the input.
type usage struct {
	told                                 bool
	input, output, read, write, thinking int64
}

// update takes later numbers. They are totals; those that are missing have not changed.
func (u *usage) update(d *usageBody) {
	if d == nil {
		return
	}
	u.told = u.told || d.Input != nil || d.Output != nil
	for _, n := range []struct {
		into *int64
		said *int64
	}{{&u.input, d.Input}, {&u.output, d.Output}, {&u.read, &d.Read}, {&u.write, &d.Write}, {&u.thinking, &d.Details.Thinking}} {
		if n.said != nil {
			*n.into = max(*n.into, *n.said)
		}
	}
}

// total returns it as we count: all input, whether it was cached or not.
func (u usage) total() *rein.Usage {
	if !u.told {
		return nil
	}
	return &rein.Usage{
		Input: u.input + u.read + u.write, Output: u.output,
		Cached: u.read, CacheWrite: u.write, Reasoning: u.thinking,
	}
}
