package script

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// suggest names the nearest of the right words, or all of them if none is near.
func suggest(word string, right []string) string {
	best, least := "", max(3, len(word)/2+1) // a short word may have two letters in the wrong order
	for _, w := range right {
		if d := distance(word, w); d < least && d < len(w) {
			best, least = w, d
		}
	}
	if best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return "; want one of " + strings.Join(right, ", ")
}

// distance is the number of bytes to insert, delete or replace to make b of a. Words that cannot
// be near are not measured, so that a long line costs nothing.
func distance(a, b string) int {
	if len(a) > 2*len(b)+2 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// clip shortens a text for a message.
func clip(s string) string {
	const limit = 120
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

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
