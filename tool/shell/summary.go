package shell

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// levels are the words for levels, from the least to the greatest.
var levels = []string{"", "debug", "info", "warning", "error"}

func levelNumber(name string) int { return max(slices.Index(levels, name), 0) }

// levelWords finds the word near the beginning of a line that says its level.
var levelWords = regexp.MustCompile(`(?i)\b(trace|debug|dbg|info|inf|notice|warn|warning|wrn|err|error|eror|crit|critical|fatal|panic|alert|emerg|severe|fail|failed)\b`)

// levelOf guesses the level of a line; 0: it has none.
func levelOf(line string) int {
	const near = 200
	word := strings.ToLower(levelWords.FindString(line[:min(len(line), near)]))
	switch word {
	case "":
		return 0
	case "trace", "debug", "dbg":
		return 1
	case "info", "inf", "notice":
		return 2
	case "warn", "warning", "wrn":
		return 3
	}
	return 4
}

// What differs between lines that say the same: times, numbers, addresses.
var (
	variable = regexp.MustCompile(`\b(?:0x)?[0-9a-fA-F]{8,}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\d+`)
	manyOf   = regexp.MustCompile(`#(?:[-.:,/T+ ]*#)+`)
)

func shapeOf(line string) string {
	return manyOf.ReplaceAllString(variable.ReplaceAllString(line, "#"), "#")
}

// summarise counts the lines of each level, and those that say the same.
func summarise(all []string, most int) []string {
	perLevel := make([]int, len(levels))
	counts := map[string]int{}
	example := map[string]string{}
	for _, line := range all {
		perLevel[levelOf(line)]++
		shape := shapeOf(line)
		counts[shape]++
		example[shape] = line
	}
	shown := []string{fmt.Sprintf("%d lines", len(all))}
	for n, name := range levels {
		if perLevel[n] > 0 {
			shown = append(shown, fmt.Sprintf("%d %s", perLevel[n], cmp.Or(name, "without a level")))
		}
	}
	if len(all) == 0 {
		return shown
	}
	shown = append(shown, "first: "+all[0], "last: "+all[len(all)-1], "most frequent, apart from numbers:")
	shapes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	for _, shape := range shapes[:min(len(shapes), most, 20)] {
		shown = append(shown, fmt.Sprintf("%6d × %s", counts[shape], example[shape]))
	}
	return shown
}
