package telemetry

import (
	"io"
	"log/slog"
)

// NewLog returns a logger that writes lines of JSON. The redactor, if there is one, sees every text
// before it is written, the message and errors included.
func NewLog(w io.Writer, level slog.Leveler, redact func(string) string) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if redact != nil {
		o.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
			switch v := a.Value.Resolve(); v.Kind() {
			case slog.KindString:
				a.Value = slog.StringValue(redact(v.String()))
			case slog.KindAny:
				if _, level := v.Any().(slog.Level); !level {
					a.Value = slog.StringValue(redact(v.String()))
				}
			}
			return a
		}
	}
	return slog.New(slog.NewJSONHandler(w, o))
}
