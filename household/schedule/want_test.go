package schedule

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// now is a Friday, 13:00 in Amsterdam.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// What cannot be a job is refused, and the error says what would be right.
//
// Covers: NEU-57
func TestRefused(t *testing.T) {
	for want, w := range map[string]Want{
		"2026-11-20T09:00 is in the past: it is 2026-11-20T13:00 in Europe/Amsterdam now": {At: "2026-11-20T09:00", Text: "x"},
		"is not a time: write it like":                        {At: "tomorrow", Text: "x"},
		"more than 100 years ahead":                           {At: "2226-01-01T09:00", Text: "x"},
		"give exactly one":                                    {At: "2026-12-01T09:00", Every: "1h", Text: "x"},
		"schedule has 0 of at":                                {Text: "x"},
		"schedule.kind is every, but its field is missing":    {Kind: "every", At: "2026-12-01T09:00", Text: "x"},
		`schedule.kind is "weekly"`:                           {Kind: "weekly", At: "2026-12-01T09:00", Text: "x"},
		"from 60 s to 366 days":                               {Every: "59s", Text: "x"},
		"must be a number of seconds":                         {Every: "often", Text: "x"},
		"whole seconds":                                       {Every: "90.5s", Text: "x"},
		"fires 60 times an hour":                              {Cron: "* * * * *", Text: "x"},
		"fires 59 times an hour":                              {Cron: "0-58 9 * * *", Text: "x"},
		"must have five fields":                               {Cron: "0 9 * *", Text: "x"},
		"it has five fields":                                  {Cron: "0 25 * * *", Text: "x"},
		"never fires":                                         {Cron: "0 9 31 2 *", Text: "x"},
		"must have five fields (":                             {Cron: "@every 1h", Text: "x"},
		"there is no time zone":                               {At: "2026-12-01T09:00", Zone: "Europe/Nowhere", Text: "x"},
		"target main does not go with payload.kind agentTurn": {At: "2026-12-01T09:00", Target: "main", Payload: "agentTurn", Text: "x"},
		`target is "both"`:                                    {At: "2026-12-01T09:00", Target: "both", Text: "x"},
		`payload.kind is "mail"`:                              {At: "2026-12-01T09:00", Payload: "mail", Text: "x"},
		"payload.text is empty":                               {At: "2026-12-01T09:00"},
		"at most 4000 bytes":                                  {At: "2026-12-01T09:00", Text: strings.Repeat("x", 4001)},
		"one line of at most 100 bytes":                       {At: "2026-12-01T09:00", Text: "x", Label: strings.Repeat("x", 101)},
		`catch_up is "never"`:                                 {At: "2026-12-01T09:00", Text: "x", CatchUp: "never"},
		`overlap is "both"`:                                   {At: "2026-12-01T09:00", Text: "x", Overlap: "both"},
		"has no flow, no budget and no spend":                 {At: "2026-12-01T09:00", Text: "x", Flow: "assist"},
	} {
		if j, err := Make(w, amsterdam, now, DefaultRules()); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(strings.ReplaceAll(err.Error(), "It has", "it has"), want) {
			t.Errorf("%+v: %v, %v; want %q", w, j.Next, err, want)
		}
	}
	if _, err := Make(Want{Cron: "* * * * *", Text: "x"}, amsterdam, now, Rules{EveryMinute: true}); err != nil {
		t.Error("every minute is allowed:", err)
	}
}

