package erase_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"rein"
	"rein/household/erase"
	"rein/household/people"
	"rein/store"
)

// With a user go the devices they were logged in with, what these said they are, the codes that wait, and the invitations
// that they came by or sent. Those of others stay.
//
// Covers: ENG-36 ENG-37
func TestHowPeopleCameInGoes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	invite := func(by rein.Identity, name string) string {
		text, _, err := h.people.NewInvite(t.Context(), by, people.InviteRequest{Role: rein.Child, User: name})
		h.check(err)
		return text
	}
	_, kim, err := h.people.UseInvite(t.Context(), invite(owner, "kim"), "", "PLANTED phone")
	h.check(err)
	_, _, err = h.people.UseInvite(t.Context(), invite(owner, "lee"), "", "KEPT phone")
	h.check(err)
	code, _, err := h.people.NewPairing(t.Context(), kim, "")
	h.check(err)
	_, _, err = h.people.UsePairing(t.Context(), code, "PLANTED tablet")
	h.check(err)
	_, _, err = h.people.NewPairing(t.Context(), kim, "")
	h.check(err)
	rows := func(table string) (n int) {
		h.check(h.store.Read(t.Context(), func(ctx context.Context, q store.Query) error {
			found, err := q.QueryContext(ctx, `SELECT count(*) FROM `+table+` WHERE user_name = 'kim'`)
			if err != nil {
				return err
			}
			defer found.Close()
			found.Next()
			var one sql.NullInt64
			err = found.Scan(&one)
			n = int(one.Int64)
			return err
		}))
		return n
	}
	if rows("invites") != 1 || rows("pairings") != 1 || rows("devices") != 2 || len(h.everywhere("PLANTED")) == 0 {
		t.Fatalf("before: %d invites, %d codes, %d devices", rows("invites"), rows("pairings"), rows("devices"))
	}
	listed := strings.Join(names(h.erases(owner, erase.Target{User: "kim"})), "\n")
	for _, want := range []string{"device", "pairing code", "invite", "browser"} {
		if !strings.Contains(listed, want) {
			t.Errorf("no %s among\n%s", want, listed)
		}
	}
	if n := rows("invites") + rows("pairings") + rows("devices") + rows("browsers"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if got := h.everywhere("PLANTED"); len(got) > 0 {
		t.Errorf("%q hold it", got)
	}
	if len(h.everywhere("KEPT phone")) == 0 {
		t.Error("another's device is gone too")
	}
	v, err := people.Verify(t.Context(), h.store)
	h.check(err)
	if len(v.Wrong) > 0 {
		t.Errorf("verify: %v", v.Wrong)
	}
}
