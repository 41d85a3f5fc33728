package wire

import (
	"log/slog"
	"net/http"

	"rein"
	"rein/api"
	"rein/server/port"
)

// A Handler answers a request from this sender, or returns the error to report.
type Handler func(http.ResponseWriter, *http.Request, rein.Identity) error

// A Dialect serves paths beside /v1, behind the server's checks: port.Caller knows the sender.
type Dialect struct {
	Log *slog.Logger
	// Tell answers with an error, as the contract of the dialect writes it.
	Tell func(w http.ResponseWriter, status int, err error)
}

// Handle serves one path. It checks the method (empty: any) and the scope that the sender needs (empty:
// none), and reports the error of h unless h has begun to answer.
func (d Dialect) Handle(method string, needs rein.Scope, h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if method != "" && r.Method != method {
			w.Header().Set("Allow", method)
			d.Tell(w, http.StatusMethodNotAllowed, rein.Errorf(rein.CodeInvalid, "use %s", method))
			return
		}
		who, a := port.Caller(r.Context()), &Noted{ResponseWriter: w}
		var err error
		if needs != "" {
			err = May(who, needs)
		}
		if err == nil {
			err = h(a, r, who)
		}
		if err == nil || a.Begun {
			return
		}
		err = Told(r.Context(), err)
		d.Note(r, err)
		d.Tell(w, api.Status(rein.CodeOf(err)), err)
	})
}

// Note logs an error that is a fault of this program.
func (d Dialect) Note(r *http.Request, err error) {
	if code := rein.CodeOf(err); api.Status(code) >= 500 && code != rein.CodeUnavailable && code != rein.CodeTimeout {
		d.Log.Error("a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
}
