package kit

import (
	"errors"
	"strings"

	"rein"
)

// Loop lets the model speak and call tools: the calls are made in their order, and the results go back,
// until the model has no more calls. Before each round it hears what people say; a round that they
// interrupt does not count. After the last one, or with a spent budget, the model may answer once more,
// without tools. The prompt of a round is what makes flows differ; see ActPrompt.
func Loop(run rein.Run, task rein.Task, talk []rein.Message, rounds int, prompt func(talk []rein.Message, round int) rein.Prompt) (rein.Outcome, error) {
	l := loop{run, &task, rounds, prompt}
	return l.play(talk)
}

// A loop is what does not change in Loop. Its methods are apart from play because a run spends most of its time in
// CallModel: what they need for a moment would be on its stack all the while.
type loop struct {
	run    rein.Run
	task   *rein.Task
	rounds int
	prompt func(talk []rein.Message, round int) rein.Prompt
}

func (l *loop) play(talk []rein.Message) (rein.Outcome, error) {
	var err error
	for round := 1; round <= l.rounds; round++ {
		var reply rein.Message
		if talk, err = l.hear(talk); err == nil {
			reply, err = l.run.CallModel(l.prompt(talk, round))
		}
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			round-- // what to do instead is in the inbox
			continue
		case errors.Is(err, rein.ErrBudget):
			return l.end(talk, round, err)
		case err != nil:
			return l.left(talk), err
		case IsEmpty(reply):
			return l.left(talk), ErrEmpty
		}
		talk = append(talk, reply)
		if len(reply.Calls) == 0 {
			return rein.Outcome{End: rein.EndDone, Text: reply.Text}, nil
		}
		var results []rein.Message
		results, err = CallAll(l.run, reply.Calls, round)
		talk = append(talk, results...)
		if Ends(err) {
			return l.left(talk), err
		}
		if errors.Is(err, rein.ErrInterrupted) {
			round--
		}
	}
	return l.end(talk, l.rounds, err)
}

//go:noinline
func (l *loop) hear(talk []rein.Message) ([]rein.Message, error) { return Hear(l.run, *l.task, talk) }

//go:noinline
func (l *loop) end(talk []rein.Message, round int, err error) (rein.Outcome, error) {
	return Close(l.run, *l.task, l.prompt(talk, round), err)
}

//go:noinline
func (l *loop) left(talk []rein.Message) rein.Outcome {
	return rein.Outcome{Text: LastSaid(Since(*l.task, talk))}
}

// ActPrompt is the prompt of a round in which the model may speak and use its tools. People read along,
// and a long conversation is summed up.
func ActPrompt(task rein.Task) func(talk []rein.Message, round int) rein.Prompt {
	return func(talk []rein.Message, round int) rein.Prompt {
		return rein.Prompt{
			About: rein.About{Phase: "act", Round: round, Human: Say(task, "thinking")},
			Model: task.Model, Messages: talk, Tools: task.Tools, Stream: true, Compact: Compact(),
		}
	}
}

// Compact is when the conversation of a loop is summed up: when it has more than 30 messages, all but
// the newest 5 are.
func Compact() *rein.Compact { return &rein.Compact{Messages: 30, Keep: 5} }

// ManyMessages keeps a conversation from being summed up because of its length alone: only the
// model's window counts, so that small talk is one call.
const ManyMessages = 10_000

// CallAll makes the calls of a reply in their order and returns a result for each of them, whatever
// happens on the way. The error is the first that concerns the run.
func CallAll(run rein.Run, calls []rein.ToolCall, round int) (results []rein.Message, first error) {
	for _, call := range calls {
		call.About = rein.About{Phase: "tool", Round: round, Human: call.Name}
		result, err := run.CallTool(call)
		if first == nil {
			first = err
		}
		results = append(results, call.Answer(result))
	}
	return results, first
}

var ErrEmpty = rein.Errorf(rein.CodeProvider, "the model's reply is empty: neither text nor a call")

func IsEmpty(m rein.Message) bool { return strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 }
