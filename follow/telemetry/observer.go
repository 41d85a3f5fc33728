package telemetry

import (
	"cmp"
	"time"

	"rein"
)

// An observer counts what has ended.
type observer struct {
	*Metrics
	provider func(model string) string
}

var _ listener = (*observer)(nil)

func (o *observer) runStarted(h *history) { o.started.WithLabelValues(o.flows.name(h.flow)).Inc() }

func (o *observer) runEnded(h *history, end rein.RunEnd, _ time.Time) {
	o.ended.WithLabelValues(o.flows.name(h.flow), string(end.End)).Inc()
}

func (o *observer) stepEnded(h *history, s *step) {
	switch s.Verb {
	case rein.VerbModel:
		o.ofModel(s)
	case rein.VerbTool:
		tool := o.tools.name(h.tool(s))
		outcome := s.outcome()
		if s.over().Result != nil {
			outcome = string(s.over().Result.Status)
		}
		o.toolCalls.WithLabelValues(tool, outcome).Inc()
		if s.over().Duration > 0 {
			o.toolTime.WithLabelValues(tool).Observe(s.over().Duration.Seconds())
		}
	case rein.VerbAsk, rein.VerbWait:
	default:
		return
	}
	o.stepTime.WithLabelValues(string(s.Verb)).Observe(max(s.Ended.Sub(s.Began), 0).Seconds())
}

func (o *observer) ofModel(s *step) {
	model := o.model(s)
	o.modelCalls.WithLabelValues(model, s.outcome()).Inc()
	failure := ""
	if s.over().Failure != nil {
		failure = string(s.over().Failure.Code)
	}
	labels := []string{"chat", o.homes.name(providerOf(s, o.provider)), o.models.name(cmp.Or(s.requested(), "default")), model, failure}
	if s.over().Duration > 0 {
		o.callTime.WithLabelValues(labels...).Observe(s.over().Duration.Seconds())
	}
	u := s.over().Usage
	if u == nil {
		return
	}
	for _, t := range []struct {
		of    string
		count int64
	}{{"input", u.Input}, {"output", u.Output}} {
		labels[4] = t.of
		o.callTokens.WithLabelValues(labels...).Observe(float64(max(t.count, 0)))
	}
	o.cost.WithLabelValues(model).Add(float64(max(u.Micros, 0)))
}

// model is the one that answered or, if none did, was asked last.
func (o *observer) model(s *step) string {
	return o.models.name(cmp.Or(s.over().Model, s.Model, "default"))
}

func (o *observer) askOpened(*history, rein.Ask) {}

func (o *observer) askClosed(_ *history, a rein.Ask) {
	o.askTime.WithLabelValues(string(a.Kind), string(a.State)).Observe(max(a.Closed.Sub(a.Opened), 0).Seconds())
}

func (o *observer) waited(_ *history, s *step, w rein.Waiting, _ time.Time) {
	model := o.model(s)
	o.modelWaits.WithLabelValues(model, waitsFor(w)).Inc()
	if w.Failure != nil {
		o.modelCalls.WithLabelValues(model, string(w.Failure.Code)).Inc()
	}
}
