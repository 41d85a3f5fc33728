package rein_test

import (
	"testing"

	"rein"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""},
		{"short", 5, "short"},
		{"longer", 4, "long…"},
		{"aé", 2, "a…"},
		{"x", -1, "…"},
	} {
		if got := rein.Clip(c.text, c.most); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
