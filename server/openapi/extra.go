package openapi

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

const (
	// wordsAbout is the keyword, known to several programs that show documents, that explains an enum.
	wordsAbout = "x-enumDescriptions"
	// payloadsAt is the keyword that says what a field of any JSON holds, by the word of another.
	payloadsAt = "x-rein-payloads"
)

// A Word is one value of an enum, with what it means.
type Word struct{ Text, About string }

// WordsOf returns the words of an enum.
func WordsOf(s *jsonschema.Schema) []Word {
	about, _ := s.Extra[wordsAbout].(map[string]string)
	all := make([]Word, len(s.Enum))
	for i, value := range s.Enum {
		text := fmt.Sprint(value)
		all[i] = Word{Text: text, About: about[text]}
	}
	return all
}

// A Payload is what a field of any JSON holds if another has this word.
type Payload struct {
	Word   string
	Schema *jsonschema.Schema
}

// Payloads says of a component what its field of any JSON holds: the types by the words of its kind.
func (s *Schemas) Payloads(of reflect.Type, types map[string]reflect.Type) {
	s.Of(of)
	all := map[string]*jsonschema.Schema{}
	for word, t := range types {
		all[word] = s.Of(t)
	}
	s.components[s.names[of]].Extra = map[string]any{payloadsAt: all}
}

// PayloadsOf returns what the field of any JSON of a component holds, by word.
func PayloadsOf(s *jsonschema.Schema) (all []Payload) {
	by, _ := s.Extra[payloadsAt].(map[string]*jsonschema.Schema)
	for _, word := range slices.Sorted(maps.Keys(by)) {
		all = append(all, Payload{Word: word, Schema: by[word]})
	}
	return all
}
