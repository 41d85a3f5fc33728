// Package flows has small flows that exercise an engine, about one for each verb. They are pure
// like real flows, and the same test checks that.
package flows

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rein"
)

// All names every flow.
func All() map[string]rein.Flow {
	return map[string]rein.Flow{
		"once":    {Do: Once},
		"loop":    {Do: Loop},
		"pair":    {Do: Pair},
		"ask":     {Do: Ask},
		"steer":   {Do: Steer},
		"rewrite": {Do: Rewrite},
		"family":  {Do: Family},
		"crowd":   {Do: Crowd},
		"orphans": {Do: Orphans},
		"deaf":    {Do: Deaf},
		"panic":   {Do: Panic},
		"tell":    {Do: Tell},
		"all":     {Do: Everything},
		"shy":     {Do: Shy},
		"talk":    {Do: Talk},
	}
}

// Settings are what the flows can be told by Task.Settings.
type Settings struct {
	Rounds   int           `json:"rounds,omitempty"`
	Children []rein.Task   `json:"children,omitempty"`
	Question rein.Question `json:"question,omitzero"`
}

func settings(task rein.Task) Settings {
	s := Settings{Rounds: 10}
	if len(task.Settings) > 0 {
		_ = json.Unmarshal(task.Settings, &s)
	}
	return s
}

// Once is one model call.
func Once(run rein.Run, task rein.Task) (rein.Outcome, error) {
	reply, err := run.CallModel(prompt(task, "final", 1, task.Messages))
	return rein.Outcome{Text: reply.Text}, err
}

func prompt(task rein.Task, phase string, round int, talk []rein.Message) rein.Prompt {
	return rein.Prompt{
		About: rein.About{Phase: phase, Round: round}, Model: task.Model, Messages: talk, MaxTokens: 100, Stream: phase == "final",
	}
}

// Loop lets the model call tools, one after the other, until it has an answer. A spent budget ends
// in a closing call.
func Loop(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk := task.Messages
	for round := 1; round <= settings(task).Rounds; round++ {
		p := prompt(task, "act", round, talk)
		p.Tools = task.Tools
		reply, err := run.CallModel(p)
		if errors.Is(err, rein.ErrBudget) {
			return closing(run, task, talk)
		}
		if err != nil {
			return rein.Outcome{}, err
		}
		talk = append(talk, reply)
		if len(reply.Calls) == 0 {
			return rein.Outcome{Text: reply.Text}, nil
		}
		for _, call := range reply.Calls {
			result, err := run.CallTool(call)
			talk = append(talk, answer(call, result))
			if errors.Is(err, rein.ErrBudget) {
				continue // every call has its result; the closing call comes next
			}
			if err != nil {
				return rein.Outcome{Text: last(talk)}, err
			}
		}
	}
	return closing(run, task, talk)
}

func answer(call rein.ToolCall, result rein.ToolResult) rein.Message {
	text := result.Text
	if result.Status.Failed() {
		text = string(result.Status) + ": " + text
	}
	return rein.Message{Role: rein.ToolRole, CallID: call.ID, Text: text, FromPerson: result.FromPerson}
}

func closing(run rein.Run, task rein.Task, talk []rein.Message) (rein.Outcome, error) {
	p := prompt(task, "closing", 0, talk)
	p.Closing = true
	reply, err := run.CallModel(p)
	return rein.Outcome{End: rein.EndLimit, Text: reply.Text}, err
}

func last(talk []rein.Message) string {
	if len(talk) == 0 {
		return ""
	}
	return talk[len(talk)-1].Text
}

// Pair makes the calls of one reply side by side.
func Pair(run rein.Run, task rein.Task) (rein.Outcome, error) {
	p := prompt(task, "act", 1, task.Messages)
	p.Tools = task.Tools
	reply, err := run.CallModel(p)
	if err != nil {
		return rein.Outcome{}, err
	}
	results, err := sideBySide(run, reply.Calls)
	talk := append(append([]rein.Message{}, task.Messages...), reply)
	talk = append(talk, results...)
	if err != nil {
		return rein.Outcome{Text: joined(results)}, err
	}
	final, err := run.CallModel(prompt(task, "final", 1, talk))
	return rein.Outcome{Text: final.Text + " | " + joined(results)}, err
}

func sideBySide(run rein.Run, calls []rein.ToolCall) ([]rein.Message, error) {
	results := make([]rein.Message, len(calls)) // each branch writes its own place only
	branches := make([]func(rein.Run) error, len(calls))
	for i, call := range calls {
		branches[i] = func(run rein.Run) error {
			result, err := run.CallTool(call)
			results[i] = answer(call, result)
			return err
		}
	}
	err := run.Parallel(branches...)
	return results, err
}

func joined(messages []rein.Message) string {
	texts := make([]string, len(messages))
	for i, m := range messages {
		texts[i] = m.Text
	}
	return strings.Join(texts, ",")
}

