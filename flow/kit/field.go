package kit

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A Field is one setting of a flow: where its value is, and what it may be.
type Field struct {
	Name string // as in JSON
	// Doc says in a line what it does, for rein.toml; empty: a caller sets it, and rein.toml does not.
	Doc string
	// Value points to it: *int, *float64, *bool or *string.
	Value any
	// OneOf lists what a text may be.
	OneOf []string

	least, most int
	above       *int
	under       Limit
	callers     string // what it does, if rein.toml does not set it
}

// A Ceiling is the most that a server lets its callers choose. Zero parts are the flow's own limits.
type Ceiling struct {
	Rounds   int `json:"rounds,omitempty"`   // turns of a loop
	Children int `json:"children,omitempty"` // side by side
	Depth    int `json:"depth,omitempty"`    // of a tree
}

// A Limit names a part of a Ceiling.
type Limit string

// The parts of a Ceiling.
const (
	Rounds   Limit = "rounds"
	Children Limit = "children"
	Depth    Limit = "depth"
)

func (c Ceiling) of(l Limit) int {
	return map[Limit]int{Rounds: c.Rounds, Children: c.Children, Depth: c.Depth}[l]
}

// Int is a whole number in a range.
func Int(name string, value *int, least, most int, doc string) Field {
	return Field{Name: name, Value: value, least: least, most: most, Doc: doc}
}

// Share is a number from 0 to 1.
func Share(name string, value *float64, doc string) Field {
	return Field{Name: name, Value: value, most: 1, Doc: doc}
}

// Bool is a switch.
func Bool(name string, value *bool, doc string) Field {
	return Field{Name: name, Value: value, Doc: doc}
}

// Choice is one of a few words.
func Choice(name string, value *string, oneOf []string, doc string) Field {
	return Field{Name: name, Value: value, OneOf: oneOf, Doc: doc}
}

// AnswerTimeout is how many seconds a question waits for a person: from a minute to a week.
func AnswerTimeout(value *int, doc string) Field {
	return Int("answer_timeout", value, 60, 7*24*3600, doc)
}

// Seconds makes a duration of a setting.
func Seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// Under says which part of a server's ceiling also bounds a number.
func (f Field) Under(l Limit) Field {
	f.under = l
	return f
}

// Above says that a number must be greater than another setting.
func (f Field) Above(other *int) Field {
	f.above = other
	return f
}

// ForCallers says in a line what a setting does that rein.toml does not set.
func (f Field) ForCallers(about string) Field {
	f.callers = about
	return f
}

// fit puts the value into its range and returns what it changed. A word that is not among those there
// are is an error: nobody can guess what was meant.
func (f Field) fit(c Ceiling) (*Change, error) {
	switch value := f.Value.(type) {
	case *int:
		least, most := f.bounds(c)
		return clamp(f.Name, value, least, most), nil
	case *float64:
		return clamp(f.Name, value, float64(f.least), float64(f.most)), nil
	case *string:
		if !slices.Contains(f.OneOf, *value) {
			return nil, fmt.Errorf("%s is %q; it must be one of %q", f.Name, *value, f.OneOf)
		}
	}
	return nil, nil
}

// bounds is the range of a whole number. The flow's own limits hold whatever the ceiling.
func (f Field) bounds(c Ceiling) (least, most int) {
	least, most = f.least, f.most
	if f.above != nil {
		least = max(least, *f.above+1)
	}
	if ceiling := c.of(f.under); ceiling > 0 {
		most = max(least, min(most, ceiling))
	}
	return least, most
}

func clamp[T cmp.Ordered](name string, value *T, least, most T) *Change {
	was := *value
	if *value = min(max(was, least), most); *value == was {
		return nil
	}
	return &Change{Field: name, Was: was, Is: *value, Must: fmt.Sprintf("from %v to %v", least, most)}
}
