package server

import (
	"reflect"
	"slices"

	"rein"
	"rein/server/openapi"
	"rein/store"
)

// newSchemas knows what reflection cannot tell of our types.
func newSchemas() *openapi.Schemas {
	return &openapi.Schemas{
		Vocabulary: vocabulary(),
		Names: map[reflect.Type]string{
			reflect.TypeFor[store.RunInfo]():     "Run",
			reflect.TypeFor[store.SessionInfo](): "Session",
		},
		Optional: map[reflect.Type][]string{
			reflect.TypeFor[rein.Command](): {"run"}, // the ask of an answer says which
		},
		Extra: map[reflect.Type][]string{
			reflect.TypeFor[rein.ToolCall](): {"raw_args"}, // in place of args, if they are not JSON
		},
	}
}

// vocabulary adds the words of one type that another has too.
func vocabulary() openapi.Vocabulary {
	v := openapi.NewVocabulary()
	if v.Words == nil {
		return v
	}
	status, kind := openapi.Key(reflect.TypeFor[store.Status]()), openapi.Key(reflect.TypeFor[rein.Kind]())
	v.Words[status] = slices.Concat(v.Words[status], v.Words[openapi.Key(reflect.TypeFor[rein.End]())])
	for _, command := range v.Words[openapi.Key(reflect.TypeFor[rein.CommandKind]())] {
		v.Words[kind] = append(v.Words[kind], string(rein.CommandKind(command).EventKind()))
	}
	return v
}
