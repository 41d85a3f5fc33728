package strict

import (
	"encoding/json"
	"strings"

	"rein/internal/lenient"
)

// A verdict is what a reply says about how to go on.
type verdict struct {
	ends  bool
	final string // the answer, if it ends; empty if the model has to be asked for one
	ask   string // the question for the person that stands in a reason block, the old way
	note  string // what is kept of the reply: its prose, else what the block says in its place
	plan  string // what a reason block plans, for act
	seen  string // what is quoted of it in later prompts
}

// readReason reads the reply of the reason phase. An answer that finishes comes first; a question is
// asked whatever finish says; what is no clear "finish" leads on to act.
func readReason(reply string, mayAsk bool) verdict {
	block, prose := block(reply, "plan", "tools_to_consider", "finish", "final_answer", "request_input")
	v := verdict{note: firstOf(prose, block.text("plan")), plan: planIn(block)}
	finish, _ := block.truth("finish")
	answer, question := block.text("final_answer"), block.question("request_input")
	switch {
	case finish && answer != "":
		v.ends, v.final = true, answer
	case mayAsk && question != "":
		v.ask = question
	case finish:
		v.ends, v.final = true, prose
	}
	return v
}

// planIn is what a reason block hands to act: the plan, and the tools that it would use.
func planIn(block control) string {
	var parts []string
	if plan := block.text("plan"); plan != "" {
		parts = append(parts, "Plan: "+plan)
	}
	if names := block.names("tools_to_consider"); len(names) > 0 {
		parts = append(parts, "Tools to consider: "+strings.Join(names, ", "))
	}
	return strings.Join(parts, "\n")
}

// readObserve reads the reply of the observe phase: an answer ends the work whatever should_continue
// says, should_continue false makes the observation the answer, and everything else goes on.
func readObserve(reply string) verdict {
	block, prose := block(reply, "observation", "should_continue", "final_answer")
	observation, answer := block.text("observation"), block.text("final_answer")
	v := verdict{note: firstOf(prose, observation), seen: firstOf(observation, prose)}
	goOn, said := block.truth("should_continue")
	switch {
	case answer != "":
		v.ends, v.final = true, answer
	case said && !goOn:
		v.ends, v.final = true, v.seen
	}
	return v
}

// firstOf is the first text that says something.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

// A control is the JSON object that trails a reply; nil if there is none.
type control map[string]json.RawMessage

// block finds the last object of a reply that has one of the keys, and the prose without it. A
// block that is cut off in the middle says less than was meant: it counts as prose.
func block(reply string, keys ...string) (control, string) {
	block, start, end := lastBlock(reply, keys, 4)
	if block == nil {
		return nil, strings.TrimSpace(reply)
	}
	return block, strings.TrimSpace(strings.TrimSpace(reply[:start]) + "\n\n" + strings.TrimSpace(reply[end:]))
}

// lastBlock looks behind the object that lenient finds first, for that prefers whole objects to
// damaged ones that come later; then at it, then before it.
func lastBlock(text string, keys []string, tries int) (block control, start, end int) {
	found, err := lenient.Last(text)
	if err != nil || tries == 0 {
		return nil, 0, 0
	}
	if block, start, end = lastBlock(text[found.End:], keys, tries-1); block != nil {
		return block, found.End + start, found.End + end
	}
	var object control
	if json.Unmarshal(found.JSON, &object) == nil && !found.Cut {
		for _, key := range keys {
			if _, ok := object[key]; ok {
				return object, found.Start, found.End
			}
		}
	}
	return lastBlock(text[:found.Start], keys, tries-1)
}

// text returns a field that is a text; anything else counts as absent.
func (b control) text(key string) string {
	var s string
	if json.Unmarshal(b[key], &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

// names returns the texts of a field that is a list; what else is in it counts for nothing.
func (b control) names(key string) (names []string) {
	var list []any
	if json.Unmarshal(b[key], &list) != nil {
		return nil
	}
	for _, item := range list {
		if name, ok := item.(string); ok && strings.TrimSpace(name) != "" {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// truth returns a field that is true or false; anything else is not ok.
func (b control) truth(key string) (value, ok bool) {
	var v *bool
	if json.Unmarshal(b[key], &v) != nil || v == nil {
		return false, false
	}
	return *v, true
}

// question returns the question of a field that is one, or an object that holds one.
func (b control) question(key string) string {
	var inside control
	if json.Unmarshal(b[key], &inside) == nil {
		return inside.text("question")
	}
	return b.text(key)
}
