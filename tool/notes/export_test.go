package notes

import (
	"encoding/json"

	"rein/vault/stage"
)

// AboutHits says what can be done with hits.
var AboutHits = aboutHits

// EditFront edits the front matter of a text.
func EditFront(text string, set map[string]json.RawMessage, remove []string) (string, error) {
	if err := (upsertArgs{Set: set, Remove: remove}).check(); err != nil {
		return "", err
	}
	content, err := editFront(stage.Note{Path: "n.md", Content: []byte(text), Exists: true}, set, remove)
	return string(content), err
}
