package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A form has what can be chosen, with what holds now and the bounds under the ceiling of the server.
func TestForm(t *testing.T) {
	kind := Kind{Name: "brew", Settings: brewing}
	form, err := kind.Form([]byte(`{"cups":3,"kind":"coffee"}`), Ceiling{Rounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{Name: "spare", Value: 4, Least: number(1), Most: number(9)}, // above the cups, which may change too
		{Name: "cups", About: "how many", Value: 3, Least: number(1), Most: number(3)},
		{Name: "kind", About: "what", Value: "coffee", OneOf: []string{"tea", "coffee"}},
	}
	if diff := cmp.Diff(want, form); diff != "" {
		t.Error(diff)
	}
	if _, err := kind.Form([]byte(`{"cup":3}`), Ceiling{}); err == nil {
		t.Error("a setting that does not exist is in the form")
	}
	if form, err := (Kind{Name: "plain"}).Form(nil, Ceiling{}); form != nil || err != nil {
		t.Errorf("a flow without settings has %v, %v", form, err)
	}
}

// What rein.toml does not set still says what it does.
func TestFormForCallers(t *testing.T) {
	on, share := true, 0.5
	for _, c := range []struct {
		field Field
		want  Entry
	}{
		{Bool("quick", &on, "").ForCallers("skips the rest"), Entry{Name: "quick", About: "skips the rest", Value: true}},
		{Bool("quick", &on, "for files").ForCallers("for callers"), Entry{Name: "quick", About: "for files", Value: true}},
		{Share("part", &share, "how much"), Entry{Name: "part", About: "how much", Value: 0.5, Least: number(0), Most: number(1)}},
	} {
		if diff := cmp.Diff(c.want, c.field.entry(Ceiling{})); diff != "" {
			t.Error(diff)
		}
	}
}
