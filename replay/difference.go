package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/engine/guard"
)

// A Difference is the first place at which a new log is not the recorded one.
type Difference struct {
	Run   rein.RunID   `json:"run"`
	Step  rein.StepKey `json:"step,omitempty"`
	Kind  rein.Kind    `json:"kind,omitempty"`
	Field string       `json:"field,omitempty"` // of the event
	Was   string       `json:"was,omitempty"`   // empty: nothing
	Is    string       `json:"is,omitempty"`
}

// String tells the difference on three lines.
func (d *Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %s", d.Run)
	if d.Step != "" {
		fmt.Fprintf(&b, ", step %s", d.Step)
	}
	if d.Kind != "" {
		fmt.Fprintf(&b, ": %s", d.Kind)
	}
	if d.Field != "" {
		fmt.Fprintf(&b, ", %s", d.Field)
	}
	fmt.Fprintf(&b, "\n  was: %s\n  is:  %s", or(d.Was), or(d.Is))
	return b.String()
}

func or(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}

// maxShown is how much of a value a difference tells.
const maxShown = 2000

// clip hides what is secret in the values and cuts them, in this order: half a secret is not found.
func (d *Difference) clip(mask func(string) string) *Difference {
	if d == nil {
		return nil
	}
	for _, value := range []*string{&d.Was, &d.Is} {
		if mask != nil {
			*value = mask(*value)
		}
		*value = guard.Clip(*value, maxShown)
	}
	return d
}

func text(v any) string {
	if v == nil {
		return ""
	}
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func askOf(e rein.Event) (ask rein.Ask) {
	if e.Kind == rein.AskOpened {
		ask, _ = rein.Payload[rein.Ask](e) // the engine has just written it
	}
	return ask
}
