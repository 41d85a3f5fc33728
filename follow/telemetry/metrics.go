package telemetry

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are what a process counts, in a registry of its own. Counters begin at zero with the
// process; what is unfinished is read from the store when it is asked for.
type Metrics struct {
	registry *prometheus.Registry

	started, ended, drops               *prometheus.CounterVec
	modelCalls, modelWaits, cost        *prometheus.CounterVec
	toolCalls                           *prometheus.CounterVec
	stepTime, toolTime, askTime         *prometheus.HistogramVec
	callTime, callTokens                *prometheus.HistogramVec
	requests                            *prometheus.CounterVec
	requestTime                         *prometheus.HistogramVec
	inFlight                            prometheus.Gauge
	flows, models, tools, routes, homes bounded
}

// MetricsOptions say what is read when the metrics are asked for. What is nil is left out.
type MetricsOptions struct {
	Views     Views
	Followers func() int // how many follow a feed now
	Calls     func() (underWay, waiting, most int)
	Version   string
}

var (
	stepSeconds = prometheus.ExponentialBuckets(0.005, 2.5, 13) // to 5 minutes
	askSeconds  = []float64{1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 3 * 24 * 3600, 7 * 24 * 3600}
	httpSeconds = prometheus.ExponentialBuckets(0.001, 2.5, 11) // to 10 seconds
	// As the GenAI conventions advise.
	callSeconds = prometheus.ExponentialBuckets(0.01, 2, 14)
	tokenCounts = prometheus.ExponentialBuckets(1, 4, 14)
)

// NewMetrics returns metrics at zero.
func NewMetrics(o MetricsOptions) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.started = m.counter("rein_runs_started_total", "Runs that started.", "flow")
	m.ended = m.counter("rein_runs_ended_total", "Runs that ended, by how.", "flow", "end")
	m.drops = m.counter("rein_telemetry_dropped_total", "Events and spans that telemetry could not keep up with.", "why")
	m.modelCalls = m.counter("rein_model_calls_total", "Tries of model calls, by how they ended.", "model", "outcome")
	m.modelWaits = m.counter("rein_model_waits_total", "Times that a model call waited: for a rate limit, before another try, or for another model.", "model", "why")
	m.cost = m.counter("rein_model_cost_micros_total", "What model calls cost, in millionths of the currency unit.", "model")
	m.toolCalls = m.counter("rein_tool_calls_total", "Tool calls, by what became of them.", "tool", "outcome")
	m.stepTime = m.histogram("rein_step_duration_seconds", "Steps from their beginning to their end, with what they waited for.", stepSeconds, "kind")
	m.toolTime = m.histogram("rein_tool_duration_seconds", "Tool calls, while the tool worked.", stepSeconds, "tool")
	m.askTime = m.histogram("rein_ask_answer_seconds", "How long an ask was open, by how it was closed.", askSeconds, "kind", "state")
	genAI := []string{"gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "gen_ai_response_model"}
	m.callTime = m.histogram("gen_ai_client_operation_duration_seconds", "Model calls: the last try.", callSeconds, append(genAI, "error_type")...)
	m.callTokens = m.histogram("gen_ai_client_token_usage", "Tokens of a model call.", tokenCounts, append(genAI[:4:4], "gen_ai_token_type")...)
	m.requests = m.counter("rein_http_requests_total", "Requests, by the pattern of their route.", "method", "route", "status")
	m.requestTime = m.histogram("rein_http_request_duration_seconds", "Requests but streams, by the pattern of their route.", httpSeconds, "method", "route")
	m.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{Name: "rein_http_requests_in_flight", Help: "Requests and streams that are open."})
	m.registry.MustRegister(m.inFlight)
	m.add(o)
	return m
}

// add registers what is read when it is asked for.
func (m *Metrics) add(o MetricsOptions) {
	info := prometheus.NewGauge(prometheus.GaugeOpts{Name: "rein_build_info", Help: "The version of the program.", ConstLabels: prometheus.Labels{"version": o.Version}})
	info.Set(1)
	m.registry.MustRegister(info)
	if o.Views != nil {
		m.registry.MustRegister(&unfinished{views: o.Views})
	}
	if o.Followers != nil {
		m.gauge("rein_feed_followers", "Clients that follow a run live.", o.Followers)
	}
	if o.Calls != nil {
		m.addCalls(o.Calls)
	}
}

// gauge registers a figure that is read when it is asked for.
func (m *Metrics) gauge(name, help string, read func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(read()) }))
}

// addCalls registers what is known of the model calls of this moment.
func (m *Metrics) addCalls(calls func() (underWay, waiting, most int)) {
	m.gauge("rein_model_calls_in_flight", "Model calls under way, of all households.", func() int { n, _, _ := calls(); return n })
	m.gauge("rein_model_calls_queued", "Model calls that wait because others are under way.", func() int { _, n, _ := calls(); return n })
	m.gauge("rein_model_calls_in_flight_max", "Model calls that may be under way at a time.", func() int { _, _, n := calls(); return n })
}

// Handler answers with all metrics in the format of Prometheus. Who may ask is for the caller to say.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, ErrorHandling: promhttp.ContinueOnError})
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.registry.MustRegister(h)
	return h
}

// dropped counts what telemetry lost. Nil metrics count nothing.
func (m *Metrics) dropped(why string, n int) {
	if m != nil {
		m.drops.WithLabelValues(why).Add(float64(n))
	}
}
