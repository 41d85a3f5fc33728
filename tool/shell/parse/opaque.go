package parse

import (
	_ "embed"
	"slices"
	"strings"
)

// opaqueText lists commands whose arguments are programs, addresses of programs, or that run files of
// the project. Each line is a reason, a colon and names; "name option…" is opaque with one of these
// options only.
//
//go:embed opaque.txt
var opaqueText string

// An opacity is why a command is opaque, and with which options; none means always.
type opacity struct {
	why     string
	options []string
}

var opacities = readOpacities(opaqueText)

func readOpacities(text string) map[string]opacity {
	table := map[string]opacity{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		why, list, _ := strings.Cut(line, ":")
		if name, options, conditional := strings.Cut(strings.TrimSpace(list), " with "); conditional {
			table[name] = opacity{why, strings.Fields(options)}
			continue
		}
		for _, name := range strings.Fields(list) {
			table[name] = opacity{why: why}
		}
	}
	return table
}

// opaqueWhy says why a command cannot be judged by its arguments, or "".
func opaqueWhy(name string, args []Word) string {
	if name == "sed" || name == "gsed" {
		return sedWhy(args)
	}
	o, ok := opacities[name]
	if !ok {
		o, ok = opacities[strings.TrimRight(name, "0123456789.-")] // python3.12
	}
	if !ok || isVersion(args) {
		return ""
	}
	if len(o.options) == 0 {
		return o.why
	}
	for _, a := range args {
		if a.Kind == Unknown || slices.ContainsFunc(o.options, func(option string) bool { return isOption(a.Text, option) }) {
			return o.why
		}
	}
	return ""
}

// isVersion reports whether a command is only asked for its version.
func isVersion(args []Word) bool {
	return len(args) == 1 && args[0].Kind == Literal && (args[0].Text == "--version" || args[0].Text == "-V")
}

// isOption reports whether a word is an option, perhaps shortened, with a value, or in a cluster. It
// may find too many.
func isOption(word, option string) bool {
	switch {
	case !strings.HasPrefix(option, "-"):
		return word == option
	case strings.HasPrefix(option, "--"):
		name, _, _ := strings.Cut(word, "=")
		return len(name) > 3 && strings.HasPrefix(option, name)
	case len(option) == 2:
		return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.Contains(word[1:], option[1:])
	}
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=") // -exec of go
	return strings.HasPrefix(word, "-") && name == option[1:]
}
