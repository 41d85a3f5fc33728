package server

import (
	"reflect"

	"rein"
	"rein/api"
	"rein/server/openapi"
)

// newSchemas knows what reflection cannot tell of our types.
func newSchemas() *openapi.Schemas {
	return &openapi.Schemas{
		Vocabulary: vocabulary(),
		Names: map[reflect.Type]string{
			reflect.TypeFor[rein.RunInfo]():       "Run",
			reflect.TypeFor[rein.SessionInfo]():   "Session",
			reflect.TypeFor[rein.UserInfo]():      "User",
			reflect.TypeFor[rein.PeopleChange]():  "Change",
			reflect.TypeFor[rein.WebhookStatus](): "TargetStatus",
			reflect.TypeFor[rein.DeliveryState](): "State",
			reflect.TypeFor[rein.UsageSum]():      "Sum",
			reflect.TypeFor[api.Answer]():         "NewAnswer",
			reflect.TypeFor[api.LinkedNotes]():    "Links",
			reflect.TypeFor[rein.Usage]():         "ModelUsage",
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
	status, end, kind := openapi.Key(reflect.TypeFor[rein.Status]()), openapi.Key(reflect.TypeFor[rein.End]()), openapi.Key(reflect.TypeFor[rein.Kind]())
	for _, word := range v.Words[end] {
		v.Words[status] = append(v.Words[status], word)
		v.Comments[openapi.WordKey(status, word)] = v.Comments[openapi.WordKey(end, word)]
	}
	for _, command := range v.Words[openapi.Key(reflect.TypeFor[rein.CommandKind]())] {
		v.Words[kind] = append(v.Words[kind], string(rein.CommandKind(command).EventKind()))
	}
	return v
}

// payloads are what the data of events is, by their kind. Others have none.
func payloads() map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for kind, value := range map[rein.Kind]any{
		rein.RunStarted: rein.RunStart{}, rein.RunParked: rein.Parked{}, rein.RunBlocked: rein.Blocked{},
		rein.StepStarted: rein.StepStart{}, rein.StepAttempt: rein.Attempt{}, rein.StepRenewed: rein.Renewed{}, rein.StepWaiting: rein.Waiting{}, rein.StepIntent: rein.Intent{},
		rein.StepChecked: rein.Checked{}, rein.StepDone: rein.StepEnd{}, rein.AskOpened: rein.Ask{}, rein.SubStarted: rein.StepStart{}, rein.SubDone: rein.StepEnd{},
		rein.RunCompleted: rein.RunEnd{}, rein.RunStopped: rein.RunEnd{}, rein.RunFailed: rein.RunEnd{},
	} {
		all[string(kind)] = reflect.TypeOf(value)
	}
	for _, command := range openapi.NewVocabulary().Words[openapi.Key(reflect.TypeFor[rein.CommandKind]())] {
		all[string(rein.CommandKind(command).EventKind())] = reflect.TypeFor[rein.Command]()
	}
	return all
}
