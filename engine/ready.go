package engine

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/guard"
	"rein/work/args"
)

// repairTimeout is how long the one attempt at mending a call's arguments may take.
const repairTimeout = 30 * time.Second

// makeReady brings the arguments into the shape that the tool's schema wants: as they are, mended by
// rule or, once, by the model. What cannot be mended is told to the model as the call's result.
func (s *step) makeReady(o *order) (*rein.ToolResult, error) {
	ready, problem := args.Prepare(o.tool, o.call.Args, s.task)
	if problem != nil {
		s.beginTool(o)
		mended, err := s.repair(o, problem)
		if interrupts(err) {
			return over(s.cutTool(err, rein.Amount{}))
		}
		if err != nil {
			return over(s.finishTool(rein.ToolRefused, problem.Error()))
		}
		ready = mended
	}
	o.take(ready)
	return nil, nil
}

// take adopts arguments that fit.
func (o *order) take(ready args.Ready) {
	o.plain, o.args = ready.Plain, ready.Args
	if ready.How != "" {
		o.mended = strings.TrimPrefix(o.mended+", "+string(ready.How), ", ")
	}
}

// repair asks the model once, in a small prompt of its own.
func (s *step) repair(o *order, problem error) (args.Ready, error) {
	messages := args.RepairPrompt(o.tool, o.call.Args, problem)
	if messages == nil {
		return args.Ready{}, problem // nothing that a model could mend
	}
	reply, err := s.consult(consult{
		name: "repair", limit: repairTimeout,
		prompt: rein.Prompt{
			About:    rein.About{Phase: "repair", Round: o.call.Round, Human: "Mending the arguments of " + o.tool.Name},
			Model:    s.task.Model,
			Messages: messages,
		},
		read: func(m rein.Message) (rein.Message, error) {
			_, err := args.ReadRepair(o.tool, m.Text, s.task)
			return m, err
		},
	})
	if err != nil {
		return args.Ready{}, err
	}
	return args.ReadRepair(o.tool, reply.Text, s.task)
}

// errStuck ends the work of a run whose model does not listen: it may only close.
var errStuck = &rein.Error{
	Code: rein.CodeBudget, Dim: rein.DimRepeats,
	Msg: "the model made the same call again after it was refused as a repetition: the run can only close",
}

// isProgress refuses a call that has been made twice with the same result. If the model then makes it
// once more, that is the end of its calls.
func (s *step) isProgress(o *order) (*rein.ToolResult, error) {
	if o.tool.Polling || o.tool.Internal || s.attempts > 0 || len(s.asks) > 0 {
		return nil, nil
	}
	seen, refused := s.seenCalls()
	call := callDigest(o.tool.Name, o.args)
	if !guard.Repeats(seen, call) {
		return nil, nil
	}
	s.beginTool(o) // later calls are compared with it
	if slices.Contains(refused, call) {
		return over(s.finishToolAt(rein.ToolRefused, guard.Stuck, errStuck, rein.Amount{}, 0))
	}
	return over(s.finishTool(rein.ToolRefused, guard.Repeated))
}

// maxPast is how many of a run's calls the loop guard looks back at.
const maxPast = 256

// A pastCall is a call that was run, or refused as a repetition, and where.
type pastCall struct {
	guard.Past
	refused bool
	step    rein.StepKey
}

// seenCalls are the calls whose results whoever makes this step can know of: those that were run, and
// those that were refused as repetitions.
func (s *step) seenCalls() (run []guard.Past, refused []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.past {
		switch {
		case sideBySide(p.step, s.key):
		case p.refused:
			refused = append(refused, p.Call)
		default:
			run = append(run, p.Past)
		}
	}
	return run, refused
}

// wasRun reports whether a call was run to its end.
func wasRun(r *record) bool {
	switch r.done.Result.Status {
	case rein.ToolOK, rein.ToolFailed, rein.ToolTimeout:
		return r.attempts > 0
	}
	return false
}

// learnResult remembers what a call gave, or that it was refused as a repetition. It is called with mu held.
func (d *drive) learnResult(key rein.StepKey, r *record) {
	refused := r.done.Result.Status == rein.ToolRefused && r.done.Result.Text == guard.Repeated
	if !refused && !wasRun(r) {
		return
	}
	// What was clipped names its own step, so the whole is compared.
	result := digest(string(r.done.Result.Status), cmp.Or(r.done.Whole, r.done.Result.Text))
	if len(d.past) == maxPast {
		d.past = append(d.past[:0], d.past[1:]...)
	}
	name := r.toolName()
	// The guard looks before a call is pinned.
	past := guard.Past{Call: callDigest(name, args.Unpinned(d.Worker.Tools[name], r.sentArgs())), Result: result}
	d.past = append(d.past, pastCall{past, refused, key})
}
