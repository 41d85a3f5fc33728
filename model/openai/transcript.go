package openai

import (
	"context"
	"slices"

	"rein"
	"rein/model/sent"
)

// A transcript is what is kept of the requests of a talk.
type transcript struct {
	sent.Transcript
	model *Model
	names names
}

// transcriptOf returns what was kept of the talk of a request, or an empty one.
func (m *Model) transcriptOf(r rein.ModelRequest) *transcript {
	t, ok := r.Talk.Take().(*transcript)
	if !ok || t.model != m || t.Read > len(r.Messages) {
		t = &transcript{model: m}
	}
	t.learnNames(r)
	return t
}

// learnNames finds the names that tools have in the request. If those of earlier calls have changed, the
// transcript is empty.
func (t *transcript) learnNames(r rein.ModelRequest) {
	t.Learn(r.Messages)
	before := t.names
	t.names = namesOf(r.Offered, t.Called)
	if slices.ContainsFunc(t.Called, func(name string) bool { return before.to(name) != t.names.to(name) }) {
		t.Forget()
	}
}

// write writes the messages of a request, behind those that are there, with one. head is the request before them, and
// room is how much will come after them.
func (t *transcript) write(ctx context.Context, r rein.ModelRequest, head []byte, room int, one func(b []byte, m rein.Message, n names) []byte) error {
	m := t.model
	messages, words := r.Messages, m.schemaWords(r)
	// All instructions may be one message, which the next request may have more of.
	lasts := !m.opt.Quirks.OneSystem || slices.ContainsFunc(messages, isSaid)
	if words != "" && !lasts {
		messages = append(slices.Clip(messages), rein.Message{Role: rein.Developer, Text: words})
	}
	if !lasts {
		t.Forget()
	}
	more, err := sent.Images(ctx, r, messages[t.Read:])
	if err != nil {
		return err
	}
	t.Open(head, sizeOf(more)+room)
	held := m.settled(more)
	t.append(m.spread(m.suited(more[:held], t.Read)), one)
	if lasts {
		t.Hold(t.Read + held)
	}
	t.append(m.spread(m.suited(more[held:], t.Read+held)), one)
	if lasts {
		if words != "" {
			t.append(m.suited([]rein.Message{{Role: rein.Developer, Text: words}}, t.Read+1), one)
		}
	}
	return nil
}

// append writes messages behind what is there.
func (t *transcript) append(messages []rein.Message, one func(b []byte, m rein.Message, n names) []byte) {
	if len(messages) == 0 {
		return
	}
	before := len(t.Data)
	t.Next()
	begun := len(t.Data)
	for i := range messages {
		t.Data = one(t.Data, messages[i], t.names)
	}
	if len(t.Data) == begun {
		t.Data = t.Data[:before] // none of them has anything to say
	} else {
		t.Data = t.Data[:len(t.Data)-1] // the last comma
	}
}

// keep keeps the transcript for the next request of the talk.
func (t *transcript) keep(r rein.ModelRequest) {
	if t.IsKept() {
		r.Talk.Keep(t)
	}
}
