package openai

import (
	"slices"
	"strings"

	"rein"
	"rein/internal/digest"
	"rein/internal/toolname"
)

// maxName is how long a tool's name may be at the provider.
const maxName = 64

// names maps tool names to what the provider allows, letters, digits, _ and -, and back. It depends
// on the set of names only, so that a prompt's beginning stays as it was.
type names struct {
	out, back map[string]string
}

// namesOf maps the tools that are offered and those that were called before.
func namesOf(offered []rein.Tool, called []string) names {
	all := slices.Clone(called)
	for i := range offered {
		all = append(all, offered[i].Name)
	}
	if !slices.ContainsFunc(all, isForbidden) {
		return names{} // nothing is to be mapped, as mostly
	}
	return mapNames(all)
}

// mapNames leaves allowed names alone. Those of tools have dashes for their dots. What models make up
// is spelled with _ for what is forbidden and, if that is the spelling of two names, with a digest of
// the name at its end.
func mapNames(all []string) names {
	n := names{map[string]string{}, map[string]string{}}
	slices.Sort(all)
	all = slices.Compact(all)
	spelled := map[string]int{}
	for _, name := range all {
		spelled[spell(name)]++
		if allowed(name) {
			n.add(name, name)
		}
	}
	for _, name := range all {
		if allowed(name) {
			continue
		}
		as, salt := spell(name), name
		for spelled[as] > 1 || n.back[as] != "" {
			as = clip(spell(name), maxName-9) + "_" + digest.Joined(4, salt)
			salt += "+"
		}
		n.add(name, as)
	}
	return n
}

func (n names) add(name, as string) { n.out[name], n.back[as] = as, name }

// to returns what the provider is told.
func (n names) to(name string) string {
	if as, ok := n.out[name]; ok {
		return as
	}
	return spell(name)
}

// from returns the tool that the model means; a name that it made up stays.
func (n names) from(as string) string {
	if name, ok := n.back[as]; ok {
		return name
	}
	return as
}

func allowed(name string) bool { return name != "" && spell(name) == name }

func isForbidden(name string) bool { return !allowed(name) }

func spell(name string) string {
	if toolname.Good(name) {
		return toolname.Wire(name)
	}
	as := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
			return c
		}
		return '_'
	}, name)
	if as == "" {
		return "_"
	}
	return clip(as, maxName)
}

func clip(s string, n int) string { return s[:min(len(s), n)] }
