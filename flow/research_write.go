package flow

import (
	"errors"
	"strings"

	"rein"
	"rein/internal/quote"
)

// write has the model answer from what was found, in the voice of the assistant. Where nothing was
// done it is told so, and may not claim otherwise. With a spent budget, which the error tells, it is
// the closing call: then the answer is limited.
func (t *turn) write(stream bool, spent error) (answer string, limited bool, err error) {
	system := text(t.task, "research_write", nil)
	view := func() []rein.Message { return append(t.spoken(), t.factsMessage()) }
	var reply rein.Message
	if err = spent; err == nil {
		reply, err = t.consult(rein.Prompt{About: t.about("write", 1, "answering"), Stream: stream}, system, view)
	}
	if errors.Is(err, rein.ErrBudget) {
		messages := append([]rein.Message{{Role: rein.System, Text: persona(t.task, system)}}, view()...)
		out, err := closing(t.run, t.task, rein.Prompt{Model: t.task.Model, Messages: messages, Stream: stream}, err, t.trace.findings()...)
		return out.Text, true, err
	}
	if err == nil && strings.TrimSpace(reply.Text) == "" {
		err = errEmptyReply
	}
	return finalReply(reply.Text), false, err
}

func (t *turn) factsMessage() rein.Message {
	name := "research_facts"
	if !t.trace.happened() {
		name = "research_nothing"
	}
	outline := ""
	if t.outline != "" {
		outline = "You meant to answer along these lines:\n" + quote.Untrusted("outline", clip(t.outline, 4000))
	}
	return rein.Message{Role: rein.Developer, Text: text(t.task, name, map[string]string{"facts": t.trace.facts(), "outline": outline})}
}
