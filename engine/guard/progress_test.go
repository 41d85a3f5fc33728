package guard_test

import (
	"testing"

	"rein/engine/guard"
)

// Covers: TAB-B9
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		name string
		past []guard.Past
		want bool
	}{
		{"nothing yet", nil, false},
		{"once", []guard.Past{{"ls", "a"}}, false},
		{"twice the same", []guard.Past{{"ls", "a"}, {"ls", "a"}}, true},
		{"twice, something in between", []guard.Past{{"ls", "a"}, {"cat", "b"}, {"ls", "a"}, {"cat", "c"}}, true},
		{"another result", []guard.Past{{"ls", "a"}, {"ls", "b"}}, false},
		{"only the last two count", []guard.Past{{"ls", "a"}, {"ls", "a"}, {"ls", "b"}}, false},
		{"the same again", []guard.Past{{"ls", "a"}, {"ls", "b"}, {"ls", "b"}}, true},
		{"another call", []guard.Past{{"cat", "a"}, {"cat", "a"}}, false},
	} {
		if got := guard.Repeats(c.past, "ls"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
