package anthropic

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"rein"
	"rein/model/sent"
)

// A transcript is what is kept of the requests of a talk. The messages before the assistant's last one are read: what
// follows them changes nothing in their turns. The turns that will not be marked again are written, too.
type transcript struct {
	sent.Transcript
	model *Model
	talk  talk // of the messages that are read, without the turns that are written
}

// transcriptOf returns what was kept of the talk of a request, or an empty one.
func (m *Model) transcriptOf(r rein.ModelRequest) *transcript {
	t, ok := r.Talk.Take().(*transcript)
	if !ok || t.model != m || t.Read > len(r.Messages) {
		t = &transcript{model: m}
	}
	t.Learn(r.Messages)
	return t
}

// read reads the messages of a request, of which the conversation begins at a place, and returns it with the turns
// that are not written.
func (t *transcript) read(ctx context.Context, r rein.ModelRequest, begin int) (talk, error) {
	from := max(t.Read, begin)
	messages, err := sent.Images(ctx, r, r.Messages[from:])
	if err != nil {
		return talk{}, err
	}
	if last := lastReply(messages); last > 0 {
		if err := t.talk.read(messages[:last]); err != nil {
			return talk{}, err
		}
		t.talk.open = nil // the reply that comes next has others
		messages, t.Read = messages[last:], from+last
	}
	whole := t.talk.clone()
	if err := whole.read(messages); err != nil {
		return talk{}, err
	}
	whole.end()
	return whole, nil
}

// lastReply is where the assistant's last message is, or -1.
func lastReply(messages []rein.Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == rein.Assistant {
			return i
		}
	}
	return -1
}

// write writes a request. The turns of p are those that are not written, with their marks.
func (t *transcript) write(p messagesRequest) error {
	head := strconv.AppendInt([]byte(`{"max_tokens":`), p.MaxTokens, 10)
	t.Open(append(head, `,"messages":[`...), sizeOf(p.Messages)+1024)
	settled := t.talk.settledTurns()
	for i, one := range p.Messages {
		t.Next()
		data, err := json.Marshal(one)
		if err != nil {
			return err
		}
		t.Data = append(t.Data, data...)
		if i+1 == settled {
			t.Hold(t.Read)
		}
	}
	t.talk.turns = slices.Delete(t.talk.turns, 0, settled)
	p.MaxTokens, p.Messages = 0, nil
	rest, err := json.Marshal(p)
	if err != nil {
		return err
	}
	t.Data = append(append(t.Data, "],"...), rest[1:]...)
	return nil
}

// sizeOf estimates how many bytes turns take.
func sizeOf(turns []turn) (size int) {
	for _, one := range turns {
		for _, c := range one.Content {
			size += 64 + len(c.Text) + len(c.raw)
			for _, inner := range c.Content {
				size += 64 + len(inner.Text)
				if inner.Source != nil {
					size += 64 + len(inner.Source.Data)
				}
			}
			if c.Source != nil {
				size += 64 + len(c.Source.Data)
			}
		}
	}
	return size
}

// clone returns a conversation that can be continued and marked, and leaves this one as it is.
func (t *talk) clone() talk {
	c := *t
	c.turns = slices.Clone(t.turns)
	for i := range c.turns {
		c.turns[i].Content = slices.Clone(c.turns[i].Content)
	}
	return c
}

// settledTurns is how many turns at the beginning will not change: all before the user's last two, which are those
// that may be marked.
func (t *talk) settledTurns() int {
	users := 0
	for i, one := range slices.Backward(t.turns) {
		if one.Role == roleUser {
			users++
		}
		if users == markedTurns {
			return i
		}
	}
	return 0
}

// keep keeps the transcript for the next request of the talk.
func (t *transcript) keep(r rein.ModelRequest) {
	if t.IsKept() {
		r.Talk.Keep(t)
	}
}
