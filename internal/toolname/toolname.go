// Package toolname says how tools are named, and how providers that refuse dots see those names.
package toolname

import (
	"regexp"
	"strings"
)

// Rule is what a name must look like, for error messages.
const Rule = "1 to 64 lower-case letters, digits and '_', in parts that a '.' may separate"

const longest = 64

var shape = regexp.MustCompile(`^[a-z0-9_]+(\.[a-z0-9_]+)*$`)

// Good reports whether a tool can have the name.
func Good(name string) bool { return len(name) <= longest && shape.MatchString(name) }

// Wire returns a good name as providers see it. Dots become dashes, which no tool's name has: so the
// names of any set of tools stay apart, keep their length, and look the same in every request.
func Wire(name string) string { return strings.ReplaceAll(name, ".", "-") }