// A person reads when a job fires in their language.
//
// Covers: NEU-62
func TestWords(t *testing.T) {
	for _, c := range []struct {
		w      Want
		en, nl string
	}{
		{Want{At: "2026-11-21T09:00", Text: "tandarts"}, "Shall I remind you of 'tandarts' on Saturday 21 November, 09:00?", "Zal ik je op zaterdag 21 november om 09:00 herinneren aan 'tandarts'?"},
		{Want{At: "2027-01-02T09:00", Text: "x"}, "Shall I remind you of 'x' on Saturday 2 January 2027, 09:00?", "Zal ik je op zaterdag 2 januari 2027 om 09:00 herinneren aan 'x'?"},
		{Want{Cron: "0 8 * * 1-5", Text: "x"}, "Shall I remind you of 'x' every weekday at 08:00?", "Zal ik je elke werkdag om 08:00 herinneren aan 'x'?"},
		{Want{Cron: "30 7 * * 2", Text: "x", Target: "isolated"}, "Shall I do 'x' every Tuesday at 07:30?", "Zal ik elke dinsdag om 07:30 'x' uitvoeren?"},
		{Want{Cron: "0 9 * * 1,3,7", Text: "x"}, "Shall I remind you of 'x' every Monday, Wednesday and Sunday at 09:00?", "Zal ik je elke maandag, woensdag en zondag om 09:00 herinneren aan 'x'?"},
		{Want{Cron: "0 9 * * 6,0", Text: "x"}, "Shall I remind you of 'x' every Saturday and Sunday at 09:00?", "Zal ik je elke zaterdag en zondag om 09:00 herinneren aan 'x'?"},
		{Want{Cron: "0 9 1 * *", Text: "x"}, "Shall I remind you of 'x' on day 1 of every month at 09:00?", "Zal ik je op dag 1 van elke maand om 09:00 herinneren aan 'x'?"},
		{Want{Cron: "0 9 3 5 *", Text: "x"}, "Shall I remind you of 'x' every year on 3 May at 09:00?", "Zal ik je elk jaar op 3 mei om 09:00 herinneren aan 'x'?"},
		{Want{Cron: "0 9 * * *", Text: "x"}, "Shall I remind you of 'x' every day at 09:00?", "Zal ik je elke dag om 09:00 herinneren aan 'x'?"},
		{Want{Cron: "15 * * * *", Text: "x"}, "Shall I remind you of 'x' every hour at 15 minutes past?", "Zal ik je elk uur om 15 minuten over herinneren aan 'x'?"},
		{Want{Every: "3600", Text: "x"}, "Shall I remind you of 'x' every hour?", "Zal ik je elk uur herinneren aan 'x'?"},
		{Want{Every: "90m", Text: "x"}, "Shall I remind you of 'x' every 90 minutes?", "Zal ik je elke 90 minuten herinneren aan 'x'?"},
		{Want{Cron: "0 9,17 * * 1", Text: "x"}, "Shall I remind you of 'x' 0 9,17 * * 1 (next: Monday 23 November, 09:00; Monday 23 November, 17:00; Monday 30 November, 09:00)?", "Zal ik je 0 9,17 * * 1 (eerstvolgend: maandag 23 november, 09:00; maandag 23 november, 17:00; maandag 30 november, 09:00) herinneren aan 'x'?"},
	} {
		j, err := Make(c.w, amsterdam, now, DefaultRules())
		if err != nil {
			t.Error(err)
			continue
		}
		for language, want := range map[string]string{"en": c.en, "nl": c.nl, "": c.en} {
			if j.Language = language; Asking(j, now) != want {
				t.Errorf("%q: %q\nwant %q", language, Asking(j, now), want)
			}
		}
	}
}

// A step that is committed again makes one job; on one day a user makes twenty, and has a hundred at most.
func TestRoom(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ann := Owner{"home", "ann"}
	add := func(o Owner, id string, at time.Time) error {
		t.Helper()
		j, err := Make(Want{Every: "1h", Text: "x"}, amsterdam, at, DefaultRules())
		if err != nil {
			t.Fatal(err)
		}
		j.ID, j.Owner = id, o
		return s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error { return Add(ctx, tx, j) })
	}
	for day := range 5 {
		at := now.AddDate(0, 0, day)
		for i := range MaxNew {
			for range 2 {
				if err := add(ann, fmt.Sprint(day, " ", i), at); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := add(ann, "more", at); rein.CodeOf(err) != rein.CodeLimit || !strings.Contains(err.Error(), "20 jobs were made for ann today, and that is the most for one day: make more after 2026-11-2") {
			t.Errorf("day %d: %v", day, err)
		}
	}
	if err := add(ann, "more", now.AddDate(0, 0, 5)); rein.CodeOf(err) != rein.CodeLimit || !strings.Contains(err.Error(), "ann has 100 jobs, and that is the most") {
		t.Error(err)
	}
	if err := add(Owner{"home", "bob"}, "bob's", now); err != nil {
		t.Error(err)
	}
	desk := Desk{Tables: s, Now: func() time.Time { return now.AddDate(0, 0, 5) }}
	if err := desk.Remove(t.Context(), Owner{"home", "bob"}, "0 0"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("bob removes ann's job: %v", err)
	}
	if err := desk.Remove(t.Context(), ann, "0 0"); err != nil {
		t.Error(err)
	}
	if _, err := desk.Add(t.Context(), ann, "again", Want{Every: "2h", Text: "y"}); err != nil {
		t.Error("there is room again:", err)
	}
	off := false
	j, err := desk.Change(t.Context(), ann, "again", Want{}, &off, 1)
	if err != nil || j.Active() || j.Version != 2 || j.Why != "disabled by hand" {
		t.Errorf("%+v %v", j, err)
	}
	if _, err := desk.Change(t.Context(), ann, "again", Want{Text: "z"}, nil, 1); rein.CodeOf(err) != rein.CodeConflict {
		t.Error("an old version was changed:", err)
	}
}