// Ask asks one question.
func Ask(run rein.Run, task rein.Task) (rein.Outcome, error) {
	q := settings(task).Question
	if q.Text == "" {
		q.Text = "Which colour?"
	}
	a, err := run.AskUser(q)
	if err != nil {
		return rein.Outcome{}, err
	}
	if a.State == rein.AskDeclined {
		return rein.Outcome{End: rein.EndDeclined}, nil
	}
	return rein.Outcome{Text: string(a.State) + " " + a.Text + " by " + a.By}, nil
}

// Steer calls the model once a round and says what was said to it meanwhile.
func Steer(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk := task.Messages
	var heard []string
	for round := 1; round <= settings(task).Rounds; round++ {
		reply, err := run.CallModel(prompt(task, "act", round, talk))
		if err != nil {
			return rein.Outcome{Text: strings.Join(heard, ",")}, err
		}
		talk = append(talk, reply)
		items, err := run.Inbox()
		if err != nil {
			return rein.Outcome{Text: strings.Join(heard, ",")}, err
		}
		for _, item := range items {
			heard = append(heard, fmt.Sprintf("%s %s: %s", item.Kind, item.By, item.Text))
			talk = append(talk, rein.Message{Role: rein.User, Text: item.Text})
		}
	}
	return rein.Outcome{Text: strings.Join(heard, ",")}, nil
}

// Rewrite does its work again whenever it is modified: a side-by-side pair of calls, a question, or
// whatever the model asks for, on the newest content.
func Rewrite(run rein.Run, task rein.Task) (rein.Outcome, error) {
	content := last(task.Messages)
	for {
		text, err := attempt(run, task, content)
		if !errors.Is(err, rein.ErrInterrupted) {
			return rein.Outcome{Text: text}, err
		}
		items, err := run.Inbox()
		if err != nil {
			return rein.Outcome{}, err
		}
		for _, item := range items {
			if item.Kind == rein.CommandModify {
				content = item.Text
			}
		}
	}
}

func attempt(run rein.Run, task rein.Task, content string) (string, error) {
	talk := []rein.Message{{Role: rein.User, Text: content}}
	p := prompt(task, "act", 1, talk)
	p.Tools = task.Tools
	reply, err := run.CallModel(p)
	if err != nil {
		return "", err
	}
	results, err := sideBySide(run, reply.Calls)
	if err != nil {
		return joined(results), err
	}
	if strings.Contains(reply.Text, "?") {
		a, err := run.AskUser(rein.Question{Text: reply.Text})
		return content + ": " + a.Text, err
	}
	return content + ": " + reply.Text + joined(results), nil
}

// Family spawns the children of its settings, waits for them twice, and says how they ended.
func Family(run rein.Run, task rein.Task) (rein.Outcome, error) {
	var said []string
	for _, child := range settings(task).Children {
		id, err := run.Spawn(child)
		if err != nil && rein.CodeOf(err) != rein.CodeLimit && rein.CodeOf(err) != rein.CodeInvalid {
			return rein.Outcome{}, err
		}
		if err != nil {
			said = append(said, "refused "+string(rein.CodeOf(err)))
			continue
		}
		said = append(said, string(id))
	}
	for i, id := range said {
		first, err := run.Wait(rein.RunID(id))
		if err == nil {
			var again rein.Outcome
			if again, err = run.Wait(rein.RunID(id)); err == nil && again.Text != first.Text {
				return rein.Outcome{}, fmt.Errorf("waiting twice gave %q and %q", first.Text, again.Text)
			}
		}
		switch {
		case rein.CodeOf(err) == rein.CodeNotFound:
			continue
		case err != nil:
			return rein.Outcome{Text: strings.Join(said, ",")}, err
		}
		said[i] = string(first.End) + " " + first.Text
	}
	return rein.Outcome{Text: strings.Join(said, ",")}, nil
}

// Crowd spawns and waits for its children in branches.
func Crowd(run rein.Run, task rein.Task) (rein.Outcome, error) {
	children := settings(task).Children
	ends := make([]string, len(children))
	branches := make([]func(rein.Run) error, len(children))
	for i, child := range children {
		branches[i] = func(run rein.Run) error {
			id, err := run.Spawn(child)
			if err != nil {
				ends[i] = "refused"
				return ignoreLimit(err)
			}
			out, err := run.Wait(id)
			ends[i] = string(out.End)
			return err
		}
	}
	err := run.Parallel(branches...)
	return rein.Outcome{Text: strings.Join(ends, ",")}, err
}

func ignoreLimit(err error) error {
	if rein.CodeOf(err) == rein.CodeLimit {
		return nil
	}
	return err
}

// Orphans spawns children and does not wait for them.
func Orphans(run rein.Run, task rein.Task) (rein.Outcome, error) {
	for _, child := range settings(task).Children {
		if _, err := run.Spawn(child); err != nil {
			return rein.Outcome{}, err
		}
	}
	return rein.Outcome{Text: "gone"}, nil
}

