package strict

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rein"
	"rein/household/shelf"
)

// An attached file came with a chat: by name, if the session has it, or with its content.
type attached struct {
	File
	content []byte
	brought bool // with its content
}

// A fileNote is a file as a client writes it.
type fileNote struct {
	Name      string  `json:"name"`
	FileName  string  `json:"filename"`
	Type      string  `json:"type"`
	MediaType string  `json:"content_type"`
	Size      int64   `json:"size"`
	Content   *string `json:"content"` // base64
}

// mostFiles is how many files a chat may name.
const mostFiles = 200

// readFiles reads the files of a chat: a list of names or of objects, or an object of names with
// their contents.
func readFiles(raw json.RawMessage) ([]attached, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	notes, err := fileNotes(raw)
	if err != nil {
		return nil, err
	}
	if len(notes) > mostFiles {
		return nil, rein.Errorf(rein.CodeInvalid, "files has %d entries: send at most %d", len(notes), mostFiles)
	}
	files := make([]attached, len(notes))
	for i, note := range notes {
		if files[i], err = note.file(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func fileNotes(raw json.RawMessage) ([]fileNote, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		notes := make([]fileNote, len(list))
		for i, item := range list {
			if json.Unmarshal(item, &notes[i].Name) != nil && json.Unmarshal(item, &notes[i]) != nil {
				return nil, badFiles()
			}
		}
		return notes, nil
	}
	var byName map[string]json.RawMessage
	if json.Unmarshal(raw, &byName) != nil {
		return nil, badFiles()
	}
	var notes []fileNote
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		var note fileNote
		if json.Unmarshal(byName[name], &note.Content) != nil && json.Unmarshal(byName[name], &note) != nil {
			return nil, badFiles()
		}
		note.Name = name
		notes = append(notes, note)
	}
	return notes, nil
}

func badFiles() error {
	return rein.Errorf(rein.CodeInvalid, "files must be a list of names, a list of {name, type, size, content}, or an object of names with their contents")
}

func (n fileNote) file() (attached, error) {
	if n.Name == "" {
		n.Name = n.FileName
	}
	if strings.TrimSpace(n.Name) == "" {
		return attached{}, rein.Errorf(rein.CodeInvalid, "a file has no name: give it one")
	}
	if n.Type == "" {
		n.Type = n.MediaType
	}
	f := attached{File: File{Name: shelf.BaseName(n.Name), Type: n.Type, Size: max(n.Size, 0)}, brought: n.Content != nil}
	if !f.brought {
		return f, nil
	}
	text := *n.Content
	if _, data, ok := strings.Cut(text, ";base64,"); ok && strings.HasPrefix(text, "data:") {
		text = data
	}
	var err error
	if f.content, err = base64.StdEncoding.DecodeString(text); err != nil {
		return attached{}, rein.Errorf(rein.CodeInvalid, "file %q: its content is not base64: %w", f.Name, err)
	}
	f.Size = int64(len(f.content))
	return f, nil
}
