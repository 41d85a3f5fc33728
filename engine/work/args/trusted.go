package args

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rein"
)

// strip removes what a model wrote for trusted and pinned fields.
func strip(t rein.Tool, object map[string]any) {
	remove(object, t.Trusted)
	remove(object, t.Pinned)
}

// remove removes fields by name. Names that differ only in case go too, since a tool that decodes its
// arguments may take them for the same.
func remove(object map[string]any, fields []string) {
	if len(fields) == 0 {
		return
	}
	for name := range object {
		if slices.ContainsFunc(fields, func(field string) bool { return strings.EqualFold(field, name) }) {
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
	if len(t.Trusted) == 0 {
		return Ready{Args: plain, Plain: plain, How: how}, nil
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

// Plain returns arguments without their trusted and pinned fields: what people and models are shown.
func Plain(t rein.Tool, args json.RawMessage) json.RawMessage {
	return change(args, func(object map[string]any) { strip(t, object) })
}

// Unpinned returns arguments without what pins them: the same for every call that says the same.
func Unpinned(t rein.Tool, args json.RawMessage) json.RawMessage {
	if len(t.Pinned) == 0 {
		return args
	}
	return change(args, func(object map[string]any) { remove(object, t.Pinned) })
}

// Pin returns arguments with what pins them, in place of what pinned them before. Only what the tool
// declares can be pinned.
func Pin(t rein.Tool, args json.RawMessage, pin map[string]string) (json.RawMessage, error) {
	for _, name := range slices.Sorted(maps.Keys(pin)) {
		if !slices.Contains(t.Pinned, name) {
			return nil, rein.Errorf(rein.CodeInvalid, "tool %q pins %q, which it does not declare", t.Name, name)
		}
	}
	return change(Unpinned(t, args), func(object map[string]any) {
		for name, value := range pin {
			object[name] = strings.ToValidUTF8(value, "\uFFFD")
		}
	}), nil
}

// change returns an object with a change; what is no object stays as it is.
func change(args json.RawMessage, by func(object map[string]any)) json.RawMessage {
	value, err := decodeStrict(args)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return args
	}
	by(object)
	changed, err := encode(object)
	if err != nil {
		return args
	}
	return changed
}
