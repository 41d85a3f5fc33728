package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/engine/work"
	"rein/engine/work/args"
	"rein/internal/logtext"
)

// gotDone records a result, together with what the tool writes to our own tables. The result of a
// call that is not pure is worth waiting for: until it is durable, its outcome is unknown.
func (s *toolStep) gotDone(done rein.Done, tool rein.Tool, change rein.Amount, took time.Duration) (rein.ToolResult, error) {
	with := s.attached(done, tool)
	end := s.doneEnd(done, &with, tool, took)
	if end.Result.Status != rein.ToolOK { // what it returned cannot be recorded
		done.Commit = nil
	}
	if done.Commit != nil && !tool.Internal && s.run.mode() == rein.ModePlan {
		return s.finishToolAt(rein.ToolRefused, guard.PlanRefuses(tool), nil, change, took) // it did not say so before
	}
	err := s.writeDone(end, with, done.Commit, tool, change)
	if isCommitFailure(err) && with.commit != nil { // the call was made: what it returned counts without its files
		with = with.withoutFiles(err)
		end = s.doneEnd(done, &with, tool, took)
		err = s.writeDone(end, with, done.Commit, tool, change)
	}
	if err == nil {
		return *end.Result, nil
	}
	if !isCommitFailure(err) {
		s.run.fail(err)
	}
	status := rein.ToolFailed
	if tool.Effect != rein.Pure {
		status = rein.ToolUnknown
	}
	end = s.endOf(tool, status, err.Error(), nil)
	end.Duration = took
	return s.finishAs(end, change)
}

// doneEnd is the end of a call that returned something. What goes with it is dropped if it cannot be recorded.
func (s *toolStep) doneEnd(done rein.Done, with *attachment, tool rein.Tool, took time.Duration) rein.StepEnd {
	end := s.endOf(tool, rein.ToolOK, with.below(done.Text), done.Data)
	end.Duration, end.Result.FromPerson = took, done.FromPerson
	if !tool.Internal {
		end.Result.Evidence = evidenceOf(done)
	}
	failed := end.Result.Status != rein.ToolOK
	if failed || end.Result.Text == withheld(end.Redacted) {
		*with = attachment{}
	}
	if failed && tool.Effect != rein.Pure {
		end.Result.Status, end.Result.Text = rein.ToolUnknown, end.Result.Text+"; "+notKnown
	}
	end.Result.Images, end.Result.Files = with.images, with.files
	return end
}

// writeDone records a result. In one transaction: the rows that the tool writes, the files and images that it returned,
// and the event that says so. A crash leaves all or nothing, and nothing means that the call is made again.
func (s *toolStep) writeDone(end rein.StepEnd, with attachment, commit func(context.Context, rein.Tx) error, tool rein.Tool, change rein.Amount) error {
	draft := s.doneDraft(end, change)
	draft.Keep = with.keep
	if commit == nil && with.commit == nil && tool.Effect == rein.Pure {
		s.run.note(draft)
		return nil
	}
	all := slices.Clip(with.commit)
	if commit != nil {
		all = append(all, commit)
	}
	draft.Commit = commits(all)
	return s.run.write(draft)
}

// evidenceOf is what a result can be cited for: what its tool says, and nothing if it says nothing.
func evidenceOf(done rein.Done) rein.Evidence {
	switch done.Evidence {
	case rein.EvidenceUnsaid:
		return ""
	case "":
		return rein.EvidenceNone
	}
	return done.Evidence
}

