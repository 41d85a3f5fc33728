package explore

import (
	"encoding/json"

	"rein"
)

// Explored is what explore adds to its outcome for machines.
type Explored struct {
	Children  []Child `json:"children"`
	Uncertain bool    `json:"uncertain"` // the summary would have had to know more
	// Question is what people want of the run since they changed it; empty if they did not.
	Question string `json:"question,omitempty"`
	// Whole is what people want of the run that this one works for; empty if they did not change that.
	Whole string `json:"whole,omitempty"`
}

// An Child is what came of one part.
type Child struct {
	ID       rein.RunID       `json:"id"`
	Question string           `json:"question"`
	Status   rein.AgentStatus `json:"status"`
	Stopped  bool             `json:"stopped,omitempty"` // it was ended by a person before its own end
	Result   string           `json:"result"`
	Whole    string           `json:"whole,omitempty"` // what it is a part of, if people changed that while it worked
}

// data describes the exploration as it stands. A child that was not waited for is told as running:
// how it ended is in its own log.
func (x *exploration) data() json.RawMessage {
	e := Explored{Children: []Child{}, Uncertain: x.uncertain}
	if !x.first() {
		e.Question, e.Whole = x.asks, x.whole
	}
	for _, p := range x.parts {
		c := Child{ID: p.child, Question: p.question, Status: rein.AgentRunning, Result: p.outcome.Text, Whole: p.whole}
		switch {
		case !p.ended && x.gone != "":
			c.Status, c.Stopped = x.gone, x.gone == rein.AgentCompleted
		case p.ended:
			c.Status = p.outcome.End.Agent()
			c.Stopped = p.outcome.End == rein.EndStopped || p.outcome.End == rein.EndCancelled
		}
		e.Children = append(e.Children, c)
	}
	data, err := json.Marshal(e)
	if err != nil {
		return nil // strings and booleans cannot fail
	}
	return data
}
