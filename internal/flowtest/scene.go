package flowtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rein"
)

// A Scene is a file in parts, for tests that play it in their own way.
type Scene struct {
	Model string // the script
	Tasks []rein.Task
	Tools map[string]rein.Tool

	people  []string
	answers map[rein.AskID]string // what each ask is answered with, in the order in which they came
}

// ReadScene reads a file.
func ReadScene(t *testing.T, file string) *Scene {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	tools, err := readTools(parts)
	if err != nil {
		t.Fatal(err)
	}
	return &Scene{
		Model: parts["model"], Tasks: readTasks(t, parts), Tools: tools,
		people: lines(parts["people"]), answers: map[rein.AskID]string{},
	}
}

// Answer is what the people of the file make of an ask. Asked again, they say the same.
func (s *Scene) Answer(ask rein.Ask) rein.Command {
	line, known := s.answers[ask.ID]
	if !known {
		line = s.people[min(len(s.answers), len(s.people)-1)]
		s.answers[ask.ID] = line
	}
	c, err := replyTo(ask, line)
	if err != nil {
		panic(err) // the file is not for this
	}
	return c
}

// replyTo makes the command of a line: approve, reject TEXT, edit JSON, answer TEXT, decline TEXT; or
// stop, cancel, delete and modify TEXT, which are for the run.
func replyTo(ask rein.Ask, line string) (rein.Command, error) {
	word, text, _ := strings.Cut(line, " ")
	c := ask.Reply(rein.Answer{By: "ann", Text: text})
	switch word {
	case "approve":
		c.Answer.State = rein.AskApproved
	case "reject":
		c.Answer.State = rein.AskRejected
	case "edit":
		c.Answer.State, c.Answer.Text, c.Answer.Args = rein.AskEdited, "", json.RawMessage(text)
	case "answer":
		c.Answer.State = rein.AskAnswered
	case "decline":
		c.Answer.State = rein.AskDeclined
	case "stop", "cancel", "delete", "modify":
		c = rein.Command{Kind: rein.CommandKind(word), Run: ask.Run, By: "ann", Text: text}
	default:
		return c, fmt.Errorf("people: %q is none of approve, reject, edit, answer, decline, late, stop, cancel, delete, modify", word)
	}
	return c, nil
}
