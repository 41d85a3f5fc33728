package app

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/model/script"
)

const listPlay = `
when turn=1 user~"milk"
call lists.add {"items": [{"text": "milk", "amount": 2, "unit": "l"}]}

when turn=1 user~"gift"
call lists.create {"name": "Gifts", "private": true}

when turn=1 user~"menu"
call generate_week_menu {"days": 2}

when phase=consult
say {"dishes":[{"title":"Rice with chicken","ingredients":[{"item":"rice","amount":150,"unit":"g"},{"item":"chicken","amount":250,"unit":"g"}]},{"title":"Satay","ingredients":[{"item":"peanut butter"}]}]}

when turn=2
say ok
`

// What a run puts on a list is there, a listener hears that lists changed, and a menu is made by the run's model and judged by
// the preferences that were set over the API: all of it with what rein ships.
//
// Covers: NEU-56/memory NEU-56
func TestListsOfRuns(t *testing.T) {
	t.Parallel()
	played, err := script.Parse("lists.txt", []byte(listPlay))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), Options{Data: t.TempDir(), Env: []string{}, Models: map[string]rein.Model{"played": played}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	hints := make(chan api.Hint, 100)
	listening := make(chan struct{})
	go func() {
		defer close(hints)
		for hint, err := range a.Live(ctx) {
			if err != nil {
				return
			}
			if hint.Hello {
				close(listening)
			}
			select {
			case hints <- hint:
			case <-ctx.Done():
				return
			}
		}
	}()
	<-listening
	run := func(text string) (all []api.Line) {
		t.Helper()
		id := api.NewRunID(time.Now())
		task := rein.Task{Flow: "operate", Model: "played", Language: "en", Tools: []string{"lists.add", "lists.create", "generate_week_menu"}, Messages: []rein.Message{{Role: rein.User, Text: text}}, Policy: rein.Policy{Allow: []string{"lists.create"}}}
		for line, err := range a.StartAndFollow(ctx, id, task, client.FollowOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, line)
		}
		return all
	}
	for _, text := range []string{"milk", "gift"} {
		run(text)
		for {
			hint, ok := <-hints
			if !ok {
				t.Fatalf("%s: no hint that lists changed", text)
			}
			if slices.Contains(hint.Household, api.TopicLists) {
				break
			}
		}
	}
	l, err := a.List(ctx, "groceries")
	if err != nil || len(l.Items) != 1 || l.Items[0].Text != "milk" || l.Items[0].Amount != 2 || l.Items[0].By != rein.FirstUser {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err = a.List(ctx, "Gifts"); err != nil || !l.Private {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := a.SetPreference(ctx, "allergies", api.NewPreference{Value: "peanuts"}); err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, line := range run("menu") {
		if line.Event != nil && line.Event.Kind == rein.StepDone {
			end, err := rein.Payload[rein.StepEnd](*line.Event)
			if err != nil {
				t.Fatal(err)
			}
			if end.Result != nil && strings.HasPrefix(end.Result.Text, "Menu from") {
				said = end.Result.Text
			}
		}
	}
	for _, want := range []string{"Rice with chicken\n", "Left out for those who eat: peanut", "dishes were not used"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if strings.Contains(said, "Satay") {
		t.Errorf("an allergen is in\n%s", said)
	}
}
