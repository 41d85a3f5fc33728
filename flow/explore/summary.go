package explore

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/lenient"
	"rein/internal/quote"
)

// sumUp puts together what the main agent and the children found. Without children the main answer
// is all there is; without a summary, or a budget for one, the findings stand one after another.
func (x *exploration) sumUp() (*rein.Outcome, error) {
	if x.failed != nil && !x.anyFound() {
		return nil, x.failed
	}
	out := rein.Outcome{End: x.main.End, Text: x.main.Text}
	if x.failed != nil {
		out.End = rein.EndDone
	}
	if len(x.parts) == 0 {
		return &out, nil
	}
	p := x.summaryPrompt()
	reply, err := x.run.CallModel(p)
	if errors.Is(err, rein.ErrBudget) {
		p.About, p.Closing, p.Compact = rein.About{Phase: "closing", Human: say(x.task, "closing")}, true, nil
		p.Messages = append(kit.Brief(x.task, x.talk, x.findings()...), rein.Message{Role: rein.Developer, Text: text(x.task, "closing", nil)})
		out.End = rein.EndLimit
		reply, err = x.run.CallModel(p)
	}
	if kit.Ends(err) || errors.Is(err, rein.ErrInterrupted) {
		return nil, err
	}
	visible, question, uncertain := cutUncertain(reply.Text)
	if out.Text, x.uncertain = visible, uncertain; visible == "" {
		out.Text = x.joined()
	}
	asks := out.End != rein.EndLimit && x.set.LastQuestion && !x.settled
	if asks && visible != "" && question == "" && !x.first() {
		if question, err = x.doubt(out, p.Messages); err != nil {
			return nil, err
		}
	}
	if question == "" || !asks {
		return x.withDoubt(out, question), nil
	}
	return x.lastQuestion(out, p.Messages, question)
}

// doubt finds out, now that people have read the summary, what would have to be asked about it.
func (x *exploration) doubt(out rein.Outcome, messages []rein.Message) (question string, err error) {
	said := rein.Message{Role: rein.Assistant, Text: out.Text}
	x.talk = append(x.talk, said)
	reply, err := x.consult(append(messages[:len(messages):len(messages)], said), "doubt", 1, nil, doubtSchema)
	switch {
	case kit.Ends(err), errors.Is(err, rein.ErrInterrupted):
		return "", err
	case err != nil:
		return "", nil // the summary stands as it is
	}
	_, question, x.uncertain = cutUncertain(reply.Text)
	return question, nil
}

// lastQuestion asks a person what the summary is uncertain about, once, and has the model work the
// answer in.
func (x *exploration) lastQuestion(out rein.Outcome, messages []rein.Message, question string) (*rein.Outcome, error) {
	answered, err := x.ask("summary", question)
	if err != nil {
		return nil, err
	}
	if !answered {
		return x.withDoubt(out, question), nil
	}
	x.settled = true
	answer := x.talk[len(x.talk)-1]
	reply, err := x.run.CallModel(rein.Prompt{
		About: rein.About{Phase: "summary", Round: 2, Human: say(x.task, "summary")},
		Model: x.task.Model, Stream: true, Compact: kit.Compact(),
		Messages: append(messages[:len(messages):len(messages)],
			rein.Message{Role: rein.Assistant, Text: out.Text + "\n\n" + question}, answer,
			rein.Message{Role: rein.Developer, Text: text(x.task, "explore_final", nil)}),
	})
	if kit.Ends(err) || errors.Is(err, rein.ErrInterrupted) {
		return nil, err
	}
	visible, _, uncertain := cutUncertain(reply.Text)
	if err != nil || visible == "" {
		return x.withDoubt(out, question), nil // the answer could not be worked in
	}
	out.Text, x.uncertain = visible, uncertain
	return &out, nil
}

