package speech

import (
	"testing"
	"time"
)

// Covers: NEU-62
func TestWhen(t *testing.T) {
	zone := time.FixedZone("", 3600)
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, zone)
	for language, want := range map[string]string{
		"": "Tuesday 24 November, 09:00", "en-GB": "Tuesday 24 November, 09:00", "nl": "dinsdag 24 november, 09:00",
		"nl-BE": "dinsdag 24 november, 09:00", "de": "Tuesday 24 November, 09:00",
	} {
		if got := When(language, at, now); got != want {
			t.Errorf("%q: %q, want %q", language, got, want)
		}
	}
	if got := Day("nl", at.AddDate(1, 0, 0), now); got != "woensdag 24 november 2027" {
		t.Error(got)
	}
}

func TestSay(t *testing.T) {
	w := Words{"en": {"a": "one %d", "b": "two"}, "nl": {"a": "een %d"}}
	for _, c := range []struct{ language, key, want string }{{"nl-NL", "a", "een 1"}, {"nl", "b", "two"}, {"", "a", "one 1"}, {"fr", "a", "one 1"}} {
		args := []any{1}
		if c.key == "b" {
			args = nil
		}
		if got := w.Say(c.language, c.key, args...); got != c.want {
			t.Errorf("%q %q: %q, want %q", c.language, c.key, got, c.want)
		}
	}
}

// Covers: NEU-62
func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"Herinner me morgen om 9 aan de tandarts":   "nl",
		"Remind me tomorrow at nine of the dentist": "en",
		"Goedemorgen!": "nl", "Good morning!": "en", "wat staat er morgen op de agenda?": "nl", "zet melk op de boodschappenlijst": "nl",
		"What is on tomorrow?": "en", "15:00": "", "": "", "pizza": "", "Schrijf Bob een brief.": "nl", "Is it in the van?": "en",
		"onthoud dat ik geen noten eet": "nl", "remember that I do not eat nuts": "en", "Hm.": "",
	} {
		if got := Of(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
