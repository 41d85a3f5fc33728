package offline

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// Bounds of a summary, so that it is always small.
const (
	maxSummed     = 12       // rows of a part
	maxSummedRow  = 160      // bytes of a row
	maxSummedText = 64 << 10 // bytes of a message that are looked at
)

// A digest is what a summary keeps of a conversation.
type digest struct {
	before []string // the rows of an earlier summary
	asked  []string // what people asked
	calls  []string // what was called, and what failed
}

// summarise returns a summary that only quotes: what people asked, what was called and what went wrong.
// An earlier summary is folded in.
func summarise(t *turn) string {
	var d digest
	for _, m := range t.Messages {
		d.add(clip(clean(m.Text), maxSummedText), m.Role)
	}
	for _, u := range t.uses {
		d.addUse(u, t.lang)
	}
	lang := languageOf(strings.Join(d.asked, "\n"))
	parts := []string{say(lang, "summary")}
	for _, p := range []struct {
		key  string
		rows []string
	}{{"sum_before", d.before}, {"sum_asked", d.asked}, {"sum_calls", d.calls}} {
		if len(p.rows) > 0 {
			parts = append(parts, say(lang, p.key)+"\n- "+strings.Join(newest(p.rows), "\n- "))
		}
	}
	if len(parts) == 1 {
		parts = append(parts, say(lang, "sum_none"))
	}
	return quote.Escape(clean(strings.Join(parts, "\n")))
}

// newest returns the last rows, each once.
func newest(rows []string) []string {
	var all []string
	for _, r := range slices.Backward(rows) {
		if len(all) < maxSummed && !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	slices.Reverse(all)
	return all
}

// add takes what a summary keeps from a user's message: the conversation that it quotes, as a prompt for
// a compaction does, or its own first sentence.
func (d *digest) add(text string, by rein.Role) {
	if by != rein.User {
		return
	}
	quoted := quote.Blocks(text, quote.UntrustedTag)
	for _, q := range quoted {
		if strings.Contains(q.Attr("source"), "summary") {
			d.before = append(d.before, rowsOf(q.Content)...)
		} else {
			d.addConversation(q.Content)
		}
	}
	if len(quoted) == 0 {
		d.addAsked(text)
	}
}

// Lines of a quoted conversation, as the engine writes them. Lines that go on are indented.
var (
	askedLine  = regexp.MustCompile(`^user: (.*)`)
	calledLine = regexp.MustCompile(`^assistant calls (\S+) ?(.*)`)
	resultLine = regexp.MustCompile(`^result of (\S+) (\w+): ?(.*)`)
)

// addConversation takes the first lines of what was said and called. A result goes on until the
// assistant speaks, so that none can easily speak for the user.
func (d *digest) addConversation(text string) {
	inResult := false
	for s := range strings.Lines(text) {
		s = strings.TrimRight(s, "\n")
		if m := calledLine.FindStringSubmatch(s); m != nil {
			d.calls = append(d.calls, described(rein.ToolCall{Name: m[1], Args: json.RawMessage(m[2])}))
			inResult = false
		} else if m := resultLine.FindStringSubmatch(s); m != nil {
			if rein.ToolStatus(m[2]).Failed() {
				d.calls = append(d.calls, oneLine(m[1]+": "+m[2]+": "+m[3], maxSummedRow))
			}
			inResult = true
		} else if strings.HasPrefix(s, "assistant: ") {
			inResult = false
		} else if m := askedLine.FindStringSubmatch(s); m != nil && !inResult {
			d.addAsked(m[1])
		}
	}
}

func (d *digest) addAsked(text string) {
	if row := firstSentence(text); row != "" {
		d.asked = append(d.asked, row)
	}
}

func (d *digest) addUse(u use, lang language) {
	row := described(u.call)
	d.calls = append(d.calls, row+": "+string(u.status))
	if u.status.Failed() {
		d.calls = append(d.calls, row+": "+reason(lang, u))
	}
}

// described names a call with its path, query or command.
func described(c rein.ToolCall) string {
	return oneLine(c.Name+" "+mainArg(use{call: c, role: roleByName(c.Name)}), maxSummedRow)
}

// rowsOf returns the rows of an earlier summary, or its lines if it has no list.
func rowsOf(text string) []string {
	var rows, lines []string
	for s := range strings.Lines(text) {
		row, isRow := strings.CutPrefix(strings.TrimSpace(s), "- ")
		if isRow {
			rows = append(rows, oneLine(row, maxSummedRow))
		} else if row != "" {
			lines = append(lines, oneLine(row, maxSummedRow))
		}
	}
	if len(rows) == 0 {
		return lines
	}
	return rows
}

// firstSentence returns the first sentence of the first line that says something.
func firstSentence(text string) string {
	s := firstLine(text)
	if i := strings.IndexAny(s, "?!"); i >= 0 {
		s = s[:i+1]
	}
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i+1]
	}
	return oneLine(s, maxSummedRow)
}
