package operate_test

import (
	"strings"
	"testing"

	"rein"
	"rein/flow/kit"
	"rein/flow/operate"
	"rein/internal/flowtest"
)

// Covers: SD-1 SD-2 SD-4 SD-13 SD-14 SD-15 SD-16 SD-17 SD-18 SD-31 SD-32 SD-33 SD-34 SD-60 SD-61 SD-62 SD-63 SD-64 SD-65 HUM-71/flows LAW-4
func TestOperate(t *testing.T) {
	flowtest.Files(t, "testdata/*.txtar")
}

// Covers: HUM-50 HUM-55
func TestOperateSettings(t *testing.T) {
	for _, c := range []struct{ settings, want, notice, wrong string }{
		{settings: `{"rounds": 3}`, want: `{"rounds":3,"rendering":"auto","compact_messages":30,"compact_keep":5}`},
		{want: `{"rounds":10,"rendering":"auto","compact_messages":30,"compact_keep":5}`},
		{
			settings: `{"rounds": 0}`, want: `{"rounds":1,"rendering":"auto","compact_messages":30,"compact_keep":5}`,
			notice: "operate: rounds is 1 instead of 0: it must be from 1 to 20",
		},
		{
			settings: `{"rounds": 50, "compact_messages": 2}`, want: `{"rounds":20,"rendering":"auto","compact_messages":6,"compact_keep":5}`,
			notice: "operate: rounds is 20 instead of 50: it must be from 1 to 20; operate: compact_messages is 6 instead of 2: it must be from 6 to 10000",
		},
		{settings: `{"round": 3}`, wrong: `settings of operate: json: unknown field "round"`},
		{settings: `{"rendering": "xml"}`, wrong: `settings of operate: rendering is "xml"; it must be one of ["auto" "native" "text" "json" "log"]`},
		{settings: `{"rounds": "many"}`, wrong: "settings of operate: json: cannot unmarshal string into Go struct field Settings.rounds of type int"},
	} {
		got, err := operate.Kind().Prepare(rein.Task{Flow: "operate", Settings: []byte(c.settings)}, kit.Ceiling{Rounds: 20})
		if message(err) != c.wrong || err == nil && (string(got.Settings) != c.want || strings.Join(got.Notices, "; ") != c.notice) {
			t.Errorf("%s: %s %q %v", c.settings, got.Settings, got.Notices, err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
