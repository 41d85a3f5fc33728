package openai

import (
	"slices"

	"rein"
	"rein/model/sent"
)

// A transcript is a request as far as its messages go. It is kept in the Talk of the request, and the next one of the
// talk is written behind it: so each message is written once.
type transcript struct {
	sent.Body
	model  *Model
	names  names
	called []string // the tools that were called, each once
	head   string   // the request before its first message
	read   int      // so many messages are in it
	end    int      // where they end
}

// maxKept is the longest request that is kept. A longer one is written again.
const maxKept = 4 << 20

// transcriptOf returns what was kept of the talk of a request, or an empty one.
func (m *Model) transcriptOf(r rein.ModelRequest) *transcript {
	t, ok := r.Talk.Take().(*transcript)
	if !ok || t.model != m || t.read > len(r.Messages) {
		t = &transcript{model: m}
	}
	t.learnNames(r)
	return t
}

// learnNames finds the names that tools have in the request. If those of earlier calls have changed, the
// transcript is empty.
func (t *transcript) learnNames(r rein.ModelRequest) {
	for i := range r.Messages[t.read:] {
		for _, c := range r.Messages[t.read+i].Calls {
			if !slices.Contains(t.called, c.Name) {
				t.called = append(t.called, c.Name)
			}
		}
	}
	before := t.names
	t.names = namesOf(r.Offered, t.called)
	if slices.ContainsFunc(t.called, func(name string) bool { return before.to(name) != t.names.to(name) }) {
		t.read = 0
	}
}

// write writes the messages of a request, behind those that are there, with one. head is the request before them, and
// room is how much will come after them.
func (t *transcript) write(r rein.ModelRequest, head []byte, room int, one func(b []byte, m rein.Message, n names) []byte) {
	m, messages := t.model, r.Messages
	words := m.schemaWords(r)
	// All instructions may be one message, which the next request may have more of.
	lasts := !m.opt.Quirks.OneSystem || slices.ContainsFunc(messages, isSaid)
	if words != "" && !lasts {
		messages = append(slices.Clip(messages), rein.Message{Role: rein.Developer, Text: words})
	}
	if t.read == 0 || t.head != string(head) || !lasts {
		t.read, t.head = 0, string(head)
		t.Data = append(make([]byte, 0, len(head)+sizeOf(messages)+room), head...)
	} else {
		t.Data = append(t.Data[:t.end], ',')
	}
	t.Data = t.append(t.Data, m.suited(messages[t.read:], t.read), one)
	if lasts {
		t.read, t.end = len(messages), len(t.Data)-1 // without the last comma
		if words != "" {
			t.Data = t.append(t.Data, m.suited([]rein.Message{{Role: rein.Developer, Text: words}}, t.read+1), one)
		}
	}
	if len(t.Data) > len(head) {
		t.Data = t.Data[:len(t.Data)-1] // the last comma
	}
}

// append writes messages, each with a comma behind it.
func (t *transcript) append(b []byte, messages []rein.Message, one func(b []byte, m rein.Message, n names) []byte) []byte {
	for i := range messages {
		b = one(b, messages[i], t.names)
	}
	return b
}

// keep keeps the transcript for the next request of the talk, if nobody reads it any more.
func (t *transcript) keep(r rein.ModelRequest) {
	if t.read > 0 && len(t.Data) <= maxKept && t.IsFree() {
		r.Talk.Keep(t)
	}
}
