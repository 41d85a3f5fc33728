package render

import (
	"rein"
	"rein/internal/quote"
)

// A part is one message of a conversation; of an assistant, with what became of its calls.
type part struct {
	rein.Message
	done   []exchange // one for each of Calls, in their order
	orphan bool       // a result that belongs to no call
}

// An exchange is a call and its result.
type exchange struct {
	call   rein.ToolCall
	result rein.Message
}

// partsOf pairs calls with results. The results of a turn are looked for up to the next turn that
// has calls; where a call has none, one is made up that says so.
func partsOf(messages []rein.Message) []part {
	var parts []part
	used := make([]bool, len(messages))
	for i, m := range messages {
		switch {
		case len(m.Calls) > 0:
			m.Role = rein.Assistant // nobody else calls
			parts = append(parts, part{Message: m, done: exchanges(messages, i, used)})
		case m.Role != rein.ToolRole:
			parts = append(parts, part{Message: m})
		case !used[i]:
			parts = append(parts, part{Message: m, orphan: true})
		}
	}
	return parts
}

// exchanges pairs the calls of one message, and marks the results that it used.
func exchanges(messages []rein.Message, at int, used []bool) []exchange {
	results := map[string][]int{}
	for i := at + 1; i < len(messages) && len(messages[i].Calls) == 0; i++ {
		if id := messages[i].CallID; messages[i].Role == rein.ToolRole {
			results[id] = append(results[id], i)
		}
	}
	var done []exchange
	for _, call := range messages[at].Calls {
		e := exchange{call, rein.Message{Role: rein.ToolRole, CallID: call.ID, Status: rein.ToolSkipped, Text: "No result of this call is known."}}
		if found := results[call.ID]; len(found) > 0 {
			e.result, results[call.ID] = messages[found[0]], found[1:]
			used[found[0]] = true
		}
		done = append(done, e)
	}
	return done
}

// status returns what became of the call. Messages from before there were statuses are fine.
func (e exchange) status() rein.ToolStatus {
	if e.result.Status == "" {
		return rein.ToolOK
	}
	return e.result.Status
}

// heading is what a model sees first: that a call failed, and what rein has to say of it.
func (e exchange) heading() string {
	text := ""
	if s := e.status(); s.Failed() {
		text = "error: " + string(s) + "\n"
	}
	if e.result.Note != "" {
		text += "note: " + quote.Escape(e.result.Note) + "\n"
	}
	return text
}

// quoted is the text of the result, as data unless a person or rein said it: a call that was not run
// has no output.
func (e exchange) quoted() string {
	if e.result.FromPerson {
		return e.result.Text
	}
	switch e.status() {
	case rein.ToolRefused, rein.ToolSkipped, rein.ToolTimeout:
		return quote.Escape(e.result.Text)
	}
	return quote.Untrusted(e.call.Name, e.result.Text)
}

// note writes a result that belongs to no call. No API takes it as a result, and dropping it would
// hide what happened.
func (p part) note() rein.Message {
	return rein.Message{Role: rein.User, Text: "A result whose call is not part of this conversation:\n" + quote.Untrusted("unknown", p.Text), Images: p.Images}
}

// images returns those of the results, in their order.
func (p part) images() (all []rein.Image) {
	for _, e := range p.done {
		all = append(all, e.result.Images...)
	}
	return all
}
