package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rein"
)

// miss says what the call looked like, and why the nearest entries were not for it.
func (m *Model) miss(v *view) error {
	var b strings.Builder
	r := v.req
	fmt.Fprintf(&b, "script %s: nothing answers this call: phase=%s round=%d turn=%d results=%d attempt=%d run=%s step=%s",
		m.name, quoteIfNeeded(r.Phase), r.Round, v.turn, v.results, v.attempt, quoteIfNeeded(string(r.Run)), quoteIfNeeded(string(r.Step)))
	if r.Closing {
		b.WriteString(" closing=yes")
	}
	fmt.Fprintf(&b, "\n  offered: %s", list(v.offered()))
	if v.last == nil {
		b.WriteString("\n  no user or tool message")
	} else {
		fmt.Fprintf(&b, "\n  last message (%s): %q", v.last.Role, clip(v.last.Text))
	}
	b.WriteString("\nThe nearest entries:")
	for _, n := range m.nearest(v) {
		fmt.Fprintf(&b, "\n  %s:%d: %s (%s)", m.name, n.e.line, n.e.text, strings.Join(n.why, "; "))
	}
	return rein.Errorf(rein.CodeInvalid, "%s", b.String())
}

type candidate struct {
	e   *entry
	why []string // what did not hold
}

func (m *Model) nearest(v *view) []candidate {
	var all []candidate
	for _, e := range m.entries {
		all = append(all, candidate{e, e.whyNot(v)})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(len(a.why), len(b.why)) })
	return all[:min(len(all), 3)]
}

func (e *entry) whyNot(v *view) []string {
	var why []string
	for _, c := range e.conds {
		if !c.ok(v) {
			why = append(why, c.got(v))
		}
	}
	if e.nth != nil && !e.nth.has(v.nth[e]) {
		why = append(why, fmt.Sprintf("nth is %d", v.nth[e]))
	}
	if !e.replies && e.fault(v.attempt) == nil {
		why = append(why, fmt.Sprintf("its faults are over at attempt %d", v.attempt))
	}
	return why
}
