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
	maps.DeleteFunc(given, func(name string, _ json.RawMessage) bool { return s.names[name] })
	if len(given) > 0 {
		return none, rein.Errorf(rein.CodeInvalid, "%s has no argument %.80q", tool, slices.Min(slices.Collect(maps.Keys(given))))
	}
	if string(s.defaults) != "{}" {
		if err := json.Unmarshal(s.defaults, &args); err != nil {
			return none, explain(tool, err)
		}
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		return none, explain(tool, err)
	}
	return args, nil
}

func explain(tool string, err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return rein.Errorf(rein.CodeInvalid, "%s: argument %q: a JSON %s does not fit; it must be %s", tool, wrong.Field, wrong.Value, kindWord(wrong.Type))
	}
	return rein.Errorf(rein.CodeInvalid, "%s: the arguments cannot be read: %w", tool, err)
}
