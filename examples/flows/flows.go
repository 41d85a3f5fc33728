// Package flows has two small flows, which docs/write-a-flow.md shows. A test compares the page
// with this code, and internal/archtest checks that the flows are pure.
package flows

import (
	"rein"
	"rein/flow/kit"
)

// Ask is one model call.
func Ask(run rein.Run, task rein.Task) (rein.Outcome, error) {
	reply, err := run.CallModel(rein.Prompt{Model: task.Model, Messages: task.Messages, Stream: true})
	return rein.Outcome{Text: reply.Text}, err
}

// Letter writes a draft, asks a person about it, and improves it until they agree.
func Letter(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk := task.Messages
	for {
		draft, err := run.CallModel(rein.Prompt{Model: task.Model, Messages: talk})
		if err != nil {
			return rein.Outcome{}, err
		}
		answer, err := run.AskUser(rein.Question{Text: draft.Text + "\n\nSend this? If not, what should change?", Choices: choices(task)})
		if err != nil || answer.Text == "yes" || answer.State != rein.AskAnswered {
			return rein.Outcome{Text: draft.Text}, err
		}
		talk = append(talk, draft, rein.Message{Role: rein.User, Text: answer.Text})
	}
}

// choices came with revision 1. A run that began before it asked without choices, and still does.
func choices(task rein.Task) []string {
	if task.Revision < 1 {
		return nil
	}
	return []string{"yes"}
}

// Proofread corrects a text. It knows its session, hears what people say, uses the tools it is given, and
// still answers when its rounds are used up.
func Proofread(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := proofreading.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	talk, err := kit.Open(run, &task, "You are a proofreader. Use "+set.Spelling+" spelling. Return the corrected text.")
	if err != nil {
		return rein.Outcome{}, err
	}
	return kit.Loop(run, task, talk, set.Rounds, kit.ActPrompt(task))
}

// Proofreading is what a caller, or [proofread] in rein.toml, can choose.
type Proofreading struct {
	Rounds   int    `json:"rounds"`
	Spelling string `json:"spelling"`
}

var proofreading = kit.SettingsOf[Proofreading]{
	Flow: "proofread", Default: Proofreading{Rounds: 5, Spelling: "British"},
	Fields: func(p *Proofreading) []kit.Field {
		return []kit.Field{
			kit.Int("rounds", &p.Rounds, 1, 20, "rounds before it has to answer, 1 to 20").Under(kit.Rounds),
			kit.Choice("spelling", &p.Spelling, []string{"British", "American"}, "British or American spelling"),
		}
	},
}

// Kinds declares the flows to a program: app.Options{Flows: flows.Kinds()}.
func Kinds() []kit.Kind {
	return []kit.Kind{
		{Name: "ask", About: "one model call", Do: Ask, Questions: kit.AsksNothing},
		{Name: "letter", About: "writes a letter until you agree", Do: Letter, Revision: 1, Questions: letterAsks},
		{Name: "proofread", About: "corrects a text", Do: Proofread, Settings: proofreading, Tools: kit.SessionTools(), Questions: kit.AsksNothing},
	}
}

// letterAsks says what Letter asks: it waits for an answer as long as it takes.
func letterAsks(rein.Task) []rein.Blocker {
	return []rein.Blocker{kit.Asks("ask", "the flow letter asks whether the letter is good", 0)}
}

// All is what an engine is given, where there is no app.
func All() map[string]rein.Flow {
	all := map[string]rein.Flow{}
	for _, k := range Kinds() {
		all[k.Name] = k.Flow()
	}
	return all
}
