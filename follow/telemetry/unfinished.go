package telemetry

import (
	"context"
	"iter"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"rein"
	"rein/store"
)

// Views are read when metrics are asked for.
type Views interface {
	Runs(context.Context, store.Filter) iter.Seq2[rein.RunInfo, error]
	Asks(context.Context, store.AskFilter) ([]rein.Ask, error)
}

// unfinished counts the runs that have not ended and the asks that are open.
type unfinished struct{ views Views }

var (
	runsDesc = prometheus.NewDesc("rein_runs_unfinished", "Runs that have not ended, by where they stand.", []string{"status"}, nil)
	asksDesc = prometheus.NewDesc("rein_asks_open", "Asks that wait for a person.", []string{"kind"}, nil)
)

// Both are counted up to a bound, so that asking is never dear.
const (
	maxCounted = 50_000
	countTime  = 5 * time.Second
)

var _ prometheus.Collector = (*unfinished)(nil)

// Describe implements prometheus.Collector.
func (u *unfinished) Describe(to chan<- *prometheus.Desc) {
	to <- runsDesc
	to <- asksDesc
}

// Collect implements prometheus.Collector.
func (u *unfinished) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	runs := map[string]float64{string(rein.StatusReady): 0, string(rein.StatusRunning): 0, string(rein.StatusWaiting): 0, string(rein.StatusBlocked): 0}
	for info, err := range u.views.Runs(ctx, store.Filter{Unfinished: true, Limit: maxCounted}) {
		if err != nil {
			to <- prometheus.NewInvalidMetric(runsDesc, err)
			return
		}
		runs[string(info.Status)]++
	}
	asks, err := u.views.Asks(ctx, store.AskFilter{Pending: true})
	if err != nil {
		to <- prometheus.NewInvalidMetric(asksDesc, err)
		return
	}
	open := map[string]float64{}
	for _, kind := range []rein.AskKind{rein.AskQuestion, rein.AskApproval, rein.AskConfirmation, rein.AskUnknown} {
		open[string(kind)] = 0
	}
	for _, a := range asks {
		open[string(a.Kind)]++
	}
	gauges(to, runsDesc, runs)
	gauges(to, asksDesc, open)
}

func gauges(to chan<- prometheus.Metric, desc *prometheus.Desc, values map[string]float64) {
	for label, v := range values {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, label)
	}
}
