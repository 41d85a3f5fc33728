package telemetry_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"

	"rein/follow/telemetry"
	"rein/server"
)

// Around the real server the log knows the pattern of a route and who was let in.
func TestRequestsOfTheServer(t *testing.T) {
	var out bytes.Buffer
	handler := telemetry.Requests(server.New(server.Options{
		Who: func(r *http.Request) (rein.Identity, error) {
			who := rein.Identity{Household: "home", User: "ann", Role: rein.Viewer, Via: "token:7"}
			telemetry.Caller(r.Context(), who.User, who.Via)
			return who, nil
		},
	}), telemetry.NewLog(&out, slog.LevelInfo, nil), nil)
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/runs/"+secret+"?after="+secret, nil))
	for _, want := range []string{`"route":"/v1/runs/{id}"`, `"status":403`, `"user":"ann"`, `"via":"token:7"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
	if strings.Contains(out.String(), secret) {
		t.Errorf("the path is logged: %s", &out)
	}
}
