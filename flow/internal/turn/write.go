package turn

import (
	"errors"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/quote"
)

// Correction shows the model a reply of its own that cannot be used, and says why.
func (t *Turn) Correction(from kit.Prompts, prompt, reply string, wrong error) rein.Message {
	return rein.Message{Role: rein.Developer, Text: from.Text(t.Task, prompt, map[string]string{
		"reply": quote.Untrusted("your reply", kit.Clip(reply, 4000)), "problem": wrong.Error(),
	})}
}

// Write has the model answer from what was found, in the voice of the assistant. Where nothing was
// done it is told so, and may not claim otherwise. With a spent budget, which the error tells, it is
// the closing call: then the answer is limited.
func (t *Turn) Write(stream bool, spent error) (answer string, limited bool, err error) {
	system := text(t.Task, "research_write", nil)
	view := func() []rein.Message { return append(t.spoken(), t.factsMessage()) }
	var reply rein.Message
	if err = spent; err == nil {
		reply, err = t.Consult(rein.Prompt{About: t.About("write", 1, say(t.Task, "answering")), Stream: stream}, system, view)
	}
	if errors.Is(err, rein.ErrBudget) {
		messages := append([]rein.Message{{Role: rein.System, Text: kit.Persona(t.Task, system)}}, view()...)
		out, err := kit.Close(t.Run, t.Task, rein.Prompt{Model: t.Task.Model, Messages: messages, Stream: stream}, err, t.Trace.findings()...)
		return out.Text, true, err
	}
	if err == nil && strings.TrimSpace(reply.Text) == "" {
		err = kit.ErrEmpty
	}
	return FinalReply(reply.Text), false, err
}

func (t *Turn) factsMessage() rein.Message {
	name := "research_facts"
	if !t.Trace.Happened() {
		name = "research_nothing"
	}
	outline := ""
	if t.Outline != "" {
		outline = "You meant to answer along these lines:\n" + quote.Untrusted("outline", kit.Clip(t.Outline, 4000))
	}
	return rein.Message{Role: rein.Developer, Text: text(t.Task, name, map[string]string{"facts": t.Trace.facts(), "outline": outline})}
}
