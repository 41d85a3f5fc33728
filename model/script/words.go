package script

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/internal/near"
)

// suggest names the nearest of the right words, or all of them if none is near.
func suggest(word string, right []string) string {
	if proposal := near.DidYouMean(word, right); proposal != "" {
		return proposal
	}
	return "; want one of " + strings.Join(right, ", ")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// clip shortens a text for a message.
func clip(s string) string { return rein.Clip(s, 120) }

func quoteIfNeeded(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\"`") || strconv.Quote(s) != `"`+s+`"` {
		return strconv.Quote(s)
	}
	return s
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = strconv.Quote(clip(s))
	}
	return list(quoted)
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