// withDoubt says in the text what is not certain.
func (x *exploration) withDoubt(out rein.Outcome, question string) *rein.Outcome {
	if question != "" {
		out.Text = strings.TrimSpace(out.Text + "\n\n" + say(x.task, "uncertain", question))
	}
	return &out
}

func (x *exploration) summaryPrompt() rein.Prompt {
	var found []string
	for _, p := range x.parts {
		source := "run " + string(p.child) + ", " + p.end() + ": " + p.asked()
		found = append(found, quote.Untrusted(source, p.outcome.Text))
	}
	name := "explore_result" // what is uncertain about it is asked for when people have read it
	if x.first() {
		name = "explore_summary"
	}
	instruction := text(x.task, name, map[string]string{"found": strings.Join(found, "\n\n")})
	return rein.Prompt{
		About: rein.About{Phase: "summary", Round: 1, Human: say(x.task, "summary")},
		Model: x.task.Model, Stream: !x.first(), Compact: kit.Compact(),
		Messages: append(x.talk[:len(x.talk):len(x.talk)], rein.Message{Role: rein.Developer, Text: instruction}),
	}
}

// findings are what the children found, each with its question.
func (x *exploration) findings() []string {
	var all []string
	for _, p := range x.parts {
		all = append(all, p.asked()+" ("+p.end()+"): "+p.outcome.Text)
	}
	return all
}

// joined is what was found, one after another.
func (x *exploration) joined() string {
	all := []string{x.main.Text}
	for _, p := range x.parts {
		if found := strings.TrimSpace(p.outcome.Text); found != "" {
			all = append(all, p.question+"\n"+found)
		}
	}
	return strings.TrimSpace(strings.Join(all, "\n\n"))
}

// anyFound reports whether a child came to a result.
func (x *exploration) anyFound() bool {
	for _, p := range x.parts {
		if p.ended && p.outcome.End.Completed() && strings.TrimSpace(p.outcome.Text) != "" {
			return true
		}
	}
	return false
}

// asked is what the child was to find out, and for what, if people changed that on the way.
func (p part) asked() string {
	if p.whole == "" {
		return p.question
	}
	return p.question + " (for: " + kit.Line(p.whole, kit.BriefSaid) + ")"
}

func (p part) end() string {
	if !p.ended {
		return "not ended"
	}
	return string(p.outcome.End)
}

// uncertainLine is how the model says, on a line of its own, what it would have to know.
var uncertainLine = regexp.MustCompile(`(?im)^[ \t>*_-]*\[[ \t]*uncertain[ \t]*(?::[ \t]*(.*?))?[ \t]*\][ \t*_.]*\r?$`)

// cutUncertain takes out of a summary what it says about its own uncertainty: lines of that kind, or
// a JSON object at the end with the key "uncertain" (and the question there or beside it).
func cutUncertain(summary string) (visible, question string, uncertain bool) {
	visible = summary
	for _, m := range uncertainLine.FindAllStringSubmatch(summary, -1) {
		uncertain = true
		if question == "" {
			question = strings.TrimSpace(m[1])
		}
	}
	if uncertain {
		return strings.TrimSpace(uncertainLine.ReplaceAllString(visible, "")), question, true
	}
	found, err := lenient.Last(summary)
	var fields map[string]any
	if err != nil || found.Repaired || json.Unmarshal(found.JSON, &fields) != nil {
		return strings.TrimSpace(visible), "", false
	}
	said, ok := fields["uncertain"]
	if !ok {
		return strings.TrimSpace(visible), "", false
	}
	question, _ = fields["question"].(string)
	if in, isText := said.(string); isText && question == "" {
		question, said = in, in != ""
	}
	uncertain = said == true
	if !uncertain {
		question = ""
	}
	visible = summary[:found.Start] + summary[found.End:]
	if whole, ok := fields["summary"].(string); ok && strings.TrimSpace(visible) == "" {
		visible = whole
	}
	return strings.TrimSpace(visible), strings.TrimSpace(question), uncertain
}
