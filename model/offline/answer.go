package offline

import (
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

const (
	maxQuote = 400  // bytes of one quoted line
	maxBlock = 2000 // bytes of a command's output or a listing
	maxShown = 40   // lines of it
)

// answer returns the reply in prose: what failed, what the tools returned, and where it stands.
// Everything but the fixed sentences is quoted, and none of it can pass for a call or a result when
// the reply is read back as text.
func answer(t *turn) string { return quote.Escape(clean(told(t))) }

func told(t *turn) string {
	var parts []string
	if t.Closing {
		parts = append(parts, say(t.lang, "closing"))
	}
	failed := slices.DeleteFunc(t.failed(), t.notMissed)
	for _, u := range failed {
		parts = append(parts, t.failure(u))
	}
	if len(failed) > 0 {
		parts = append(parts, say(t.lang, "not_again"))
	}
	found := t.findings()
	if len(found) == 0 && len(failed) == 0 {
		return t.introduce(parts)
	}
	parts = append([]string{say(t.lang, "brief")}, append(parts, found...)...)
	return strings.Join(parts, "\n\n")
}

// notMissed reports whether a call was skipped and nobody misses it: it was made later, or it was an
// idea of the rules and other calls found something.
func (t *turn) notMissed(u use) bool {
	if u.status != rein.ToolSkipped {
		return false
	}
	arg := mainArg(u)
	return t.made(func(other use) bool { return sameCall(other.asked, u.asked) }) ||
		len(t.worked()) > 0 && (arg == "" || !strings.Contains(t.question, arg))
}

// findings returns what there is to show of the results, with their sources.
func (t *turn) findings() []string {
	uses := slices.DeleteFunc(t.worked(), func(u use) bool { return !t.shown(u) })
	if len(uses) == 0 {
		return nil
	}
	var parts []string
	for _, u := range uses {
		if !u.quotable() {
			parts = append(parts, t.whole(u))
		}
	}
	parts = append(parts, t.quotes()...)
	return append(parts, t.sources(uses))
}

// shown reports whether a result is part of the answer. A listing that only led to a file is not.
func (t *turn) shown(u use) bool {
	return u.role != lists || len(t.listing()) > 0 || !slices.ContainsFunc(t.worked(), use.quotable)
}

// quotes returns the lines that match, or how the texts begin.
func (t *turn) quotes() []string {
	read := slices.DeleteFunc(t.worked(), func(u use) bool { return !u.quotable() })
	if len(read) == 0 {
		return nil
	}
	if e := t.evidence(); len(e.lines) > 0 {
		says := "matches"
		if e.found {
			says = "found"
		}
		return []string{say(t.lang, says) + "\n\n" + bullets(e.lines)}
	}
	var parts []string
	if len(t.wantedWords()) > 0 {
		parts = append(parts, say(t.lang, "no_match"))
	}
	for _, u := range read {
		parts = append(parts, t.begin(u))
	}
	return parts
}

// begin shows the first lines of what was read.
func (t *turn) begin(u use) string {
	lines := linesOf(u)
	_, source := textOf(u)
	if len(lines) == 0 {
		return say(t.lang, "empty", source)
	}
	return say(t.lang, "beginning", source) + "\n\n" + bullets(lines[:min(len(lines), maxPicked)])
}

func bullets(lines []line) string {
	var all []string
	for _, l := range lines {
		all = append(all, `- "`+literal(oneLine(l.text, maxQuote))+`" [`+l.cite+`]`)
	}
	return strings.Join(all, "\n")
}

// links are what Markdown would make a link of, up to where it begins.
var links = regexp.MustCompile(`\[(\[|[^\[\]]*\]\()`)

// literal keeps links in a quote from being links, and from being taken for what the answer cites.
func literal(text string) string { return links.ReplaceAllString(text, `\[$1`) }

// whole shows a result as it is: the time, a listing, what a command printed.
func (t *turn) whole(u use) string {
	body := strings.TrimSpace(clean(u.body))
	if u.role == tells && body != "" {
		return say(t.lang, "clock", u.call.Name, oneLine(body, maxQuote))
	}
	title := say(t.lang, "listing", u.call.Name)
	command := mainArg(u)
	if u.role == runs && command != "" {
		title = say(t.lang, "ran_command", u.call.Name, command)
		if body == "" {
			return say(t.lang, "ran_nothing", u.call.Name, command)
		}
	}
	if body == "" {
		return say(t.lang, "empty", u.call.Name)
	}
	shown, cut := head(body)
	text := title + "\n\n" + fenced(shown)
	if cut {
		text += "\n" + say(t.lang, "clipped")
	}
	return text
}

// head returns the first lines of a text and whether there were more.
func head(text string) (string, bool) {
	lines := strings.SplitAfterN(text, "\n", maxShown+1)
	shown := strings.Join(lines[:min(len(lines), maxShown)], "")
	shown = strings.TrimRight(clip(shown, maxBlock), "\n")
	return shown, len(shown) < len(text)
}

// fenced puts a text between fences longer than any in it.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + "\n" + fence
}

// failure says what became of a call that did not work, in the result's own first line.
func (t *turn) failure(u use) string {
	key := string(u.status)
	if says[t.lang][key] == "" {
		key = string(rein.ToolFailed)
	}
	name := u.call.Name
	if arg := mainArg(u); arg != "" {
		name += " (" + arg + ")"
	}
	return say(t.lang, key, name, reason(t.lang, u))
}

// reason returns the first line of a result.
func reason(lang language, u use) string {
	if why := oneLine(firstLine(u.body), maxQuote); why != "" {
		return why
	}
	return say(lang, "no_reason")
}

// sources lists where the quotes come from, each once, with the tool that returned them.
func (t *turn) sources(uses []use) string {
	rows := []string{say(t.lang, "sources")}
	quotes := t.evidence().lines
	for _, u := range uses {
		for _, source := range sourcesOf(u, quotes) {
			row := "- " + u.call.Name
			if source != u.call.Name {
				row = "- " + source + " (" + u.call.Name + ")"
			}
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
	}
	return strings.Join(rows, "\n")
}

// introduce says what the model is and what it can do here: the answer when no rule applies and no
// tool was used.
func (t *turn) introduce(parts []string) string {
	parts = append([]string{say(t.lang, "self") + " " + say(t.lang, "limits")}, parts...)
	switch {
	case t.Closing:
		return strings.Join(append(parts, say(t.lang, "nothing_yet"), say(t.lang, "setup")), "\n\n")
	case t.lacksFile():
		return strings.Join(append(parts, say(t.lang, "which_file")), "\n\n")
	case !t.asksWhoIAm() && t.question != "":
		parts = append(parts, say(t.lang, "cannot"))
	}
	return strings.Join(append(parts, t.abilities(), say(t.lang, "setup")), "\n\n")
}

// abilities says what can be done with the tools that are offered.
func (t *turn) abilities() string {
	if len(t.Offered) == 0 {
		return say(t.lang, "no_tools")
	}
	var rows []string
	for _, r := range []role{searches, reads, lists, tells, runs} {
		var names []string
		for _, tool := range t.toolsFor(r) {
			names = append(names, tool.Name)
		}
		if len(names) > 0 {
			rows = append(rows, "- "+say(t.lang, "can_"+string(r), strings.Join(names, ", ")))
		}
	}
	if len(rows) == 0 {
		return say(t.lang, "can_nothing")
	}
	return say(t.lang, "can") + "\n" + strings.Join(rows, "\n")
}
