package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rein"
	"rein/api"
)

// Each flow says what can be set about it: the values of rein.toml, the bounds under the ceilings, and the tools that its
// runs always have. What a form offers, a task may set.
func TestFlowForms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "rein.toml")
	if err := os.WriteFile(file, []byte("[strict]\nmax_steps = 4\n[ceiling]\nrounds = 6\n[budget]\nmoney = \"0.25\"\n[approvals]\nmode = \"plan\"\nloosest = \"edits\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), Options{Data: filepath.Join(dir, "data"), Config: file, Env: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	flows := catalogue{a.owner}.Flows()
	names := []string{}
	for _, f := range flows {
		names = append(names, f.Name)
		checkForm(t, a, f)
	}
	if slices.Contains(names, "remember") || !slices.Contains(names, "strict") {
		t.Errorf("the flows are %q", names)
	}
	strict := flows[slices.Index(names, "strict")]
	if steps := strict.Fields[0]; steps.Name != "max_steps" || steps.Type != api.FieldInteger || string(steps.Default) != "4" || *steps.Min != 1 || *steps.Max != 6 || steps.About == "" {
		t.Errorf("max_steps is %+v", steps)
	}
	if !slices.Contains(strict.Tools, "request_input") || slices.Contains(strict.Tools, "find_similar") {
		t.Errorf("strict always has %q", strict.Tools)
	}
	if d := (catalogue{a.owner}).Defaults(); d.Budget.Micros != 250_000 || d.Budget.Check(rein.MaxBudget()) != nil || d.Mode != rein.ModePlan || d.Loosest != rein.ModeEdits {
		t.Errorf("the defaults are %+v", d)
	}
}

// What a flow lists as its usual tools is what a task gets that names none.
func TestUsualTools(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, err := Open(t.Context(), Options{Data: filepath.Join(dir, "data"), Env: []string{"REIN_TOOLS_ROOT=" + t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, f := range (catalogue{a.owner}).Flows() {
		task, err := a.owner.prepare(rein.Task{Flow: f.Name, Messages: []rein.Message{{Role: rein.User, Text: "Hi."}}})
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		got, want := slices.Sorted(slices.Values(task.Tools)), slices.Concat(f.Usual, f.Tools)
		slices.Sort(want)
		want = slices.DeleteFunc(want, func(name string) bool { return name == loadSkill }) // there are no skills here
		if !slices.Equal(got, want) {
			t.Errorf("%s lists %q, and its runs get %q", f.Name, want, got)
		}
	}
}

// checkForm checks that the form of a flow is true: its defaults are those of the settings, and each bound is one.
func checkForm(t *testing.T, a *App, f api.Flow) {
	t.Helper()
	var settings map[string]json.RawMessage
	if err := json.Unmarshal(f.Settings, &settings); err != nil || f.Fields == nil || f.Tools == nil {
		t.Errorf("%s has %+v (%v)", f.Name, f, err)
	}
	for _, field := range f.Fields {
		if given, has := settings[field.Name]; has && !bytes.Equal(given, field.Default) || field.About == "" {
			t.Errorf("%s: %s is %s in the settings and %s in the form, about %q", f.Name, field.Name, given, field.Default, field.About)
		}
		if field.Max == nil {
			continue
		}
		raw, _ := json.Marshal(map[string]float64{field.Name: *field.Max + 1})
		task, err := a.owner.prepare(rein.Task{Flow: f.Name, Settings: raw, Messages: []rein.Message{{Role: rein.User, Text: "Hi."}}})
		if err != nil || len(task.Notices) == 0 {
			t.Errorf("%s: %s is beyond its bound, and the notices are %q (%v)", f.Name, raw, task.Notices, err)
		}
	}
}
