package engine

import (
	"rein"
	"rein/engine/guard"
	"rein/engine/work/render"
)

// A conversation is what is known of the messages that a branch sends, so that a step reads what it adds to them and
// not the whole again. All of it follows from the messages; it is forgotten when they are others, and with the drive.
type conversation struct {
	sequence
	read   int   // what follows is of so many messages
	bound  int64 // guard.InputBound
	length guard.Lengths
	turns  int // of the model
	asked  int // so many messages end with the newest of a user in this run

	pins pins
	fold foldOf

	view  render.Transcript
	talk  *rein.Talk // of what the view has
	shown int        // sent is of so many messages of the view
	sent  int64      // guard.InputBound
	// What the view weighs in tokens: as it is sent, and without what only the provider can weigh.
	weight, plain weight
}

// take makes the conversation the one of these messages.
func (c *conversation) take(messages []rein.Message) {
	if c.shared(messages) < c.read {
		*c = conversation{}
	}
	more := messages[c.read:]
	c.bound += guard.InputBound(more, nil, nil)
	c.length.Add(more)
	for i := range more {
		switch {
		case more[i].Role == rein.Assistant:
			c.turns++
		case more[i].Role == rein.User && more[i].Past == nil:
			c.asked = c.read + i + 1
		}
	}
	c.set(messages)
	c.read = len(messages)
}

// write renders the conversation for a model. The bound is guard.InputBound of the messages that are sent.
func (c *conversation) write(p rein.Prompt, info rein.ModelInfo, tools []rein.Tool) (out []rein.Message, native []rein.Tool, bound int64) {
	out, native, same := c.view.For(p.Rendering, info, c.messages, tools)
	if !same || c.talk == nil {
		c.talk, c.shown, c.sent, c.weight, c.plain = &rein.Talk{}, 0, 0, weight{}, weight{}
	}
	c.sent += guard.InputBound(out[c.shown:], nil, nil)
	c.shown = len(out)
	return out, native, c.sent
}

// A weight is what messages weigh in tokens, as far as they have been weighed.
type weight struct {
	model  string
	read   int
	tokens int64
}

// of weighs what is new. one weighs messages.
func (w *weight) of(model string, messages []rein.Message, one func([]rein.Message) int64) int64 {
	if w.model != model || w.read > len(messages) {
		*w = weight{model: model}
	}
	if w.read < len(messages) {
		w.tokens += one(messages[w.read:])
		w.read = len(messages)
	}
	return w.tokens
}

// tokens is how many tokens a call will take, about.
func (s *modelStep) tokens(r *sending, model string) int64 {
	worker := s.run.opts.Worker
	if r.talk == nil {
		return worker.Tokens(model, r.ModelRequest)
	}
	rest := r.ModelRequest
	rest.Messages = nil
	return worker.Tokens(model, rest) + r.talk.weight.of(model, r.Messages, func(more []rein.Message) int64 {
		return worker.TokensOf(model, more)
	})
}

// plainTokens is how many tokens a call with a short reply will take at least, about: without what only the provider
// can weigh.
func (s *modelStep) plainTokens(r *sending, model string) int64 {
	worker := s.run.opts.Worker
	weigh := func(more []rein.Message) int64 { return worker.TokensOf(model, guard.Plainly(more)) }
	rest := r.ModelRequest
	rest.Messages, rest.MaxTokens = nil, 1
	if r.talk == nil {
		return worker.Tokens(model, rest) + weigh(r.Messages)
	}
	return worker.Tokens(model, rest) + r.talk.plain.of(model, r.Messages, weigh)
}

// A sequence is messages as a flow sent them. They are not copied, because that would take as long as reading them. A
// flow does not change what it has sent; the first and the last messages are kept to notice one that does.
type sequence struct {
	messages    []rein.Message
	first, last [watched]rein.Message
}

// watched is how many messages are kept at each end. A flow that goes back in its transcript and writes on from there
// has other messages at its end.
const watched = 3

// set makes the sequence these messages. It is changed in place: it is large, and a copy of it would be on the stack of
// every call.
func (s *sequence) set(messages []rein.Message) {
	s.messages = messages
	clear(s.first[copy(s.first[:], messages):])
	clear(s.last[copy(s.last[:], messages[max(0, len(messages)-watched):]):])
}

// shared counts the messages that both begin with. A flow adds to the messages that it sent before, mostly: then they
// are the same because they are in the same place.
func (s *sequence) shared(messages []rein.Message) int {
	n := min(len(s.messages), len(messages))
	if n == 0 {
		return 0
	}
	if &s.messages[0] == &messages[0] {
		if s.isOverwritten(messages[:n]) {
			return 0 // what they were nobody knows
		}
		return n
	}
	for i := range n {
		if !same(&s.messages[i], &messages[i]) {
			return i
		}
	}
	return n
}

// isOverwritten reports whether other messages are now where the sequence was.
func (s *sequence) isOverwritten(messages []rein.Message) bool {
	from := max(0, len(s.messages)-watched)
	for i := range min(watched, len(messages)) {
		if !same(&s.first[i], &messages[i]) {
			return true
		}
	}
	for i := from; i < len(messages); i++ {
		if !same(&s.last[i-from], &messages[i]) {
			return true
		}
	}
	return false
}
