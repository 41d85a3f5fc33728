package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/engine/guard"
	"rein/server"
	"rein/server/mask"
	"rein/store"
)

// TestVerifyRun checks a run and its tree over the API, and finds what was changed behind the store's back. What it
// quotes of a run has no secrets.
//
// Covers: LAW-1
func TestVerifyRun(t *testing.T) {
	r := newRig(t)
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	r.ended("r", family(t, task("once", "one"), task("once", "two")))
	r.ended("s", task("once", "my key is "+token))
	verdict, err := r.Verify(t.Context(), "r")
	check(t, err)
	info, err := r.Client.Run(t.Context(), "r")
	check(t, err)
	if !verdict.OK || verdict.Run != "r" || verdict.Events != info.Seq || verdict.Head == (rein.Hash{}) || verdict.Wrong != nil {
		t.Errorf("the run: %+v", verdict)
	}
	page, err := r.VerifyTree(t.Context(), "r", "")
	check(t, err)
	if len(page.Verdicts) != 3 || page.Verdicts[0].Run != "r" || page.Verdicts[1].Run != "r.1" || !page.Verdicts[2].OK || page.Next != "" {
		t.Errorf("the tree: %+v", page)
	}
	if page, err = r.VerifyTree(t.Context(), "r", "r.1"); err != nil || len(page.Verdicts) != 1 || page.Verdicts[0].Run != "r.2" {
		t.Errorf("the rest of the tree: %+v, %v", page, err)
	}
	_, err = r.VerifyTree(t.Context(), "r", "s")
	wantCode(t, "after a run of another tree", err, rein.CodeInvalid, "must be a run of the tree")
	for _, other := range []string{"bob", "stranger"} {
		_, err = r.as(other).Verify(t.Context(), "r")
		wantCode(t, other, err, rein.CodeNotFound)
	}
	check(t, r.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE runs SET title = ? WHERE id = 's'`, token+" lie")
		return err
	}))
	if verdict, err = r.Verify(t.Context(), "s"); err != nil || verdict.OK || len(verdict.Wrong) == 0 {
		t.Fatalf("a run that was changed: %+v, %v", verdict, err)
	}
	masked := client.Handler(server.New(server.Options{
		Engine: r.engine, Store: mask.New(r.store, (*guard.Redactor)(nil)), Feed: r.feed, Who: who, Verifier: r.store,
		Health: func() api.Health { return api.Health{} },
	}))
	verdict, err = masked.Verify(t.Context(), "s")
	check(t, err)
	told, err := json.Marshal(verdict)
	check(t, err)
	if verdict.OK || strings.Contains(string(told), token) || !strings.Contains(string(told), rein.Mask) {
		t.Errorf("what is wrong is %s", told)
	}
	if page, err := masked.VerifyTree(t.Context(), "r", ""); err != nil || len(page.Verdicts) != 3 || !page.Verdicts[0].OK {
		t.Errorf("another run: %+v, %v", page, err)
	}
}

// TestVerifyErased checks a run that was erased: its chain is still whole.
func TestVerifyErased(t *testing.T) {
	r := newRig(t)
	r.ended("r", task("once", "hi"))
	check(t, r.store.Erase(t.Context(), func(context.Context, store.Moment) ([]rein.RunID, error) { return []rein.RunID{"r"}, nil }))
	verdict, err := r.Verify(t.Context(), "r")
	if err != nil || !verdict.OK || verdict.Erased == 0 {
		t.Errorf("an erased run: %+v, %v", verdict, err)
	}
}

// TestVerifyNothing is for a process that does not check runs.
func TestVerifyNothing(t *testing.T) {
	r := newRig(t)
	r.ended("r", task("once", "hi"))
	h := server.New(server.Options{Engine: r.engine, Store: r.store, Feed: r.feed, Who: who, Health: func() api.Health { return api.Health{} }})
	_, err := client.Handler(http.HandlerFunc(h.ServeHTTP)).Verify(t.Context(), "r")
	wantCode(t, "without a verifier", err, rein.CodeUnavailable)
}
