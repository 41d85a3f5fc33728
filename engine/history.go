package engine

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/args"
	"rein/internal/digest"
)

// A history is what a run's earlier calls say about the next one: which tools it may name, whether it
// is a repetition, and whether an equal one may have happened. The drive's mu guards it.
type history struct {
	mu   *sync.Mutex                         // the drive's
	tool func(name string) (rein.Tool, bool) // of the run

	offers   map[string][]offer    // the tools that were offered when a call was made, by the call's ID
	past     []pastCall            // calls and what they gave
	stuck    bool                  // the model makes the same call again and again
	unknowns map[string]string     // the keys of calls whose outcome is not known, by what they asked for
	sending  map[rein.StepKey]bool // whose call, not pure, is under way in this process

	narrows func(rein.ToolCall) []string // Options.Narrows
	left    []string                     // the tools that calls left; nil: all
}

// offeredWith returns what was offered when the call with this ID was made. Models count their calls
// in their own ways, so another branch may have calls of the same names.
func (h *history) offeredWith(id string, by rein.StepKey) (tools []string, made bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range slices.Backward(h.offers[id]) {
		if !sideBySide(o.step, by) {
			return o.tools, true
		}
	}
	return nil, false
}

// An offer is the tools that a prompt offered, and the step that it was. A model may call what it was
// offered and nothing else, even if a later prompt offers more.
type offer struct {
	step  rein.StepKey
	tools []string
}

// learnCall remembers what later calls are judged by: which tools were offered with a call, and what
// calls gave. It is called with mu held.
func (h *history) learnCall(key rein.StepKey, r *record) {
	if r.start == nil || r.done == nil {
		return
	}
	if r.start.Prompt != nil && r.done.Message != nil {
		for _, c := range r.done.Message.Calls {
			h.offers[c.ID] = append(h.offers[c.ID], offer{key, r.start.Prompt.Tools})
		}
	}
	if r.start.Call != nil && r.done.Result != nil {
		h.learnResult(key, r)
		h.learnNarrowing(r)
	}
}

// learnNarrowing remembers which tools a call left to the run. It is called with mu held.
func (h *history) learnNarrowing(r *record) {
	if h.narrows == nil || r.done.Result.Status != rein.ToolOK {
		return
	}
	call := *r.start.Call
	call.Name, call.Args = r.toolName(), r.sentArgs()
	h.left = append(h.left, h.narrows(call)...)
}

// leaves reports whether the calls so far leave a tool to the run.
func (h *history) leaves(tool string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.left == nil || slices.Contains(h.left, tool)
}

// A pastCall is a call that was run, or refused as a repetition, and where.
type pastCall struct {
	guard.Past
	refused bool
	step    rein.StepKey
}

// maxPast is how many of a run's calls the loop guard looks back at.
const maxPast = 256

// seenCalls are the calls equal to this one whose results whoever makes this step can know of: those that were
// run, and whether one was refused as a repetition.
func (h *history) seenCalls(by rein.StepKey, call string) (run []guard.Past, refused bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.past {
		switch {
		case p.Call != call || sideBySide(p.step, by):
		case p.refused:
			refused = true
		default:
			run = append(run, p.Past)
		}
	}
	return run, refused
}

// learnResult remembers what a call gave, or that it was refused as a repetition. It is called with mu held.
func (h *history) learnResult(key rein.StepKey, r *record) {
	refused := r.done.Result.Status == rein.ToolRefused && r.done.Result.Text == guard.Repeated
	if !refused && !wasRun(r) {
		return
	}
	// What was clipped names its own step, so the whole is compared.
	said := []string{string(r.done.Result.Status), cmp.Or(r.done.Whole, r.done.Result.Text)}
	for _, image := range r.done.Result.Images {
		said = append(said, image.SHA256.String())
	}
	result := digest.Listed(16, said...)
	if len(h.past) == maxPast {
		h.past = append(h.past[:0], h.past[1:]...)
	}
	name := r.toolName()
	// The guard looks before a call is pinned.
	past := guard.Past{Call: callDigest(name, args.Unpinned(h.called(name), r.sentArgs())), Result: result}
	h.past = append(h.past, pastCall{past, refused, key})
}

// called is a tool that was called; an empty one if it is gone.
func (h *history) called(name string) rein.Tool {
	tool, _ := h.tool(name)
	return tool
}

// wasRun reports whether a call was run to its end.
func wasRun(r *record) bool {
	switch r.done.Result.Status {
	case rein.ToolOK, rein.ToolFailed, rein.ToolTimeout:
		return r.attempts > 0
	}
	return false
}

// learnUnknown remembers a call whose outcome is not known, until an equal one succeeds. It is called with
// mu held.
func (h *history) learnUnknown(r *record) {
	if r.done == nil || r.done.Result == nil || r.start == nil || r.start.Call == nil || r.intent == nil {
		return
	}
	name := r.toolName()
	what := callDigest(name, r.intent.Args)
	if r.done.Result.Status == rein.ToolUnknown {
		h.unknowns[what] = r.intent.Key
	} else if r.done.Result.Status == rein.ToolOK {
		delete(h.unknowns, what)
		delete(h.unknowns, callDigest(name, args.Unpinned(h.called(name), r.intent.Args)))
	}
}

// learnSettled forgets the calls that a person knows the outcome of. It is called with mu held.
func (h *history) learnSettled(c *rein.Checked) {
	if c.State != rein.CheckUnknown {
		maps.DeleteFunc(h.unknowns, func(_, key string) bool { return slices.Contains(c.Of, key) })
	}
}

// markSending says that the step's call is being sent by this process, until its outcome is recorded. It
// is not unknown, nobody knows it yet: nobody who makes an equal call is asked about it.
func (h *history) markSending(step rein.StepKey) (over func()) {
	set := func(under bool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if under {
			h.sending[step] = true
		} else {
			delete(h.sending, step)
		}
	}
	set(true)
	return func() { set(false) }
}

// isUnderWay reports whether the call of a step is being sent by this process.
func (e *Engine) isUnderWay(run rein.RunID, step rein.StepKey) bool {
	e.mu.Lock()
	d := e.live[run]
	e.mu.Unlock()
	if d == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.history.sending[step]
}
