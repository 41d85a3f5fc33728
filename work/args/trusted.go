package args

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
)

// strip removes what a model wrote for trusted fields. Names that differ only in case go too, since
// a tool that decodes its arguments may take them for the same.
func strip(t rein.Tool, object map[string]any) {
	if len(t.Trusted) == 0 {
		return
	}
	for name := range object {
		if slices.ContainsFunc(t.Trusted, func(field string) bool { return strings.EqualFold(field, name) }) {
			delete(object, name)
		}
	}
}

// finish adds the trusted fields to arguments that fit.
func finish(t rein.Tool, object map[string]any, task rein.Task, how How) (Ready, error) {
	plain, err := encode(object)
	if err != nil {
		return Ready{}, err
	}
	for _, name := range t.Trusted {
		field, ok := rein.TrustedFields[name]
		if !ok {
			return Ready{}, rein.Errorf(rein.CodeInvalid, "tool %q trusts %q, which no task has", t.Name, name)
		}
		object[name] = strings.ToValidUTF8(field(task), "\uFFFD")
	}
	args, err := encode(object)
	return Ready{Args: args, Plain: plain, How: how}, err
}

// Plain returns arguments without their trusted fields: what people and models are shown.
func Plain(t rein.Tool, args json.RawMessage) json.RawMessage {
	value, err := decodeStrict(args)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return args
	}
	strip(t, object)
	plain, err := encode(object)
	if err != nil {
		return args
	}
	return plain
}
