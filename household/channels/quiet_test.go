package channels_test

import (
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/channels"
)

// Quiet hours hold on the clock of their zone, also over midnight, on some days only, next to each other, and on the nights
// on which the clocks change.
func TestQuietUntil(t *testing.T) {
	t.Parallel()
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	night := channels.Quiet{From: "22:00", To: "07:00"}
	for name, c := range map[string]struct {
		quiet     []channels.Quiet
		now, want string // on the clocks of Amsterdam; an empty want: at once
	}{
		"by day":             {[]channels.Quiet{night}, "2026-11-24 12:00", ""},
		"just before":        {[]channels.Quiet{night}, "2026-11-24 21:59", ""},
		"as it begins":       {[]channels.Quiet{night}, "2026-11-24 22:00", "2026-11-25 07:00"},
		"after midnight":     {[]channels.Quiet{night}, "2026-11-25 03:00", "2026-11-25 07:00"},
		"as it ends":         {[]channels.Quiet{night}, "2026-11-25 07:00", ""},
		"not on this day":    {[]channels.Quiet{{Days: []string{"sunday"}, From: "08:00", To: "12:00"}}, "2026-11-24 09:00", ""},
		"on this day":        {[]channels.Quiet{{Days: []string{"tuesday"}, From: "08:00", To: "12:00"}}, "2026-11-24 09:00", "2026-11-24 12:00"},
		"it began yesterday": {[]channels.Quiet{{Days: []string{"monday"}, From: "22:00", To: "09:00"}}, "2026-11-24 08:00", "2026-11-24 09:00"},
		"the day after":      {[]channels.Quiet{{Days: []string{"monday"}, From: "22:00", To: "09:00"}}, "2026-11-25 08:00", ""},
		"one after another":  {[]channels.Quiet{night, {From: "07:00", To: "09:30"}}, "2026-11-24 23:00", "2026-11-25 09:30"},
		"clocks go forward":  {[]channels.Quiet{{From: "22:00", To: "02:30"}}, "2026-03-28 23:00", "2026-03-29 03:00"},
		"clocks go back":     {[]channels.Quiet{night}, "2026-10-24 23:00", "2026-10-25 07:00"},
	} {
		now, err := time.ParseInLocation("2006-01-02 15:04", c.now, amsterdam)
		if err != nil {
			t.Fatal(err)
		}
		got := channels.Preferences{Quiet: c.quiet}.QuietUntil(now, amsterdam)
		want := c.want
		if want == "" {
			want = c.now
		}
		if at := got.In(amsterdam).Format("2006-01-02 15:04"); at != want {
			t.Errorf("%s: %s, want %s", name, at, want)
		}
	}
}

// Preferences that make no sense are refused, with what is wrong with them.
func TestPreferencesRefused(t *testing.T) {
	t.Parallel()
	b := book(t)
	for says, p := range map[string]channels.Preferences{
		"leave no time of the week": {Quiet: []channels.Quiet{{From: "08:00", To: "20:00"}, {From: "20:00", To: "08:00"}}},
		"are both 22:00":            {Quiet: []channels.Quiet{{From: "22:00", To: "22:00"}}},
		`"25:00" is not a time`:     {Quiet: []channels.Quiet{{From: "25:00", To: "07:00"}}},
		`"7:00" is not a time`:      {Quiet: []channels.Quiet{{From: "22:00", To: "7:00"}}},
		`there is no day "someday"`: {Quiet: []channels.Quiet{{Days: []string{"someday"}, From: "22:00", To: "07:00"}}},
		`no time zone "Mars/Base"`:  {Zone: "Mars/Base"},
		`"nl; DROP" is not`:         {Language: "nl; DROP"},
		"at most 14 are kept":       {Quiet: make([]channels.Quiet, 15)},
	} {
		p.Household, p.User = "home", "ann"
		if err := b.SetPreferences(t.Context(), p); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	want := channels.Preferences{Household: "home", User: "ann", Quiet: []channels.Quiet{{From: "22:00", To: "07:00"}}, Zone: "Europe/Amsterdam", Language: "nl"}
	if err := b.SetPreferences(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	got, err := b.Preferences(t.Context(), "home", "ann")
	if err != nil || got.Zone != want.Zone || len(got.Quiet) != 1 || got.Quiet[0].To != "07:00" {
		t.Errorf("%+v %v", got, err)
	}
	zone, language := got.In(time.UTC, "en")
	if zone.String() != "Europe/Amsterdam" || language != "nl" {
		t.Errorf("%s %s", zone, language)
	}
}

// A code is good once, for its own channel and user, for a while, and for a few tries.
func TestCode(t *testing.T) {
	t.Parallel()
	b, ctx := book(t), t.Context()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	b.Now = func() time.Time { return now }
	mail := put(t, b, channels.Channel{Household: "home", User: "ann", Kind: channels.Mail, Address: "ann@example.org"})
	other := put(t, b, channels.Channel{Household: "home", User: "ann", Kind: channels.Mail, Address: "eve@example.org"})
	code := func() string {
		t.Helper()
		code, _, err := b.NewCode(ctx, "home", "ann", mail.ID)
		if err != nil || len(code) != 8 {
			t.Fatalf("%q %v", code, err)
		}
		return code
	}
	refused := func(what, user, id, code string, want rein.Code) {
		t.Helper()
		if err := b.Verify(ctx, "home", user, id, code); rein.CodeOf(err) != want {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("no code was made", "ann", mail.ID, "", rein.CodeInvalid)
	first := code()
	wrong := strings.Repeat("1", 8)
	if first == wrong {
		wrong = strings.Repeat("2", 8)
	}
	refused("another user", "bob", mail.ID, first, rein.CodeNotFound)
	refused("another channel", "ann", other.ID, first, rein.CodeInvalid)
	for range 5 {
		refused("a wrong code", "ann", mail.ID, wrong, rein.CodeInvalid)
	}
	refused("too many tries", "ann", mail.ID, first, rein.CodeInvalid)
	second := code()
	now = now.Add(channels.CodeLife)
	refused("too late", "ann", mail.ID, second, rein.CodeInvalid)
	third := code()
	if err := b.Verify(ctx, "home", "ann", mail.ID, " "+third[:4]+" "+third[4:]+"\n"); err != nil {
		t.Error(err)
	}
	if c, err := b.Get(ctx, "home", "ann", mail.ID); err != nil || !c.Works() {
		t.Errorf("%+v %v", c, err)
	}
	refused("once more", "ann", mail.ID, third, rein.CodeInvalid)
	if _, _, err := b.NewCode(ctx, "home", "ann", mail.ID); rein.CodeOf(err) != rein.CodeConflict {
		t.Error(err)
	}
}
