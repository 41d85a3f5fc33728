package steps

import (
	"strconv"
	"time"

	"rein/api"
	"rein/internal/units"
	"rein/terminal/tui/look"
)

// about adds what is known of a step without its texts.
func (c *content) about(d api.StepDetail) {
	s := d.Step
	c.part("facts", "")
	c.fact("step", look.SafeLine(string(s.Key))+", "+kindOf(s))
	c.fact("what", whatOf(s, nil, nil))
	c.fact("state", stateOf(c.theme, s).word)
	if s.Failure != nil {
		c.fact("failed", look.SafeLine(string(s.Failure.Code)))
		c.quote(s.Failure.Msg, other)
	}
	c.fact("started", units.When(s.Started))
	if !s.Ended.IsZero() {
		c.fact("took", look.Span(s.Duration))
	}
	if s.Round > 0 {
		c.fact("round", strconv.Itoa(s.Round))
	}
	c.fact("inside step", look.SafeLine(string(s.Of)))
	c.fact("model", look.SafeLine(s.Model))
	c.fact("usage", c.usage(s))
	c.fact("effect", look.SafeLine(string(s.Effect)))
	c.fact("allowed", allowed(s)+inMode(s))
	c.fact("call repaired", look.SafeLine(s.Mended))
	c.fact("asked", askWords(s))
	c.fact("run", look.SafeLine(string(s.Child)))
	c.attempts(s)
}

func inMode(s api.Step) string {
	if s.Mode == "" || s.Allowed == "" {
		return ""
	}
	return ", in mode " + look.SafeLine(string(s.Mode))
}

func (c *content) usage(s api.Step) string {
	u := s.Usage
	if u == nil {
		return ""
	}
	words := units.Number(u.Input) + " tokens in, " + units.Number(u.Output) + " out"
	for _, of := range []struct {
		n    int64
		name string
	}{{u.Cached, " cached"}, {u.CacheWrite, " written to the cache"}, {u.Reasoning, " of reasoning"}} {
		if of.n > 0 {
			words += ", " + units.Number(of.n) + of.name
		}
	}
	if u.Micros > 0 {
		words += ", cost " + c.theme.Currency.Money(u.Micros)
	}
	return words
}

// attempts adds how often a step was tried, and what it waited for.
func (c *content) attempts(s api.Step) {
	if len(s.Attempts) > 1 {
		for _, a := range s.Attempts {
			why := ""
			if a.Why != "" {
				why = ": " + look.SafeLine(a.Why)
			}
			c.fact("", "attempt "+strconv.Itoa(a.N)+" after "+since(s, a.At)+why)
		}
	}
	for _, w := range s.Waits {
		words := "waited after " + since(s, w.From)
		if !w.Until.IsZero() {
			words += " for " + look.Span(max(0, w.Until.Sub(w.From)))
		}
		if w.Model != "" {
			words += ", then asked " + look.SafeLine(w.Model)
		}
		if w.Why != "" {
			words += ": " + look.SafeLine(w.Why)
		}
		c.fact("", words)
		if w.Failure != nil {
			c.quote(w.Failure.Msg, other)
		}
	}
}

// since is how long after its beginning something happened to a step.
func since(s api.Step, at time.Time) string { return look.Span(max(0, at.Sub(s.Started))) }
