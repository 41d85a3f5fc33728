package explore

import (
	"encoding/json"
	"errors"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/lenient"
)

// The shapes of the decisions, for models that keep to one.
var (
	clarifySchema  = json.RawMessage(`{"type":"object","properties":{"ambiguous":{"type":"boolean"},"question":{"type":"string"}},"required":["ambiguous"]}`)
	questionSchema = json.RawMessage(`{"type":"object","properties":{"missing":{"type":"boolean"},"question":{"type":"string"}},"required":["missing"]}`)
	doubtSchema    = json.RawMessage(`{"type":"object","properties":{"uncertain":{"type":"boolean"},"question":{"type":"string"}},"required":["uncertain"]}`)
	splitSchema    = json.RawMessage(`{"type":"object","properties":{"questions":{"type":"array","items":{"type":"string"}}},"required":["questions"]}`)
)

// clarify asks what is meant if the model finds the task ambiguous, once.
func (x *exploration) clarify() (*rein.Outcome, error) {
	if !x.set.Clarify || kit.LastAsked(x.task.Messages) == "" {
		return nil, nil
	}
	for {
		reply, err := x.decide("clarify", 1, nil, clarifySchema)
		question := wanted(reply, "ambiguous")
		if err != nil || question == "" {
			return nil, err
		}
		answered, err := x.ask("clarify", question)
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			continue // the task is another one now
		case err != nil || answered || x.silent(question):
			return nil, err
		}
		return x.declined("unclear", question), nil
	}
}

// inquire asks for what the work cannot begin without, a few times, and never for the same again.
func (x *exploration) inquire() (*rein.Outcome, error) {
	for n := 1; n <= x.set.Questions && kit.LastAsked(x.task.Messages) != ""; n++ {
		reply, err := x.decide("question", n, nil, questionSchema)
		question := wanted(reply, "missing")
		if err != nil || question == "" || x.wasAsked(question) {
			return nil, err
		}
		answered, err := x.ask("question", question)
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			n--
			continue
		case err != nil:
			return nil, err
		case !answered && x.silent(question):
			return nil, nil
		case !answered:
			return x.declined("missing", question), nil
		}
	}
	return nil, nil
}

// declined is how a run ends that a person does not help to go on.
func (x *exploration) declined(key, question string) *rein.Outcome {
	return &rein.Outcome{End: rein.EndDeclined, Text: say(x.task, key, question)}
}

// decide puts a small question about the work to the model and returns its words. If the model fails
// there are none: the work goes on without.
func (x *exploration) decide(phase string, round int, values map[string]string, schema json.RawMessage) (string, error) {
	for {
		_, err := x.hear()
		var reply rein.Message
		if err == nil {
			reply, err = x.consult(x.talk, phase, round, values, schema)
		}
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			continue
		case kit.Ends(err), errors.Is(err, rein.ErrBudget):
			return "", err
		case err != nil:
			return "", nil
		}
		return reply.Text, nil
	}
}

// consult puts a small question about the work to the model, once.
func (x *exploration) consult(talk []rein.Message, phase string, round int, values map[string]string, schema json.RawMessage) (rein.Message, error) {
	instruction := rein.Message{Role: rein.Developer, Text: text(x.task, "explore_"+phase, values)}
	return x.run.CallModel(rein.Prompt{
		About: rein.About{Phase: phase, Round: round, Human: say(x.task, phase)},
		Model: x.task.Model, Messages: append(talk[:len(talk):len(talk)], instruction), Schema: schema,
		Compact: kit.Compact(),
	})
}

// wanted returns the question that the model wants to be asked: the one of a JSON object whose flag
// is true. Anything else wants none.
func wanted(reply, flag string) string {
	found, err := lenient.First(reply, flag)
	if err != nil {
		return ""
	}
	var fields map[string]any
	if json.Unmarshal(found.JSON, &fields) != nil || fields[flag] != true {
		return ""
	}
	question, _ := fields["question"].(string)
	return strings.TrimSpace(question)
}

// ask puts a question to a person. The answer becomes part of the conversation; declining, letting
// the time pass and saying nothing are no answer.
func (x *exploration) ask(phase, question string) (answered bool, err error) {
	q := rein.Question{About: rein.About{Phase: phase, Human: say(x.task, "asking")}, Text: question}
	if !x.first() {
		q.Timeout, q.OnExpiry = x.set.timeout(), rein.ExpiryContinue
	}
	answer, err := x.run.AskUser(q)
	if err != nil {
		if kit.Ends(err) || errors.Is(err, rein.ErrBudget) || errors.Is(err, rein.ErrInterrupted) {
			return false, err
		}
		return false, nil // it cannot be asked
	}
	x.asked = append(x.asked, question)
	if answer.State == rein.AskExpired && !x.first() {
		x.unheard = question
	}
	if answer.State != rein.AskAnswered || strings.TrimSpace(answer.Text) == "" {
		return false, nil
	}
	x.talk = append(x.talk, rein.Message{Role: rein.Assistant, Text: question}, rein.Message{Role: rein.User, Text: answer.Text})
	x.said = append(x.said, question+" "+answer.Text)
	return true, nil
}

// silent reports whether nobody answered the question in time. The work goes on without, and says so.
func (x *exploration) silent(question string) bool {
	if x.unheard != question {
		return false
	}
	x.talk = append(x.talk, rein.Message{Role: rein.Developer, Text: text(x.task, "explore_silent", map[string]string{"question": question})})
	return true
}

func (x *exploration) wasAsked(question string) bool {
	for _, q := range x.asked {
		if sameWords(q) == sameWords(question) {
			return true
		}
	}
	return false
}
