package engine

import (
	"strings"

	"rein"
)

// A request is what a flow asks for with a verb, as the log names it.
type request struct {
	verb rein.Verb
	sig  string         // what a replay compares; see below
	tool string         // the name that the flow gives, of VerbTool
	call *rein.ToolCall // of a model; nil: it is none
}

// Signatures are what a replay compares: enough to notice that a flow asks for something else than
// it did, and no more, so that a better prompt does not kill a run that waited for days.

// A model call is compared by its phase and model; what the prompt says may change.
func modelRequest(p rein.Prompt) request {
	return request{verb: rein.VerbModel, sig: join("model", p.Phase, p.Model)}
}

// A tool call is compared by everything that the model chose. The arguments are a digest, however they are
// spelled.
func toolRequest(c rein.ToolCall) request {
	r := request{verb: rein.VerbTool, sig: join("tool", c.Phase, c.Name, argsDigest(c.Args)), tool: c.Name}
	if !c.Internal {
		r.call = &c
	}
	return r
}

// A question is compared by its phase: it may be worded better.
func askRequest(q rein.Question) request {
	return request{verb: rein.VerbAsk, sig: join("ask", q.Phase, string(rein.AskQuestion))}
}

// A child is compared by its flow, and a wait by the child.
func spawnRequest(t rein.Task) request {
	return request{verb: rein.VerbSpawn, sig: join("spawn", t.Flow)}
}

func waitRequest(child rein.RunID) request {
	return request{verb: rein.VerbWait, sig: join("wait", string(child))}
}

var inboxRequest = request{verb: rein.VerbInbox, sig: "inbox"}

func join(parts ...string) string { return strings.Join(parts, " ") }
