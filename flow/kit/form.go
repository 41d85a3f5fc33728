package kit

import (
	"encoding/json"
	"fmt"
)

// An Entry is one setting of a flow, for a form that a person fills in.
type Entry struct {
	Name  string // as in JSON
	About string
	Value any // what holds if nothing is chosen: an int, a float64, a bool or a string
	// Least and Most bound a number; nil for other values.
	Least, Most *float64
	// OneOf lists what a text may be.
	OneOf []string
}

// Form lists what a caller may choose about the flow under a ceiling. What is given are settings, such as those of
// rein.toml; the rest is as the flow has it.
func (k Kind) Form(given json.RawMessage, c Ceiling) ([]Entry, error) {
	if k.Settings == nil {
		return nil, nil
	}
	complete, _, err := k.Fit(given, c)
	if err != nil {
		return nil, err
	}
	values := k.Settings.Values()
	if err := json.Unmarshal(complete, values.Whole); err != nil {
		return nil, fmt.Errorf("settings of %s: %w", k.Name, err)
	}
	var form []Entry
	for _, f := range values.Fields {
		form = append(form, f.entry(c))
	}
	return form, nil
}

// entry leaves out that a number must be greater than another: that one may change too.
func (f Field) entry(c Ceiling) Entry {
	f.above = nil
	e := Entry{Name: f.Name, About: f.Doc, OneOf: f.OneOf}
	if e.About == "" {
		e.About = f.callers
	}
	switch value := f.Value.(type) {
	case *int:
		least, most := f.bounds(c)
		e.Value, e.Least, e.Most = *value, number(least), number(most)
	case *float64:
		e.Value, e.Least, e.Most = *value, number(f.least), number(f.most)
	case *bool:
		e.Value = *value
	case *string:
		e.Value = *value
	}
	return e
}

func number(n int) *float64 {
	f := float64(n)
	return &f
}
