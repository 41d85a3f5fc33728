package flow_test

import (
	"testing"

	"rein/flow"
	"rein/internal/flowtest"
)

// Covers: SD-4 SD-13 SD-14 SD-15 SD-16 SD-17 SD-18 SD-30 SD-31 SD-32 SD-33 SD-34 SD-60 SD-61 SD-62 SD-63 SD-64 SD-65 HUM-71 LAW-4
func TestOperate(t *testing.T) {
	flowtest.Files(t, "testdata/operate/*.txtar")
}

func TestOperateSettings(t *testing.T) {
	for settings, want := range map[string]string{
		`{"rounds": 3}`:           "",
		``:                        "",
		`{"rounds": 0}`:           "settings of operate: rounds is 0; it must be from 1 to 100",
		`{"round": 3}`:            `settings of operate: json: unknown field "round"`,
		`{"rendering": "xml"}`:    `settings of operate: rendering is "xml"; it must be auto, native, text, json or log`,
		`{"compact_keep": 0}`:     "settings of operate: compact_keep is 0; it must be from 1 to 100",
		`{"compact_messages": 5}`: "settings of operate: compact_messages is 5; it must be more than compact_keep (5) and at most 10000",
		`{"rounds": "many"}`:      "settings of operate: json: cannot unmarshal string into Go struct field OperateSettings.rounds of type int",
	} {
		_, err := flow.ReadOperateSettings([]byte(settings))
		if got := text(err); got != want {
			t.Errorf("%s: %q, want %q", settings, got, want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