// Deaf calls the model for ever, whatever it is told.
func Deaf(run rein.Run, task rein.Task) (rein.Outcome, error) {
	for round := 1; ; round++ {
		_, _ = run.CallModel(prompt(task, "act", round, task.Messages))
	}
}

// Tell waits, and then tells what it was started with.
func Tell(run rein.Run, task rein.Task) (rein.Outcome, error) {
	if _, err := run.AskUser(rein.Question{Text: "Shall I?"}); err != nil {
		return rein.Outcome{}, err
	}
	start, err := task.Start.MarshalText()
	return rein.Outcome{Text: fmt.Sprintf("%s %s %s %s %s %v %s", start, task.Zone, task.Language, task.Settings, task.Texts["soul"], task.Tools, task.Session)}, err
}

// Panic is a flow with a bug.
func Panic(rein.Run, rein.Task) (rein.Outcome, error) {
	var none []int
	return rein.Outcome{Text: fmt.Sprint(none[len(none)])}, nil
}

// Everything uses every verb and every class of effect once: a round of calls one by one, a round
// side by side, a question, what was said meanwhile, two children, and the answer. It goes on from
// its newest content when it is modified.
func Everything(run rein.Run, task rein.Task) (rein.Outcome, error) {
	content, said := last(task.Messages), []string{}
	for {
		text, err := everything(run, task, content, &said)
		if !errors.Is(err, rein.ErrInterrupted) {
			return rein.Outcome{Text: text}, err
		}
		items, err := run.Inbox()
		if err != nil {
			return rein.Outcome{}, err
		}
		for _, item := range items {
			said = append(said, string(item.Kind)+" "+item.Text)
			if item.Kind == rein.CommandModify {
				content = item.Text
			}
		}
	}
}

func everything(run rein.Run, task rein.Task, content string, said *[]string) (string, error) {
	talk := []rein.Message{{Role: rein.User, Text: content}}
	for round := 1; round <= 2; round++ {
		p := prompt(task, "act", round, talk)
		p.Tools = task.Tools
		reply, err := run.CallModel(p)
		if err != nil {
			return "", err
		}
		var results []rein.Message
		if round == 1 {
			results, err = oneByOne(run, reply.Calls)
		} else {
			results, err = sideBySide(run, reply.Calls)
		}
		if err != nil {
			return "", err
		}
		talk = append(append(talk, reply), results...)
	}
	a, err := run.AskUser(rein.Question{Text: "Which colour?"})
	if err != nil {
		return "", err
	}
	outcome, err := Family(run, task)
	if err != nil {
		return "", err
	}
	talk = append(talk, rein.Message{Role: rein.User, Text: a.Text + "; " + outcome.Text})
	items, err := run.Inbox()
	if err != nil {
		return "", err
	}
	for _, item := range items {
		*said = append(*said, string(item.Kind)+" "+item.Text)
	}
	final, err := run.CallModel(prompt(task, "final", 3, talk))
	return strings.Join(append([]string{content, final.Text, last(talk)}, *said...), " | "), err
}

func oneByOne(run rein.Run, calls []rein.ToolCall) ([]rein.Message, error) {
	var results []rein.Message
	for _, call := range calls {
		result, err := run.CallTool(call)
		if err != nil {
			return nil, err
		}
		results = append(results, answer(call, result))
	}
	return results, nil
}

// Shy is Loop that offers the model only the first of the run's tools.
func Shy(run rein.Run, task rein.Task) (rein.Outcome, error) {
	return Loop(shy{run}, task)
}

type shy struct{ rein.Run }

func (r shy) CallModel(p rein.Prompt) (rein.Message, error) {
	p.Tools = p.Tools[:min(len(p.Tools), 1)]
	return r.Run.CallModel(p)
}

// Talk goes on with the same conversation for some rounds, with summaries in place of what is old.
// In its last round it wants to have the whole conversation again.
func Talk(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk := append([]rein.Message{{Role: rein.System, Text: "Be kind."}}, task.Messages...)
	rounds := settings(task).Rounds
	for round := 1; round <= rounds; round++ {
		p := prompt(task, "talk", round, talk)
		p.Tools = task.Tools
		if round < rounds {
			p.Compact = &rein.Compact{Messages: 6, Keep: 2}
		}
		reply, err := run.CallModel(p)
		if err != nil {
			return rein.Outcome{}, err
		}
		talk = append(talk, reply)
		for _, call := range reply.Calls {
			result, err := run.CallTool(call)
			if err != nil {
				return rein.Outcome{}, err
			}
			talk = append(talk, call.Answer(result))
		}
		if len(reply.Calls) == 0 {
			talk = append(talk, rein.Message{Role: rein.User, Text: fmt.Sprintf("Go on, %d. %s", round, strings.Repeat("And on. ", 20))})
		}
	}
	return rein.Outcome{Text: last(talk[:len(talk)-1])}, nil
}
