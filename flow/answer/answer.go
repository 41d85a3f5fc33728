package answer

import (
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/prose"
)

// Do is for someone who asks questions of a folder of notes. The model decides on one tool call
// at a time, unseen; the call is made and its result goes back; and when it has enough, gets no
// further or has used up its calls, one last call writes the answer, which is shown while it is
// written. Every citation in it is checked against what the tools returned in this run. A message that needs
// no source is answered by the first decision itself.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, notices, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	q := &inquiry{task: task, set: set, notices: slices.Concat(task.Notices, notices), control: readControl("")}
	if err := q.open(run); err != nil {
		return rein.Outcome{}, err
	}
	for {
		for q.why == "" {
			if err := q.round(run); err != nil {
				return q.broken(err)
			}
		}
		reply, err := q.conclude(run)
		if !errors.Is(err, rein.ErrInterrupted) {
			return q.outcome(reply, err)
		}
		q.reopen()
	}
}

const (
	// freeRefusals is the revision since which a refused call takes none of the calls.
	freeRefusals = 1
	// answersFirst is the revision since which a first decision that is prose is the answer.
	answersFirst = 3
)

// An inquiry is what is known while one question is looked into.
type inquiry struct {
	task rein.Task
	set  Settings
	talk []rein.Message
	// start is where the question stands in the conversation: before it is the past.
	start int

	found   evidence
	control control       // of the newest decision
	rounds  int           // decisions
	calls   int           // of tools
	free    int           // calls that were refused, and take none of those that there are
	changes int           // calls that were about changing notes
	idle    int           // rounds in a row without progress
	why     stop          // no more is looked up; empty: go on
	status  string        // what people are told next, in place of the usual
	spoken  *rein.Message // the answer, if the first decision was it
	notices []string
}

// stop says why no more is looked up.
type stop string

const (
	stopEnough     stop = "enough"      // the model wants to answer
	stopNoProgress stop = "no_progress" // nothing new came, and what there is is poor
	stopCalls      stop = "tool_calls"  // they are used up
	stopBudget     stop = "budget"
	stopModel      stop = "model_error" // it cannot decide, but something was found before
)

// isLimit reports whether more would have been looked up but for a limit.
func (s stop) isLimit() bool { return s == stopCalls || s == stopBudget }

// open begins the conversation.
func (q *inquiry) open(run rein.Run) error {
	var talk, said []rein.Message
	err := error(rein.ErrInterrupted)
	for errors.Is(err, rein.ErrInterrupted) {
		if talk, err = kit.Opening(run, &q.task, text(q.task, "answer_system", nil)); errors.Is(err, rein.ErrInterrupted) {
			if said, err = kit.Hear(run, q.task, said); err == nil {
				err = rein.ErrInterrupted
			}
		}
	}
	q.start = max(len(talk), 1)
	q.talk = append(slices.Insert(talk, 1, q.set.contract(q.task)), said...)
	switch {
	case errors.Is(err, rein.ErrBudget):
		q.why = stopBudget
	case err != nil:
		return err
	case len(q.task.Tools) == 0:
		q.why = stopEnough
	}
	return nil
}

// round is one decision and what follows from it. Its error ends the run.
func (q *inquiry) round(run rein.Run) error {
	reply, err := q.decide(run)
	switch {
	case errors.Is(err, rein.ErrInterrupted):
		return nil // what to do instead is in the inbox
	case errors.Is(err, rein.ErrBudget):
		q.why = stopBudget
		return nil
	case kit.Ends(err):
		return err
	case err != nil && len(q.found.passages) == 0:
		return rein.Errorf(rein.CodeOf(err), "answer: the model failed before anything was found: %w", err)
	case err != nil:
		q.why = stopModel
		q.notices = append(q.notices, say(q.task, "undecided", err))
		return nil
	}
	first := q.isFirst()
	q.rounds++
	q.status = ""
	q.control = readControl(reply.Text)
	if len(reply.Calls) == 0 {
		q.why = stopEnough
		if _, ok := prose.Of(reply.Text); ok && first {
			q.spoken = &reply
		}
		return nil
	}
	return q.look(run, reply.Calls)
}