// endOf makes the end of a call out of what the tool returned. Secrets are taken out of the whole
// text, so that none can hide in a part that is left out; then it is clipped, and the whole kept.
func (s *toolStep) endOf(tool rein.Tool, status rein.ToolStatus, text string, data json.RawMessage) rein.StepEnd {
	text = bounded(text)
	if len(data) > maxReturn {
		status, text, data = rein.ToolFailed, tooMuchData, nil
	}
	if tool.Internal {
		result := normalResult(rein.ToolResult{Status: status, Text: text, Data: data})
		return rein.StepEnd{Result: &result}
	}
	text, kinds, block := s.run.redactor().Text(text)
	if json.Valid(data) { // else it is refused below
		clean, more, blocks := s.run.redactor().JSON(data)
		data, kinds, block = clean, append(kinds, more...), block || blocks
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	if block {
		text, data = withheld(kinds), nil
	}
	result := normalResult(rein.ToolResult{Status: status, Text: text, Data: data, Mended: s.rec.mend.Mended, Note: s.argsNote()})
	end := rein.StepEnd{Result: &result, Redacted: kinds}
	handle := string(s.run.id) + ":" + string(s.key)
	hint := ""
	if slices.Contains(s.run.task.Tools, readResult) {
		hint = handle
	}
	if clipped, was := guard.ClipResult(result.Text, s.run.opts.Worker.ClipFor(s.run.task.Model), hint); was {
		end.Whole, result.Text, result.Handle = result.Text, clipped, handle
	}
	return end
}

// maxReturn is how much of what a tool returns is looked at. More than maxText cannot be recorded, but
// a secret must be seen whole before something is left out.
const maxReturn = 4 * maxText

// bounded keeps the head and the tail of what a tool returned, before anything is made of it. It cuts
// between words if it can: of a secret that is cut in two nobody would know what it is.
func bounded(text string) string {
	if len(text) <= maxReturn {
		return text
	}
	const half, near = maxReturn / 2, 1 << 10
	head, tail := text[:half], text[len(text)-half:]
	if i := strings.LastIndexAny(head, " \n"); i > half-near {
		head = head[:i]
	}
	if i := strings.IndexAny(tail, " \n"); i >= 0 && i < near {
		tail = tail[i+1:]
	}
	return head + fmt.Sprintf("\n[… %d bytes dropped …]\n", len(text)-len(head)-len(tail)) + tail
}

// redacted is what may be recorded of a tool's words that are no result.
func (s *step) redacted(text string) string {
	text, kinds, block := s.run.redactor().Text(text)
	if block {
		return withheld(kinds)
	}
	return text
}

// withheld stands for an output that may not be recorded at all.
func withheld(kinds []string) string {
	return "the output was withheld because of what it holds: " + strings.Join(kinds, ", ")
}

// argsNote tells the model what its call became.
func (s *toolStep) argsNote() string {
	if s.rec.mend.Mended == "" || s.rec.start == nil || s.rec.start.Call == nil {
		return ""
	}
	what := guard.Clip(s.rec.toolName()+" "+string(args.Plain(s.run.history.called(s.rec.toolName()), s.rec.sentArgs())), 1000)
	if s.rec.mend.Mended == byPerson {
		return "the user changed this call to " + what
	}
	return "this call was read as " + what
}

// byPerson is the Mend of arguments that a person changed.
const byPerson = "person"

// readResult is the tool that reads what was left out of a result.
const readResult = "read_result"

// gotError records a call that did not succeed. If it may have had an effect, that is what it says.
func (s *toolStep) gotError(err, cause error, tool rein.Tool, change rein.Amount, took time.Duration) (rein.ToolResult, error) {
	pure := tool.Effect == rein.Pure
	switch {
	case cause == errTimeout && pure:
		return s.finishToolAt(rein.ToolTimeout, logtext.TookTooLong, nil, change, took)
	case cause == errTimeout:
		return s.finishToolAt(rein.ToolUnknown, logtext.TookTooLong+"; "+notKnown, nil, change, took)
	case cause != nil && pure:
		return s.finishToolAt(rein.ToolSkipped, "the call was cancelled: "+reason(cause), cause, change, took)
	case cause != nil:
		text := "the call was cancelled: " + reason(cause) + "; " + notKnown
		if errors.Is(err, rein.ErrOutcomeUnknown) && !errors.Is(err, work.ErrAbandoned) && !errors.Is(err, work.ErrPanic) { // the tool says what is known
			text += "\n" + err.Error()
		}
		end := s.endOf(tool, rein.ToolUnknown, text, nil)
		end.Failure, end.Duration = rein.FailureOf(cause), took
		return s.finishAs(end, change)
	}
	status, text := rein.ToolFailed, err.Error()
	if brokeOff(err) {
		text = firstLine(text) // what follows is the program's stack
		if !pure {
			status, text = rein.ToolUnknown, text+"; "+notKnown
		}
	}
	end := s.endOf(tool, status, text, nil)
	end.Duration = took
	return s.finishAs(end, change)
}

// notKnown ends what a model reads of a call that may have happened. A model must not take it for a
// failure and simply try again.
const notKnown = logtext.NotKnown

// finishTool records a result that cost no time.
func (s *toolStep) finishTool(status rein.ToolStatus, text string) (rein.ToolResult, error) {
	return s.finishToolAt(status, text, nil, s.unused(), 0)
}

// unused is the change of the ledger for a call that was admitted and not sent.
func (s *toolStep) unused() rein.Amount { return rein.Amount{DrivenMS: -s.rec.bound.DrivenMS} }

// finishToolAt records a result that the engine writes itself, for whatever reason the tool gave none.
func (s *toolStep) finishToolAt(status rein.ToolStatus, text string, failure error, change rein.Amount, took time.Duration) (rein.ToolResult, error) {
	result := normalResult(rein.ToolResult{Status: status, Text: text, Mended: s.rec.mend.Mended, Note: s.argsNote()})
	if status == rein.ToolOK {
		result.Evidence = rein.EvidenceNone
	}
	return s.finishAs(rein.StepEnd{Result: &result, Failure: rein.FailureOf(failure), Duration: took}, change)
}

// finishAs records the end of a call. If the call had an intent, the end is worth waiting for: until it is
// durable, a crash would make a person decide what happened.
func (s *toolStep) finishAs(end rein.StepEnd, change rein.Amount) (rein.ToolResult, error) {
	draft := s.doneDraft(end, change)
	if s.rec.intent == nil {
		s.run.note(draft)
	} else if err := s.run.write(draft); err != nil {
		s.run.fail(err)
	}
	return *end.Result, end.Failure.Err()
}

// cutTool records a call that was interrupted before it was sent, or after a crash hid its outcome.
func (s *toolStep) cutTool(err error, change rein.Amount) (rein.ToolResult, error) {
	result := s.cutResult(err)
	s.end(rein.StepEnd{Result: &result, Failure: rein.FailureOf(err)}, s.unused().Plus(change))
	return result, err
}

// cutResult is the result of a call that is not carried on.
func (s *toolStep) cutResult(err error) rein.ToolResult {
	if s.rec.intent != nil {
		return rein.ToolResult{Status: rein.ToolUnknown, Text: "the call was cut off: " + reason(err) + "; " + notKnown}
	}
	return rein.ToolResult{Status: rein.ToolSkipped, Text: "the call was not run: " + reason(err)}
}

// reason is what a model is told of an interruption. The error's own words are for flows.
func reason(err error) string {
	if rein.CodeOf(err) == rein.CodeInterrupted {
		return "the user wants something else"
	}
	return err.Error()
}

// brokeOff reports whether a call ended in a way that says nothing of what it did.
func brokeOff(err error) bool {
	return errors.Is(err, work.ErrPanic) || errors.Is(err, work.ErrAbandoned) || errors.Is(err, rein.ErrOutcomeUnknown)
}
