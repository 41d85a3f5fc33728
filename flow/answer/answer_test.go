package answer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
	"rein/flow/answer"
	"rein/flow/kit"
	"rein/internal/flowtest"
)

// Covers: HUM-2 HUM-4 HUM-5 HUM-6 HUM-7 HUM-8 HUM-9 HUM-10 HUM-11 HUM-12 HUM-13 HUM-14 HUM-15 HUM-40/flows HUM-42/flows HUM-60 HUM-61 HUM-62 HUM-70 HUM-71/flows HUM-72 HUM-73
func TestAnswer(t *testing.T) {
	flowtest.Files(t, "testdata/*.txtar")
}

// TestAnswerClips holds that a long note costs the conversation no more than a clip of it, and that
// what was left out can be cited all the same.
//
// Covers: HUM-40/flows HUM-72
func TestAnswerClips(t *testing.T) {
	long := "# Start\n" + strings.Repeat("before ", 3000) + "\n# Middle\nthe point\n" + strings.Repeat("after ", 3000)
	note, err := json.Marshal(map[string]any{"ok": true, "text": long, "meta": map[string]string{"path": "long.md"}})
	if err != nil {
		t.Fatal(err)
	}
	got := flowtest.Play(t, map[string]string{
		"task": `{"flow": "answer", "tools": ["read_note"], "messages": [{"role": "user", "text": "What is the point?"}]}`,
		"model": `
when phase=decide turn=1
call read_note {"path": "long.md"}

when phase=decide turn=2 any~"this is clipped"
say {"confidence": "high", "enough": true}

when phase=final any!~"the point\\n"
say It is made [long.md#Middle].
`,
		"tools":          "read_note pure json => .",
		"text/read_note": string(note),
		"show":           "data",
	})
	if len(got) > 40_000 || !strings.Contains(got, "ended: done\n  It is made [long.md#Middle].") || !strings.Contains(got, `"unsupported":[]`) || !strings.Contains(got, `"stopped":"enough"`) {
		t.Errorf("of %d bytes this happened: %s", len(long), got)
	}
}

// Covers: HUM-50 HUM-51 HUM-52 HUM-53 HUM-54 HUM-55
func TestAnswerSettings(t *testing.T) {
	const standard = `{"max_tool_calls":3,"generated_queries":true,"max_queries":3,"k":20,"mmr_lambda":0.5,"min_chunk":160,"read_max_chars":4000,"min_score":0.2}`
	with := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(standard) }
	for _, c := range []struct {
		settings, want, notice, wrong string
		ceiling                       int
	}{
		{want: standard},
		{settings: `{"max_tool_calls": 8, "generated_queries": false, "mmr_lambda": 1}`, want: with(`calls":3`, `calls":8`, "true", "false", "0.5", "1")},
		{
			settings: `{"max_tool_calls": 0}`, want: with(`calls":3`, `calls":1`),
			notice: "answer: max_tool_calls is 1 instead of 0: it must be from 1 to 8",
		},
		{
			settings: `{"max_tool_calls": -1, "k": 0}`, want: with(`calls":3`, `calls":1`, `"k":20`, `"k":1`),
			notice: "answer: max_tool_calls is 1 instead of -1: it must be from 1 to 8; answer: k is 1 instead of 0: it must be from 1 to 100",
		},
		{
			settings: `{"max_tool_calls": 1000000}`, want: with(`calls":3`, `calls":8`),
			notice: "answer: max_tool_calls is 8 instead of 1000000: it must be from 1 to 8",
		},
		{
			settings: `{"max_tool_calls": 6}`, ceiling: 2, want: with(`calls":3`, `calls":2`),
			notice: "answer: max_tool_calls is 2 instead of 6: it must be from 1 to 2",
		},
		{
			settings: `{"max_queries": 9, "mmr_lambda": 1.5, "min_chunk": -1}`,
			want:     with("0.5", "1", "160", "0"),
			notice:   "answer: max_queries is 3 instead of 9: it must be from 1 to 3; answer: mmr_lambda is 1 instead of 1.5: it must be from 0 to 1; answer: min_chunk is 0 instead of -1: it must be from 0 to 2800",
		},
		{
			settings: `{"read_max_chars": 99, "min_score": -0.1}`, want: with("4000", "100", "0.2", "0"),
			notice: "answer: read_max_chars is 100 instead of 99: it must be from 100 to 20000; answer: min_score is 0 instead of -0.1: it must be from 0 to 1",
		},
		{settings: `{"max_calls": 3}`, wrong: `settings of answer: json: unknown field "max_calls"`},
		{settings: `{"k": "many"}`, wrong: "settings of answer: json: cannot unmarshal string into Go struct field Settings.k of type int"},
	} {
		got, err := answer.Kind().Prepare(rein.Task{Flow: "answer", Settings: []byte(c.settings)}, kit.Ceiling{Rounds: c.ceiling})
		if errText(err) != c.wrong || err == nil && (string(got.Settings) != c.want || strings.Join(got.Notices, "; ") != c.notice) {
			t.Errorf("%s: %s %q %v", c.settings, got.Settings, got.Notices, err)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
