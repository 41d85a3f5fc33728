package export

import (
	"strings"

	"rein"
	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal"
)

// end is how a run ended: its text if it is not above, what it cites, and what it took.
func (x *exporter) end(t *timeline.Timeline, it *timeline.End) *ended {
	e := &ended{base: base{it.At}, Status: statusOf(rein.Status(it.End)), Text: it.Text, Replaces: it.Replaces != "", Facts: x.usageWords(t.TreeUsage())}
	if it.Failure != nil && it.End != rein.EndDone {
		e.Failure = terminal.Failure(it.Failure)
	}
	if took := t.Ended.Sub(t.Started); took > 0 {
		e.Facts = append(e.Facts, units.Span(took))
	}
	for i, c := range it.Citations {
		e.Citations = append(e.Citations, citation{int64(i + 1), c.Path, c.Section, c.Quote, c.OK != nil && !*c.OK})
	}
	for _, d := range it.Doubtful {
		e.Doubtful = append(e.Doubtful, doubt{d.Text, d.Source, strings.Join(d.Missing, ", ")})
	}
	return e
}
