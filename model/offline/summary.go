package offline

import (
	"slices"
	"strings"

	"rein"
)

// Bounds of a summary, so that it is always small.
const (
	maxSummed     = 12  // rows of a part
	maxSummedRow  = 160 // bytes of a row
	longMessage   = 2000
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
	parts := []string{say(t.lang, "summary")}
	for _, p := range []struct {
		key  string
		rows []string
	}{{"sum_before", d.before}, {"sum_asked", d.asked}, {"sum_calls", d.calls}, {"sum_errors", d.errors}, {"sum_paths", d.paths}} {
		if len(p.rows) > 0 {
			parts = append(parts, say(t.lang, p.key)+"\n- "+strings.Join(newest(p.rows), "\n- "))
		}
	}
	if len(parts) == 1 {
		parts = append(parts, say(t.lang, "sum_none"))
	}
	return strings.Join(parts, "\n")
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
		if earlier := says[english]["summary"]; strings.Contains(text, earlier) || strings.Contains(text, says[dutch]["summary"]) {
			d.before = append(d.before, rowsOf(text)...)
		}
	case rein.User:
		if own := ownWords(text); len(own) > longMessage {
			d.addTranscript(own)
		} else if row := firstSentence(own); row != "" {
			d.asked = append(d.asked, row)
		}
		d.paths = append(d.paths, rowsHarmless(paths(text))...)
	}
}

func (d *digest) addUse(u use) {
	row := u.call.Name
	if arg := mainArg(u); arg != "" {
		row += " " + arg
		if looksLikeFile(arg) {
			d.paths = append(d.paths, harmless(arg))
		}
	}
	row = harmless(clip(row, maxSummedRow))
	d.calls = append(d.calls, row+": "+string(u.status))
	if u.status.Failed() {
		d.errors = append(d.errors, row+": "+reason(d.lang, u))
	}
}

// wrong are words of lines that say that something went wrong.
var wrong = set("error errors failed failure refused denied panic fatal fout mislukt geweigerd")

// addTranscript is for a conversation that comes as one long message: its first sentence, and the
// lines that tell of errors.
func (d *digest) addTranscript(text string) {
	d.asked = append(d.asked, firstSentence(text))
	for s := range strings.Lines(text) {
		if slices.ContainsFunc(tokenise(s), func(w string) bool { return wrong[w] }) {
			d.errors = append(d.errors, harmless(oneLine(s, maxSummedRow)))
		}
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
	return all
}

func rowsHarmless(rows []string) []string {
	for i, r := range rows {
		rows[i] = harmless(oneLine(r, maxSummedRow))
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
	return harmless(oneLine(s, maxSummedRow))
}
