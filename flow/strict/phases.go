package strict

import (
	"slices"
	"strconv"

	"rein"
	"rein/flow/kit"
	"rein/internal/quote"
)

// reason asks the model what to do in this step, and puts the question to the person that it may hold.
func (w *work) reason() (answer string, err error) {
	reply, err := w.run.CallModel(w.prompt(w.about("reason", say(w.task, "reason", w.step)), text(w.task, "agent_reason_prompt", map[string]string{
		"user_question":    kit.Short(w.question, mostAsked),
		"files_manifest":   kit.FileNames(w.files),
		"last_observation": firstOf(quote.Escape(w.seen), "nothing yet"),
	})))
	if err != nil {
		return "", err
	}
	v := readReason(reply.Text, w.mayAsk())
	w.plan = kit.Short(v.plan, mostSeen)
	if v.ask != "" {
		return "", w.askFor(v)
	}
	w.keep(v.note)
	return w.end("finish", v)
}

// act lets the model use its tools and returns what came of it.
func (w *work) act() (summaries string, err error) {
	p := w.prompt(w.about("act", say(w.task, "act", w.step)), w.instruction())
	p.Tools = w.task.Tools
	reply, err := w.run.CallModel(p)
	if err != nil {
		return "", err
	}
	if !kit.IsEmpty(reply) {
		w.talk = append(w.talk, reply)
	}
	results, err := w.callAll(reply.Calls)
	w.talk = append(w.talk, results...)
	return summariesOf(reply.Calls, results), err
}

// instruction is what act is told. It has the plan of the reason block, which is not part of the
// conversation: runs of revision 0 had it only where there was no prose in its place.
func (w *work) instruction() string {
	instruction := text(w.task, "strict_act", nil)
	if w.task.Revision < toldPlans || w.plan == "" {
		return instruction
	}
	return instruction + "\n\n" + text(w.task, "strict_plan", map[string]string{"plan": quote.Escape(w.plan)})
}

// observe asks the model what came of the step. The answer is empty if the work goes on.
func (w *work) observe(summaries string) (answer string, err error) {
	reply, err := w.run.CallModel(w.prompt(w.about("observe", say(w.task, "observe", w.step)), text(w.task, "agent_observe_prompt", map[string]string{
		"user_question":  kit.Short(w.question, mostAsked),
		"tool_summaries": summaries,
		"step":           strconv.Itoa(w.step),
	})))
	if err != nil {
		return "", err
	}
	v := readObserve(reply.Text)
	if w.keep(v.note) {
		w.observed = append(w.observed, len(w.talk)-1)
	}
	w.seen = kit.Short(v.seen, mostSeen)
	w.collapse()
	return w.end("observe", v)
}

// keep adds what the model said to the conversation, without its control block.
func (w *work) keep(note string) bool {
	if note == "" {
		return false
	}
	w.talk = append(w.talk, rein.Message{Role: rein.Assistant, Text: note})
	return true
}

// keepObservations is how many of the newest observations stay as they were.
const keepObservations = 3

// collapse cuts the observation that has just become old down to a line.
func (w *work) collapse() {
	old := len(w.observed) - keepObservations - 1
	if !w.set.Collapse || old < 0 {
		return
	}
	w.talk = slices.Clone(w.talk) // what was sent stays what it was
	m := &w.talk[w.observed[old]]
	m.Text = collapsed(m.Text)
}
