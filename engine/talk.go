package engine

import (
	"fmt"
	"slices"

	"rein"
)

// A talk is the prompt that a branch last sent, as the log knows it. The prompts of a conversation repeat
// each other, so each is recorded as what it adds to the one before: else a log would grow with the square
// of the conversation.
type talk struct {
	key rein.StepKey
	sequence
}

// sent says what was sent last.
func (t *talk) sent(key rein.StepKey, messages []rein.Message) {
	t.key = key
	t.set(messages)
}

// pack records a prompt as the difference from the branch's last one.
func (t *talk) pack(p rein.Prompt) *rein.PromptRecord {
	keep := t.shared(p.Messages)
	r := &rein.PromptRecord{Prompt: p, Keep: keep, Add: p.Messages[keep:]}
	r.About = rein.About{} // the step's own says it
	if keep > 0 {
		r.Base = t.key
	}
	return r
}

// unpack is the inverse of pack. find returns the messages of other steps' prompts.
func (t *talk) unpack(r *rein.PromptRecord, find func(rein.StepKey) ([]rein.Message, error)) ([]rein.Message, error) {
	base := t.messages
	if r.Keep == 0 {
		return r.Add, nil
	}
	if r.Base != t.key {
		var err error
		if base, err = find(r.Base); err != nil {
			return nil, err
		}
	}
	if r.Keep > len(base) {
		return nil, fmt.Errorf("its prompt keeps %d messages of step %s, which has %d", r.Keep, r.Base, len(base))
	}
	if r.Keep == len(base) {
		return append(base, r.Add...), nil // a branch owns its talk's spare room; see fork
	}
	return slices.Concat(base[:r.Keep], r.Add), nil
}

// forkTo makes another branch's talk this one. It must not write behind this one's messages: unpack appends
// in place, for a long conversation would be copied at each step otherwise.
func (t *talk) forkTo(other *talk) { other.sent(t.key, slices.Clip(t.messages)) }

// same reports whether two messages are recorded alike. It compares what is recorded and nothing more: a
// message that differs only in what the engine adds for itself is the same.
func same(a, b *rein.Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && a.Status == b.Status && a.FromPerson == b.FromPerson && a.Note == b.Note && a.Stop == b.Stop && samePast(a.Past, b.Past) && sameRaw(a.Raw, b.Raw) && slices.EqualFunc(a.Images, b.Images, sameImage) &&
		slices.EqualFunc(a.Calls, b.Calls, func(a, b rein.ToolCall) bool {
			return a.ID == b.ID && a.Name == b.Name && a.About == b.About && a.Internal == b.Internal && a.Why == b.Why && string(a.Args) == string(b.Args)
		})
}

func samePast(a, b *rein.Past) bool { return a == b || a != nil && b != nil && *a == *b }

func sameRaw(a, b *rein.Raw) bool {
	return a == b || a != nil && b != nil && a.API == b.API && string(a.Data) == string(b.Data)
}

func sameImage(a, b rein.Image) bool {
	return a.Type == b.Type && a.Name == b.Name && a.URL == b.URL && a.SHA256 == b.SHA256 && string(a.Data) == string(b.Data)
}
