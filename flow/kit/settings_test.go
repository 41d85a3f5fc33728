package kit

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

type brew struct {
	Cups  int    `json:"cups"`
	Spare int    `json:"spare"`
	Kind  string `json:"kind"`
}

var brewing = SettingsOf[brew]{
	Flow: "brew", Default: brew{Cups: 2, Spare: 3, Kind: "tea"},
	Fields: func(b *brew) []Field {
		return []Field{
			Int("spare", &b.Spare, 1, 9, "").Above(&b.Cups), // checked after what it depends on
			Int("cups", &b.Cups, 1, 4, "how many").Under(Rounds),
			Choice("kind", &b.Kind, []string{"tea", "coffee"}, "what"),
		}
	},
}

// What was changed is told as data: which setting, what it was, what it is, what it must be.
func TestSettingsChanges(t *testing.T) {
	for _, c := range []struct {
		raw     string
		ceiling Ceiling
		want    string
		changes []Change
	}{
		{"", Ceiling{}, `{"cups":2,"spare":3,"kind":"tea"}`, nil},
		{`{"cups":9}`, Ceiling{}, `{"cups":4,"spare":5,"kind":"tea"}`, []Change{{Field: "cups", Was: 9, Is: 4, Must: "from 1 to 4"}, {Field: "spare", Was: 3, Is: 5, Must: "from 5 to 9"}}},
		{`{"cups":4,"spare":9}`, Ceiling{Rounds: 3}, `{"cups":3,"spare":9,"kind":"tea"}`, []Change{{Field: "cups", Was: 4, Is: 3, Must: "from 1 to 3"}}},
		{`{"cups":0}`, Ceiling{Rounds: 100}, `{"cups":1,"spare":3,"kind":"tea"}`, []Change{{Field: "cups", Was: 0, Is: 1, Must: "from 1 to 4"}}},
	} {
		got, changes, err := brewing.Fit(json.RawMessage(c.raw), c.ceiling)
		if diff := cmp.Diff(c.changes, changes); err != nil || string(got) != c.want || diff != "" {
			t.Errorf("%s: %s %v\n%s", c.raw, got, err, diff)
		}
	}
	for _, wrong := range []string{`{"kind":"milk"}`, `{"cups":"two"}`, `{"cup":2}`, `[]`, `{`} {
		if _, _, err := brewing.Fit(json.RawMessage(wrong), Ceiling{}); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%s: %v", wrong, err)
		}
		if set := brewing.ReadOr(rein.Task{Settings: []byte(wrong)}); set != brewing.Default {
			t.Errorf("%s reads as %+v", wrong, set)
		}
	}
	if values := brewing.Values(); len(values.Fields) != 3 || *values.Fields[1].Value.(*int) != 2 {
		t.Errorf("the values are %+v", values)
	}
}

// A flow without settings takes none.
func TestNoSettings(t *testing.T) {
	k := Kind{Name: "plain"}
	if task, err := k.Prepare(rein.Task{}, Ceiling{}); err != nil || string(task.Settings) != "{}" {
		t.Errorf("%s %v", task.Settings, err)
	}
	if _, err := k.Prepare(rein.Task{Settings: []byte(`{"a":1}`)}, Ceiling{}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a setting was taken: %v", err)
	}
}
