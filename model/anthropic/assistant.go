package anthropic

import (
	"encoding/json"
	"strings"

	"rein"
)

// assistant returns the content of an assistant's turn and its calls, and whether it begins with
// thinking. A reply of this API goes back as it came. If the transcript has since been changed, or
// is rendered without calls, the transcript holds; only the thinking stays.
func assistant(m rein.Message) (blocks []content, open []openCall, thought bool) {
	raw := readRaw(m.Raw)
	if !says(raw, m) {
		raw = leadingThinking(raw)
		if len(raw) > 0 && isBlank(m.Text) && len(m.Calls) == 0 {
			raw = nil // thinking alone is no reply
		}
		raw = append(raw, built(m)...)
	}
	calls := 0
	for _, b := range raw {
		if b.isEmpty() {
			continue
		}
		if b.Type == kindCall {
			c := openCall{id: m.Calls[calls].ID, wire: wireID(m.Calls[calls].ID)}
			if b.ID != c.wire || !isObject(b.Input) {
				b = b.mended(c.wire)
			}
			open = append(open, c)
			calls++
		}
		blocks = append(blocks, content{raw: b.raw})
	}
	return blocks, open, len(blocks) > 0 && raw[0].isThinking()
}

// readRaw returns the blocks of a reply of this API, or none.
func readRaw(r *rein.Raw) []block {
	if r == nil || r.API != API {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(r.Data, &list) != nil {
		return nil
	}
	var blocks []block
	for _, raw := range list {
		b := wholeBlock(raw)
		if b.Type == "" {
			return nil
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// says reports whether the blocks say what the message does.
func says(blocks []block, m rein.Message) bool {
	var text strings.Builder
	calls := 0
	for _, b := range blocks {
		switch b.Type {
		case kindText:
			text.WriteString(b.Text)
		case kindCall:
			calls++
		}
	}
	return len(blocks) > 0 && text.String() == m.Text && calls == len(m.Calls)
}

func leadingThinking(blocks []block) []block {
	n := 0
	for n < len(blocks) && blocks[n].isThinking() {
		n++
	}
	return blocks[:n:n]
}

// built writes a message that has no Raw.
func built(m rein.Message) []block {
	var blocks []block
	add := func(fields map[string]any) {
		if raw, err := json.Marshal(fields); err == nil {
			blocks = append(blocks, wholeBlock(raw))
		}
	}
	if !isBlank(m.Text) {
		add(map[string]any{"type": kindText, "text": m.Text})
	}
	for _, c := range m.Calls {
		add(map[string]any{"type": kindCall, "id": wireID(c.ID), "name": wireName(c.Name), "input": object(c.Args)})
	}
	return blocks
}

// mended returns a call that the API takes, which came from a server that is not as strict: with
// arguments, and with the ID that the transcript has in place of one that is missing or doubled.
func (b block) mended(id string) block {
	var fields map[string]json.RawMessage
	if json.Unmarshal(b.raw, &fields) != nil {
		return b
	}
	fields["id"], _ = json.Marshal(id) // a string always can be
	fields["input"] = object(b.args)
	if raw, err := json.Marshal(fields); err == nil {
		b.raw, b.ID = raw, id
	}
	return b
}
