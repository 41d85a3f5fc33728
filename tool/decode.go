package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"rein"
)

// decode reads the arguments of a call. Names must be exact: encoding/json alone would let "USER"
// write over the trusted "user".
func decode[Args any](tool string, s shape, raw json.RawMessage) (Args, error) {
	var args, none Args
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return none, rein.Errorf(rein.CodeInvalid, "%s: the arguments must be one JSON object", tool)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !s.names[name] {
			return none, rein.Errorf(rein.CodeInvalid, "%s has no argument %.80q", tool, name)
		}
	}
	for _, part := range []json.RawMessage{s.defaults, raw} {
		if err := json.Unmarshal(part, &args); err != nil {
			return none, explain(tool, err)
		}
	}
	return args, nil
}

func explain(tool string, err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return rein.Errorf(rein.CodeInvalid, "%s: argument %q: a JSON %s does not fit; it must be %s", tool, wrong.Field, wrong.Value, kindWord(wrong.Type))
	}
	return rein.Errorf(rein.CodeInvalid, "%s: the arguments cannot be read: %w", tool, err)
}
