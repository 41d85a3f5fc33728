package app

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/flow/kit"
)

// A replay over the API says where a flow goes another way today, without secrets, and why an erased run cannot be
// played. Nothing of it is written to the data.
func TestReplayTellsWhatDiffers(t *testing.T) {
	t.Parallel()
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	dir := t.TempDir()
	file := filepath.Join(dir, "rein.toml")
	if err := os.WriteFile(file, []byte("default_flow = \"says\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var says atomic.Value
	says.Store("yes")
	kind := kit.Kind{Name: "says", About: "says something", Do: func(rein.Run, rein.Task) (rein.Outcome, error) {
		return rein.Outcome{Text: says.Load().(string)}, nil
	}}
	a, err := Open(t.Context(), Options{Data: filepath.Join(dir, "data"), Config: file, Flows: []kit.Kind{kind}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.Start(t.Context(), "r", rein.Task{Messages: []rein.Message{{Role: rein.User, Text: "Well?"}}}); err != nil {
		t.Fatal(err)
	}
	for _, err := range a.Follow(t.Context(), "r", client.FollowOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	replay := func() api.Replayed {
		t.Helper()
		report, err := a.Replay(t.Context(), "r")
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := replay(); !report.Same || len(report.Differences) != 0 || report.Why != "" {
		t.Errorf("the same flow: %+v", report)
	}
	says.Store("no, " + secret)
	report := replay()
	if report.Same || len(report.Differences) != 1 {
		t.Fatalf("another flow: %+v", report)
	}
	d := report.Differences[0]
	if d.Run != "r" || !strings.HasPrefix(d.What, "run.completed") || d.Was != "yes" || !strings.HasPrefix(d.Is, "no, ") || strings.Contains(d.Is, secret) {
		t.Errorf("the difference: %+v", d)
	}
	page, err := a.Runs(t.Context(), api.RunQuery{})
	if err != nil || len(page.Runs) != 1 || page.Runs[0].Outcome.Text != "yes" {
		t.Errorf("the runs after it: %+v, %v", page.Runs, err)
	}
	erasure := api.NewErasure{Target: api.Target{Run: "r"}}
	plan, err := a.PlanErasure(t.Context(), erasure)
	if err == nil {
		erasure.Shown = plan.Shown
		_, err = a.Erase(t.Context(), erasure)
	}
	if err != nil {
		t.Fatal(err)
	}
	if report := replay(); report.Same || !strings.Contains(report.Why, "erased") {
		t.Errorf("an erased run: %+v", report)
	}
}
