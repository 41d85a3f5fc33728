package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"rein"
)

const (
	maxConsults    = 20              // of one call
	consultTimeout = 2 * time.Minute // for one reply: the call is held up meanwhile
	consultTokens  = 4096            // of one reply, at most
)

// A consultation is what a tool wants to have of the model.
type consultation struct {
	messages []rein.Message
	tokens   int64
	wanted   context.Context
}

// consult is rein.Invocation.Consult.
func (q *questions) consult(ctx context.Context, messages []rein.Message, maxTokens int64) (rein.Message, error) {
	if len(messages) == 0 || maxTokens < 0 {
		return rein.Message{}, rein.Errorf(rein.CodeInvalid, "the model needs something to answer, and a number of tokens that is not negative")
	}
	wanted, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-q.over:
			cancel()
		case <-wanted.Done():
		}
	}()
	c := consultation{slices.Clone(messages), maxTokens, wanted}
	var reply rein.Message
	var err error
	if over := q.hand(wanted, func() { reply, err = q.serveConsult(c) }); over != nil {
		return rein.Message{}, over
	}
	return reply, err
}

// serveConsult has the model answer, in the goroutine of the step. A paused run asks nothing: the call would wait with it.
//
// A tool that runs again after a crash may want something else than before: it is never answered from the log.
func (q *questions) serveConsult(c consultation) (rein.Message, error) {
	s := q.step
	switch q.thought++; {
	case q.thought > maxConsults:
		return rein.Message{}, rein.Errorf(rein.CodeQuota, "one call may consult the model %d times", maxConsults)
	case s.run.mail.heldNow() || s.run.isLeaving():
		return rein.Message{}, rein.Errorf(rein.CodeUnavailable, "the run does not go on now")
	}
	if err := s.run.mail.interruptedNow(); err != nil {
		return rein.Message{}, err
	}
	for i, m := range c.messages {
		c.messages[i] = rein.Message{Role: m.Role, Text: s.redacted(strings.ToValidUTF8(m.Text, "\uFFFD"))}
	}
	if c.tokens == 0 || c.tokens > consultTokens {
		c.tokens = consultTokens
	}
	return s.step.consult(consult{
		name: rein.PhaseConsult, n: s.rec.countDone(s.key, rein.PhaseConsult) + 1, limit: consultTimeout, wanted: c.wanted,
		prompt: rein.Prompt{
			About:    rein.About{Phase: rein.PhaseConsult, Round: s.rec.start.Round, Human: "Answering " + s.rec.toolName()},
			Model:    s.run.task.Model,
			Messages: c.messages, MaxTokens: c.tokens,
		},
		read: func(m rein.Message) (rein.Message, error) {
			answer := rein.Message{Role: rein.Assistant, Text: s.redacted(m.Text)}
			if strings.TrimSpace(m.Text) == "" {
				return answer, rein.Errorf(rein.CodeProvider, "the model's reply has no text")
			}
			return answer, nil
		},
	})
}

// countDone returns how many consults of a name the step's log has the end of.
func (r *record) countDone(key rein.StepKey, name string) (n int) {
	for {
		if sub := r.subs[key.Sub(name, n+1)]; sub == nil || sub.done == nil {
			return n
		}
		n++
	}
}
