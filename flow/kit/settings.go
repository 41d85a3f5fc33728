package kit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"rein"
)

// Settings are what a caller may choose about a flow. SettingsOf makes them.
type Settings interface {
	// Fit reads settings over the defaults. What is missing takes its default, what is out of range is
	// clamped and told, what makes no sense is an error.
	Fit(raw json.RawMessage, c Ceiling) (complete json.RawMessage, changes []Change, err error)
	// Values returns the defaults, to be changed field by field.
	Values() Values
}

// Values are the settings of one flow while somebody sets them.
type Values struct {
	Fields []Field // their values are those of Whole
	Whole  any     // to be marshalled
}

// SettingsOf makes Settings of a struct whose fields have JSON names.
type SettingsOf[T any] struct {
	Flow    string // for messages
	Default T
	// Fields lists what can be set, with ranges, in the order in which it is checked; nil: nothing is
	// bounded, and rein.toml sets none of it.
	Fields func(*T) []Field
	// Check looks at what no field can know alone; nil: nothing.
	Check func(*T) ([]Change, error)
}

// Read returns the settings of a task, complete and in their ranges. The notices say what was changed.
func (s SettingsOf[T]) Read(task rein.Task) (T, []string, error) {
	set, changes, err := s.fit(task.Settings, Ceiling{})
	return set, Notices(s.Flow, changes), err
}

// ReadOr is Read for those who can do nothing about an error: they get the defaults.
func (s SettingsOf[T]) ReadOr(task rein.Task) T {
	set, _, err := s.Read(task)
	if err != nil {
		return s.Default
	}
	return set
}

// Fit implements Settings.
func (s SettingsOf[T]) Fit(raw json.RawMessage, c Ceiling) (json.RawMessage, []Change, error) {
	set, changes, err := s.fit(raw, c)
	if err != nil {
		return nil, nil, err
	}
	complete, err := json.Marshal(set)
	return complete, changes, err
}

// Values implements Settings.
func (s SettingsOf[T]) Values() Values {
	set := s.Default
	v := Values{Whole: &set}
	if s.Fields != nil {
		v.Fields = s.Fields(&set)
	}
	return v
}

// fit reads settings over the defaults. Names that do not exist and values of the wrong type are errors.
func (s SettingsOf[T]) fit(raw json.RawMessage, c Ceiling) (set T, changes []Change, err error) {
	set = s.Default
	if len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		err = d.Decode(&set)
	}
	if err == nil {
		changes, err = s.clamp(&set, c)
	}
	if err != nil {
		return set, nil, rein.Errorf(rein.CodeInvalid, "settings of %s: %w", s.Flow, err)
	}
	return set, changes, nil
}

func (s SettingsOf[T]) clamp(set *T, c Ceiling) (changes []Change, err error) {
	var fields []Field
	if s.Fields != nil {
		fields = s.Fields(set)
	}
	for _, depends := range []bool{false, true} { // those that depend on others come after them
		for _, f := range fields {
			if (f.above != nil) != depends {
				continue
			}
			change, err := f.fit(c)
			if err != nil {
				return nil, err
			}
			if change != nil {
				changes = append(changes, *change)
			}
		}
	}
	if s.Check == nil {
		return changes, nil
	}
	more, err := s.Check(set)
	return append(changes, more...), err
}

// A Change is what was made of a setting that cannot be as it was chosen.
type Change struct {
	Field string
	Was   any    // what was chosen
	Is    any    // what holds
	Must  string // what it must be, such as "from 1 to 8"
	Note  string // what is told in place of these; empty: these are
}

func (c Change) String() string {
	if c.Note != "" {
		return c.Note
	}
	return fmt.Sprintf("%s is %v instead of %v: it must be %s", c.Field, c.Is, c.Was, c.Must)
}

// Notices tells changes to people.
func Notices(flow string, changes []Change) (notices []string) {
	for _, c := range changes {
		notices = append(notices, flow+": "+c.String())
	}
	return notices
}
