package prose_test

import (
	"strings"
	"testing"

	"rein/internal/prose"
)

// Replies are cut into pieces of every size: what is shown is the same, nothing of a line that hands over is ever shown,
// and what came before it is withdrawn.
//
// Covers: NEU-21
func TestCut(t *testing.T) {
	for _, c := range []struct {
		reply, shown string
		over         bool
	}{
		{"Hello.\nHow are you?", "Hello.\nHow are you?", false},
		{"[NEED_TASK]\nI will.", "", true},
		{"  [need_task] \r\n", "", true},
		{"I will.\n[NEED_TASK]", "I will.\n", true},
		{"I will.\n\n [NEED_TASK]\nNow.", "I will.\n", true},
		{"A [NEED_TASK] in a line.\n[NEED_TASK] and more\n[NEED_TAS", "A [NEED_TASK] in a line.\n[NEED_TASK] and more\n[NEED_TAS", false},
		{"```\n[NEED_TASK]\n```\nSo.", "```\n[NEED_TASK]\n```\nSo.", false},
		{"```\n[NEED_TASK]\n```\n[NEED_TASK]", "```\n[NEED_TASK]\n```\n", true},
		{"`code` is\n~~~~\n~~~\n[NEED_TASK]\n~~~~\n", "`code` is\n~~~~\n~~~\n[NEED_TASK]\n~~~~\n", false},
		{"Wait\n[", "Wait\n[", false},
	} {
		for size := 1; size <= len(c.reply); size++ {
			var shown strings.Builder
			over := 0
			cut := prose.Cut{Lines: []string{"[NEED_TASK]"}, Show: func(text string) { shown.WriteString(text) }, Withdraw: func() { over++ }}
			for rest := c.reply; rest != ""; rest = rest[min(size, len(rest)):] {
				cut.Write(rest[:min(size, len(rest))])
			}
			cut.Close()
			if got := shown.String(); strings.TrimRight(got, "\n") != strings.TrimRight(c.shown, "\n") || (over == 1) != c.over {
				t.Errorf("%q in pieces of %d: %q, withdrawn %d times", c.reply, size, got, over)
				break
			}
		}
	}
}
