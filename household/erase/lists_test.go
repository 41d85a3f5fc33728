package erase_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/erase"
	"rein/household/lists"
	"rein/store"
)

// What somebody put on lists goes with them, and what a run put there with the run and its session. A list that others have
// something on stays for them, without the name that was given to it.
func TestListsGo(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]erase.Target{"run": {Run: "r1"}, "session": {Session: "s1"}, "user": {User: "ann"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.said("r1", "ann", "s1", "Said.")
			ann, bob := lists.Who{Household: "home", User: "ann"}, lists.Who{Household: "home", User: "bob"}
			run := lists.Origin{Run: "r1", Step: "2"}
			at := time.Now()
			h.check(h.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
				shared, err := lists.Create(ctx, tx, ann, run, lists.New{Name: "PLANTED party"}, at)
				if err != nil {
					return err
				}
				own, err := lists.Create(ctx, tx, ann, lists.Origin{Run: "r1", Step: "3"}, lists.New{Name: "PLANTED presents", Private: true}, at)
				if err != nil {
					return err
				}
				for _, add := range []struct {
					who  lists.Who
					by   lists.Origin
					list string
					text string
				}{{ann, run, shared.ID, "PLANTED cake"}, {bob, lists.Origin{Step: "b"}, shared.ID, "KEPT balloons"}, {ann, run, own.ID, "PLANTED bike"}} {
					if _, err := lists.Add(ctx, tx, add.who, add.by, add.list, []lists.Addition{{Text: add.text, Category: strings.Fields(add.text)[0] + " category"}}, at); err != nil {
						return err
					}
				}
				_, err = lists.Check(ctx, tx, ann, shared.ID, []string{"KEPT balloons"}, true, at)
				return err
			}))
			if len(h.everywhere("PLANTED")) == 0 {
				t.Fatal("it is not found before either")
			}
			listed := strings.Join(names(h.erases(owner, target)), "\n")
			if strings.Count(listed, "list l-") != 2 || strings.Count(listed, "list item i-") != 2 {
				t.Errorf("listed are\n%s", listed)
			}
			if got := h.everywhere("PLANTED"); len(got) > 0 {
				t.Errorf("%q hold it", got)
			}
			var left []lists.List
			h.check(h.store.Read(t.Context(), func(ctx context.Context, q store.Query) (err error) {
				left, err = lists.All(ctx, q, bob)
				return err
			}))
			if len(left) != 1 || len(left[0].Items) != 1 || left[0].Items[0].Text != "KEPT balloons" || left[0].Maker != "" || left[0].Items[0].Done.IsZero() {
				t.Fatalf("bob has %+v", left)
			}
			if gone := left[0].Items[0].DoneBy == ""; gone != (target.User != "") {
				t.Errorf("done by %q", left[0].Items[0].DoneBy)
			}
		})
	}
}
