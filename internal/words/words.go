// Package words keeps our texts in plain English: a short list of words and phrases that we do not
// use, each with what to write instead. CONTRIBUTING.md explains the choice. The tests read the
// docs, the changelog, the package comments and the strings of the command line.
package words

import (
	"fmt"
	"regexp"
	"strings"
)

// An Avoided phrase, and what to write instead.
type Avoided struct {
	Phrase  string // a regular expression; case does not matter
	Instead string
}

// List is what the test looks for. Add a phrase when a reader stumbles over it twice.
var List = []Avoided{
	{`mend(s|ed|ing)?`, "fix, repair"},
	{`anew`, "again, from scratch"},
	{`(is|are|be|was|were) told`, "an active verb: the model sees, rein reports"},
	{`told of`, "hears about, is notified of"},
	{`tells? of`, "reports, mentions"},
	{`tells? (how|what|the rest)`, "shows, explains, says"},
	{`who may manage`, "admins"},
	{`for who`, "for anyone who"},
	{`(is|are) of (kind|a|an|the|one|two)`, "belongs to, has"},
	{`beforehand`, "in advance, first"},
	{`likewise`, "also, the same way"},
	{`heed(s|ed)?`, "follow, obey"},
	{`dearest`, "most expensive"},
	{`sum(s|med)? up`, "summarise, total"},
	{`one's own`, "your own"},
	{`no part of`, "not part of"},
	{`all the same`, "anyway"},
	{`at hand`, "available"},
	{`put to (a person|you|people)`, "a person is asked"},
	{`some (minutes|seconds|hours|days)`, "a few minutes"},
	{`for ever`, "forever, without a limit"},
	{`prolong(s|ed)?`, "extend, renew"},
	{`bits of chance`, "random bits"},
	{`(came|comes|come|becomes|became) of (it|each|them)`, "what happened to it, the result"},
	{`goes? on (with|from|where|as|until|without)`, "continue"},
	{`carr(y|ies) it on`, "continue"},
	{`under way`, "running, in progress"},
	{`takes? (it |them )?away`, "remove"},
	{`taken out of`, "removed from"},
	{`of your own`, "your own"},
	{`for long`, "as a service, for a long time"},
	{`speaks? for`, "counts for, covers"},
	{`knows? no`, "does not know, does not support"},
	{`is known of`, "is known about"},
	{`(thereof|thereby|whereby|hence|upon)`, "the usual word"},
	{`(you|it|they|we|rein|that|which|who) shall`, "must or will; a question may begin with Shall I"},
}

// A Finding is a place where a text uses an avoided phrase.
type Finding struct {
	Line    int
	Phrase  string // as it stands in the text
	Instead string
}

func (f Finding) String() string {
	return fmt.Sprintf("line %d says %q: write %s", f.Line, f.Phrase, f.Instead)
}

var (
	all   = compile(List)
	each  = compileEach(List)
	fence = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	span  = regexp.MustCompile("`[^`]*`")
)

// One expression for all phrases is fast; which of them it was is looked up for the few hits.
func compile(list []Avoided) *regexp.Regexp {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.Phrase
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(parts, "|") + `)\b`)
}

func compileEach(list []Avoided) []*regexp.Regexp {
	each := make([]*regexp.Regexp, len(list))
	for i, a := range list {
		each[i] = regexp.MustCompile(`(?i)^(` + a.Phrase + `)$`)
	}
	return each
}

// In finds avoided phrases in a text.
func In(text string) (found []Finding) {
	for n, line := range strings.Split(text, "\n") {
		for _, phrase := range all.FindAllString(line, -1) {
			found = append(found, Finding{n + 1, phrase, instead(phrase)})
		}
	}
	return found
}

// InMarkdown leaves out code: blocks and spans show names and output, which have their own spelling.
func InMarkdown(page string) []Finding {
	lines, open := strings.Split(page, "\n"), ""
	for i, line := range lines {
		mark := fence.FindStringSubmatch(line)
		switch {
		case open == "" && mark != nil:
			open, lines[i] = mark[1], ""
		case open != "":
			if mark != nil && mark[1] == open {
				open = ""
			}
			lines[i] = ""
		default:
			lines[i] = span.ReplaceAllString(line, "``")
		}
	}
	return In(strings.Join(lines, "\n"))
}

func instead(phrase string) string {
	for i, a := range List {
		if each[i].MatchString(phrase) {
			return a.Instead
		}
	}
	return "something simpler"
}
