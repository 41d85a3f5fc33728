package lists_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"rein/household/food"
	book "rein/household/lists"
	"rein/tool/lists"
)

// The ingredients of dishes become groceries, the same ones together; what somebody must not eat is left out, and so is what
// is not known.
//
// Covers: NEU-56/memory
func TestGroceries(t *testing.T) {
	d := newDesk(t)
	table := food.New()
	all, err := lists.Tools(lists.Options{Book: book.Book{Tables: d.store}, Needs: func(_ context.Context, household string, _ ...string) (food.Needs, error) {
		if household != "home" {
			t.Errorf("asked for %s", household)
		}
		return table.Needs([]string{"pinda"}, nil), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range all {
		d.tools[tool.Name] = tool
	}
	d.language = "nl"
	d.must("lists.add", "bob", `{"items":[{"text":"Rijst","amount":1,"unit":"kg"}]}`)
	shown, done, err := d.call("create_grocery_list", "ann", `{"dishes":[
		{"title":"Rijst met kip","ingredients":[{"item":"rijst","amount":150,"unit":"g"},{"item":"kip","amount":250,"unit":"g"},{"item":"satésaus","amount":1},{"item":"p\u200binda's"}]},
		{"title":"Rijst met paprika","ingredients":[{"item":"rijst","amount":150,"unit":"gram"},{"item":"paprika","amount":2},{"item":"feestmix"}]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if want := `Zal ik 300 g rijst, 250 g kip en 2 paprika op de lijst "Boodschappen" zetten?`; shown.Say != want || !strings.Contains(shown.Text, "Weggelaten") {
		t.Errorf("shown: %q %q", shown.Say, shown.Text)
	}
	want := "Nu op de lijst \"Boodschappen\": 300 g rijst, 250 g kip en 2 paprika. Weggelaten, omdat iemand het niet mag eten: satésaus en p\u200binda's. Weggelaten, omdat niet bekend is wat erin zit: feestmix."
	if done.Text != want {
		t.Errorf("%q\nwant\n%q", done.Text, want)
	}
	var got lists.Groceries
	if err := json.Unmarshal(done.Data, &got); err != nil || len(got.Added) != 3 || len(got.LeftOut) != 3 || got.Lists[0].Total != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, text := d.must("lists.show", "ann", `{"list":"boodschappen"}`); text != "Boodschappen: nog 3 van 3\n1. [ ] 1,3 kg Rijst (bob)\n2. [ ] 250 g kip (ann)\n3. [ ] 2 paprika (ann)\n" {
		t.Errorf("%q", text)
	}
	if _, _, err := d.call("create_grocery_list", "ann", `{"dishes":[{"ingredients":[{"item":"pindakaas"}]}]}`); err == nil || !strings.Contains(err.Error(), "none of the 1 ingredients") {
		t.Error(err)
	}
}
