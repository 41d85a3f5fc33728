package notes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
	"rein/tool/notes"
)

// What a task of answer froze binds the tools, and where a task has nothing what is set does. The model
// may ask for less.
//
// Covers: HUM-51 HUM-52 HUM-22 HUM-33
func TestLimits(t *testing.T) {
	v := openVault(t, garden)
	tools, err := notes.Reading(v, func(task *rein.Task) notes.Limits {
		l := notes.DefaultLimits()
		l.K, l.ReadMax = 2, 100
		if task.Flow == "answer" {
			return l.Frozen(*task)
		}
		return l
	})
	check(t, err)
	answer := func(settings string) *rein.Task {
		return &rein.Task{Flow: "answer", Household: "home", User: "ann", Settings: json.RawMessage(settings), Messages: []rein.Message{{Role: rein.User, Text: "Beans?"}}}
	}
	operate := &rein.Task{Flow: "operate", Household: "home", User: "ann", Messages: []rein.Message{{Role: rein.User, Text: "Beans?"}}}
	for _, c := range []struct {
		tool, args string
		task       *rein.Task
		want       string
	}{
		{"find_similar", `{"queries":["beans"],"k":50}`, operate, `"notices":["k 50 is above the limit in the settings: 2 was used"`},
		{"find_similar", `{"queries":["beans"],"k":50}`, answer(`{"k":1}`), `"notices":["k 50 is above the limit in the settings: 1 was used"`},
		{"find_similar", `{"queries":["beans"],"k":1}`, operate, `"notices":["searched by words only`},
		{"find_similar", `{"queries":["a","b","c","d"],"k":1}`, operate, `"notices":["4 queries are above the limit in the settings: the first 3 were used"`},
		{"find_similar", `{"queries":["a","b","b"," "],"k":1}`, answer(`{"max_queries":1}`), `"notices":["2 queries are above the limit in the settings: the first 1 were used"`},
		{"find_similar", `{"queries":["cars"]}`, answer(`{"generated_queries":false}`), `"notices":["generated queries are off in the settings: the question itself was searched for"`},
		{"find_similar", `{"queries":["Beans?"]}`, answer(`{"generated_queries":false}`), `"notices":["searched by words only`},
		{"read_note", `{"path":"Garden/Beans.md","max_chars":20000}`, operate, `"notices":["max_chars 20000 is above the limit in the settings: 100 was used"`},
		{"read_note", `{"path":"Garden/Beans.md","max_chars":20000}`, answer(`{"read_max_chars":150}`), `"notices":["max_chars 20000 is above the limit in the settings: 150 was used"`},
	} {
		inv := rein.Invocation{Run: "r1", Step: "1", Args: json.RawMessage(c.args), Task: c.task, Reach: reachOf(t, v.Locate("."))(c.task)}
		for _, tool := range tools {
			if tool.Name != c.tool {
				continue
			}
			done, err := tool.Do(t.Context(), inv)
			check(t, err)
			if got := string(done.Data); !strings.Contains(got, c.want) {
				t.Errorf("%s %s in %s %s: no %s in\n%s", c.tool, c.args, c.task.Flow, c.task.Settings, c.want, got)
			}
			var found notes.Found
			if c.tool == "find_similar" && (json.Unmarshal(done.Data, &found) != nil || len(found.Data) > 2 || strings.Contains(string(c.task.Settings), `"k":1`) && len(found.Data) != 1) {
				t.Errorf("%s %s finds %d", c.tool, c.args, len(found.Data))
			}
		}
	}
}
