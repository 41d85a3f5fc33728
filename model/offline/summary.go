package offline

import (
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

// summaryPhases are the phases whose prompts want one.
var summaryPhases = set("compact summary summarise summarize")

// wantsSummary reports whether the prompt is for a summary: by its phase, or because its system
// text begins by asking for one and there are no tools.
func (t *turn) wantsSummary() bool {
	if summaryPhases[t.Phase] {
		return true
	}
	if len(t.Offered) > 0 {
		return false
	}
	for _, m := range t.Messages {
		if m.Role == rein.System || m.Role == rein.Developer {
			first := tokenise(firstLine(m.Text))
			return slices.ContainsFunc(first, func(w string) bool {
				return strings.HasPrefix(w, "summari") || strings.HasPrefix(w, "samenvat") || w == "summary"
			})
		}
	}
	return false
}

// A digest is what a summary keeps of a conversation.
type digest struct {
	lang                                language
	before, asked, calls, errors, paths []string
}

// summarise returns an extractive summary: what people asked, what was called, what went wrong
// and which paths were named. An earlier summary is folded in.
func summarise(t *turn) string {
	d := digest{lang: t.lang}
	for _, m := range t.Messages {
		d.add(m)
	}
	for _, u := range slices.Concat(t.earlier, t.uses) {
		d.addUse(u)
	}
	lang := languageOf(strings.Join(d.asked, "\n"))
	parts := []string{say(lang, "summary")}
	for _, p := range []struct {
		key  string
		rows []string
	}{{"sum_before", d.before}, {"sum_asked", d.asked}, {"sum_calls", d.calls}, {"sum_errors", d.errors}, {"sum_paths", d.paths}} {
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

func (d *digest) add(m rein.Message) {
	text := clip(clean(m.Text), maxSummedText)
	switch m.Role {
	case rein.System:
		if strings.Contains(text, says[english]["summary"]) || strings.Contains(text, says[dutch]["summary"]) {
			d.before = append(d.before, rowsOf(text)...)
		}
	case rein.User:
		if plays := quote.Blocks(text, quote.UntrustedTag); len(plays) > 0 {
			for _, p := range plays {
				d.addPlay(p.Attr("source"), p.Content)
			}
			return
		}
		d.addAsked(text)
	}
}

func (d *digest) addAsked(text string) {
	if row := firstSentence(text); row != "" {
		d.asked = append(d.asked, row)
	}
	d.paths = append(d.paths, oneLines(paths(text))...)
}

func (d *digest) addUse(u use) {
	row := u.call.Name
	if arg := mainArg(u); arg != "" {
		row += " " + arg
		if looksLikeFile(arg) {
			d.paths = append(d.paths, arg)
		}
	}
	row = clip(row, maxSummedRow)
	d.calls = append(d.calls, row+": "+string(u.status))
	if u.status.Failed() {
		d.errors = append(d.errors, row+": "+reason(d.lang, u))
	}
}

// rowsOf returns the rows of an earlier summary.
func rowsOf(text string) []string {
	var all []string
	for s := range strings.Lines(text) {
		if row, ok := strings.CutPrefix(strings.TrimSpace(s), "- "); ok {
			all = append(all, oneLine(row, maxSummedRow))
		}
	}
	if len(all) == 0 { // by a model that writes no lists
		return oneLines(strings.FieldsFunc(text, func(c rune) bool { return c == '\n' }))
	}
	return all
}

func oneLines(rows []string) []string {
	for i, r := range rows {
		rows[i] = oneLine(r, maxSummedRow)
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
