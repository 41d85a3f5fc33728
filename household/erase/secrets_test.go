package erase_test

import (
	"context"
	"slices"
	"testing"

	"rein/household/erase"
	"rein/household/secrets"
	"rein/store"
)

// What a user kept sealed goes with them, from the pages too; what others and the household keep stays.
func TestSecretsGoWithTheirUser(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	box := &secrets.Store{Tables: h.store, Keys: secrets.NewKeys(h.dir, ""), People: h.people}
	ann, bob, all := secrets.Owner{Household: "home", User: "ann"}, secrets.Owner{Household: "home", User: "bob"}, secrets.Owner{Household: "home"}
	for _, o := range []secrets.Owner{ann, bob, all} {
		h.check(box.Put(t.Context(), o, "API_KEY", []byte("of "+o.String())))
	}
	var sealed []byte
	h.check(h.store.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT sealed FROM secrets WHERE user_name = 'ann'`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			err = rows.Scan(&sealed)
		}
		return err
	}))
	if len(h.everywhere(string(sealed))) == 0 {
		t.Fatal("it is not found before either")
	}
	done := h.erases(owner, erase.Target{User: "ann"})
	if !slices.Contains(names(done), "secret API_KEY") {
		t.Errorf("erased: %q", names(done))
	}
	if got := h.everywhere(string(sealed)); len(got) > 0 {
		t.Errorf("%q hold it", got)
	}
	for o, want := range map[secrets.Owner]string{ann: "", bob: "of home/bob", all: "of home"} {
		if got, _ := box.Get(t.Context(), o, "API_KEY"); string(got) != want {
			t.Errorf("%s has %q", o, got)
		}
	}
}
