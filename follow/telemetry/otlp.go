package telemetry

import (
	"context"
	"net/url"
	"os"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"rein"
)

// Exporter returns what sends spans to a collector by OTLP over HTTP. The endpoint is the URL of the
// collector, such as http://127.0.0.1:4318; without a path it takes the usual /v1/traces. If it is
// empty the variables OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and OTEL_EXPORTER_OTLP_ENDPOINT count, and
// without those there is no exporter: nil. Headers, certificates and the rest are those of the other
// OTEL_EXPORTER_OTLP_ variables. Nothing is sent yet.
func Exporter(ctx context.Context, endpoint string) (sdktrace.SpanExporter, error) {
	if endpoint == "" {
		if os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" {
			return nil, nil
		}
		return exporterOf(otlptracehttp.New(ctx))
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, rein.Errorf(rein.CodeInvalid, "telemetry: the endpoint must be a URL such as http://127.0.0.1:4318")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces"
	}
	return exporterOf(otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(u.String())))
}

// exporterOf keeps a nil exporter from looking like one.
func exporterOf[E sdktrace.SpanExporter](e E, err error) (sdktrace.SpanExporter, error) {
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "telemetry: %w", err)
	}
	return e, nil
}
