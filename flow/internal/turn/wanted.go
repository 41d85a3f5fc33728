package turn

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// Wanted is a call as a model wrote it.
type Wanted struct {
	Name string
	Args json.RawMessage
	Why  string // for people
}

// UnmarshalJSON takes the names that models use for the same things.
func (w *Wanted) UnmarshalJSON(data []byte) error {
	var raw struct {
		Name, Tool      string
		Arguments, Args json.RawMessage
		Reason, Why     string
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	w.Name, w.Args = strings.TrimSpace(cmp.Or(raw.Name, raw.Tool)), raw.Arguments
	w.Why = strings.TrimSpace(cmp.Or(raw.Reason, raw.Why))
	if w.Args == nil {
		w.Args = raw.Args
	}
	var spelled string
	if json.Unmarshal(w.Args, &spelled) == nil { // arguments as a text that holds JSON
		w.Args = json.RawMessage(spelled)
	}
	if len(w.Args) == 0 {
		w.Args = json.RawMessage("{}")
	}
	return nil
}

// ListOf reads a list of texts that may be one text, or hold objects.
func ListOf(raw json.RawMessage) []string {
	var one string
	var many []json.RawMessage
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil
	case json.Unmarshal(raw, &one) == nil:
		if one = strings.TrimSpace(one); one == "" {
			return nil
		}
		return []string{one}
	case json.Unmarshal(raw, &many) == nil:
		var list []string
		for _, item := range many {
			list = append(list, ListOf(item)...)
		}
		return list
	default:
		return []string{string(raw)}
	}
}

// ErrCut is for JSON that says less than was meant.
var ErrCut = errors.New("the JSON is cut off before its end")
