package files

import (
	"context"
	"encoding/json"
	"fmt"

	"rein"
)

// Hazards says why a file is not written, or not even read, without a person who looks at it; empty: it may be. The name
// is relative to the folder, with slashes.
type Hazards func(name string, write bool) string

// Heed makes the folder heed hazards: writing such a file is asked in every mode, and what commands change is looked at
// without reading it. Call it before the tools are made.
func (r *Root) Heed(h Hazards) {
	if r != nil {
		r.hazards = h
	}
}

// hazard is the reason for one file.
func (r *Root) hazard(name string, write bool) string {
	if r == nil || r.hazards == nil {
		return ""
	}
	return r.hazards(name, write)
}

// Warn names the first file that a person has to look at before it is written; empty: there is none.
func (r *Root) Warn(all []Written) string {
	for _, f := range all {
		if why := r.hazard(f.Path, true); why != "" {
			return fmt.Sprintf("%s: %s", quoted(f.Path), why)
		}
	}
	return ""
}

// warned adds to what is shown why a person is asked in every mode, if so.
func (w writer) warned(show func(context.Context, rein.Invocation) (rein.Shown, error)) func(context.Context, rein.Invocation) (rein.Shown, error) {
	return func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		shown, err := show(ctx, inv)
		if err != nil {
			return shown, err
		}
		var all []Written
		if err := json.Unmarshal([]byte(shown.Pin["shown"]), &all); err != nil {
			return rein.Shown{}, err
		}
		if shown.Hazard = w.root.Warn(all); shown.Hazard != "" {
			shown.Text = "Look closely at " + shown.Hazard + ".\n" + shown.Text
		}
		return shown, nil
	}
}
