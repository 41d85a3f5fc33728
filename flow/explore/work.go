package explore

import (
	"encoding/json"
	"errors"
	"strings"

	"rein"
	"rein/flow/kit"
)

// work lets the main agent act, collects what the children found and sums it up. Whenever people
// change the task in between, the main agent goes on with what they want now.
func (x *exploration) work() (*rein.Outcome, error) {
	for {
		x.main, x.failed = x.act()
		if kit.Ends(x.failed) {
			return nil, x.failed
		}
		again, err := x.gather()
		if err != nil {
			return nil, err
		}
		if again {
			continue
		}
		out, err := x.sumUp()
		if !errors.Is(err, rein.ErrInterrupted) {
			return out, err
		}
	}
}

// act is the main agent's loop: the model speaks and calls tools until it has no more calls. Its
// rounds are counted over the whole run, so that a change of the task is no new beginning.
func (x *exploration) act() (rein.Outcome, error) {
	var spent error
	for x.round < x.set.Rounds {
		x.round++
		_, err := x.hear()
		var reply rein.Message
		if err == nil {
			reply, err = x.run.CallModel(x.prompt())
		}
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			x.round-- // what to do instead is in the inbox
			continue
		case errors.Is(err, rein.ErrBudget):
			return x.close(err)
		case err != nil:
			return rein.Outcome{}, err
		case kit.IsEmpty(reply):
			return rein.Outcome{}, kit.ErrEmpty
		}
		x.talk = append(x.talk, reply)
		if len(reply.Calls) == 0 {
			return rein.Outcome{End: rein.EndDone, Text: reply.Text}, nil
		}
		results, err := kit.CallAll(x.run, reply.Calls, x.round)
		x.talk = append(x.talk, results...)
		if kit.Ends(err) {
			return rein.Outcome{}, err
		}
		if errors.Is(err, rein.ErrInterrupted) {
			x.round--
		}
		spent = err
	}
	return x.close(spent)
}

func (x *exploration) prompt() rein.Prompt {
	return rein.Prompt{
		About: rein.About{Phase: "act", Round: x.round, Human: say(x.task, "thinking")},
		Model: x.task.Model, Messages: x.talk, Tools: x.task.Tools, Stream: true, Compact: kit.Compact(),
	}
}

// close is the main agent's answer when a limit is reached.
func (x *exploration) close(spent error) (rein.Outcome, error) {
	out, err := kit.Close(x.run, x.task, x.prompt(), spent)
	if err == nil {
		x.talk = append(x.talk, rein.Message{Role: rein.Assistant, Text: out.Text})
	}
	return out, err
}

// found keeps what came of a child.
func (x *exploration) found(p *part, out rein.Outcome) {
	cut := say(x.task, string(out.End)) // what there is, is not all
	if cut != "" && (x.first() || strings.TrimSpace(out.Text) != cut) {
		out.Text = strings.TrimSpace(cut + "\n\n" + out.Text)
	}
	p.ended, p.outcome = true, out
	var data Explored
	if x.first() || json.Unmarshal(out.Data, &data) != nil {
		return
	}
	if p.whole = data.Whole; data.Question != "" {
		p.question = data.Question // people changed it
	}
}

// gather waits for the children. However one ends is what came of it. It reports whether people
// changed something meanwhile: then the main agent has the next word.
func (x *exploration) gather() (again bool, err error) {
	for i := range x.parts {
		p := &x.parts[i]
		if p.ended {
			continue
		}
		out, err := x.run.Wait(p.child)
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			return true, nil
		case errors.Is(err, rein.ErrBudget):
			return false, nil // nothing can be waited for any more
		case kit.Ends(err):
			return false, err
		case err != nil:
			out = rein.Outcome{End: rein.EndFailed, Text: err.Error()}
		}
		x.found(p, out)
	}
	if len(x.parts) == 0 {
		return false, nil
	}
	heard, err := x.hear()
	if errors.Is(err, rein.ErrBudget) {
		return false, nil
	}
	return heard && x.round < x.set.Rounds, err
}
