package edit

import (
	"fmt"
	"strings"
	"unicode"
)

// What an error about a part that was not found looks at, and shows.
const (
	maxVotes = 500 // places of one line
	maxTried = 20_000
	maxLine  = 200 // bytes of a line
	maxShown = 20  // lines
)

// near says which lines of a text are most like a part that is not in it, and what is different.
func near(text, part string) string {
	have, want := strings.Split(text, "\n"), strings.Split(strings.TrimSuffix(part, "\n"), "\n")
	at, ok := closest(have, want)
	if !ok {
		return "No line of the file is like it: read the file again."
	}
	end := min(at+len(want), len(have))
	window := have[at:end]
	var b strings.Builder
	fmt.Fprintf(&b, "The closest lines are %s", span(at, end))
	why := difference(window, want)
	if why != "" {
		fmt.Fprintf(&b, "; they differ in %s", why)
	}
	b.WriteString(" (- is old, + is the file):\n")
	compare(&b, window, want, at, why != "")
	return strings.TrimSuffix(b.String(), "\n")
}

func span(from, to int) string {
	if to-from <= 1 {
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d-%d", from+1, to)
}

// closest returns where most lines of the part are in the text, if white space, quotes and case do not count; if none
// is, the line that is most like the longest of the part.
func closest(have, want []string) (at int, ok bool) {
	index := map[string][]int{}
	for i, l := range have {
		if key := folded(l); key != "" && len(index[key]) < maxVotes {
			index[key] = append(index[key], i)
		}
	}
	votes, most := map[int]int{}, 0
	for j, l := range want {
		for _, i := range index[folded(l)] {
			start := max(i-j, 0)
			if votes[start]++; votes[start] > most || votes[start] == most && start < at {
				at, most = start, votes[start]
			}
		}
	}
	if most > 0 {
		return at, true
	}
	return alike(have, want)
}

// alike finds the line that shares most pairs of letters with the longest line of the part.
func alike(have, want []string) (at int, ok bool) {
	longest := 0
	for j, l := range want {
		if len(folded(l)) > len(folded(want[longest])) {
			longest = j
		}
	}
	of := pairs(folded(want[longest]))
	best := 0.5 // less is not like it
	for i, l := range have[:min(len(have), maxTried)] {
		if s := share(of, pairs(folded(l))); s > best {
			at, best, ok = max(i-longest, 0), s, true
		}
	}
	return at, ok
}

func pairs(s string) map[string]int {
	s = s[:min(len(s), maxLine)]
	found := map[string]int{}
	for i := 0; i+2 <= len(s); i++ {
		found[s[i:i+2]]++
	}
	return found
}

// share is how much of two sets is in both, from 0 to 1.
func share(a, b map[string]int) float64 {
	both, all := 0, 0
	for k, n := range a {
		both += min(n, b[k])
		all += n
	}
	for _, n := range b {
		all += n
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(both) / float64(all)
}

// folded is a line without what is easily confused.
func folded(l string) string { return strings.ToLower(quotes(blanks(l))) }

// blanks leaves out white space, and what cannot be seen.
func blanks(l string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' {
			return -1
		}
		return r
	}, l)
}

var straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "`", "'", "–", "-", "—", "-", "…", "...")

// quotes makes quotes and dashes plain.
func quotes(l string) string { return strings.ReplaceAll(straight.Replace(l), `"`, "'") }

// difference names the one thing in which the lines differ; empty: there is more to it.
func difference(have, want []string) string {
	a, b := strings.Join(have, "\n"), strings.Join(want, "\n")
	same := func(of func(string) string) bool { return of(a) == of(b) }
	switch {
	case a == b:
		return "the end of the last line"
	case same(func(s string) string { return strings.ReplaceAll(s, "\r", "") }):
		return `line ends: some lines of the file end with CR LF (\r\n)`
	case same(func(s string) string {
		return eachLine(s, func(l string) string { return strings.TrimRight(l, " \t\r") })
	}):
		return "white space at the end of lines"
	case same(func(s string) string { return eachLine(s, strings.TrimSpace) }):
		return "white space at the beginning of lines" + tabs(a, b)
	case same(blanks):
		return "white space" + tabs(a, b)
	case same(quotes):
		return "quotes or dashes"
	case same(strings.ToLower):
		return "upper and lower case"
	case same(folded):
		return "white space, quotes or case"
	}
	return ""
}

func tabs(have, want string) string {
	switch in, out := strings.Contains(have, "\t"), strings.Contains(want, "\t"); {
	case in && !out:
		return ": the file has tabs, old has spaces"
	case out && !in:
		return ": the file has spaces, old has tabs"
	}
	return ""
}

func eachLine(s string, of func(string) string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = of(lines[i])
	}
	return strings.Join(lines, "\n")
}

// compare writes the lines side by side, with their numbers in the file. If they look alike they are quoted.
func compare(b *strings.Builder, have, want []string, at int, quote bool) {
	shown := 0
	for i := range want {
		if shown++; shown > maxShown {
			fmt.Fprintf(b, "[… %d more lines]\n", len(want)-i)
			return
		}
		switch {
		case i >= len(have):
			fmt.Fprintf(b, "- %6s %s\n", "", clip(want[i], quote))
		case have[i] == want[i]:
			fmt.Fprintf(b, "  %6d %s\n", at+i+1, clip(have[i], quote))
		default:
			fmt.Fprintf(b, "- %6s %s\n+ %6d %s\n", "", clip(want[i], quote), at+i+1, clip(have[i], quote))
		}
	}
}

func clip(l string, quote bool) string {
	if len(l) > maxLine {
		l = strings.ToValidUTF8(l[:maxLine], "") + "…"
	}
	if quote {
		return fmt.Sprintf("%q", l)
	}
	return l
}
