package flow

import (
	"bytes"
	"encoding/json"
	"fmt"

	"rein"
)

// A Ceiling is the most that a server lets its callers choose. Zero parts are the flow's own limits.
type Ceiling struct {
	Rounds   int `json:"rounds,omitempty"`   // turns of a loop
	Children int `json:"children,omitempty"` // side by side
	Depth    int `json:"depth,omitempty"`    // of a tree
}

// settingsOf makes the Settings of a Kind.
func settingsOf[T any](flow string, defaults T, fit func(*T, Ceiling) ([]string, error)) func(json.RawMessage, Ceiling) (json.RawMessage, []string, error) {
	return func(raw json.RawMessage, c Ceiling) (json.RawMessage, []string, error) {
		s, notices, err := readSettings(flow, raw, defaults, fit, c)
		if err != nil {
			return nil, nil, err
		}
		complete, err := json.Marshal(s)
		return complete, notices, err
	}
}

// readSettings reads settings over the defaults. Names that do not exist and values of the wrong
// type are errors, values out of range are clamped.
func readSettings[T any](flow string, raw json.RawMessage, s T, fit func(*T, Ceiling) ([]string, error), c Ceiling) (T, []string, error) {
	if len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			return s, nil, rein.Errorf(rein.CodeInvalid, "settings of %s: %w", flow, err)
		}
	}
	notices, err := fit(&s, c)
	if err != nil {
		return s, nil, rein.Errorf(rein.CodeInvalid, "settings of %s: %w", flow, err)
	}
	for i, n := range notices {
		notices[i] = flow + ": " + n
	}
	return s, notices, nil
}

func noSettings(flow string) func(json.RawMessage, Ceiling) (json.RawMessage, []string, error) {
	return settingsOf(flow, struct{}{}, func(*struct{}, Ceiling) ([]string, error) { return nil, nil })
}

// clamp keeps a number in its range. most is the flow's own limit, ceiling the server's.
func clamp(notices []string, name string, value *int, least, most, ceiling int) []string {
	if ceiling > 0 {
		most = max(least, min(most, ceiling))
	}
	if fit := min(max(*value, least), most); fit != *value {
		notices = append(notices, fmt.Sprintf("%s is %d instead of %d: it must be from %d to %d", name, fit, *value, least, most))
		*value = fit
	}
	return notices
}

// oneOf says that a word is not among those that are allowed.
func oneOf(name, value string, allowed ...string) error {
	for _, a := range allowed {
		if a == value {
			return nil
		}
	}
	return fmt.Errorf("%s is %q; it must be one of %q", name, value, allowed)
}
