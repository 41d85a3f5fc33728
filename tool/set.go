package tool

import (
	"rein"
	"rein/internal/toolname"
)

// Set collects tools by name. A name that is taken or unusable is an error, and so is a tool that
// does not state its effect.
func Set(tools ...rein.Tool) (map[string]rein.Tool, error) {
	set := make(map[string]rein.Tool, len(tools))
	for _, t := range tools {
		if !toolname.Good(t.Name) {
			return nil, badName(t.Name)
		}
		if err := t.Effect.Check(); err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "tool %q: %w", t.Name, err)
		}
		if _, taken := set[t.Name]; taken {
			return nil, rein.Errorf(rein.CodeInvalid, "two tools are named %q: rename one or leave it out", t.Name)
		}
		set[t.Name] = t
	}
	return set, nil
}
