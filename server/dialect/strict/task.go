package strict

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"rein"
)

// requestInput is the tool by which the agent asks. It belongs to agent mode, whatever is selected,
// and to no other.
const requestInput = "request_input"

// flowOf names the way of working that a chat wants.
func flowOf(c chat, tools []string) string {
	switch {
	case c.AgentMode:
		return "strict"
	case c.OnlyRAG:
		return "answer"
	case len(tools) > 0:
		return "operate"
	}
	return "chat"
}

// task makes the task of a chat, and keeps the files that came with it.
func (s *socket) task(ctx context.Context, c chat, conversation string) (rein.Task, error) {
	tools := slices.DeleteFunc(slices.Compact(slices.Clone(c.Tools)), func(name string) bool { return name == requestInput })
	task := rein.Task{
		Flow: flowOf(c, tools), Model: c.Model, Tools: tools,
		Household: s.who.Household, User: s.who.User, Session: conversation, Preset: c.Preset,
	}
	usual := len(tools) == 0 && c.Preset != "" // then the preset says which
	if usual {
		task.Tools = nil
	}
	if usual && !c.AgentMode && !c.OnlyRAG {
		task.Flow = "" // and how
	}
	if len(tools) == 0 && s.Tools != nil && !usual {
		task.Tools = s.Tools(task.Flow)
	}
	if err := s.keep(ctx, c.files, conversation); err != nil {
		return task, err
	}
	if !c.AgentMode {
		return task, nil
	}
	if !usual {
		task.Tools = append(slices.Clone(task.Tools), requestInput)
	}
	var err error
	task.Settings, err = s.settings(c)
	return task, err
}

// place is where the files of a conversation are: with the user whose it is, or with who asks if it is new.
func (s *socket) place(conversation, owner string) rein.Place {
	return rein.Place{Household: s.who.Household, User: cmp.Or(owner, s.who.User), Session: conversation}
}

// keep stores the contents that came with a chat.
func (s *socket) keep(ctx context.Context, files []attached, conversation string) error {
	for _, f := range files {
		if !f.brought {
			continue
		}
		if s.Shelf == nil {
			return rein.Errorf(rein.CodeInvalid, "file %q has its content, which this server does not accept here: upload the file to the session first, then name it", f.Name)
		}
		if _, err := s.Shelf.Put(ctx, s.place(conversation, ""), f.Name, f.Type, bytes.NewReader(f.content)); err != nil {
			return err
		}
	}
	return nil
}

// settings are those of the flow strict: what the server has, and what the client chose. The files that
// came with the chat are among them; the run itself reads which files the session has. In agent mode
// only_rag has the notes searched for what the agent is asked.
func (s *socket) settings(c chat) (json.RawMessage, error) {
	var base json.RawMessage
	if s.Settings != nil {
		var err error
		if base, err = s.Settings("strict"); err != nil {
			return nil, err
		}
	}
	if c.steps == nil && len(c.files) == 0 && !c.OnlyRAG {
		return base, nil
	}
	merged := map[string]any{}
	if len(base) > 0 {
		if err := json.Unmarshal(base, &merged); err != nil {
			return nil, rein.Errorf(rein.CodeInternal, "the server's settings of strict: %w", err)
		}
	}
	if c.steps != nil {
		merged["max_steps"] = *c.steps
	}
	if c.OnlyRAG {
		merged["retrieval"] = true
	}
	if len(c.files) > 0 {
		files := []File{}
		for _, f := range c.files {
			files = append(files, f.File)
		}
		merged["files"] = files
	}
	return json.Marshal(merged)
}
