package view

import (
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// end is how a run ended: what it says at last, if it is not on the screen, what it cites, and one line of facts.
func (p *Page) end(b *block, it *timeline.End) []string {
	t := p.theme
	rows := p.prose(b, it.Text)
	if len(rows) > 0 {
		rows = append(rows, "")
	}
	rows = append(rows, p.sources(it)...)
	if it.Failure != nil && it.End != rein.EndDone && !hasSaid(b.run, it.Failure) {
		rows = append(rows, p.labelled("why", look.SafeLine(terminal.Failure(it.Failure)))...)
	}
	line := Status(t, rein.Status(it.End))
	if usage := b.run.TreeUsage(); usage.Input+usage.Output > 0 {
		line += t.Dim(" " + t.Signs.Note + " " + units.Number(usage.Input+usage.Output) + " tokens")
		if usage.Micros > 0 {
			line += t.Dim(" " + t.Signs.Note + " cost " + t.Money(usage.Micros))
		}
	}
	if took := b.run.Ended.Sub(b.run.Started); took > 0 {
		line += t.Dim(" " + t.Signs.Note + " " + look.Span(took))
	}
	return append(rows, t.Cut(" "+line, p.width))
}

// hasSaid reports whether the timeline of a run has a failure already, where it happened.
func hasSaid(run *timeline.Timeline, f *rein.Failure) bool {
	return slices.ContainsFunc(run.Items, func(item timeline.Item) bool {
		switch it := item.(type) {
		case *timeline.Rein:
			return it.Why != "" && it.Why == fmt.Sprintf("%s (%s)", f.Msg, f.Code)
		case *timeline.Model:
			return !it.Replaced && it.Failure != nil && it.Failure.Msg == f.Msg && it.Failure.Code == f.Code
		}
		return false
	})
}

// sources lists what an answer cites, with a word where it was not read, and sentences that their sources hardly support.
func (p *Page) sources(it *timeline.End) []string {
	t := p.theme
	var rows []string
	for i, c := range it.Citations {
		place := look.SafeLine(c.Path)
		if c.Section != "" {
			place += " > " + look.SafeLine(c.Section)
		}
		words := ""
		if c.OK != nil && !*c.OK {
			words = " " + t.Waits(t.Signs.Unsure+" not read in this run")
		}
		rows = append(rows, t.Cut(t.Dim(fmt.Sprintf(" [%d] ", i+1))+t.Fact(place)+words, p.width))
	}
	for _, d := range it.Doubtful {
		text := "its source hardly supports: " + look.SafeLine(d.Text)
		if len(d.Missing) > 0 {
			text += " (missing: " + look.SafeLine(strings.Join(d.Missing, ", ")) + ")"
		}
		rows = append(rows, p.labelled("check", text)...)
	}
	return rows
}
