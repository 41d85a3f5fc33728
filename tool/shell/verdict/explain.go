package verdict

import (
	"fmt"
	"strings"

	"rein"
)

// words of verdicts for people.
var verdictWords = map[rein.Verdict]string{rein.Allowed: "allowed", rein.MustAsk: "ask", rein.Denied: "denied"}

// Word is a verdict for people.
func Word(v rein.Verdict) string { return verdictWords[v] }

// Unread is why a line is denied that cannot be read.
const Unread = "the line cannot be read, and so nobody knows whether a rule denies what it does"

// Explain says in a few lines what needs a person, and why. It is empty for a line that is allowed.
func (j Judgement) Explain() string {
	if j.Verdict == rein.Allowed {
		return ""
	}
	var b strings.Builder
	for _, trouble := range j.Line.Trouble {
		fmt.Fprintln(&b, trouble)
	}
	if j.Line.Unread && j.Verdict == rein.Denied {
		fmt.Fprintln(&b, "T"+Unread[1:]+".")
	}
	if len(j.Line.Parts) == 0 && len(j.Line.Trouble) == 0 {
		fmt.Fprintln(&b, "The line has no command.")
	}
	for _, f := range j.Findings {
		if f.Verdict == rein.Allowed {
			continue
		}
		need := "needs approval"
		if f.Verdict == rein.Denied {
			need = "is denied"
		}
		fmt.Fprintf(&b, "%s %s: %s.\n", short(f.Part.Source), need, f.Why)
	}
	return b.String()
}

// short is a part on one line.
func short(source string) string {
	const most = 120
	source = strings.Join(strings.Fields(source), " ")
	if runes := []rune(source); len(runes) > most {
		source = string(runes[:most]) + "…"
	}
	return "`" + source + "`"
}
