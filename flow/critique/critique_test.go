package critique

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Covers: NEU-61
func TestParseVerdict(t *testing.T) {
	for reply, want := range map[string]Verdict{
		`{"ok": true}`: {OK: true, Issues: []string{}},
		`Zo: {"ok": false, "issues": "fout", "better": " x "}`: {Issues: []string{"fout"}, Better: "x"},
	} {
		got, err := parseVerdict(reply)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", reply, err, diff)
		}
	}
	for _, reply := range []string{"", "goed", `{"issues": []}`, `{"ok": "ja"}`} {
		if got, err := parseVerdict(reply); err == nil {
			t.Errorf("%s: %+v", reply, got)
		}
	}
}