// isFirst reports whether the next decision may be the answer itself: nothing was looked up before it. If it is
// prose, people have seen it while it was written. The call wins in a reply that has both, as in every other
// decision; what was written before it is no part of the conversation.
func (q *inquiry) isFirst() bool { return q.task.Revision >= answersFirst && q.rounds == 0 }

// decide asks the model for one call, or for none. Nobody is shown what it says, but for an answer in the
// first decision.
func (q *inquiry) decide(run rein.Run) (reply rein.Message, err error) {
	if q.talk, err = kit.Hear(run, q.task, q.talk); err != nil {
		return reply, err
	}
	p := q.prompt("decide", say(q.task, "weigh"))
	if q.rounds == 0 {
		p.Human = say(q.task, "plan")
	}
	p.Tools, p.Prose = q.task.Tools, q.isFirst()
	return run.CallModel(p)
}

// prompt is what all calls of the model have in common. A long past is summed up; what was looked up
// in this run is not.
func (q *inquiry) prompt(phase, human string) rein.Prompt {
	if q.status != "" {
		human = q.status
	}
	return rein.Prompt{
		About: rein.About{Phase: phase, Round: q.rounds + 1, Human: human},
		Model: q.task.Model, Messages: q.talk, Compact: &rein.Compact{Messages: 60, Keep: 30},
	}
}

// look makes the first call of a reply and answers the others. What the model wrote beside it is in
// the log, and is no part of the conversation.
func (q *inquiry) look(run rein.Run, calls []rein.ToolCall) error {
	call := calls[0]
	call.About = rein.About{Phase: "tool", Round: q.rounds, Human: q.chip(call)}
	result, err := run.CallTool(call)
	q.advise(call, &result)
	q.talk = append(q.talk, rein.Message{Role: rein.Assistant, Calls: calls}, call.Answer(result))
	for _, other := range calls[1:] {
		q.talk = append(q.talk, other.Answer(rein.ToolResult{Status: rein.ToolSkipped, Text: onlyFirst}))
	}
	switch {
	case errors.Is(err, rein.ErrInterrupted):
		return nil
	case errors.Is(err, rein.ErrBudget):
		q.why = stopBudget
		return nil
	case err != nil:
		return err
	}
	if q.isChange(call) {
		q.changed()
		return nil
	}
	q.count(result)
	q.judge(q.found.observe(call, result))
	return nil
}

// count counts a call. One that was refused was not made, and takes none of the calls that there are; but
// as many of them as there are calls are enough.
func (q *inquiry) count(result rein.ToolResult) {
	q.calls++
	if q.task.Revision >= freeRefusals && result.Status == rein.ToolRefused && q.free < q.set.MaxToolCalls {
		q.free++
	}
}

// advise adds what the model can do about a result that is not what it wanted.
func (q *inquiry) advise(call rein.ToolCall, result *rein.ToolResult) {
	advice := ""
	switch {
	case result.Status == rein.ToolTimeout:
		advice = narrower
		q.status = say(q.task, "timeout", call.Name)
		q.notices = append(q.notices, q.status)
	case result.Handle != "":
		advice = otherPart
	}
	result.Note = strings.TrimSpace(result.Note + "\n" + advice)
}

const (
	onlyFirst = "not run: only the first call of a reply is made; make this one next if it is still needed"
	narrower  = "narrow the scope before you try again: one folder or tag, one section, fewer queries"
	otherPart = "this is clipped: if what you need is not in it, read one section of it, or another one"
)

// judge decides whether to go on after a call.
func (q *inquiry) judge(progress bool) {
	q.idle++
	if progress {
		q.idle = 0
	}
	poor := q.control.Confidence == "low" || q.found.scored && q.found.best < q.set.MinScore
	switch {
	case q.calls-q.free >= q.set.MaxToolCalls:
		q.why = stopCalls
	case q.idle >= 2 && poor:
		q.why = stopNoProgress
	}
}

// reopen goes on looking after people said something new, unless a limit forbids it.
func (q *inquiry) reopen() {
	if !q.why.isLimit() && len(q.task.Tools) > 0 {
		q.why, q.idle = "", 0
	}
}
