package rig_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"rein"
	"rein/engine"
	"rein/internal/rig"
)

// A rig runs tasks, answers requests, and finds its data again when it is opened once more.
func TestRig(t *testing.T) {
	t.Parallel()
	flows := map[string]rein.Flow{"say": {Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
		reply, err := run.CallModel(rein.Prompt{Messages: task.Messages})
		return rein.Outcome{Text: reply.Text}, err
	}}}
	r := rig.Open(t, rig.Options{})
	begin := func() {
		r.Begin(engine.Options{Flows: flows, Grace: engine.NoGrace, Worker: rig.Worker(rig.Script(t, "when\nsay Good day."), nil)})
		r.Listen(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			end, err := r.Engine.Wait(req.Context(), rein.RunID(req.URL.Query().Get("run")))
			if err != nil {
				t.Error(err)
			}
			io.WriteString(w, end.Text)
		}))
	}
	begin()
	_, err := r.Engine.Start(context.Background(), "r1", rein.Task{Flow: "say", Messages: []rein.Message{{Role: rein.User, Text: "Hello."}}})
	rig.Check(t, err)
	wantBody(t, r.Web.URL+"?run=r1", "Good day.")
	r.Again()
	begin()
	wantBody(t, r.Web.URL+"?run=r1", "Good day.")
}

func wantBody(t *testing.T, url, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	rig.Check(t, err)
	res, err := http.DefaultClient.Do(req)
	rig.Check(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	rig.Check(t, err)
	if string(body) != want {
		t.Errorf("%s answers %q, want %q", url, body, want)
	}
}
