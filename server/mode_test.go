package server_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"rein"
	"rein/api/client"
)

// by returns a client of ann, of ann with a token that cannot answer, or of an admin of her household.
func (r *rig) by(name string) *client.Client {
	who := rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes()}
	switch name {
	case "token":
		who.Scopes = slices.DeleteFunc(rein.Scopes(), func(s rein.Scope) bool { return s == rein.ScopeAnswer })
	case "service":
		who.User, who.Role = "bot", rein.Service
	case "admin":
		who.User, who.Role = "boss", rein.Owner
	}
	return client.Handler(r.handlerFor(func(*http.Request) (rein.Identity, error) { return who, nil }))
}

// A mode that lets calls through says yes in advance: only who would be asked may choose it, with a credential that
// may answer. Whoever may steer a run may make it stricter.
//
// Attack: 48
// Attack: 55
// Attack: 78
func TestWhoMaySetModes(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	start := func(by string, id rein.RunID, m rein.Mode) error {
		task := task("ask", "hi")
		task.Mode = m
		_, err := r.by(by).Start(ctx, id, task)
		return err
	}
	set := func(by string, m rein.Mode) error {
		_, err := r.by(by).Command(ctx, rein.Command{Kind: rein.CommandMode, Run: "r", Mode: m})
		return err
	}
	check(t, start("ann", "r", rein.ModeEdits))
	wantCode(t, "a service starts", start("service", "r3", rein.ModeSandbox), rein.CodeForbidden, "a service")
	allowing := task("ask", "hi")
	allowing.Policy.Allow = []string{"echo"}
	_, err := r.by("service").Start(ctx, "r3", allowing)
	wantCode(t, "a service allows", err, rein.CodeForbidden, "a service")
	wantCode(t, "a token starts", start("token", "r2", rein.ModeEdits), rein.CodeForbidden, `the scope "answer"`)
	check(t, start("token", "r2", rein.ModePlan))
	for _, c := range []struct {
		by   string
		mode rein.Mode
		code rein.Code
	}{
		{"ann", rein.ModeSandbox, ""},
		{"token", rein.ModeEdits, rein.CodeForbidden},
		{"token", rein.ModeAsk, ""},
		{"admin", rein.ModeSandbox, rein.CodeForbidden},
		{"admin", rein.ModePlan, ""},
		{"ann", "yolo", rein.CodeInvalid},
		{"ann", "", rein.CodeInvalid},
	} {
		if err := set(c.by, c.mode); rein.CodeOf(err) != c.code {
			t.Errorf("%s sets mode %q: %v", c.by, c.mode, err)
		}
	}
	if _, err := r.by("ann").Command(ctx, rein.Command{Kind: rein.CommandComment, Run: "r", Text: "hm", Mode: rein.ModeEdits}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a comment with a mode: %v", err)
	}
	info, err := r.by("ann").Run(ctx, "r")
	if check(t, err); info.Mode != rein.ModePlan {
		t.Errorf("it is in mode %q", info.Mode)
	}
	fork := task("ask", "hi")
	fork.Mode, fork.Fork = rein.ModeEdits, &rein.Fork{Run: "r2", Step: "1", Mode: rein.ModeSandbox}
	_, err = r.by("token").Start(ctx, "f", fork)
	check(t, err)
	start0, err := rein.Payload[rein.RunStart](first(t, r, "f"))
	if check(t, err); start0.Task.Mode != "" || start0.Task.Fork.Mode != "" {
		t.Errorf("the fork starts in mode %q, and takes over %q", start0.Task.Mode, start0.Task.Fork.Mode)
	}
}

// first returns the first event of a run.
func first(t *testing.T, r *rig, id rein.RunID) rein.Event {
	t.Helper()
	ev, err := r.store.Event(context.Background(), id, 1)
	check(t, err)
	return ev
}
