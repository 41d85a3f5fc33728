package config

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"rein/flow"
	"rein/flow/kit"
)

// setFlows begins with what the flows have by default. Flows can share a section.
func (c *Config) setFlows(kinds flow.Table) {
	c.kinds, c.flows = kinds, map[string]kit.Values{}
	for _, k := range kinds {
		if _, shared := c.flows[k.SectionName()]; !shared && k.Settings != nil {
			c.flows[k.SectionName()] = k.Settings.Values()
		}
	}
}

// Settings returns what is set for a flow, nil if it has nothing to set.
func (c *Config) Settings(name string) (json.RawMessage, error) {
	values, ok := c.flows[c.Section(name)]
	if !ok || !settable(values) {
		return nil, nil
	}
	return json.Marshal(values.Whole)
}

// NotesLimits returns the settings that bound the tools which read notes; nil: there are none.
func (c *Config) NotesLimits() (json.RawMessage, error) {
	for _, k := range c.kinds {
		if k.BoundsNotes {
			return c.Settings(k.Name)
		}
	}
	return nil, nil
}

// Section returns the section with the settings of a flow.
func (c *Config) Section(name string) string {
	k, _ := c.kinds.Find(name)
	return k.SectionName()
}

// settable reports whether a file can set any of the values.
func settable(v kit.Values) bool {
	for _, f := range v.Fields {
		if f.Doc != "" {
			return true
		}
	}
	return false
}

// field returns where the value of a flow's setting is.
func (c *Config) field(section, name string) any {
	for _, f := range c.flows[section].Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// flowSections are the sections of the flows: what there is to set is theirs to say.
func flowSections(kinds flow.Table) (keys []Key) {
	seen := map[string]bool{}
	for _, k := range kinds {
		section := k.SectionName()
		if k.Settings == nil || seen[section] {
			continue
		}
		seen[section] = true
		for _, f := range k.Settings.Values().Fields {
			if f.Doc != "" {
				keys = append(keys, flowKey(section, f))
			}
		}
	}
	return append(keys,
		Key{"ceiling.rounds", "REIN_CEILING_ROUNDS", "", "the most rounds that a caller may ask for; 0: the flow's own limit", integer(func(c *Config) *int { return &c.Ceiling.Rounds })},
		Key{"ceiling.children", "REIN_CEILING_CHILDREN", "", "the most sub-agents side by side that a caller may ask for; 0: the flow's own limit", integer(func(c *Config) *int { return &c.Ceiling.Children })},
		Key{"ceiling.depth", "REIN_CEILING_DEPTH", "", "the deepest tree that a caller may ask for; 0: the flow's own limit", integer(func(c *Config) *int { return &c.Ceiling.Depth })},
	)
}

// flowKey is the key of a flow's setting.
func flowKey(section string, f kit.Field) Key {
	name := section + "." + f.Name
	k := Key{Name: name, Env: "REIN_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name)), Doc: f.Doc}
	switch f.Value.(type) {
	case *int:
		k.setting = integer(func(c *Config) *int { return c.field(section, f.Name).(*int) })
	case *float64:
		k.setting = fraction(func(c *Config) *float64 { return c.field(section, f.Name).(*float64) })
	case *bool:
		k.setting = boolean(func(c *Config) *bool { return c.field(section, f.Name).(*bool) })
	default:
		k.setting = choice(func(c *Config) *string { return c.field(section, f.Name).(*string) }, f.OneOf)
	}
	return k
}

func integer(field func(*Config) *int) setting {
	return scalar{
		kinds: []kind{isInteger}, wants: "a whole number",
		set: func(l *loading, v string) error {
			n, err := strconv.ParseInt(strings.ReplaceAll(v, "_", ""), 0, 32)
			if err != nil {
				return fmt.Errorf("it is %s and must be a whole number", v)
			}
			*field(l.config) = int(n)
			return nil
		},
		get: func(c *Config) string { return strconv.Itoa(*field(c)) },
	}
}

func fraction(field func(*Config) *float64) setting {
	return scalar{
		kinds: []kind{isInteger, isFloat}, wants: "a number from 0 to 1",
		set: func(l *loading, v string) error {
			n, err := strconv.ParseFloat(strings.ReplaceAll(v, "_", ""), 64)
			if err != nil || !(n >= 0 && n <= 1) {
				return fmt.Errorf("it is %s and must be a number from 0 to 1", v)
			}
			*field(l.config) = n
			return nil
		},
		get: func(c *Config) string { return strconv.FormatFloat(*field(c), 'f', -1, 64) },
	}
}

func boolean(field func(*Config) *bool) setting {
	return scalar{
		kinds: []kind{isBool}, wants: "true or false",
		set: func(l *loading, v string) error {
			b, err := strconv.ParseBool(v)
			if err != nil {
				return fmt.Errorf("it is %q and must be true or false", v)
			}
			*field(l.config) = b
			return nil
		},
		get: func(c *Config) string { return strconv.FormatBool(*field(c)) },
	}
}

// flowsFit has the flows look at their settings. What they would clamp for a caller is a mistake in
// a file.
func (l *loading) flowsFit() {
	for _, kind := range l.config.kinds {
		section := kind.SectionName()
		raw, err := l.config.Settings(kind.Name)
		if raw == nil && err == nil || section != kind.Name && l.config.kinds.IsName(section) {
			continue // it has nothing to set, or another flow has looked at it
		}
		var changes []kit.Change
		if err == nil {
			_, changes, err = kind.Fit(raw, kit.Ceiling{})
		}
		if err != nil {
			l.problems.add(l.blame(section+"."), "%v", err)
		}
		for _, c := range changes {
			key := section + "." + c.Field
			l.problems.add(l.blame(key), "%s is %v and must be %s", key, c.Was, c.Must)
		}
	}
	for _, c := range []struct {
		name  string
		value int
	}{{"ceiling.rounds", l.config.Ceiling.Rounds}, {"ceiling.children", l.config.Ceiling.Children}, {"ceiling.depth", l.config.Ceiling.Depth}} {
		if c.value < 0 {
			l.problems.add(l.config.sources[c.name], "%s is %d and must not be negative", c.name, c.value)
		}
	}
}

// blame is where a wrong value of a flow comes from: where it is set or, for a default that does not
// go with what is set, where another of the flow's is.
func (l *loading) blame(key string) Source {
	section, _, _ := strings.Cut(key, ".")
	if source := l.config.sources[key]; source != (Source{}) {
		return source
	}
	for _, k := range l.config.Keys() {
		if source := l.config.sources[k.Name]; strings.HasPrefix(k.Name, section+".") && source != (Source{}) {
			return source
		}
	}
	return Source{}
}
