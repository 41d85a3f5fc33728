package engine

import (
	"strings"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/args"
)

// repairTimeout is how long the one attempt at mending a call's arguments may take.
const repairTimeout = 30 * time.Second

// makeReady brings the arguments into the shape that the tool's schema wants: as they are, mended by
// rule or, once, by the model. What cannot be mended is told to the model as the call's result.
func (s *toolStep) makeReady(o *order) (*rein.ToolResult, error) {
	ready, problem := args.Prepare(o.tool, o.call.Args, s.run.task)
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
func (s *toolStep) repair(o *order, problem error) (args.Ready, error) {
	messages := args.RepairPrompt(o.tool, o.call.Args, problem)
	if messages == nil {
		return args.Ready{}, problem // nothing that a model could mend
	}
	reply, err := s.consult(consult{
		name: "repair", limit: repairTimeout,
		prompt: rein.Prompt{
			About:    rein.About{Phase: "repair", Round: o.call.Round, Human: "Mending the arguments of " + o.tool.Name},
			Model:    s.run.task.Model,
			Messages: messages,
		},
		read: func(m rein.Message) (rein.Message, error) {
			_, err := args.ReadRepair(o.tool, m.Text, s.run.task)
			return m, err
		},
	})
	if err != nil {
		return args.Ready{}, err
	}
	return args.ReadRepair(o.tool, reply.Text, s.run.task)
}

// errStuck ends the work of a run whose model does not listen: it may only close.
var errStuck = &rein.Error{
	Code: rein.CodeBudget, Dim: rein.DimRepeats,
	Msg: "the model made the same call again after it was refused as a repetition: the run can only close",
}

// refuseRepeat refuses a call that has been made twice with the same result. If the model then makes it
// once more, that is the end of its calls: the run can only close. Tools that are meant to be asked again
// are exempt, and so is a call that a person has been asked about.
func (s *toolStep) refuseRepeat(o *order) (*rein.ToolResult, error) {
	if o.tool.Polling || o.tool.Internal || s.rec.attempts > 0 || len(s.rec.asks) > 0 {
		return nil, nil
	}
	call := callDigest(o.tool.Name, o.args)
	seen, refused := s.run.history.seenCalls(s.key, call)
	if !guard.Repeats(seen, call) {
		return nil, nil
	}
	s.beginTool(o) // later calls are compared with it
	if refused {
		return over(s.finishToolAt(rein.ToolRefused, guard.Stuck, errStuck, rein.Amount{}, 0))
	}
	return over(s.finishTool(rein.ToolRefused, guard.Repeated))
}
