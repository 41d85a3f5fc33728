package cassette_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/replay/cassette"
)

// What crashes, waits and failed tries leave in a log does not come again; a summary that was needed does.
func TestPlayed(t *testing.T) {
	var log []rein.Event
	for i, e := range []struct {
		kind rein.Kind
		step rein.StepKey
		data string
	}{
		{rein.RunStarted, "", `{}`},
		{rein.StepWaiting, "1", `{"why":"its turn"}`},
		{rein.StepStarted, "1", `{}`},
		{rein.SubStarted, "1.compact", `{}`},
		{rein.SubDone, "1.compact", `{}`},
		{rein.StepWaiting, "1", `{"failure":{"code":"too_long","msg":"too long"},"model":"larger"}`},
		{rein.StepAttempt, "1", `{}`},
		{rein.StepDone, "1", `{}`},
		{rein.StepStarted, "2", `{}`},
		{rein.StepIntent, "2.intent", `{}`},
		{rein.RunParked, "", `{}`},
		{rein.AskOpened, "2.unknown", `{}`},
		{rein.StepIntent, "2.intent2", `{}`},
		{rein.StepDone, "2", `{}`},
		{rein.StepStarted, "3", `{}`},
		{rein.StepWaiting, "3", `{"failure":{"code":"rate_limited","msg":"429"}}`},
		{rein.StepAttempt, "3", `{}`},
		{rein.SubStarted, "3.compact", `{}`},
		{rein.SubDone, "3.compact", `{}`},
		{rein.StepWaiting, "3", `{"failure":{"code":"too_long","msg":"too long"},"folds":{"from":0,"to":1}}`},
		{rein.StepAttempt, "3", `{}`},
		{rein.StepWaiting, "3", `{"failure":{"code":"too_long","msg":"too long"},"model":"larger"}`},
		{rein.StepAttempt, "3", `{}`},
		{rein.StepDone, "3", `{}`},
		{rein.RunCompleted, "", `{}`},
	} {
		log = append(log, rein.Event{Run: "r1", Seq: int64(i + 1), Kind: e.kind, Step: e.step, Data: json.RawMessage(e.data)})
	}
	var got []int64
	for _, e := range cassette.Played(log) {
		got = append(got, e.Seq)
	}
	if d := cmp.Diff([]int64{1, 3, 8, 9, 10, 14, 15, 18, 19, 24, 25}, got); d != "" {
		t.Error(d)
	}
}
