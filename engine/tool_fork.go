package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/internal/digest"
)

// fork starts a run for a tool. Its ID comes from the key of the call, and its start is written in the transaction
// that records the call: so a tool that runs again can neither lose it nor start a second one.
func (t *callBack) fork(prompt string) (rein.Forked, error) {
	sig := join("fork", digest.Joined(8, prompt))
	prompt = t.step.redacted(strings.ToValidUTF8(prompt, "\uFFFD"))
	c, err := t.next(rein.VerbSpawn, "fork", sig, rein.TreeCall{Prompt: prompt})
	if err != nil {
		return rein.Forked{}, err
	}
	if c.done != nil {
		return t.forked(c.done.Child), c.done.Failure.Err()
	}
	if err := t.mayGoOn(); err != nil {
		return rein.Forked{}, t.fail(c, err)
	}
	s := t.step.step
	child := s.run.id.Child(c.key)
	task := s.inherit(s.forkTask(prompt))
	if err := cmp.Or(s.run.engine.checkTask(task), child.Check()); err != nil {
		return rein.Forked{}, t.fail(c, err)
	}
	start, err := s.startOf(child, task)
	if err == nil {
		err = s.startChild(start, c.end(rein.StepEnd{Child: child})...)
	}
	switch {
	case err == nil:
	case interrupts(err):
		t.cut = err
		return rein.Forked{}, t.fail(c, err)
	default:
		refused, ending := s.refusedChild(err)
		if ending != nil {
			t.cut = ending
			return rein.Forked{}, t.fail(c, ending)
		}
		return rein.Forked{}, t.fail(c, refused.Err())
	}
	s.run.engine.driveStarted(start)
	return t.forked(child), nil
}

func (t *callBack) forked(child rein.RunID) rein.Forked {
	return rein.Forked{Handle: t.step.run.mail.handleOf(child), Run: child}
}

// forkTask is the task of a fork: what was said so far, and then the prompt. It has all that its parent has, and
// inherit sees to it that it has no more.
func (s *step) forkTask(prompt string) rein.Task {
	parent := s.run.task
	return rein.Task{
		Flow: cmp.Or(s.run.opts.ForkFlow, "operate"), Model: parent.Model, Tools: parent.Tools, Texts: parent.Texts,
		Messages: append(s.saidSoFar(), rein.Message{Role: rein.User, Text: prompt}),
	}
}

// maxInherited is how many bytes of what was said a fork begins with, the newest.
const maxInherited = 64 << 10

// saidSoFar is what people and the model said in the conversation of the step's branch, without calls and what came
// of them.
func (s *step) saidSoFar() []rein.Message {
	talk := s.branch.last.messages
	if len(talk) == 0 {
		talk = s.run.task.Messages
	}
	var said []rein.Message
	left := maxInherited
	for _, m := range slices.Backward(talk) {
		if m.Role != rein.User && m.Role != rein.Assistant || strings.TrimSpace(m.Text) == "" {
			continue
		}
		said = append(said, rein.Message{Role: m.Role, Text: rein.Clip(m.Text, left)})
		if left -= len(m.Text); left <= 0 {
			break
		}
	}
	slices.Reverse(said)
	return said
}

// send sends a message to another run for a tool. It is in the log before it is sent, and its key comes from the key
// of the call: a tool that runs again sends nothing twice.
func (t *callBack) send(to rein.RunID, text string) (rein.Receipt, error) {
	sig := join("send", string(to), digest.Joined(8, text))
	text = t.step.redacted(strings.ToValidUTF8(text, "\uFFFD"))
	c, err := t.next(rein.VerbSend, "send", sig, rein.TreeCall{Run: to, Text: text})
	if err != nil {
		return rein.Receipt{}, err
	}
	if c.done != nil {
		return receiptOf(c.done), c.done.Failure.Err()
	}
	if err := t.mayGoOn(); err != nil {
		return rein.Receipt{}, t.fail(c, err)
	}
	d := t.step.run
	if !c.begun {
		if err := d.write(c.begin()); err != nil {
			return rein.Receipt{}, t.fail(c, err)
		}
		c.begun = true
	}
	receipt, err := d.engine.command(context.Background(), rein.Command{
		Kind: rein.CommandMessage, Run: to, From: d.id, Text: text, Key: "tree-" + digest.Joined(16, string(d.id), string(c.key)),
	})
	switch rein.CodeOf(err) {
	case "":
	case rein.CodeNotFound, rein.CodeFinished, rein.CodeQuota, rein.CodeConflict, rein.CodeInvalid:
		return rein.Receipt{}, t.fail(c, err)
	default:
		d.fail(err)
	}
	receipt.Again = false // that a crash came between does not change what happened
	data, err := json.Marshal(receipt)
	if err != nil {
		return receipt, t.fail(c, err)
	}
	end := rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: "sent as " + string(receipt.Command), Data: data}}
	d.note(c.end(end)...)
	return receiptOf(&end), nil
}

// receiptOf is the receipt that the end of a call has.
func receiptOf(end *rein.StepEnd) (receipt rein.Receipt) {
	if end.Result != nil {
		_ = json.Unmarshal(end.Result.Data, &receipt) // it was written by send
	}
	return receipt
}
