package strict

import (
	"context"
	"encoding/base64"
	"strings"

	"rein"
	"rein/household/shelf"
)

// A fileRequest wants a file of the conversation, to keep or to work with.
type fileRequest struct {
	Name   string `json:"filename"`
	Key    string `json:"s3_key"`
	attach bool
}

func (f *fileRequest) check() error {
	if f.attach {
		return filled("s3_key", f.Key)
	}
	return filled("filename", f.Name)
}

// file answers in the answer's own fields, also what went wrong: it concerns the file, not the chat.
func (s *socket) file(ctx context.Context, f fileRequest) error {
	if f.attach {
		err := s.attach(ctx, f.Key)
		success := err == nil
		m := Message{Type: typeAttach, Key: f.Key, File: shelf.BaseName(f.Key), Success: &success, Conversation: s.conversation}
		if err != nil {
			m.Error = fault(err).Message
		}
		s.send(ctx, m)
		return nil
	}
	m := Message{Type: typeDownload, File: shelf.BaseName(f.Name), Conversation: s.conversation}
	if content, err := s.fetch(ctx, s.conversation, f.Name); err != nil {
		m.Error = fault(err).Message
	} else {
		text := base64.StdEncoding.EncodeToString(content)
		m.Base64 = &text
	}
	s.send(ctx, m)
	return nil
}

// fetch returns a file of a conversation that the client may see.
func (s *socket) fetch(ctx context.Context, conversation, name string) ([]byte, error) {
	switch {
	case s.Shelf == nil:
		return nil, rein.Errorf(rein.CodeUnavailable, "this process does not keep files of conversations")
	case conversation == "":
		return nil, rein.Errorf(rein.CodeNotFound, "there is no conversation yet, so there is no file %.60q", name)
	}
	owner, err := s.owner(ctx, conversation)
	if err != nil {
		return nil, err
	}
	_, content, err := s.Shelf.Get(ctx, s.place(conversation, owner), name, 0, 0)
	return content, err
}

// attach makes a file part of the conversation: one that it has, by its name, or one of another
// conversation that the client may see, as CONVERSATION/NAME.
func (s *socket) attach(ctx context.Context, key string) error {
	if err := s.needs(rein.ScopeAct); err != nil {
		return err
	}
	from, name, elsewhere := strings.Cut(key, "/")
	if !elsewhere {
		from, name = s.conversation, key
	}
	content, err := s.fetch(ctx, from, name)
	if err != nil || from == s.conversation {
		return err
	}
	owner, err := s.owner(ctx, s.conversation)
	switch {
	case err != nil:
		return err
	case s.conversation == "":
		return rein.Errorf(rein.CodeInvalid, "there is no conversation yet: say something first, then attach the file")
	case owner != "" && owner != s.who.User:
		return rein.Errorf(rein.CodeForbidden, "this conversation belongs to %s: you may read its files, but not add any", owner)
	}
	return s.keep(ctx, []attached{{File: File{Name: shelf.BaseName(name)}, content: content, brought: true}}, s.conversation)
}
