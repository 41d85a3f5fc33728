package openapi

import (
	_ "embed"
	"encoding/json"
	"path"
	"reflect"
)

// A Vocabulary is what only the source of a program knows of its types.
type Vocabulary struct {
	// Comments are those of types, fields and words, by Key: "rein.RunInfo", "rein.RunInfo.Title" and
	// "rein.Status=ready".
	Comments map[string]string `json:"comments"`
	// Words are the constants of types of strings, by Key.
	Words map[string][]string `json:"words"`
}

// vocabularyJSON is written by internal/apidoc.
//
//go:embed vocabulary.json
var vocabularyJSON []byte

// NewVocabulary returns the vocabulary that this program was made with. The caller may add to it.
func NewVocabulary() (v Vocabulary) {
	if json.Unmarshal(vocabularyJSON, &v) != nil {
		return Vocabulary{} // a test reads it
	}
	return v
}

// Key names a type in a Vocabulary.
func Key(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }

// WordKey names a word of a type.
func WordKey(key, word string) string { return key + "=" + word }
