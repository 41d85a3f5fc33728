package server_test

import (
	"strings"
	"testing"

	"rein"
)

// A member sees their own account; who manages the household sees it and everyone's.
func TestLimits(t *testing.T) {
	r := newRig(t)
	for _, user := range []string{"ann", "bob"} {
		_, err := r.as(user).Start(t.Context(), rein.RunID("r-"+user), task("ask", ""))
		check(t, err)
		follow(t, r.as(user), rein.RunID("r-"+user), followAll).untilKind(rein.RunID("r-"+user), rein.RunParked)
	}
	for user, want := range map[string]string{"": "home/ home/ann home/bob", "ann": "home/ann", "carol": "home/carol", "stranger": "elsewhere/"} {
		limits, err := r.as(user).Limits(t.Context())
		check(t, err)
		var got []string
		for _, a := range limits.Accounts {
			got = append(got, a.Household+"/"+a.User)
			if used := a.Used; user != "carol" && user != "stranger" && (used.Frames == 0 || used.Bytes == 0 || used.Driven != 0) {
				t.Errorf("%s sees that %s uses %+v", user, a.User, used)
			}
			if !a.NextDay.After(a.NextHour.Add(-1)) || a.NextHour.Minute() != 0 {
				t.Errorf("it renews at %s and %s", a.NextHour, a.NextDay)
			}
		}
		if strings.Join(got, " ") != want || limits.Run != rein.MaxBudget() {
			t.Errorf("%q sees %v, %+v", user, got, limits.Run)
		}
	}
}
