package basics_test

import (
	"encoding/json"
	"testing"

	"rein"
	"rein/tool/basics"
)

// A skill is read from the texts that the run was started with, and from nowhere else.
func TestLoadSkill(t *testing.T) {
	load, err := basics.LoadSkill(nil)
	must(t, err)
	if load.Effect != rein.Pure || load.Approval {
		t.Errorf("%+v", load)
	}
	some := &rein.Task{Texts: map[string]string{"skill/tea": "Boil water.", "skill/coffee": "Grind.", "rule/tea": "no", "SOUL": "no"}}
	for _, c := range []struct {
		task             *rein.Task
		name, want, fail string
	}{
		{task: some, name: "tea", want: "Boil water."},
		{task: some, name: " skill/coffee ", want: "Grind."},
		{task: some, name: "cofee", fail: `there is no skill "cofee"; available: coffee, tea; did you mean "coffee"?`},
		{task: some, name: "SOUL", fail: `there is no skill "SOUL"; available: coffee, tea`},
		{task: some, name: "../rule/tea", fail: `there is no skill "../rule/tea"; available: coffee, tea`},
		{task: &rein.Task{}, name: "tea", fail: "there are no skills: go on without"},
		{name: "tea", fail: "there are no skills: go on without"},
	} {
		args, err := json.Marshal(map[string]string{"name": c.name})
		must(t, err)
		done, err := load.Do(t.Context(), rein.Invocation{Run: "r1", Task: c.task, Args: args})
		if c.fail == "" && (err != nil || done.Text != c.want || !done.FromPerson) {
			t.Errorf("%q: %q, %v", c.name, done.Text, err)
		}
		if c.fail != "" && (rein.CodeOf(err) != rein.CodeNotFound || err.Error() != c.fail) {
			t.Errorf("%q: %v, want %q", c.name, err, c.fail)
		}
	}
}
